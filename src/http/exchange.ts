// One HTTP request and its response: its proxy, timeouts, the size limit, the target of a redirect, times and numbers in headers.

import type { Readable } from "node:stream";
import { parseUrl } from "../domain/hosts.ts";
import type { buildConnector, Dispatcher } from "undici";
import type { Clock } from "../domain/clock.ts";
import { UserError } from "../errors.ts";
import { Connections } from "./connections.ts";
import { MOST_SECONDS, SlowAnswer, type Fault } from "./faults.ts";

export interface ExchangeOptions {
  /** An address of the origin. The headers are never sent to another one. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "real">;
  readonly proxy: ProxySettings | null;
  /** Turns a missing or incomplete response into an error. */
  readonly explain: (fault: Fault) => Error;
  /** Opens connections that go through no proxy, in place of undici's own connector. */
  readonly direct?: buildConnector.connector;
  /** Reads only the headers of responses, within this number of seconds. */
  readonly headersWithin?: number;
}

export interface Sent {
  readonly method: "HEAD" | "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly body: { readonly type: string; readonly text: string } | null;
}

/** Returns a header by its name in lower case, with several values joined by commas; null if there is none. */
export type Header = (name: string) => string | null;

/** The most bytes of a body that are read. 100 links with full target groups are far smaller, and so are 100 comments. */
export const MOST_BYTES: number = 64 * 1024 * 1024;

/**
 * Milliseconds to wait for the headers and between two chunks of the body. The service fetches destinations for up to 5 s
 * (docs/service.md, "Writing").
 */
const ANSWER_TIMEOUT = 30_000;

export interface HttpResponse {
  readonly status: number;
  readonly body: Buffer;
  /** The body is over the limit, and only its start was read. */
  readonly isTooLarge: boolean;
  readonly header: Header;
  /** The target of a redirect, which is reported and never followed. */
  readonly location: URL | null;
}

/** The JSON of a complete body; undefined if it is not JSON. Bytes that are not UTF-8 must not become data as `\ufffd`. */
export function jsonOf({ body, isTooLarge }: HttpResponse): unknown {
  if (isTooLarge) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Sends requests to one origin, and to no other. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #connections: Connections;
  readonly #underWay = new Set<Promise<unknown>>();
  #dispatcher: Promise<Dispatcher> | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#connections = new Connections(options.proxy, options.clock.real(ANSWER_TIMEOUT), options.direct);
  }

  /** Sends a request once. Throws the error from `explain` without a complete response, and at once the reason of an aborted `signal`. */
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
    const { origin, headers: always, clock, explain, headersWithin } = this.#options;
    if (url.origin !== new URL(origin).origin) throw new Error("a request to another origin");
    const timeout = clock.real(ANSWER_TIMEOUT);
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(new SlowAnswer()), clock.real((headersWithin ?? MOST_SECONDS) * 1000));
    let status: number | null = null;
    try {
      this.#dispatcher ??= this.#connections.open();
      const dispatcher = await this.#dispatcher;
      const { statusCode, headers, body } = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...always, ...(sent === null ? {} : { "content-type": sent.type }) },
        body: sent?.text ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal: signal === null ? slow.signal : AbortSignal.any([signal, slow.signal]),
      });
      status = statusCode;
      const header = (name: string): string | null => [headers[name] ?? []].flat().join(", ") || null;
      const read = headersWithin === undefined ? await readBody(body) : leaveBody(body);
      return { status, ...read, header, location: readLocation(header, url) };
    } catch (failed) {
      signal?.throwIfAborted();
      throw explain({ host: url.host, status, ...this.#connections.explain(failed) });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Completes requests under way, and closes all connections, also those that are being opened. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await (await this.#dispatcher)?.destroy();
  }
}

/** The outcome, or the signal's reason: undici checks a signal only after the connection is open. */
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

function leaveBody(body: Readable): Pick<HttpResponse, "body" | "isTooLarge"> {
  body.on("error", () => undefined).destroy();
  return { body: Buffer.alloc(0), isTooLarge: false };
}

function readLocation(header: Header, from: URL): URL | null {
  const location = header("location");
  const to = location === null ? null : parseUrl(location, from.href);
  return to?.protocol === "http:" || to?.protocol === "https:" ? to : null;
}

/** The address of a proxy, which may contain a password, and a comma-separated list of the hosts that bypass it. */
export interface ProxySettings {
  readonly address: URL;
  readonly noProxy: string;
}

/**
 * The proxy for this address from HTTPS_PROXY, HTTP_PROXY and NO_PROXY; null if there is none for its scheme. If both cases of a name are
 * set, the lower case wins, as in curl. Throws a user error if a value is not an address.
 */
export function readProxy(baseUrl: string, env: Readonly<Record<string, string | undefined>>): ProxySettings | null {
  const name = baseUrl.startsWith("https:") ? "https_proxy" : "http_proxy";
  const [proxy, from] = env[name] === undefined ? [env[name.toUpperCase()], name.toUpperCase()] : [env[name], name];
  if (proxy === undefined || proxy.trim() === "") return null;
  return { address: parseProxy(proxy.trim(), from), noProxy: (env["no_proxy"] ?? env["NO_PROXY"] ?? "").trim() };
}

/** Programs that read these variables take `proxy.example.com:3128` for http. */
function parseProxy(text: string, from: string): URL {
  const address = parseUrl(text.includes("://") ? text : `http://${text}`);
  if (address !== null && /^(https?|socks5?):$/.test(address.protocol)) return address;
  // The value may contain a password.
  throw new UserError("wrong-proxy", `${from} must be the address of a proxy.`, {
    hint: "Set it to an address such as http://proxy.example.com:3128, or unset it.",
  });
}

/** The date of a response in ms since the epoch; null if it has none. */
export function timeOf(header: Header): number | null {
  const time = Date.parse(header("date") ?? "");
  return Number.isNaN(time) ? null : time;
}

/**
 * The seconds of `Retry-After`, which has a number or a date; null without one. A date is compared with the date of the response, because
 * clocks differ, or with `now` (ms since the epoch).
 */
export function retryAfter(header: Header, now: number): number | null {
  const text = header("retry-after")?.trim() ?? "";
  const date = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return wholeNumber(text);
  return Math.max(Math.ceil((date - (timeOf(header) ?? now)) / 1000), 0);
}

/** A proxy with its own limit may add a second value; the first one is the server's. */
export function wholeNumber(text: string | null): number | null {
  const number = /^\s*(\d+)\s*(,|$)/.exec(text ?? "")?.[1];
  return number === undefined ? null : Number(number);
}
