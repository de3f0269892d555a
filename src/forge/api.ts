// Requests to a forge's API in JSON: again where that can't do anything twice, after waiting where it asks for that.

import type { Clock } from "../domain/clock.ts";
import { Exchange, MOST_BYTES, type HttpResponse, type Sent } from "../http/exchange.ts";
import { explainFault, type Fault } from "../http/faults.ts";
import type { Proxies } from "../http/proxies.ts";
import { jsonOf, limitedFor, nextQuery, startOf, wordsOf } from "./answers.ts";
import { ForgeFailure } from "./failure.ts";

export interface ApiOptions {
  /** The API's address without a slash at its end, and the variable that names it. */
  readonly address: string;
  readonly variable: string;
  readonly forge: "GitHub" | "GitLab";
  readonly token: string;
  /** linkform's version, for the user agent. */
  readonly version: string;
  readonly clock: Clock;
  readonly proxies: Proxies | null;
  /** Told of every wait of some seconds. */
  readonly onWait: (seconds: number) => void;
}

/** What is asked. `isRead`: it changes nothing, whatever its method. */
interface ForgeRequest {
  readonly method: Sent["method"];
  readonly url: URL;
  readonly json?: unknown;
  readonly isRead: boolean;
}

/** How often something is sent before its failure stands. */
const TRIES = 5;
const FIRST_DELAY = 1000;

/** Seconds that are waited in all for a forge that limits us: a job costs money while it waits. */
const MOST_WAIT = 300;
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504]);
const PAGE_SIZE = "100";

/** A list that goes on longer than this never ends. */
const MOST_PAGES = 1000;

export class Api {
  readonly #options: ApiOptions;
  readonly #exchange: Exchange;
  #waited = 0;

  constructor(options: ApiOptions) {
    const { address, variable, token, version, clock, proxies } = options;
    this.#options = options;
    this.#exchange = new Exchange({
      origin: address,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        authorization: `Bearer ${token}`,
        // GitHub refuses whoever does not say what program it is.
        "user-agent": `linkform/${version}`,
        ...(options.forge === "GitHub" ? { "x-github-api-version": "2022-11-28" } : {}),
      },
      clock,
      proxies,
      explain: (fault) => unanswered(fault, variable),
    });
  }

  /** Reads what is at a path. */
  async read(path: string): Promise<unknown> {
    return (await this.#ask({ method: "GET", url: this.#urlOf(path), isRead: true })).json;
  }

  /** Asks GitHub's GraphQL API, which stands beside the REST API: of GitHub's own server one folder above. */
  async graphql(query: string): Promise<unknown> {
    const url = new URL(`${this.#options.address.replace(/\/v3$/, "")}/graphql`);
    return (await this.#ask({ method: "POST", url, json: { query }, isRead: true })).json;
  }

  /** Reads all pages of a list, in their order. */
  async list(path: string, query: Readonly<Record<string, string>>): Promise<unknown[]> {
    const rows: unknown[] = [];
    let next: URLSearchParams | null = new URLSearchParams({ ...query, per_page: PAGE_SIZE });
    for (let page = 1; next !== null; page += 1) {
      const url = this.#urlOf(path);
      url.search = next.toString();
      const { json, answer } = await this.#ask({ method: "GET", url, isRead: true });
      if (!Array.isArray(json) || page > MOST_PAGES) throw this.unexpected(`GET ${url.pathname}`);
      rows.push(...json);
      next = nextQuery(answer.header);
    }
    return rows;
  }

  /** Changes something; what comes of it. A `POST` whose answer is lost is not sent again: `mayHaveActed` says so. */
  async change(method: "POST" | "PATCH" | "PUT", path: string, json: unknown): Promise<unknown> {
    return (await this.#ask({ method, url: this.#urlOf(path), json, isRead: false })).json;
  }

  /** An answer in a form that is not known. */
  unexpected(asked: string): ForgeFailure {
    const { forge, variable } = this.#options;
    return new ForgeFailure("forge-shape", `The answer to ${asked} is not what ${forge} answers.`, {
      hint: `Check ${variable}: it must be the address of ${forge}'s API.`,
    });
  }

  /** Lets go of open connections. */
  async close(): Promise<void> {
    await this.#exchange.close();
  }

  #urlOf(path: string): URL {
    return new URL(`${this.#options.address}${path}`);
  }

  async #ask(question: ForgeRequest): Promise<{ readonly json: unknown; readonly answer: HttpResponse }> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(question);
      } catch (cause) {
        if (!(cause instanceof ForgeFailure) || tries === TRIES) throw cause;
        const { clock } = this.#options;
        if (cause instanceof Limited) await this.#wait(cause);
        else if (isRepeatable(question, cause))
          await clock.sleep(FIRST_DELAY * 2 ** (tries - 1) * (0.5 + clock.random() / 2));
        else throw cause;
      }
    }
  }

  async #wait(limited: Limited): Promise<void> {
    this.#waited += limited.seconds;
    if (this.#waited > MOST_WAIT) throw limited;
    this.#options.onWait(limited.seconds);
    await this.#options.clock.sleep(limited.seconds * 1000);
  }

  async #once({
    method,
    url,
    json,
    isRead,
  }: ForgeRequest): Promise<{ readonly json: unknown; readonly answer: HttpResponse }> {
    const body = json === undefined ? null : { type: "application/json", text: JSON.stringify(json) };
    const answer = await this.#exchange.send({ method, url, body }, null);
    const { status, isTooLarge, location } = answer;
    const { forge, token, variable, clock } = this.#options;
    const asked = `${method} ${url.pathname}`;
    const read = jsonOf(answer);
    if (status >= 200 && status < 300 && read !== undefined) return { json: read, answer };
    const words = wordsOf(answer, token);
    const seconds = limitedFor(answer, words, clock.now());
    if (seconds !== null) throw new Limited(forge, seconds);
    const mayHaveActed = !isRead && (status >= 500 || (status >= 200 && status < 300));
    if (status >= 300 && status < 400) {
      const to = location === null ? "elsewhere" : `to ${location.origin}`;
      const hint = `The token is sent nowhere else. Check ${variable}, and whether the repository was renamed.`;
      throw new ForgeFailure("forge-redirect", `${forge} redirects ${asked} ${to} (${status}).`, { hint, status });
    }
    if (isTooLarge || read === undefined) {
      const start = isTooLarge ? `larger than ${MOST_BYTES >> 20} MiB` : `not JSON: "${startOf(answer, token)}"`;
      const hint = `Check ${variable}: it must be the address of ${forge}'s API. A proxy before it may have answered, too.`;
      throw new ForgeFailure("forge-answer", `The answer to ${asked} (${status}) is ${start}.`, {
        hint,
        status,
        mayHaveActed,
      });
    }
    const says = words === "" ? "." : `: ${words}`;
    const hint = status >= 500 ? `${forge} failed: run again.` : `Check the token's rights, and ${variable}.`;
    throw new ForgeFailure("forge-refused", `${forge} refuses ${asked} (${status})${says}`, {
      hint,
      status,
      words,
      mayHaveActed,
    });
  }
}

/** It asks to be left alone for some seconds: it has not acted on the request. */
class Limited extends ForgeFailure {
  readonly seconds: number;

  constructor(forge: string, seconds: number) {
    super("forge-limit", `${forge} limits how much it is asked: it wants to be left alone for ${seconds} s.`, {
      hint: "Run again later.",
    });
    this.seconds = seconds;
  }
}

function isRepeatable({ method, isRead }: ForgeRequest, { status, mayHaveActed, code }: ForgeFailure): boolean {
  const isPassing = status === null ? code === "forge-unreachable" || code === "forge-timeout" : PASSING.has(status);
  return isPassing && (isRead || method !== "POST" || !mayHaveActed);
}

function unanswered(fault: Fault, variable: string): ForgeFailure {
  const { kind, message, hint } = explainFault(fault, { address: variable, again: "Run again." });
  return new ForgeFailure(`forge-${kind}`, message, {
    hint,
    mayHaveActed: fault.connected,
    cause: fault.cause,
    ...(fault.status === null ? {} : { status: fault.status }),
  });
}
