// Lists of links and pixels: filters, search, order, pages (docs/service.md, "Lists" and "Search and filters").
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { accountOf, type Rows, rowsOf, type SeedLink, UNTIL_44 } from "./client.ts";

const link = (alias: string, rest: Partial<SeedLink> = {}): SeedLink => ({
  url: `https://example.com/${alias}`,
  domain: 2,
  alias,
  ...rest,
});

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(links: SeedLink[], options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ seed: { links }, rateLimit: 0, ...options });
}

const rows = (path: string): Promise<Rows> => rowsOf(accountOf(sandbox), path);

const aliases = async (query: string): Promise<string[]> =>
  (await rows(`links?sort=asc&per_page=100&${query}`)).data.map(({ alias }) => alias);

describe("search", () => {
  const named = ["spring-sale", "Spring_Sale", "springXsale", "größe", "a100"].map((alias) => link(alias));

  // Fails if `_` or `%` are literal, if an escaped one still matches anything, or if case or accents matter.
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

  // Fails if the default field is not the title, or if a link without a title is found.
  test("searches titles by default", async () => {
    await start([link("a", { title: "Résumé" }), link("b")]);
    expect(await aliases("search=resume")).toEqual(["a"]);
    expect(await aliases("search=%25")).toEqual(["a"]);
    expect(await aliases("search=example.com")).toEqual([]);
    expect(await aliases("search=example.com&by=url")).toEqual(["a", "b"]);
  });
});

describe("filters", () => {
  const links = [
    link("plain"),
    link("off", { disabled: 1 }),
    link("over", { ends_at: "2026-01-01T00:00:00Z" }),
    link("over-off", { ends_at: "2026-01-01T00:00:00Z", disabled: 1 }),
    link("spent", { expiration_clicks: 5, clicks: 5 }),
    link("later", { ends_at: "2026-06-01T00:00:01Z", expiration_clicks: 5, clicks: 4 }),
    link("early", { starts_at: "2020-01-01T00:00:00Z", ends_at: "2020-01-02T00:00:00Z" }),
  ];
  const ALL = links.map(({ alias }) => alias);

  // Fails if expiration by date or clicks is ignored, if `expired` lacks disabled links, or if a status other than 1 and 2 means anything
  // but disabled.
  test.each(UNTIL_44)("by status on %s", async (software) => {
    await start(links, { software, now: () => new Date("2026-06-01T00:00:00Z") });
    expect(await aliases("status=0")).toEqual(ALL);
    expect(await aliases("status=1")).toEqual(["plain", "later"]);
    expect(await aliases("status=2")).toEqual(["over", "over-off", "spent", "early"]);
    for (const status of [3, 7]) expect(await aliases(`status=${status}`)).toEqual(["off", "over-off"]);
  });

  // Fails if an ended period or a disabled link counts on 49, or if status 3 filters.
  test("by status on 49", async () => {
    await start(links, { software: "49", now: () => new Date("2026-06-01T00:00:00Z") });
    for (const status of [0, 3, 7]) expect(await aliases(`status=${status}`)).toEqual(ALL);
    expect(await aliases("status=1")).toEqual(ALL.filter((alias) => alias !== "spent"));
    expect(await aliases("status=2")).toEqual(["spent"]);
  });

  // Fails if the links between pages keep `status`, or lose another filter: a client that follows them reads the wrong list.
  test("the link to the next page loses status only", async () => {
    await start(Array.from({ length: 11 }, (_, at) => link(`l${at}`)));
    const { next } = (await rows("links?status=1&domain=2&space=0&sort=asc")).links;
    expect(next).toBe(`${sandbox.url}/api/v1/links?space=0&domain=2&sort=asc&per_page=10&page=2`);
  });
});

describe("pages", () => {
  // Fails if an invalid size is clamped instead of becoming 10.
  test.each([
    ["9", "10"],
    ["26", "26"],
    ["101", "10"],
    ["many", "10"],
  ])("4.1 with per_page=%s takes %s", async (asked, taken) => {
    await start([], { software: "4.1" });
    expect((await rows(`links?per_page=${asked}`)).meta.per_page).toBe(taken);
  });

  // Fails if max and min have a tie-break: clients could then page over them unnoticed.
  test("paging over sort=max repeats and loses rows, over asc it does not", async () => {
    await start(Array.from({ length: 30 }, (_, at) => link(`l${at}`)));
    const ids = async (sort: string): Promise<Set<number>> => {
      const pages = await Promise.all([1, 2, 3].map((page) => rows(`links?sort=${sort}&page=${page}`)));
      return new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
    };
    expect((await ids("max")).size).toBeLessThan(30);
    expect((await ids("asc")).size).toBe(30);
  });

  // Fails if 4.9's buttons do not skip the middle of a long list.
  test("4.9 shows page buttons with gaps", async () => {
    await start(
      Array.from({ length: 200 }, (_, at) => link(`l${at}`)),
      { software: "4.9" },
    );
    const labels = (await rows("links?page=10")).meta.links.map(({ label }) => label).slice(1, -1);
    expect(labels).toEqual(["1", "2", "...", "7", "8", "9", "10", "11", "12", "13", "...", "19", "20"]);
  });
});
