// Sends requests to the service: at its pace, retried if that is safe, with errors that explain a rejection.

import { setMaxListeners } from "node:events";
import type { Clock } from "../domain/clock.ts";
import type { DeclaredSoftware } from "../domain/software.ts";
import { FIELDS } from "../domain/table.ts";
import { sentNames } from "../domain/wire.ts";
import { ServiceError } from "../errors.ts";
import { Secrets } from "../http/redact.ts";
import { Exchange, jsonOf, type HttpResponse, type Header, type ProxySettings } from "../http/exchange.ts";
import { triesAfter } from "../http/faults.ts";
import { connectionError, refusal } from "./answers.ts";
import { type Call, isGone, unless } from "./call.ts";
import { Detection } from "./detection.ts";
import { readLimit } from "./limit.ts";
import { backoff, Pace, type RequestEnding } from "./pace.ts";

/** Something that happens between requests, to be shown. */
export type Notice =
  /** All requests wait: for the rate limit, or because the service no longer responds. */
  | { readonly what: "wait"; readonly seconds: number; readonly why: "limit" | "outage" }
  /** A request failed and is sent again. */
  | { readonly what: "retry"; readonly because: string; readonly seconds: number; readonly tries: number }
  /** A list changed while it was read, and is read again. */
  | { readonly what: "reread"; readonly path: string; readonly because: string };

/** How much of a list was read. */
export interface ListProgress {
  readonly path: string;
  readonly read: number;
  readonly pages: number;
}

export interface TransportOptions {
  /** The service's address without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The version of the service that the project file declares; null or left out to detect it. */
  readonly software?: DeclaredSoftware | null;
  readonly version: string;
  readonly clock: Clock;
  readonly proxy?: ProxySettings | null;
  /** Aborted to send no new request: reads end at once, writes under way are completed. */
  readonly signal?: AbortSignal;
  readonly maxWait?: number | null;
  readonly tell?: (notice: Notice) => void;
  /** `list` identifies the reading: two readings may have the same path. Null: it has ended. */
  readonly onPage?: (list: object, progress: ListProgress | null) => void;
}

/** The JSON of a 2xx answer, and its headers. */
export interface RequestOutcome {
  readonly json: unknown;
  readonly header: Header;
}

/** Reads that come right before a write, and what must be true of their answers. All are called for every try of the write. */
export interface PrecedingReads {
  /** Resolves to the number of reads that the write needs. */
  readonly expected: () => Promise<number>;
  /** The reads. If they are more than expected, because the try had to wait for its turn, it waits for a longer turn. */
  readonly reads: () => readonly Call[];
  /**
   * Whether the write may be sent; if not, more must be read first. Throws to refuse the write. An answer is null if the service has no
   * such row. `isDoubtful`: an earlier try of the write may have had its effect.
   */
  readonly check: (answers: readonly (RequestOutcome | null)[], isDoubtful: boolean) => boolean;
}

const NO_READS: PrecedingReads = { expected: () => Promise.resolve(0), reads: () => [], check: () => true };

/** The number of times that a request is sent before its failure is final. */
const TRIES = 5;

/** Temporary failures of the service or of a proxy. A 429 is not a failure: `pace.ts` waits for it. */
const PASSING: ReadonlySet<number | null> = new Set([408, 425, 500, 502, 503, 504]);

/**
 * Whether the same request may be sent again. A request that never left may; a POST whose response was lost may not, because it may have
 * created its row. `apply/store.ts` looks for that row.
 */
function isRepeatable({ method, mayBeNoPath }: Call, { code, status, neverSent }: ServiceError): boolean {
  if (neverSent) return code !== "tls" && code !== "proxy";
  if (method === "POST") return false;
  if (code === "unreachable" || code === "timeout") return true;
  // A page, or JSON cut short, where there should be an answer.
  const isPage = code === "not-json" && Number(status) < 400;
  return PASSING.has(status) || (isPage && mayBeNoPath !== true);
}

/** A proxy reports with these that the service does not respond. A 500 comes from the service and concerns one request. */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504]);

const SECRET_NAMES = new Set(
  [...FIELDS.link, ...FIELDS.pixel].flatMap((field) => (field.kind === "secret" ? sentNames(field) : [])),
);

/** The open connections and the pace of one address and key. Several transports can share it. */
export class Connection {
  readonly exchange: Exchange;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly #closed = new AbortController();

  constructor(options: TransportOptions) {
    const { baseUrl, apiKey, version, clock, proxy = null, maxWait = null, signal } = options;
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      authorization: `Bearer ${apiKey}`,
      "user-agent": `linkform/${version}`,
    };
    this.exchange = new Exchange({ origin: baseUrl, headers, clock, proxy, explain: connectionError });
    this.signal = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    // Each waiting request adds a listener, and Node warns from the eleventh on.
    setMaxListeners(0, this.signal);
    this.pace = new Pace({
      clock,
      signal: this.signal,
      maxWait,
      onWait: (seconds, why) => options.tell?.({ what: "wait", seconds, why }),
    });
  }

  /** Ends all waiting, completes requests under way, and closes the connections. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await this.exchange.close();
  }
}

/** Sends requests to one origin, with the key, and to no other. */
export class Transport {
  readonly options: TransportOptions;
  readonly #connection: Connection;
  readonly #isShared: boolean;
  #requests = 0;
  readonly detection: Detection;

  /** `shared` must be a connection to the same address with the same key. The caller closes it. */
  constructor(options: TransportOptions, shared: Connection | null = null) {
    this.options = options;
    this.detection = new Detection(options.software ?? null, (call) => this.send(call));
    this.#connection = shared ?? new Connection(options);
    this.#isShared = shared !== null;
  }

  get requests(): number {
    return this.#requests;
  }

  get pace(): Pace {
    return this.#connection.pace;
  }

  async close(): Promise<void> {
    if (!this.#isShared) await this.#connection.close();
  }

  /**
   * Sends a request and returns a 2xx response in JSON. Anything else is a `ServiceError`: no connection, a redirect, a body
   * that is not JSON, a rejection. Temporary failures are retried if that cannot do anything twice. After a 429, which has no effect,
   * the request waits. At the start of a run, a service that cannot be reached is tried twice, or once if the connection timed out.
   * If the signal is aborted, its reason is thrown, and nothing was done.
   *
   * The reads of `before` are repeated before every try. Nothing waits between them and the write, so that only one request
   * is between the check and the write.
   */
  async send(call: Call, before: PrecedingReads = NO_READS): Promise<RequestOutcome> {
    /** The last try that may have had its effect: what comes after it must not hide that. */
    let doubtful: ServiceError | null = null;
    for (let tries = 1; ;) {
      let current = call;
      let reserved = 1 + (await before.expected());
      try {
        await this.pace.enter(reserved);
      } catch (stopped) {
        throw doubtful ?? stopped;
      }
      try {
        const reads = before.reads();
        if (reads.length >= reserved) continue;
        this.pace.cancel(reserved - 1 - reads.length);
        reserved = 1 + reads.length;
        const answers: (RequestOutcome | null)[] = [];
        for (const read of reads) {
          [current, reserved] = [read, reserved - 1];
          answers.push(await unless(isGone, () => this.#once(read)));
        }
        if (!before.check(answers, doubtful !== null)) continue;
        this.#connection.signal.throwIfAborted();
        [current, reserved] = [call, reserved - 1];
        return await this.#once(call);
      } catch (cause) {
        if (!(cause instanceof ServiceError)) throw doubtful ?? cause;
        if (cause.status === 429) continue;
        const failed = current === call || call.method === "GET" ? cause : cause.with({ aftermath: "none" });
        if (tries >= triesAfter(cause.cause, TRIES) || !isRepeatable(current, failed))
          throw doubtful === null || failed.mayHaveActed ? failed : failed.with({ aftermath: doubtful.aftermath });
        if (call.method !== "GET" && failed.mayHaveActed) doubtful = failed;
        if (this.pace.isReached) await this.#backOff(tries, failed);
        else if (failed.code === "timeout" || !(await this.pace.waitForStart())) throw failed;
        tries += 1;
      } finally {
        this.pace.cancel(reserved);
      }
    }
  }

  /** Ends early if the signal is aborted; the next try throws its reason. */
  async #backOff(tries: number, cause: ServiceError): Promise<void> {
    const ms = backoff(tries, this.options.clock.random());
    this.options.tell?.({ what: "retry", because: cause.message, seconds: ms / 1000, tries });
    await this.options.clock.sleep(ms, this.#connection.signal).catch(() => null);
  }

  async #once(call: Call): Promise<RequestOutcome> {
    this.#requests += 1;
    let ending: RequestEnding = "lost";
    try {
      const { method, path, query, form } = call;
      const url = new URL(`${this.options.baseUrl}${path}`);
      for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, String(value));
      const body = form === undefined ? null : { type: "application/x-www-form-urlencoded", text: form };
      const { exchange, signal } = this.#connection;
      const answer = await exchange.send({ method, url, body }, method === "GET" ? signal : null);
      if (!GATEWAY_FAILURES.has(answer.status))
        ending = readLimit(answer.status, answer.header, this.options.clock.now());
      return this.#read(call, answer);
    } catch (cause) {
      if (cause instanceof ServiceError && cause.neverSent) ending = "unsent";
      throw cause;
    } finally {
      this.pace.leave(ending);
    }
  }

  #read(call: Call, answer: HttpResponse): RequestOutcome {
    const { status, header } = answer;
    const json = jsonOf(answer);
    if (json !== undefined && status >= 200 && status < 300) return { json, header };
    const sent = [...new URLSearchParams(call.form)].flatMap(([name, value]) => (SECRET_NAMES.has(name) ? value : []));
    // A refusal may quote what was sent, however short it is.
    throw refusal(call, answer, json, new Secrets([this.options.apiKey, ...sent], 1));
  }
}
