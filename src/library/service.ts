// The connection to the service for one call of the library.

import { checkApiKey } from "../session/connect.ts";
import { systemClock } from "../session/context.ts";
import { secretsIn, type Secrets } from "../http/redact.ts";
import { openTransport } from "../session/session.ts";
import { UserError } from "../errors.ts";
import type { Transport, Notice } from "../service/transport.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./types.ts";
import type { DeclaredSoftware } from "../domain/software.ts";

/** Options for the connection to the service. */
export interface ServiceOptions {
  /**
   * The API key. It is sent only to the address of the service, and no message contains it. linkform does not read it from the
   * environment; undefined is an error.
   */
  readonly apiKey: string | undefined;
  /** Environment variables; `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used. Default: none. */
  readonly env?: Environment | undefined;
  /** Abort it to stop: no new request is sent, reads end at once, and running writes are completed. */
  readonly signal?: AbortSignal | undefined;
  /** The most seconds to wait for the rate limit in total. Default: no limit. */
  readonly maxWait?: number | undefined;
  /** Called when linkform waits, retries a request, or reads a list again. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

interface OpenService {
  readonly transport: Transport;
  /** What no text of the library may contain. */
  readonly secrets: Secrets;
  /** Aborted, with a user error, when no new request may be sent. */
  readonly signal: AbortSignal;
  /** Wraps a callback of the caller: if it throws, the run stops as it does when the signal is aborted. */
  readonly guarded: <Argument>(callback: ((argument: Argument) => void) | undefined) => (argument: Argument) => void;
}

/** Runs `use` with a connection to the service, and closes it afterwards. */
export async function withService<Result>(
  baseUrl: string,
  software: DeclaredSoftware | null,
  options: ServiceOptions,
  use: (service: OpenService) => Promise<Result>,
): Promise<Result> {
  const { apiKey, env = {}, signal: outer, maxWait = null } = options;
  const controller = new AbortController();
  const stop = (cause: unknown): void => {
    const hint = "Read and plan again. Applied changes stay, and the rest is planned again.";
    const stopped = new UserError("stopped", "The run was stopped.", { hint, cause });
    controller.abort(cause instanceof UserError ? cause : stopped);
  };
  const guarded: OpenService["guarded"] = (callback) => (argument) => {
    try {
      callback?.(argument);
    } catch (cause) {
      stop(cause);
    }
  };
  const follow = (): void => stop(outer?.reason);
  if (outer?.aborted === true) follow();
  outer?.addEventListener("abort", follow, { once: true });
  const secrets = secretsIn({ ...env, LINKFORM_API_KEY: apiKey });
  const { signal } = controller;
  let transport: Transport | null = null;
  try {
    const key = checkApiKey((apiKey ?? "").trim(), "Pass it as `apiKey`.");
    const about = { baseUrl, software, apiKey: key, maxWait, tell: guarded(options.onNotice) };
    transport = await openTransport({ env, version: VERSION, clock: systemClock, signal }, about);
    return await use({ transport, secrets, signal, guarded });
  } finally {
    outer?.removeEventListener("abort", follow);
    await transport?.close();
  }
}
