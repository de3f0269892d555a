// Lists of links and pixels: filters, search, order, pages (docs/service.md, "Lists" and "Search and filters").
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, type SandboxOptions, type SeedState, startSandbox } from "../../src/sandbox/index.ts";
import { accountOf } from "./client.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];
const link = (alias: string, rest: Partial<SeedLink> = {}): SeedLink => ({
  url: `https://example.com/${alias}`,
  domain: 2,
  alias,
  ...rest,
});

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(links: SeedLink[], rest: SeedState = {}, options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed: { ...rest, links }, rateLimit: 0, ...options });
}

interface Rows {
  readonly data: { readonly id: number; readonly alias: string; readonly name: string }[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly per_page: unknown; readonly total: number; readonly links: { readonly label: string }[] };
}

const isRows = (body: unknown): body is Rows => typeof body === "object" && body !== null && "data" in body;

async function rows(path: string): Promise<Rows> {
  const body = await accountOf(sandbox).get(path);
  if (!isRows(body)) throw new Error(`${path} is no list`);
  return body;
}

const aliases = async (query: string): Promise<string[]> =>
  (await rows(`links?sort=asc&per_page=100&${query}`)).data.map(({ alias }) => alias);

describe("search", () => {
  const named = ["spring-sale", "Spring_Sale", "springXsale", "größe", "a100"].map((alias) => link(alias));

  // Fails when `_` or `%` are taken literally, when an escaped one still matches anything, or when case or accents count.
  test.each([
    ["spring_sale", ["spring-sale", "Spring_Sale", "springXsale"]],
    ["spring\\_sale", ["Spring_Sale"]],
    ["SPRING-", ["spring-sale"]],
    ["s%e", ["spring-sale", "Spring_Sale", "springXsale"]],
    ["%sale", ["spring-sale", "Spring_Sale", "springXsale"]],
    ["a\\%", []],
    ["grösse", []],
    ["GROßE", ["größe"]],
    ["ring", ["spring-sale", "Spring_Sale", "springXsale"]],
    ["", ["spring-sale", "Spring_Sale", "springXsale", "größe", "a100"]],
  ])("by alias for %s", async (search, found) => {
    await start(named);
    expect(await aliases(`by=alias&search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  // Fails when the default field is another one than the title, or when a link without a title is found.
  test("searches titles by default", async () => {
    await start([link("a", { title: "Résumé" }), link("b")]);
    expect(await aliases("search=resume")).toEqual(["a"]);
    expect(await aliases("search=%25")).toEqual(["a"]);
    expect(await aliases("search=example.com")).toEqual([]);
    expect(await aliases("search=example.com&by=url")).toEqual(["a", "b"]);
  });

  // Fails when 4.9 honours `by`, or 4.1 `search_by`; sending both works on both.
  test.each([
    ["4.1", "by=alias", 1],
    ["4.1", "search_by=alias", 0],
    ["4.9", "by=alias", 0],
    ["4.9", "search_by=alias", 1],
    ["4.1", "by=alias&search_by=alias", 1],
    ["4.9", "by=alias&search_by=alias", 1],
  ] as const)("%s with %s finds %i", async (software, field, total) => {
    await start([link("needle")], {}, { software });
    expect((await rows(`links?search=needle&${field}`)).meta.total).toBe(total);
  });
});

describe("filters", () => {
  const pixels = [
    { id: 1, name: "A", type: "bing", value: "1" },
    { id: 2, name: "B", type: "quora", value: "2" },
  ];
  const links = [
    link("plain"),
    link("off", { disabled: 1 }),
    link("over", { ends_at: "2026-01-01T00:00:00Z" }),
    link("over-off", { ends_at: "2026-01-01T00:00:00Z", disabled: 1 }),
    link("spent", { expiration_clicks: 5, clicks: 5 }),
    link("later", { ends_at: "2026-06-01T00:00:01Z", expiration_clicks: 5, clicks: 4 }),
    link("marketing", { space: 1, domain: 3, pixels: [2] }),
  ];

  // Fails when expiry by date or clicks is not seen, when `expired` leaves out disabled ones, or when a status other than
  // 1 and 2 means anything but disabled.
  test.each([
    ["status=0", ["plain", "off", "over", "over-off", "spent", "later", "marketing"]],
    ["status=1", ["plain", "later", "marketing"]],
    ["status=2", ["over", "over-off", "spent"]],
    ["status=3", ["off", "over-off"]],
    ["status=7", ["off", "over-off"]],
    ["space=1", ["marketing"]],
    ["space=0&status=1", ["plain", "later"]],
    ["domain=3", ["marketing"]],
    ["pixel=2", ["marketing"]],
    ["pixel=1", []],
  ])("%s", async (query, expected) => {
    await start(links, { pixels }, { now: () => new Date("2026-06-01T00:00:00Z") });
    expect(await aliases(query)).toEqual(expected);
  });

  // Fails when the links between pages keep `status`, or lose another filter: a client that follows them reads the wrong list.
  test("the link to the next page loses status only", async () => {
    await start(Array.from({ length: 11 }, (_, at) => link(`l${at}`)));
    const { next } = (await rows("links?status=1&domain=2&space=0&sort=asc")).links;
    expect(next).toBe(`${sandbox.url}/api/v1/links?space=0&domain=2&sort=asc&per_page=10&page=2`);
  });

  // Fails when 4.1 honours the documented type filter of pixels, or 4.9 does not.
  test.each([
    ["4.1", 2],
    ["4.9", 1],
  ] as const)("the pixels' type filter in %s lists %i", async (software, total) => {
    await start([], { pixels }, { software });
    expect((await rows("pixels?type=quora")).meta.total).toBe(total);
  });

  // Fails when the shared domain is listed, or a link on it cannot name it.
  test("a shared domain is not listed, but links name it", async () => {
    await start([link("x", { domain: 1 })]);
    expect((await rows("domains?sort=asc")).data.map(({ name }) => name)).toEqual([
      "go.example.com",
      "promo.example.com",
    ]);
    expect(await rows("links")).toMatchObject({ data: [{ short_url: "short.example.com/x", domain: { id: 1 } }] });
  });
});

describe("pages", () => {
  // Fails when a size out of range is clamped instead of becoming 10, or when 4.9 takes other sizes than its four.
  test.each([
    ["4.1", "9", "10"],
    ["4.1", "26", "26"],
    ["4.1", "101", "10"],
    ["4.1", "many", "10"],
    ["4.9", "26", 10],
    ["4.9", "25", 25],
    ["4.9", "100", 100],
    ["4.9", "500", 10],
  ] as const)("%s with per_page=%s takes %s", async (software, asked, taken) => {
    await start([], {}, { software });
    expect((await rows(`links?per_page=${asked}`)).meta.per_page).toBe(taken);
  });

  // Fails when max and min have a tie-break: then no client would notice that it must not page over them.
  test("paging over sort=max repeats and loses rows, over asc it does not", async () => {
    await start(Array.from({ length: 30 }, (_, at) => link(`l${at}`)));
    const ids = async (sort: string): Promise<Set<number>> => {
      const pages = await Promise.all([1, 2, 3].map((page) => rows(`links?sort=${sort}&page=${page}`)));
      return new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
    };
    expect((await ids("max")).size).toBeLessThan(30);
    expect((await ids("asc")).size).toBe(30);
  });

  // Fails when max or min is not by clicks.
  test("max and min go by clicks", async () => {
    await start([link("few", { clicks: 1 }), link("many", { clicks: 9 }), link("some", { clicks: 5 })]);
    const order = async (sort: string): Promise<string[]> =>
      (await rows(`links?sort=${sort}`)).data.map(({ alias }) => alias);
    expect(await order("max")).toEqual(["many", "some", "few"]);
    expect(await order("min")).toEqual(["few", "some", "many"]);
    expect(await order("desc")).toEqual(["some", "many", "few"]);
  });

  // Fails when 4.9's buttons do not skip the middle of a long list.
  test("4.9 shows page buttons with gaps", async () => {
    await start(
      Array.from({ length: 200 }, (_, at) => link(`l${at}`)),
      {},
      { software: "4.9" },
    );
    const labels = (await rows("links?page=10")).meta.links.map(({ label }) => label).slice(1, -1);
    expect(labels).toEqual(["1", "2", "...", "7", "8", "9", "10", "11", "12", "13", "...", "19", "20"]);
  });
});
