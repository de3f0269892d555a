// The way to the service for as long as one function of the library takes.

import { checkApiKey, forMany } from "../commands/connect.ts";
import { systemClock } from "../commands/clock.ts";
import { UserError } from "../errors.ts";
import { readProxies } from "../service/proxies.ts";
import { Transport, type Notice } from "../service/transport.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./types.ts";

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

/** Opens the way to a service, hands it to `use`, and closes it again. The signal is aborted with a user error, as ours are. */
export async function withService<Result>(
  baseUrl: string,
  options: ServiceOptions,
  use: (transport: Transport, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { apiKey, env = {}, maxWait = null, onNotice } = options;
  const key = checkApiKey((apiKey ?? "").trim(), "Hand it in as `apiKey`.");
  const proxies = readProxies(baseUrl, env);
  const { signal, release } = stopping(options.signal);
  const transport = new Transport({
    baseUrl,
    apiKey: key,
    version: VERSION,
    clock: systemClock,
    proxies,
    signal,
    maxWait,
    ...(onNotice === undefined ? {} : { tell: onNotice }),
  });
  try {
    return await use(transport, signal);
  } finally {
    release();
    await transport.close();
  }
}

/** A signal that follows another one, whatever that one's reason is. */
function stopping(outer: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    const cause: unknown = outer?.reason;
    const hint = "Read and plan again: what was applied stays, the rest is planned anew.";
    controller.abort(cause instanceof UserError ? cause : new UserError("stopped", "It was stopped.", { hint, cause }));
  };
  if (outer?.aborted === true) stop();
  outer?.addEventListener("abort", stop, { once: true });
  return { signal: forMany(controller.signal), release: () => outer?.removeEventListener("abort", stop) };
}
