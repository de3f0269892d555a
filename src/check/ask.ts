// Asks destinations whether they still answer, without a click at the service: `alive`, `dead` or `unknown`, which is never an alarm.

import type { LookupAddress } from "node:dns";
import type { BlockList } from "node:net";
import type { Clock } from "../domain/clock.ts";

export type Verdict = "alive" | "dead" | "unknown";

/** What a destination answered. */
export interface Answer {
  readonly verdict: Verdict;
  /** In a few words for people, without text of the destination: "404", "no such host", "timed out", "private address" … */
  readonly reason: string;
  /** The last status; null if the last request got no answer. */
  readonly status: number | null;
  /** The addresses of the redirects that were followed, in order, without the first, without credentials and fragments. */
  readonly redirects: readonly string[];
}

export interface AskOptions {
  readonly clock: Clock;
  /** Aborted to end the asking: `askAll` rejects with its reason. */
  readonly signal: AbortSignal;
  /** The time of `clock.now()` after which no request starts; null for no limit. What is not asked until then is unknown. */
  readonly deadline: number | null;
  /** linkform's version, for the `User-Agent`. */
  readonly version: string;
  /** Hosts that are never connected to, in the form of `hostOf`: the service and the short domains. A redirect to one is alive. */
  readonly never: ReadonlySet<string>;
  /** The environment, for HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Private addresses that may be connected to. Only for tests: no flag reaches it. */
  readonly allowed?: BlockList;
  /** Resolves a host name to all of its addresses, in place of the machine's resolver. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Called once for each address, as soon as its answer is known. */
  readonly onAnswer?: (url: string, answer: Answer) => void;
}

/** Asks each of these http and https addresses once, and resolves to the answer for each. Throws a user error for a wrong proxy. */
export function askAll(urls: readonly string[], options: AskOptions): Promise<ReadonlyMap<string, Answer>> {
  return Promise.reject(new Error(`not built yet: ${urls.length} addresses, ${options.version}`));
}
