// Requests to a forge's API in JSON. They are retried where that cannot do anything twice, after the wait that the forge asks for.

import { parseUrl } from "../domain/hosts.ts";
import { UserError } from "../errors.ts";
import type { Clock } from "../domain/clock.ts";
import {
  Exchange,
  jsonOf,
  MOST_BYTES,
  retryAfter,
  wholeNumber,
  type Header,
  type HttpResponse,
  type ProxySettings,
  type Sent,
} from "../http/exchange.ts";
import { explainFault, triesAfter, type Fault } from "../http/faults.ts";
import * as z from "zod";
import { MOST_QUOTED, oneLine, Secrets } from "../http/redact.ts";

export interface FailureDetails {
  readonly hint: string;
  readonly status?: number | null;
  /** The forge's message, in one line. */
  readonly words?: string;
  readonly mayHaveActed?: boolean;
  /** Seconds after which the request can be sent again, because the forge limits requests and has not acted on it. */
  readonly wait?: number;
  readonly cause?: unknown;
}

/** A forge did not answer, or refused. Never holds the token. */
export class ForgeFailure extends UserError {
  readonly details: FailureDetails;

  constructor(code: string, message: string, details: FailureDetails) {
    super(code, message, details);
    this.details = details;
  }
}

export interface ApiOptions {
  /** The API's address without a slash at its end, and the variable that names it. */
  readonly address: string;
  readonly variable: string;
  readonly forge: "GitHub" | "GitLab";
  readonly token: string;
  readonly version: string;
  readonly clock: Clock;
  readonly proxy: ProxySettings | null;
  readonly onWait: (seconds: number) => void;
}

/** `isRead`: a POST that changes nothing. */
interface ForgeRequest {
  readonly method: Sent["method"];
  readonly url: URL;
  readonly json?: unknown;
  readonly isRead?: boolean;
}

const TRIES = 5;
const FIRST_DELAY = 1000;

/** Total seconds to wait for the rate limit of a forge: a job costs money while it waits. */
const MOST_WAIT = 300;
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504]);
const PAGE_SIZE = "100";

/** A list with more pages than this is treated as endless. */
const MOST_PAGES = 1000;

export class Api {
  readonly #options: ApiOptions;
  readonly #exchange: Exchange;
  readonly #secrets: Secrets;
  #waited = 0;

  constructor(options: ApiOptions) {
    const { address, variable, token, version, clock, proxy } = options;
    this.#options = options;
    this.#secrets = new Secrets([token], 1);
    this.#exchange = new Exchange({
      origin: address,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        authorization: `Bearer ${token}`,
        // GitHub refuses requests without a user agent.
        "user-agent": `linkform/${version}`,
        ...(options.forge === "GitHub" ? { "x-github-api-version": "2022-11-28" } : {}),
      },
      clock,
      proxy,
      explain: (fault) => unanswered(fault, variable),
    });
  }

  /** Calls GitHub's GraphQL API, which is beside the REST API; on GitHub Enterprise Server it is one folder up. */
  async graphql<Form>(form: z.ZodType<Form>, query: string): Promise<Form> {
    const url = new URL(`${this.#options.address.replace(/\/v3$/, "")}/graphql`);
    return (await this.#ask(form, { method: "POST", url, json: { query }, isRead: true }))[0];
  }

  /** Reads all pages. */
  async list<Row>(row: z.ZodType<Row>, path: string, query: Readonly<Record<string, string>>): Promise<Row[]> {
    const rows: Row[] = [];
    let next: URLSearchParams | null = new URLSearchParams({ ...query, per_page: PAGE_SIZE });
    for (let page = 1; next !== null; page += 1) {
      const url = this.#urlOf(path);
      url.search = next.toString();
      const [read, { header }] = await this.#ask(z.array(row), { method: "GET", url });
      if (page > MOST_PAGES) throw this.#unexpected(`GET ${url.pathname}`, "has more pages than any list");
      rows.push(...read);
      next = nextQuery(header);
    }
    return rows;
  }

  /** Reads or changes what is at a path. A `POST` whose response is lost is not retried; its error has `mayHaveActed`. */
  async send<Form>(form: z.ZodType<Form>, method: Sent["method"], path: string, json?: unknown): Promise<Form> {
    return (await this.#ask(form, { method, url: this.#urlOf(path), json }))[0];
  }

  async close(): Promise<void> {
    await this.#exchange.close();
  }

  #urlOf(path: string): URL {
    return new URL(`${this.#options.address}${path}`);
  }

  async #ask<Form>(form: z.ZodType<Form>, question: ForgeRequest): Promise<[Form, HttpResponse]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(form, question);
      } catch (cause) {
        if (!(cause instanceof ForgeFailure) || tries >= triesAfter(cause.cause, TRIES)) throw cause;
        const { clock, onWait } = this.#options;
        const { wait } = cause.details;
        if (wait === undefined) {
          if (!isRepeatable(question, cause)) throw cause;
          await clock.sleep(FIRST_DELAY * 2 ** (tries - 1) * (0.5 + clock.random() / 2));
          continue;
        }
        this.#waited += wait;
        if (this.#waited > MOST_WAIT) throw cause;
        onWait(wait);
        await clock.sleep(wait * 1000);
      }
    }
  }

  async #once<Form>(form: z.ZodType<Form>, question: ForgeRequest): Promise<[Form, HttpResponse]> {
    const { method, url, json, isRead = false } = question;
    const body = json === undefined ? null : { type: "application/json", text: JSON.stringify(json) };
    const answer = await this.#exchange.send({ method, url, body }, null);
    const isGood = answer.status >= 200 && answer.status < 300;
    const parsed = isGood ? form.safeParse(jsonOf(answer)) : null;
    if (parsed?.success === true) return [parsed.data, answer];
    throw this.#failure(`${method} ${url.pathname}`, answer, !isRead && (isGood || answer.status >= 500));
  }

  #failure(asked: string, answer: HttpResponse, mayHaveActed: boolean): ForgeFailure {
    const { status, isTooLarge, location } = answer;
    const { forge, variable, clock } = this.#options;
    const words = this.#wordsOf(answer);
    const wait = limitedFor(answer, words, clock.now());
    if (wait !== null) {
      const message = `The rate limit of ${forge} was reached. ${forge} asks to wait ${wait} s.`;
      return new ForgeFailure("forge-limit", message, { hint: "Run the command again later.", wait });
    }
    const details = { status, words, mayHaveActed };
    if (status < 300) {
      const what = isTooLarge ? `is larger than ${MOST_BYTES >> 20} MiB` : `does not have the form that ${forge} uses`;
      return this.#unexpected(`${asked} (${status})`, `${what}${words === "" ? "" : `: "${words}"`}`, details);
    }
    if (status < 400) {
      const to = location === null ? "elsewhere" : `to ${location.origin}`;
      const hint = `linkform does not send the token to another address. Check ${variable}, and whether the repository was renamed.`;
      return new ForgeFailure("forge-redirect", `${forge} redirects ${asked} ${to} (${status}).`, { ...details, hint });
    }
    const hint =
      status >= 500
        ? `This is an error at ${forge}. Run the command again.`
        : /\btoo long\b/i.test(words)
          ? "Write a shorter report with `--format markdown=FILE` and `--max-length N`."
          : `Check the token's permissions and ${variable}.`;
    const says = words === "" ? "." : `: ${words}`;
    return new ForgeFailure("forge-refused", `${forge} rejected ${asked} (${status})${says}`, { ...details, hint });
  }

  /** The error for a response that cannot come from this API. */
  #unexpected(asked: string, what: string, details: Omit<FailureDetails, "hint"> = {}): ForgeFailure {
    const { forge, variable } = this.#options;
    const hint = `Check ${variable}. It must be the address of the ${forge} API. The response may also come from a proxy.`;
    return new ForgeFailure("forge-answer", `The response to ${asked} ${what}.`, { ...details, hint });
  }

  /** In one line without the token: the message of a refusal in a known form, or the start of a body that is not JSON. */
  #wordsOf(answer: HttpResponse): string {
    const json = jsonOf(answer);
    const read = refusal.safeParse(json);
    const { message, error, error_description: description, errors = [] } = read.data ?? {};
    const texts = [
      typeof message === "string" ? message : JSON.stringify(message),
      error,
      description,
      ...errors.map((one) => one.message),
    ];
    const page = json === undefined ? answer.body.toString("utf8", 0, 2 * MOST_QUOTED) : null;
    const words = page ?? texts.filter((text) => text !== undefined && text !== "").join(": ");
    const shown = this.#secrets.hideStart(words, MOST_QUOTED);
    return oneLine(page === null ? shown : shown.replaceAll(/<[^>]*>/g, " "), MOST_WORDS);
  }
}

function isRepeatable({ method, isRead = false }: ForgeRequest, { details, code }: ForgeFailure): boolean {
  const { status = null, mayHaveActed = false } = details;
  const isPassing = status === null ? code === "forge-unreachable" || code === "forge-timeout" : PASSING.has(status);
  return isPassing && (isRead || method !== "POST" || !mayHaveActed);
}

function unanswered(fault: Fault, variable: string): ForgeFailure {
  const { connected: mayHaveActed, cause, status } = fault;
  const { kind, message, hint } = explainFault(fault, { address: variable, again: "Run the command again." });
  return new ForgeFailure(`forge-${kind}`, message, { hint, mayHaveActed, cause, status });
}

const MOST_WORDS = 200;

/** Seconds to wait if GitHub does not say how long (its "Rate limits for the REST API"). */
const DEFAULT_WAIT = 60;

/** GitHub: a message, and errors with one each. GitLab: a message, which may be lists by field, or an error. */
const refusal = z.object({
  message: z.unknown(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

/**
 * Seconds until a forge that limits us may be asked again; null where it does not. GitHub limits with 429 or 403, GitLab with
 * 429, and neither has acted on the request then. `now` is in ms since the epoch.
 */
function limitedFor({ status, header }: HttpResponse, words: string, now: number): number | null {
  const isLimited =
    status === 429 ||
    (status === 403 &&
      (header("retry-after") !== null || header("x-ratelimit-remaining") === "0" || /rate limit/i.test(words)));
  if (!isLimited) return null;
  const reset = header("x-ratelimit-remaining") === "0" ? wholeNumber(header("x-ratelimit-reset")) : null;
  const untilReset = reset === null ? DEFAULT_WAIT : reset - Math.floor(now / 1000);
  return Math.max(retryAfter(header, now) ?? untilReset, 1);
}

/** The query of the next page; null on the last one. Only the query of its address is used, so the token goes to no other host. */
function nextQuery(header: Header): URLSearchParams | null {
  const next = (header("link") ?? "").split(/,\s*(?=<)/).find((link) => /;\s*rel="?next"?/.test(link));
  const [, address = ""] = /^\s*<([^>]*)>/.exec(next ?? "") ?? [];
  return parseUrl(address)?.searchParams ?? null;
}
