// One HTTP request and its answer: headers, limits, waiting for the rate limit, and what a refusal means.

import { setTimeout as sleep } from "node:timers/promises";
import Agent from "undici/lib/dispatcher/agent.js";
import request from "undici/lib/api/api-request.js";
import type { Dispatcher } from "undici";
import { ServiceError } from "../errors.ts";
import { connectionError, refusal } from "./answers.ts";

/** `path` begins with a slash and is put behind the base address; `form` is an encoded body. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly form?: string;
}

export interface TransportOptions {
  /** The service's address without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** linkform's version, for the user agent. */
  readonly version: string;
  /** Told when the service asks to wait, with the seconds. */
  readonly onWait?: (seconds: number) => void;
  readonly signal?: AbortSignal;
}

/** An answer is read to this many bytes: 100 links with full target groups stay far below. */
const MOST_BYTES = 64 * 1024 * 1024;
const CONNECT_TIMEOUT = 10_000;
/** The service fetches the destination for up to 5 s before it answers (observed.md, "Writing"). */
const ANSWER_TIMEOUT = 60_000;
/** What a 429 without a usable Retry-After costs: the service's window is a minute (observed.md, "Rate limit"). */
const DEFAULT_WAIT = 60;
const LONGEST_WAIT = 3600;

/** Sends requests to one origin, with the key, and to no other. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: Dispatcher;
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
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Lets go of open connections. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /**
   * Sends a request and returns the JSON of a 2xx answer. Anything else is a `ServiceError`: no connection, a redirect,
   * a body that is not JSON, a refusal. A 429 was not acted on by the service: it is waited for and sent again.
   */
  async send(call: Call): Promise<unknown> {
    for (;;) {
      if (this.#pause !== null) await this.#pause;
      const { status, text, retryAfter } = await this.#exchange(call);
      if (status !== 429) return readAnswer(call, status, text);
      this.#pause ??= this.#wait(retryAfter);
    }
  }

  async #wait(seconds: number): Promise<void> {
    this.#options.onWait?.(seconds);
    const { signal } = this.#options;
    await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    this.#pause = null;
  }

  async #exchange(call: Call): Promise<{ status: number; text: string; retryAfter: number }> {
    const { baseUrl, apiKey, version } = this.#options;
    const query = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const url = new URL(`${baseUrl}${call.path}${query.size > 0 ? `?${query.toString()}` : ""}`);
    this.#requests += 1;
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
      return {
        status: statusCode,
        text: await readBody(body, call),
        retryAfter: readRetryAfter(headers["retry-after"]),
      };
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : connectionError(cause, url.host);
    }
  }
}

async function readBody(body: AsyncIterable<unknown>, call: Call): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MOST_BYTES) {
      throw new ServiceError(
        "shape",
        `The answer to ${call.method} ${call.path} is larger than ${MOST_BYTES >> 20} MiB.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Seconds to wait: a number of seconds or a date, as HTTP has both; at least one. */
function readRetryAfter(header: string | string[] | undefined): number {
  const text = typeof header === "string" ? header.trim() : "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_WAIT) : DEFAULT_WAIT;
}

function readAnswer(call: Call, status: number, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refusal(call, status, undefined, text);
  }
  if (status >= 200 && status < 300) return json;
  throw refusal(call, status, json, text);
}
