// Asks destinations whether they still answer, without a click at the service: `alive`, `dead` or `unknown`, which is never an alarm.

import type { LookupAddress } from "node:dns";
import type { BlockList } from "node:net";
import type { Clock } from "../domain/clock.ts";
import { groupBy } from "../domain/collections.ts";
import { hostOf, parseUrl } from "../domain/hosts.ts";
import { requester, type Reply } from "./request.ts";
import { Schedule } from "./schedule.ts";

export type Verdict = "alive" | "dead" | "unknown";

export interface Answer {
  readonly verdict: Verdict;
  /** In a few words for people, without text of the destination: "404", "no such host", "timed out", "private address" … */
  readonly reason: string;
  /** The redirects that were followed, in order, without credentials and fragments. */
  readonly redirects: readonly string[];
}

export interface AskOptions {
  readonly clock: Clock;
  /** `askAll` rejects with its reason. */
  readonly signal: AbortSignal;
  /** The time of `clock.now()` after which no request starts; null for no limit. What is not asked until then is unknown. */
  readonly deadline: number | null;
  readonly version: string;
  /** Hosts that are never connected to, in the form of `hostOf`: the service and the short domains. A redirect to one is alive. */
  readonly never: ReadonlySet<string>;
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Private addresses that may be connected to. Only for tests: no flag reaches it. */
  readonly allowed?: BlockList;
  /** In place of the machine's resolver. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly onAnswer: (url: string, answer: Answer) => void;
}

const MOST_REDIRECTS = 5;

/** Each takes a few kilobytes, and most wait for their host. */
const MOST_UNDER_WAY = 1000;

/** Milliseconds before a dead destination is asked again. */
const AGAIN = 30_000;

/** Asks each address once, and calls `onAnswer` as soon as its answer is known. Throws a user error for a wrong proxy. */
export async function askAll(urls: readonly string[], options: AskOptions): Promise<void> {
  const { clock, signal, never, onAnswer } = options;
  const schedule = new Schedule(options);
  const request = requester(options);
  const get = (url: URL): Promise<Reply> => schedule.send(url.hostname, () => request("GET", url));
  const headOrGet = async (url: URL): Promise<Reply> => {
    const reply = await schedule.send(url.hostname, () => request("HEAD", url));
    // Servers refuse HEAD in all of these ways, but for one of too many requests, another one would not help.
    return reply.verdict === "alive" || reply.status === 429 ? reply : get(url);
  };
  /** Only an address that is dead twice is dead. */
  const ask = async (url: string): Promise<Answer> => {
    const first = await follow(url, never, headOrGet);
    if (first.verdict !== "dead") return first;
    if (schedule.isLate(AGAIN))
      return { ...first, verdict: "unknown", reason: `${first.reason}, not asked again in time` };
    await clock.sleep(AGAIN, signal);
    return follow(url, never, get);
  };
  // The hosts in turn, so that a large one does not keep the others waiting.
  const hosts = [...groupBy(new Set(urls), hostOf).values()];
  const inTurn = hosts.flatMap((own) => own.map((url, turn) => ({ url, turn }))).toSorted((a, b) => a.turn - b.turn);
  const left = inTurn.values();
  const work = async (): Promise<void> => {
    for (const { url } of left) onAnswer(url, await ask(url));
  };
  await Promise.all(Array.from({ length: MOST_UNDER_WAY }, work));
}

async function follow(start: string, never: ReadonlySet<string>, send: (url: URL) => Promise<Reply>): Promise<Answer> {
  const redirects: string[] = [];
  const unknown = (reason: string): Answer => ({ verdict: "unknown", reason, redirects });
  let url = parseWeb(start);
  if (url === null) return unknown("not an http or https address");
  let last = unknown("never asked");
  const first = url.href;
  while (!never.has(hostOf(url.href) ?? "")) {
    const { location, verdict, reason } = await send(url);
    last = { verdict, reason, redirects };
    if (location === null) break;
    url = parseWeb(location, url.href);
    if (url === null) return unknown("redirects to something other than http");
    if (url.href === first || redirects.includes(url.href)) return unknown("redirects in a loop");
    if (redirects.length === MOST_REDIRECTS) return unknown(`more than ${MOST_REDIRECTS} redirects`);
    redirects.push(url.href);
  }
  return last;
}

/** The address as it is sent, compared and reported: without a fragment and a password. Null if it is not http or https. */
export function parseWeb(address: string, base?: string): URL | null {
  const url = parseUrl(address, base);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
  return Object.assign(url, { hash: "", username: "", password: "" });
}
