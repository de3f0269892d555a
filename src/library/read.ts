// `readLive`: reads the part of the account that a project needs.

import { systemClock } from "../session/context.ts";
import { declaredIn, parseAddress } from "../session/connect.ts";
import { readAccount } from "../session/read-account.ts";
import { hideSecretFiles } from "../session/secrets.ts";
import type { LiveState as State } from "../domain/live.ts";
import type { Secrets } from "../http/redact.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { connectReader } from "../service/service.ts";
import { Internals, projects } from "./load.ts";
import { withService, type ServiceOptions } from "./service.ts";
import type { LiveState, Project } from "./types.ts";

/** Options of `readLive`. */
export interface ReadOptions extends ServiceOptions {
  /** Connect to this address instead of the one in the files. A change of a file then cannot send the key elsewhere. */
  readonly baseUrl?: string | undefined;
  /** Read all links, even if fewer requests would be enough. */
  readonly all?: boolean | undefined;
}

export interface LiveInternals {
  readonly project: Project;
  readonly state: State;
  readonly baseUrl: string;
  readonly secrets: Secrets;
  /** When the reading began, in milliseconds of the system clock. */
  readonly readAt: number;
  /** When it was read, as a canonical instant. */
  readonly at: string;
}

export const readings: Internals<LiveState, LiveInternals> = new Internals("readLive");

/**
 * Reads the part of the live state that this project needs, with as few requests as possible. It cannot write.
 *
 * It reads completely or throws. A `ServiceError` says why the service could not be read. A `UserError` says what is wrong with the API
 * key, the address or a proxy (`no-key`, `wrong-key`, `wrong-base-url`, `wrong-proxy`), or why reading stopped (`service-down`,
 * `max-wait`, or `stopped` by `signal`).
 *
 * ```js
 * const live = await readLive(project, { apiKey: process.env.LINKFORM_API_KEY, env: process.env });
 * ```
 */
export async function readLive(project: Project, options: ReadOptions): Promise<LiveState> {
  const { files, folder, base } = projects.of(project);
  const baseUrl = options.baseUrl === undefined ? files.baseUrl.value : parseAddress(options.baseUrl, "baseUrl");
  return withService(baseUrl, declaredIn(files), options, async ({ transport, secrets }) => {
    const readAt = systemClock.now();
    await hideSecretFiles({ secrets }, folder, files.declarations);
    const wanted = { project: files, base: base?.project ?? null, wantsAll: options.all === true };
    const state = await readAccount(wanted, connectReader(transport));
    const [links, pixels] = [separateUnreadable(state.links), separateUnreadable(state.pixels)];
    const unreadable = [...links.unreadable, ...pixels.unreadable];
    const shown = { ...state, links: links.readable, pixels: pixels.readable, unreadable };
    return readings.keep(shown, { project, state, baseUrl, secrets, readAt, at: canonicalNow() });
  });
}

/** The current time as a canonical instant: UTC, whole seconds. */
export function canonicalNow(): string {
  return instantOf(new Date(systemClock.now()));
}

/** A date as a canonical instant. */
export function instantOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
