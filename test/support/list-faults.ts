// Faults of one page of a list. They do not affect other requests.

import type { Answered, Strike, Struck } from "./layer.ts";

export type ListFaultName =
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

export const LIST_STRIKES: Readonly<Record<ListFaultName, Strike>> = {
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
