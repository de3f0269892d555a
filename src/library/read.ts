// A project -> what is live, as far as it needs that.

import { systemClock } from "../session/clock.ts";
import { declaredIn, parseAddress } from "../session/connect.ts";
import { readAccount } from "../session/read-account.ts";
import type { LiveState as State } from "../domain/live.ts";
import { connectReader } from "../service/service.ts";
import { projects } from "./load.ts";
import { Internals } from "./internals.ts";
import { withService, type ServiceOptions } from "./service.ts";
import type { LiveState, Project } from "./types.ts";

/** How the account is read. */
export interface ReadOptions extends ServiceOptions {
  /** Speak to this address, whatever the files say: so a change to a file can't send the key elsewhere. */
  readonly baseUrl?: string | undefined;
  /** Read every link, also where fewer requests would do. */
  readonly all?: boolean | undefined;
}

/** What stands behind a reading. */
interface LiveInternals {
  readonly project: Project;
  readonly state: State;
  readonly baseUrl: string;
  /** When it was read, as a canonical instant. */
  readonly at: string;
}

export const readings: Internals<LiveState, LiveInternals> = new Internals("readLive");

/**
 * Reads what is live, as far as this project needs it, in as few requests as that takes. It has no way to write.
 *
 * A reading is complete or it is an error: a `ServiceError` says why the service could not be read, a `UserError` what is
 * wrong with the key, the address or a proxy (`no-key`, `wrong-key`, `wrong-base-url`, `wrong-proxy`), or why it was given up
 * (`service-down`, `max-wait`, and `stopped` by `signal`).
 *
 * ```js
 * const live = await readLive(project, { apiKey: process.env.LINKFORM_API_KEY, env: process.env });
 * ```
 */
export async function readLive(project: Project, options: ReadOptions): Promise<LiveState> {
  const { files, base } = projects.of(project);
  const baseUrl = options.baseUrl === undefined ? files.baseUrl.value : parseAddress(options.baseUrl, "baseUrl");
  return withService(baseUrl, declaredIn(files), options, async ({ transport }) => {
    const wanted = { project: files, base: base?.project ?? null };
    const state = await readAccount(wanted, connectReader(transport), options.all === true, () => undefined);
    return readings.keep(state, { project, state, baseUrl, at: canonicalNow() });
  });
}

/** The present as an instant in canonical form: UTC, whole seconds. */
export function canonicalNow(): string {
  return instantOf(new Date(systemClock.now()));
}

/** An instant in canonical form. */
export function instantOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
