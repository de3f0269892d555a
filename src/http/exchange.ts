// One request and its answer, on the wire: time-outs, the size of what comes, and where a redirect leads.

import type { Dispatcher } from "undici";
import type { Clock } from "../domain/clock.ts";
import { Connections } from "./connections.ts";
import type { Fault } from "./faults.ts";
import type { Proxies } from "./proxies.ts";

export interface ExchangeOptions {
  /** An address of the origin that is spoken with: what every request carries goes to no other. */
  readonly origin: string;
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "real">;
  /** Through what the origin is reached; null: directly. */
  readonly proxies: Proxies | null;
  /** What it means that no whole answer came. */
  readonly explain: (fault: Fault) => Error;
}

/** A request to that origin. */
export interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  /** Null where there is none. */
  readonly body: { readonly type: string; readonly text: string } | null;
}

/** Reads a header by its name in lower case, several lines as one with commas; null where the answer has none. */
export type Header = (name: string) => string | null;

/** An answer is read to this many bytes: 100 links with full target groups stay far below, and so do 100 comments. */
export const MOST_BYTES: number = 64 * 1024 * 1024;

/** ms for the headers, and between two parts of the body. The service fetches destinations for up to 5 s (observed.md). */
const ANSWER_TIMEOUT = 30_000;

export interface HttpResponse {
  readonly status: number;
  readonly body: Buffer;
  /** The body was larger than is read; only its beginning is here. */
  readonly isTooLarge: boolean;
  readonly header: Header;
  /** Where a redirect leads: it is told, never followed. */
  readonly location: URL | null;
}

/** Speaks with one origin, and with no other. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #connections: Connections;
  readonly #underWay = new Set<Promise<unknown>>();
  #dispatcher: Promise<Dispatcher> | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#connections = new Connections(options.proxies, options.clock.real(ANSWER_TIMEOUT));
  }

  /** Sends a request once. What is no whole answer throws what `explain` makes of it; an aborted `signal` its reason, at once. */
  async send(sent: Sent, signal: AbortSignal | null): Promise<HttpResponse> {
    const answer = this.#send(sent, signal);
    const ending = signal === null ? answer : untilAborted(answer, signal);
    this.#underWay.add(ending);
    try {
      return await ending;
    } finally {
      this.#underWay.delete(ending);
    }
  }

  async #send({ method, url, body: sent }: Sent, signal: AbortSignal | null): Promise<HttpResponse> {
    const { origin, headers: always, clock, explain } = this.#options;
    if (url.origin !== new URL(origin).origin) throw new Error("a request to another origin");
    const timeout = clock.real(ANSWER_TIMEOUT);
    let status: number | null = null;
    try {
      const { statusCode, headers, body } = await (
        await this.#dispatch()
      ).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...always, ...(sent === null ? {} : { "content-type": sent.type }) },
        body: sent?.text ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal,
      });
      status = statusCode;
      const header = (name: string): string | null => [headers[name] ?? []].flat().join(", ") || null;
      return { status, ...(await readBody(body)), header, location: readLocation(header, url) };
    } catch (failed) {
      signal?.throwIfAborted();
      throw explain({ host: url.host, status, ...this.#connections.explain(failed) });
    }
  }

  /** Lets requests under way end, and lets go of connections, also of those that are only being made. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await (await this.#dispatcher)?.destroy();
  }

  #dispatch(): Promise<Dispatcher> {
    this.#dispatcher ??= this.#connections.open();
    return this.#dispatcher;
  }
}

/** What comes of it, or the signal's reason: undici looks at a signal only once a connection stands. */
function untilAborted<Result>(outcome: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function readBody(body: AsyncIterable<unknown>): Promise<Pick<HttpResponse, "body" | "isTooLarge">> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    chunks.push(chunk);
    if (size > MOST_BYTES) return { body: Buffer.concat(chunks), isTooLarge: true };
  }
  return { body: Buffer.concat(chunks), isTooLarge: false };
}

function readLocation(header: Header, from: URL): URL | null {
  const location = header("location");
  if (location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  return to.protocol === "http:" || to.protocol === "https:" ? to : null;
}
