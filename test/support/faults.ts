// Faults of one request between linkform and the service: their names and their effects.

import type { Answered, Strike, Struck } from "./layer.ts";
import { withoutPixels } from "./sandbox.ts";

const JSON_TYPE = { "content-type": "application/json" };

const SERVER_ERROR: Answered = { status: 500, headers: JSON_TYPE, body: Buffer.from('{"message":"Server Error"}') };

/** As recorded: at the account's limit, the header still has the value for the address (docs/service.md, "Rate limit"). */
const TOO_MANY: Answered = {
  status: 429,
  headers: { ...JSON_TYPE, "retry-after": "1", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "29" },
  body: Buffer.from('{"message":"Too Many Attempts."}'),
};

function htmlPage(status: number, title: string): Answered {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=UTF-8" }, body: Buffer.from(body) };
}

/** The service never gets the request. */
const instead =
  (answered: Answered): Strike =>
  async ({ answer }) =>
    answer(answered);

/** The service processes the request, but another response is sent. */
const after =
  (answered: Answered): Strike =>
  async ({ forward, answer }) => {
    await forward();
    answer(answered);
  };

/** Faults of one page of a list. They do not affect other requests. */
type ListFaultName =
  /** The page starts with a row of the page before, in place of its own first one. */
  | "repeat-row"
  /** A row is missing. */
  | "skip-row"
  /** Somebody else adds a row just before the page is read. */
  | "add-row"
  /** The total is one too many, or one too few. */
  | "lie-total"
  | "lie-total-less";

/** The rows that "add-row" stores: somebody else's. */
export const ADDED = { alias: "somebody-elses", name: "Somebody else's" };

const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  links: { url: "https://example.com/", domain: "2", domain_id: "2", alias: ADDED.alias },
  pixels: { name: ADDED.name, type: "bing", value: "9999999" },
};

const LIST = /\/api\/v1\/(links|pixels|domains|spaces)(\?|$)/;

/** A page of a list, as the service sends it. */
interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly current_page: number; readonly total: number };
}

/** The list that a request reads a page of; null for other requests. */
export function listOf(method: string, url: string): string | null {
  return method === "GET" ? (LIST.exec(url)?.[1] ?? null) : null;
}

function pageOf({ body }: Answered): Page {
  return JSON.parse(body.toString());
}

/** Changes a page of a list. Other requests pass. */
function onList(alter: (page: Page, struck: Struck) => Page | Promise<Page>): Strike {
  return async (struck) => {
    const { asked, forward, answer } = struck;
    const answered = await forward();
    if (listOf(asked.method, asked.url) === null) return answer(answered);
    answer({ ...answered, body: Buffer.from(JSON.stringify(await alter(pageOf(answered), struck))) });
  };
}

/** The last row of the page before, with which a page starts if a row is added before it. On page 1, another row of it. */
async function rowSeen({ data, meta }: Page, { asked, forward }: Struck): Promise<unknown> {
  if (meta.current_page === 1) return data[1];
  const url = asked.url.replace(/([?&]page=)\d+/, `$1${meta.current_page - 1}`);
  return pageOf(await forward({ url })).data.at(-1);
}

function withTotal(more: number): Strike {
  return onList((page) => ({ ...page, meta: { ...page.meta, total: page.meta.total + more } }));
}

const LIST_STRIKES: Readonly<Record<ListFaultName, Strike>> = {
  "repeat-row": onList(async (page, struck) => ({
    ...page,
    data: [await rowSeen(page, struck), ...page.data.slice(1)],
  })),
  "skip-row": onList((page) => ({ ...page, data: page.data.toSpliced(page.data.length >> 1, 1) })),
  "add-row": async ({ asked, forward, answer }) => {
    const list = listOf(asked.method, asked.url) ?? "";
    const form = FORMS[list];
    if (form !== undefined) {
      const headers = { ...asked.headers, "content-type": "application/x-www-form-urlencoded" };
      const body = Buffer.from(new URLSearchParams(form).toString());
      await forward({ method: "POST", url: `/api/v1/${list}`, headers, body });
    }
    answer(await forward());
  },
  "lie-total": withTotal(1),
  "lie-total-less": withTotal(-1),
};

/** Whether a fault only affects lists. */
export function isListFault(name: string): boolean {
  return Object.hasOwn(LIST_STRIKES, name);
}

export type FaultName =
  /** The connection breaks: before processing, after it, or in the middle of the response. */
  | "drop-before"
  | "drop-after"
  | "cut"
  /** Half of the response, with the length of that half. */
  | "cut-clean"
  /** The response comes after the client has given up. */
  | "delay"
  /** A store continues after the client has disconnected, and here also starts late (docs/service.md, "Writing"). */
  | "slow-store"
  /** Too many requests, with and without the time to wait. */
  | "429"
  | "429-bare"
  /** An error of the service: before processing, after it, or after saving all but a link's pixels. */
  | "500"
  | "500-after"
  | "without-pixels"
  /** The pages of a proxy. 502 and 504 come after processing. */
  | "502"
  | "503"
  | "504"
  /** Another page with status 200. */
  | "html"
  | "html-after"
  | ListFaultName;

/** The effect of each fault on a request. */
export const STRIKES: Readonly<Record<FaultName, Strike>> = {
  ...LIST_STRIKES,
  "drop-before": async ({ drop }) => drop(),
  "drop-after": async ({ forward, drop }) => {
    await forward();
    drop();
  },
  cut: async ({ forward, cut }) => cut(await forward()),
  "cut-clean": async ({ forward, answer }) => {
    const answered = await forward();
    answer({ ...answered, body: answered.body.subarray(0, answered.body.length >> 1) });
  },
  delay: async ({ forward, answer, clock, hungUp }) => {
    const answered = await forward();
    // Far beyond the client's 30 s. A client without a timeout must not hang the test.
    await clock.sleep(90_000, hungUp).catch(() => null);
    answer(answered);
  },
  "slow-store": async ({ forward, drop, clock }) => {
    drop();
    await clock.sleep(3000);
    await forward();
  },
  "429": instead(TOO_MANY),
  "429-bare": instead({ ...TOO_MANY, headers: JSON_TYPE }),
  "500": instead(SERVER_ERROR),
  "500-after": after(SERVER_ERROR),
  "without-pixels": async ({ asked, forward, answer }) => {
    await forward({ body: Buffer.from(withoutPixels(asked.body.toString())) });
    answer(SERVER_ERROR);
  },
  "502": after(htmlPage(502, "502 Bad Gateway")),
  "503": instead(htmlPage(503, "503 Service Temporarily Unavailable")),
  "504": after(htmlPage(504, "504 Gateway Time-out")),
  html: instead(htmlPage(200, "Welcome")),
  "html-after": after(htmlPage(200, "Welcome")),
};
