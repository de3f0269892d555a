// One request and its answer, on the wire: time-outs, the size of what comes, and what it means when nothing does.

import request from "undici/lib/api/api-request.js";
import type { Dispatcher } from "undici";
import { connectionError, MOST_BYTES } from "./answers.ts";
import type { Call } from "./call.ts";
import type { Clock } from "./clock.ts";
import { Connections } from "./connections.ts";
import type { Header } from "./limit.ts";
import type { Proxies } from "./proxies.ts";

export interface ExchangeOptions {
  /** The service's address without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** linkform's version, for the user agent. */
  readonly version: string;
  readonly clock: Clock;
  /** Through what the service is reached; null: directly. */
  readonly proxies?: Proxies | null;
}

/** ms for the headers, and between two parts of the body. The service fetches destinations for up to 5 s (observed.md). */
const ANSWER_TIMEOUT = 30_000;

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** The body was larger than is read; only its beginning is here. */
  readonly isTooLarge: boolean;
  readonly header: Header;
  /** Where a redirect leads: it is told, never followed. */
  readonly location: URL | null;
}

/** Speaks with one origin, with the key, and with no other. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #connections: Connections;
  readonly #underWay = new Set<Promise<unknown>>();
  #dispatcher: Promise<Dispatcher> | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#connections = new Connections(options.proxies ?? null, options.clock.real(ANSWER_TIMEOUT));
  }

  /** Sends a request once. What is no whole answer is a `ServiceError`; an aborted `signal` throws its reason at once. */
  async send(call: Call, signal: AbortSignal | null): Promise<Answer> {
    const answer = this.#send(call, signal);
    const ending = signal === null ? answer : untilAborted(answer, signal);
    this.#underWay.add(ending);
    try {
      return await ending;
    } finally {
      this.#underWay.delete(ending);
    }
  }

  async #send(call: Call, signal: AbortSignal | null): Promise<Answer> {
    const { baseUrl, apiKey, version, clock } = this.#options;
    const url = addressOf(baseUrl, call);
    const timeout = clock.real(ANSWER_TIMEOUT);
    let status: number | null = null;
    try {
      const { statusCode, headers, body } = await request.call(await this.#dispatch(), {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: call.method,
        headers: {
          accept: "application/json",
          "accept-encoding": "identity",
          authorization: `Bearer ${apiKey}`,
          "user-agent": `linkform/${version}`,
          ...(call.form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        },
        body: call.form ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal,
      });
      status = statusCode;
      const header = (name: string): string | null => [headers[name] ?? []].flat().join(", ") || null;
      return { status, ...(await readBody(body)), header, location: readLocation(header, url) };
    } catch (failed) {
      signal?.throwIfAborted();
      throw connectionError({ host: url.host, status, ...this.#connections.explain(failed) });
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

function addressOf(baseUrl: string, { path, query }: Call): URL {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, String(value));
  return url;
}

async function readBody(body: AsyncIterable<unknown>): Promise<Pick<Answer, "body" | "isTooLarge">> {
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
