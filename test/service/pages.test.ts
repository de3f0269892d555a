// Every form of a list is read to its end: with what the answer says of it, and otherwise to an empty or a short page.

import { describe, expect, test } from "vitest";
import { cutPage, FORMS, numberOf, upTo, type Cut, type Form, type KnownForm } from "./lists.ts";
import { connect, failure, startReplying, startServer, type Reply, type Running } from "./server.ts";

/** A list of so many rows that gives `size` of them a page, whatever it is asked for. */
async function startPages(total: number, size: number, form: Form, at?: Cut["at"]): Promise<Running> {
  return startServer((asked) => form(cutPage(upTo(total), numberOf(asked), size, at)));
}

/** The pages that were asked for, in order. */
function pagesOf({ asked }: Running): number[] {
  return asked.map(numberOf).toSorted((a, b) => a - b);
}

/** The pages that have to be asked for, so that nothing can be missing. */
function pagesNeeded(total: number, size: number, end: KnownForm["end"]): number {
  const pages = Math.max(1, Math.ceil(total / size));
  if (end === "said" || (end === "said of several" && pages > 1) || total === 0) return pages;
  // The first page may be shorter than asked for because the service gives no more: only one behind it tells.
  return pages === 1 || total % size === 0 ? pages + 1 : pages;
}

// Fails when a form is not understood, when a list ends early in it, or when a page is asked for that is not needed.
describe.each(FORMS)("$name", ({ form, end }) => {
  test.each([
    [0, 100],
    [1, 100],
    [99, 100],
    [100, 100],
    [101, 100],
    [300, 100],
    [730, 100],
    [7, 10],
    [10, 10],
    [25, 10],
    [60, 10],
  ])("%i rows at %i a page", async (total, size) => {
    const running = await startPages(total, size, form);
    const list = await connect(running.url).client.list("link");
    expect(list.records.map(({ id }) => id)).toEqual(upTo(total));
    expect(pagesOf(running)).toEqual(upTo(pagesNeeded(total, size, end)));
    expect(list.pages).toBe(running.asked.length);
  });

  // Fails when a list that comes the other way round is believed to be ascending, or is not read.
  test("a service that sorts as it likes", async () => {
    const { url } = await startServer((asked) => form(cutPage(upTo(230).toReversed(), numberOf(asked), 100)));
    expect((await connect(url).client.list("link")).records.map(({ id }) => id)).toEqual(upTo(230));
  });

  // Fails when what a page says of the next one is followed as an address: the key would go elsewhere, the filter be lost.
  test.each<[string, (other: string, number: number) => string]>([
    ["another host", (other, number) => `${other}/api/v1/links?page=${number}`],
    ["another host over https", (other, number) => `${other.replace("http:", "https:")}/steal?page=${number}`],
    ["a host without a scheme", (other, number) => `${other.slice("http:".length)}/links?page=${number}`],
    ["another scheme", (_other, number) => `ftp://user:word@127.0.0.1/links?page=${number}`],
    ["another path", (_other, number) => `/login?page=${number}`],
    ["parameters alone", (_other, number) => `?page=${number}`],
    ["other parameters", (_other, number) => `/api/v1/links?sort=desc&per_page=10&page=${number}&domain=9#page=7`],
  ])("the next page is on %s: only its number counts", async (_where, at) => {
    const other = await startReplying({ json: [] });
    const running = await startPages(150, 100, form, (number) => at(other.url, number));
    const { records } = await connect(running.url).client.list("link", { domain: 2 });
    expect(records).toHaveLength(150);
    expect(running.asked.map(({ path }) => path)).toEqual(
      [1, 2].map(
        (number) => `/api/v1/links?domain_id=2&by=alias&search_by=alias&domain=2&sort=asc&per_page=100&page=${number}`,
      ),
    );
    expect(other.asked).toEqual([]);
  });

  // Fails when an account that ignores `page` is read for ever, or its first page taken for all of it.
  test("a service that ignores the page's number", async () => {
    const { url, asked } = await startServer(() => form(cutPage(upTo(250), 1, 100)));
    const error = await failure(connect(url).client.list("link"));
    expect(error.code).toBe("incomplete-list");
    expect(error.message).toMatch(
      /row \d+ appeared twice|page 2 (was returned as page 1|of (many|\d+) names page 2 as the next page)/,
    );
    expect(asked.length).toBeLessThanOrEqual(4 * 5);
  });
});

/** Forms that name the next page by its address. */
const NAMING: readonly (readonly [string, (address: string) => Reply])[] = [
  ["links.next", (next) => ({ json: { data: rowsOf(1), links: { next } } })],
  ["next_page_url", (next) => ({ json: { data: rowsOf(1), next_page_url: next } })],
  ["a Link header", (next) => ({ json: rowsOf(1), headers: { link: `<${next}>; rel="next"` } })],
  ["a last page in a Link header", (last) => ({ json: rowsOf(1), headers: { link: `<${last}>; rel="last"` } })],
  ["data with a Link header", (next) => ({ json: { data: rowsOf(1) }, headers: { link: `<${next}>; rel=next` } })],
];

function rowsOf(number: number): readonly unknown[] {
  return cutPage(upTo(100 * number), number, 100).rows;
}

describe.each(NAMING)("%s that is no use", (_name, reply) => {
  // Fails when a link that can't be read counts as none: the first page would be the whole account.
  test.each([
    "/api/v1/links",
    "/api/v1/links?page=",
    "/api/v1/links?page=two",
    "/api/v1/links?page=-1",
    "/api/v1/links?page=1.5",
    "/api/v1/links?cursor=eyJpZCI6MTAwfQ",
    "/api/v1/links?page[number]=2",
    "http://[broken?page=2",
    "",
  ])("%j has no page's number", async (address) => {
    const { url, asked } = await startServer(() => reply(address));
    const error = await failure(connect(url).client.list("link"));
    expect(error).toMatchObject({
      code: "shape",
      message:
        "The service returned the link to the next page of /api/v1/links in an unknown form: it has no number in `page=`.",
    });
    expect(asked).toHaveLength(1);
  });
});

// Fails when a next page that can't be the next one is taken for it, or for the end.
test.each(NAMING.filter(([name]) => name !== "a last page in a Link header"))(
  "%s names another page than the next: nothing is believed",
  async (_name, reply) => {
    for (const named of [0, 1, 3, 999]) {
      const { url } = await startServer(() => reply(`/api/v1/links?page=${named}`));
      const error = await failure(connect(url).client.list("link"));
      expect(error).toMatchObject({ code: "incomplete-list" });
      expect(error.message).toContain(`page 1 of many names page ${named} as the next page`);
    }
  },
);

/** A list of two full pages: each header is sent with the first, its end with the second. */
async function pagesReadWith(link: string | string[], ofSecond: string | null): Promise<number[]> {
  const running = await startServer((asked) => {
    const number = numberOf(asked);
    const header = number === 1 ? link : number === 2 ? ofSecond : null;
    return { json: cutPage(upTo(200), number, 100).rows, ...(header === null ? {} : { headers: { link: header } }) };
  });
  const { records } = await connect(running.url).client.list("link");
  expect(records).toHaveLength(200);
  return pagesOf(running);
}

// Fails when a spelling that RFC 8288 allows is not read: the list would end with its first page.
test.each<[string, string | string[]]>([
  ["quoted", '<http://a.test/links?page=2>; rel="next"'],
  ["unquoted", "<http://a.test/links?page=2>; rel=next"],
  ["without spaces", "<http://a.test/links?page=2>;rel=next"],
  ["with more of them", '< http://a.test/links?page=2 > ; rel = "next"'],
  ["in capitals", '<http://a.test/links?page=2>; REL="NEXT"'],
  ["relative", '<?page=2>; rel="next"'],
  ["one of several links", '<?page=1>; rel="first", <?page=2>; rel="next", <?page=2>; rel="last"'],
  ["the last of several links", '<?page=1>; rel="first",<?page=2>; rel="last",<?page=2>; rel="next"'],
  ["several relations at once", '<?page=2>; rel="last next"'],
  ["after other parameters", '<?page=2>; title="page 2"; type="a/b"; rel="next"'],
  ["after a title that looks like links", '<?page=2>; title="a, <b>; rel=prev, \\"c\\""; rel="next"'],
  ["with a comma in the address", '<?ids=1,2;3&page=2>; rel="next"'],
  ["with a second relation, which does not count", '<?page=2>; rel="next"; rel="prev"'],
  ["after a parameter without a value", '<?page=2>; crossorigin; rel="next"'],
  ["after an empty one", '<?page=2>;; rel="next"'],
  ["beside what a proxy adds", '</app.css>; rel=preload; as=style, <?page=2>; rel="next"'],
  ["on a line of its own", ['<?page=1>; rel="first"', '<?page=2>; rel="next"']],
  ["behind a line of a proxy", ["</app.css>; rel=preload; as=style", '<?page=2>; rel="next"']],
])("a Link header, %s", async (_how, link) => {
  expect(await pagesReadWith(link, '<?page=1>; rel="prev"')).toEqual([1, 2]);
});

// Fails when a page that names only those before it does not end the list, or when one that says nothing of pages does:
// any proxy may add such a header, and a tenth of the account would be planned as new.
test.each<[string, string | null, readonly number[]]>([
  ["prev", '<?page=1>; rel="prev"', [1, 2]],
  ["previous", "<?page=1>; rel=previous", [1, 2]],
  ["first and prev", '<?page=1>; rel="first prev"', [1, 2]],
  ["last, which is this one", '<?page=2>; rel="last"', [1, 2]],
  ["a style sheet", "</app.css>; rel=preload; as=style", [1, 2, 3]],
  ["another relation that ends like one", '<?page=9>; rel="https://a.test/next"', [1, 2, 3]],
  ["a parameter that ends like one", "<?page=9>; anchorrel=next", [1, 2, 3]],
  ["a link without a relation", "<?page=9>", [1, 2, 3]],
  ["nothing", "", [1, 2, 3]],
  ["no header", null, [1, 2, 3]],
])("the second page's Link header has %s", async (_what, link, pages) => {
  expect(await pagesReadWith('<?page=2>; rel="next"', link)).toEqual(pages);
});

test("a header that a proxy adds to every answer says nothing of where the list ends", async () => {
  const running = await startServer((asked) => ({
    json: cutPage(upTo(150), numberOf(asked), 100).rows,
    headers: { link: "</app.css>; rel=preload; as=style" },
  }));
  expect((await connect(running.url).client.list("link")).records).toHaveLength(150);
});

// Fails when a contradiction is resolved in favour of "that was all".
describe("a page that contradicts itself is not believed", () => {
  const refused = async (answer: (number: number) => Reply): Promise<string> => {
    const { url, asked } = await startServer((one) => answer(numberOf(one)));
    const error = await failure(connect(url).client.list("link"));
    expect(error.code).toBe("incomplete-list");
    expect(asked.length).toBeLessThanOrEqual(4 * 5);
    return error.message;
  };

  test("an empty page that names another one", async () => {
    const empty = await refused((number) => ({ json: { data: [], next_page_url: `?page=${number + 1}` } }));
    expect(empty).toContain("page 1 is empty, but names page 2 as the next page");
    const later = await refused((number) => ({
      json: { data: number === 1 ? rowsOf(1) : [], next_page_url: `?page=${number + 1}` },
    }));
    expect(later).toContain("page 2 is empty, but names page 3 as the next page");
  });

  test("a last page that is empty, though it is not the only one", async () => {
    const message = await refused((number) => ({ json: { data: number === 3 ? [] : rowsOf(number), last_page: 3 } }));
    expect(message).toContain("page 3 of 3 is empty");
  });

  test("the number of the last page shrinks", async () => {
    const message = await refused((number) => ({ json: { data: rowsOf(number), last_page: number === 1 ? 3 : 2 } }));
    expect(message).toContain("its last page changed from 3 to 2");
  });

  test("a page before the last that names none after it", async () => {
    const message = await refused((number) => ({
      json: { data: rowsOf(number), last_page: 3, next_page_url: number === 2 ? null : `?page=${number + 1}` },
    }));
    expect(message).toContain("page 2 of 3 names no next page");
  });

  test("a last page that names one after it", async () => {
    const message = await refused((number) => ({
      json: { data: rowsOf(number), last_page: 2, next_page_url: `?page=${number + 1}` },
    }));
    expect(message).toContain("page 2 of 2 names page 3 as the next page");
  });
});

// Fails when a list of which every page is new holds a run for ever, although its time is over.
test("an endless list ends with the run", async () => {
  const over = new AbortController();
  const { url, asked } = await startServer((one) => {
    const number = numberOf(one);
    if (number === 30) over.abort(new Error("time is over"));
    return { json: { data: rowsOf(number), next_page_url: `?page=${number + 1}` } };
  });
  await expect(connect(url, { signal: over.signal }).client.list("link")).rejects.toThrow("time is over");
  expect(asked).toHaveLength(30);
});
