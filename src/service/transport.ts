// One HTTP request and its answer: headers, limits, waiting for the rate limit, and what a refusal means.

import { setTimeout as sleep } from "node:timers/promises";
import Agent from "undici/lib/dispatcher/agent.js";
import request from "undici/lib/api/api-request.js";
import type { Dispatcher } from "undici";
import { FIELDS } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { connectionError, refusal } from "./answers.ts";
import type { Call } from "./call.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface TransportOptions {
  /** The service's address without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** linkform's version, for the user agent. */
  readonly version: string;
  /** Told when the service asks to wait, with the seconds. */
  readonly onWait?: (seconds: number) => void;
}

/** An answer is read to this many bytes: 100 links with full target groups stay far below. */
const MOST_BYTES = 64 * 1024 * 1024;
const CONNECT_TIMEOUT = 10_000;
/** The service fetches the destination for up to 5 s before it answers (observed.md, "Writing"). */
const ANSWER_TIMEOUT = 60_000;
/** Names of the form variables that carry a secret. */
const SECRET_NAMES = new Set(
  [...FIELDS.link, ...FIELDS.pixel].flatMap((row) => (row.kind === "secret" ? row.sent : [])),
);

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** Seconds. */
  readonly retryAfter: number;
  readonly location: URL | null;
}

/** Sends requests to one origin, with the key, and to no other. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: Dispatcher;
  readonly #closed = new AbortController();
  /** Errors of connections that never stood, so that nothing was sent. */
  readonly #neverConnected = new WeakSet<Error>();
  #requests = 0;
  /** While the service asks to wait, everybody waits on this. */
  #pause: Promise<void> | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT },
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
    });
    this.#agent.on("connectionError", (_origin, _targets, cause) => this.#neverConnected.add(cause));
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Ends waiting for the rate limit, lets requests under way end, and lets go of open connections. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await this.#agent.close();
  }

  /**
   * Sends a request and returns the JSON of a 2xx answer. Anything else is a `ServiceError`: no connection, a redirect,
   * a body that is not JSON, a refusal. A 429 was not acted on by the service: it is waited for and sent again.
   */
  async send(call: Call): Promise<unknown> {
    for (;;) {
      if (this.#pause !== null) await this.#pause;
      const answer = await this.#exchange(call);
      if (answer.status !== 429) return this.#read(call, answer);
      this.#pause ??= this.#wait(answer.retryAfter);
    }
  }

  async #wait(seconds: number): Promise<void> {
    this.#options.onWait?.(seconds);
    await sleep(seconds * 1000, undefined, { signal: this.#closed.signal });
    this.#pause = null;
  }

  async #exchange(call: Call): Promise<Answer> {
    const { baseUrl, apiKey, version } = this.#options;
    const query = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const url = new URL(`${baseUrl}${call.path}${query.size > 0 ? `?${query.toString()}` : ""}`);
    this.#requests += 1;
    let status: number | null = null;
    try {
      const { statusCode, headers, body } = await request.call(this.#agent, {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: call.method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${apiKey}`,
          "user-agent": `linkform/${version}`,
          ...(call.form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        },
        body: call.form ?? null,
      });
      status = statusCode;
      return {
        status,
        body: await readBody(body, call, status),
        retryAfter: readRetryAfter(headers["retry-after"], Date.now()),
        location: readLocation(headers["location"], url),
      };
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      const connected = !(cause instanceof Error && this.#neverConnected.has(cause));
      throw connectionError({ cause, host: url.host, connected, status });
    }
  }

  #read(call: Call, { status, body, location }: Answer): unknown {
    const json = parseJson(body);
    if (json !== undefined && status >= 200 && status < 300) return json;
    const sent = [...new URLSearchParams(call.form)].flatMap(([name, value]) => (SECRET_NAMES.has(name) ? value : []));
    const secrets = [this.#options.apiKey, ...sent];
    throw refusal(call, { status, json, text: body.toString("utf8"), location, secrets });
  }
}

async function readBody(body: AsyncIterable<unknown>, call: Call, status: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MOST_BYTES) {
      const message = `The answer to ${call.method} ${call.path} (${status}) is larger than ${MOST_BYTES >> 20} MiB.`;
      throw new ServiceError("shape", message, {
        status,
        hint: "Check the address (service.base_url or --base-url): no list of links is that long.",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON of a body; undefined where it is none. Bytes that are not UTF-8 must not become data as `\ufffd`. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Where a redirect leads: it is told, never followed. */
function readLocation(header: string | string[] | undefined, from: URL): URL | null {
  const location = Array.isArray(header) ? header[0] : header;
  if (location === undefined || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  return to.protocol === "http:" || to.protocol === "https:" ? to : null;
}
