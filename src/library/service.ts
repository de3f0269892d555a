// The way to the service for as long as one function of the library takes.

import { checkApiKey, forMany } from "../session/connect.ts";
import { systemClock } from "../session/clock.ts";
import { UserError } from "../errors.ts";
import { readProxies } from "../http/proxies.ts";
import { Transport, type Notice } from "../service/transport.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./types.ts";
import type { DeclaredSoftware } from "../domain/software.ts";

/** How the service is spoken to. */
export interface ServiceOptions {
  /**
   * The API key. It goes to the service's address only, and is in no message. It is never read
   * from the environment by itself; undefined is an error.
   */
  readonly apiKey: string | undefined;
  /** Variables: of them `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read here. Default: none. */
  readonly env?: Environment | undefined;
  /** Aborted to begin nothing new: reads end at once, writes under way are let through. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds: the most to wait for the rate limit in all. Default: as long as it takes. */
  readonly maxWait?: number | undefined;
  /** Told of what goes on between the requests: waiting, trying again, reading a list again. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

/** A way to the service that is open. */
export interface OpenService {
  readonly transport: Transport;
  /** Aborted, with a user error, when nothing new may begin. */
  readonly signal: AbortSignal;
  /** Somebody's callback: one that throws stops what is under way in good order, as the signal does. */
  readonly guarded: <Told>(tell: ((told: Told) => void) | undefined) => (told: Told) => void;
}

/** Opens the way to a service, hands it to `use`, and closes it again. */
export async function withService<Result>(
  baseUrl: string,
  software: DeclaredSoftware | null,
  options: ServiceOptions,
  use: (service: OpenService) => Promise<Result>,
): Promise<Result> {
  const { apiKey, env = {}, signal: outer, maxWait = null } = options;
  const key = checkApiKey((apiKey ?? "").trim(), "Hand it in as `apiKey`.");
  const proxies = readProxies(baseUrl, env);
  const controller = new AbortController();
  const signal = forMany(controller.signal);
  const stop = (cause: unknown): void => controller.abort(cause instanceof UserError ? cause : stopped(cause));
  const guarded: OpenService["guarded"] = (tell) => (told) => {
    try {
      tell?.(told);
    } catch (cause) {
      stop(cause);
    }
  };
  const follow = (): void => stop(outer?.reason);
  if (outer?.aborted === true) follow();
  outer?.addEventListener("abort", follow, { once: true });
  const transport = new Transport({
    baseUrl,
    apiKey: key,
    software,
    version: VERSION,
    clock: systemClock,
    proxies,
    signal,
    maxWait,
    tell: guarded(options.onNotice),
  });
  try {
    return await use({ transport, signal, guarded });
  } finally {
    outer?.removeEventListener("abort", follow);
    await transport.close();
  }
}

function stopped(cause: unknown): UserError {
  const hint = "Read and plan again: what was applied stays, the rest is planned anew.";
  return new UserError("stopped", "It was stopped.", { hint, cause });
}
