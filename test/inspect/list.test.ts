// `linkform list` for people and pipelines: the objects that flags name, the requests, the errors, and that it works without
// files. Fails if a label, name or id is read as something else, if a wrong one gives an empty list without an error, if a version without a
// filter changes the result, if too many requests are sent, or if the output does not match its schema.

import { describe, expect, it, test } from "vitest";
import { SOFTWARE, type Software } from "../../src/sandbox/index.ts";
import type { ListFlags } from "../../src/inspect/list.ts";
import type { Scenario } from "../support/scenario.ts";
import { testSoftware } from "../support/sandbox.ts";
import { commandIn } from "../support/command.ts";
import { startProxy } from "../support/proxy.ts";
import { schemaErrors } from "../support/schemas.ts";
import { listed, runList, runShow, shown, startLooking } from "./looking.ts";

const LINKS = [
  { alias: "spring", domain: 2, url: "https://example.com/a", space: 1, pixels: [1], clicks: 5, title: "Hello" },
  { alias: "summer", domain: 3, url: "https://example.com/b", space: 2, pixels: [2], clicks: 9, title: "100% Grün" },
  {
    alias: "autumn",
    domain: 2,
    url: "https://example.com/c",
    disabled: 1,
    ends_at: "2020-01-01T00:00:00.000Z",
    title: "axb",
  },
  { alias: "winter", domain: 1, url: "https://example.com/d", expiration_clicks: 3, clicks: 3, title: "a_b" },
];

const PIXELS = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "2", type: "bing", value: "1234567" },
  { name: "7", type: "bing", value: "1234568" },
];

const start = (software: Software = testSoftware): Promise<Scenario> =>
  startLooking({ software, seed: { links: LINKS, pixels: PIXELS } });

/** An account with this number of links, which differ only in their names. */
const startMany = (count: number): Promise<Scenario> =>
  startLooking({
    seed: {
      links: Array.from({ length: count }, (_, at) => ({
        alias: `link-${at}`,
        title: `Title ${at}`,
        domain: 2,
        url: "https://example.com/",
        clicks: at % 2,
      })),
    },
  });

const aliasesOf = async (scenario: Scenario, flags: ListFlags): Promise<unknown[]> =>
  (await listed(scenario, flags)).rows.map(({ fields }) => fields["alias"]);

/** Flags, and the aliases of the listed links in their order. */
const LISTED: readonly (readonly [flags: ListFlags, aliases: readonly string[]])[] = [
  [{ space: "Marketing" }, ["spring"]],
  [{ space: "marketing" }, ["spring"]],
  [{ space: "1" }, ["spring"]],
  [{ space: "#1" }, ["spring"]],
  [{ space: "Ours" }, ["summer"]],
  [{ space: "none" }, ["winter", "autumn"]],
  [{ domain: "go" }, ["autumn", "spring"]],
  [{ domain: "go.example.com" }, ["autumn", "spring"]],
  [{ domain: "2" }, ["autumn", "spring"]],
  // The service's list of domains lacks it, because it is shared.
  [{ domain: "short.example.com" }, ["winter"]],
  [{ pixel: "meta MAIN" }, ["spring"]],
  [{ pixel: "1" }, ["spring"]],
  // A pixel has this name, and the same id.
  [{ pixel: "2" }, ["summer"]],
  [{ pixel: "#2" }, ["summer"]],
  // A pixel has this name, and none has the id.
  [{ pixel: "7" }, []],
  [{ status: "expired" }, ["winter", "autumn"]],
  [{ status: "disabled" }, ["autumn"]],
  [{ status: "active" }, ["summer", "spring"]],
  [{ status: "all", sort: "asc" }, ["spring", "summer", "autumn", "winter"]],
  [{ search: "HELL" }, ["spring"]],
  [{ search: "er", by: "alias" }, ["winter", "summer"]],
  [{ search: ".com/C", by: "url" }, ["autumn"]],
  [{ search: "", by: "url", limit: 1 }, ["winter"]],
  [{ sort: "max" }, ["summer", "spring", "winter", "autumn"]],
  [{ sort: "min", limit: 2 }, ["autumn", "winter"]],
  [{ sort: "max", limit: 1, status: "active" }, ["summer"]],
  [{ search: "%" }, ["summer"]],
  [{ search: "GRUN" }, ["summer"]],
  [{ search: "a_b" }, ["winter"]],
  [{ search: "b", by: "url", domain: "promo.example.com" }, ["summer"]],
  [{ domain: "go", status: "active", sort: "asc", limit: 1 }, ["spring"]],
];

type Query = URLSearchParams;

function without(query: Query, name: string): Query {
  return new URLSearchParams([...query].filter(([one]) => one !== name));
}

/** How versions read the query of a list of links. */
const STRANGE: Readonly<Record<string, (query: Query) => Query>> = {
  "does not search": (query) => without(query, "search"),
  "ignores the status": (query) => without(query, "status"),
  "ignores spaces": (query) => without(query, "space"),
  "ignores domains": (query) => without(query, "domain"),
  "ignores pixels": (query) => without(query, "pixel"),
  "has its own order": (query) => without(query, "sort"),
};

/** A service that reads the query of a list of links in this way, and has two links on a page. Returns its address. */
async function startReading({ sandbox }: Scenario, read: (query: Query) => Query): Promise<string> {
  return startProxy(sandbox.url, async (_method, address) => {
    const url = new URL(address, sandbox.url);
    if (!url.pathname.endsWith("/links")) return "forward";
    const query = read(url.searchParams);
    query.set("per_page", "2");
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    const answer = await fetch(`${url.origin}${url.pathname}?${query.toString()}`, { headers });
    return { status: answer.status, body: await answer.text() };
  });
}

/** Checks all lists of an account. */
async function expectListed(scenario: Scenario, baseUrl: string): Promise<void> {
  await scenario.write("", {
    "linkform.yaml": `version: 1\nservice: { base_url: "${baseUrl}" }\ndomains: { go: { id: 2, name: go.example.com } }\nspaces: { Ours: { id: 2, name: Sales } }\n`,
  });
  for (const [flags, aliases] of LISTED)
    expect([flags, await aliasesOf(scenario, { baseUrl, ...flags })]).toEqual([flags, aliases]);
}

describe("the objects that flags name", () => {
  test.each(["4.1", "4.9"] as const)("are listed by version %s", async (software) => {
    const scenario = await start(software);
    await expectListed(scenario, scenario.sandbox.url);
  });

  // Fails if a filter or an order is trusted that the service does not have.
  test.each(Object.entries(STRANGE))("are listed by a version that %s", async (_, read) => {
    const scenario = await start("4.1");
    await expectListed(scenario, await startReading(scenario, read));
  });

  test.each<[what: "links" | "pixels", flags: ListFlags, says: RegExp, exit: number]>([
    ["links", { space: "Marketng" }, /Space `Marketng` does not exist\.\s+= Did you mean `Marketing`\?/, 1],
    ["links", { space: "99" }, /Space `99` does not exist\./, 1],
    ["links", { space: "Wrong" }, /The files call space 1 `Wrong`, but the service calls it `Marketing`\./, 1],
    ["links", { pixel: "meta" }, /Pixel `meta` does not exist\./, 1],
    ["links", { pixel: "99" }, /Pixel `99` does not exist\./, 1],
    ["links", { pixel: "#99" }, /Pixel `#99` does not exist\./, 1],
    [
      "links",
      { domain: "go.exmple.com" },
      /found no domain `go\.exmple\.com` in this account\.\s+= Did you mean `go\.example\.com`\?/,
      0,
    ],
  ])("%s %j", async (what, flags, says, exit) => {
    const scenario = await start();
    await scenario.write("", {
      "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\nspaces: { Wrong: 1 }\n`,
    });
    const ran = await runList(scenario, what, flags);
    expect(ran.exit).toBe(exit);
    expect(ran.err).toMatch(says);
  });

  test("a number that is the name of one pixel and the id of another is an error", async () => {
    const pixels = [PIXELS[0], { name: "1", type: "bing", value: "1234567" }].flatMap((one) => one ?? []);
    const scenario = await startLooking({ seed: { pixels } });
    const { exit, err } = await runList(scenario, "links", { pixel: "1" });
    expect(exit).toBe(1);
    expect(err).toContain("`1` is the name or id of several pixels: ids 1 and 2.");
  });
});

describe("pixels", () => {
  test.each(["4.1", "4.9"] as const)("are filtered by type, and searched by name, on %s", async (software) => {
    const scenario = await start(software);
    const keys = async (flags: ListFlags): Promise<string[]> =>
      (await listed(scenario, flags, "pixels")).rows.map(({ key }) => key);
    expect(await keys({ type: "bing", sort: "asc" })).toEqual(["2", "7"]);
    expect(await keys({ search: "META" })).toEqual(["Meta main"]);
    expect(await keys({ type: "bing", limit: 1 })).toEqual(["7"]);
    expect(await keys({ type: "quora" })).toEqual([]);
  });
});

describe("requests", () => {
  test.each<[name: string, flags: ListFlags, requests: number]>([
    ["all", {}, 3],
    ["the newest few", { limit: 5 }, 1],
    ["the oldest of two pages", { limit: 150, sort: "asc" }, 2],
    ["by clicks all are read", { limit: 5, sort: "max" }, 3],
    ["a search", { search: "link-7", by: "alias", limit: 5 }, 1],
    ["a search that finds nothing", { search: "nothing" }, 1],
  ])("%s", async (_, flags, requests) => {
    const scenario = await startMany(250);
    const document = await listed(scenario, flags);
    expect(document.requests.read).toBe(requests);
    expect(scenario.sandbox.requests).toHaveLength(requests);
  });

  test("a limited list has the total", async () => {
    const scenario = await startMany(250);
    expect((await listed(scenario, { limit: 5 })).total).toBe(250);
    expect((await runList(scenario, "links", { limit: 5 })).out).toContain("5 of 250 links, newest first; 1 request.");
  });
});

test("the total of a filter that the service may ignore is known only if everything was read", async () => {
  const many = Array.from({ length: 240 }, (_, at) => at < 120);
  const pixels = many.map((isOld, at) => ({ name: `p${at}`, type: isOld ? "bing" : "facebook", value: "1234567" }));
  const links = many.map((isOld, at) => {
    const title = isOld ? "axb" : "a_b";
    return { alias: `l${at}`, url: "https://example.com/", domain: 2, title };
  });
  const scenario = await startLooking({ seed: { pixels, links } });
  expect((await listed(scenario, { type: "facebook", limit: 5 }, "pixels")).total).toBeNull();
  expect((await listed(scenario, { type: "facebook", limit: 125 }, "pixels")).total).toBe(120);
  expect((await listed(scenario, { search: "a_b", limit: 5 })).total).toBeNull();
  expect((await listed(scenario, { search: "a_b" })).total).toBe(120);
});

describe("the files", () => {
  test("show declarations with their places, and tombstones", async () => {
    const scenario = await start();
    await scenario.write(
      "links:\n  go.example.com/spring: { url: https://example.com/a }\nabsent: { links: [go.example.com/autumn] }\n",
    );
    const { rows } = await listed(scenario, { baseUrl: scenario.sandbox.url });
    expect(rows.map(({ key, declared, absent }) => [key, declared?.line ?? null, absent?.line ?? null])).toEqual([
      ["short.example.com/winter", null, null],
      ["go.example.com/autumn", null, 7],
      ["promo.example.com/summer", null, null],
      ["go.example.com/spring", 6, null],
    ]);
    const { out } = await runList(scenario, "links", {});
    expect(out).toMatch(/^✓ {2}go\.example\.com\/spring .*linkform\.yaml:6 /m);
    expect(out).toMatch(/^- {2}go\.example\.com\/autumn /m);
    expect(out).toContain("✓ 1 declared; - 1 with a tombstone");
  });

  test("with errors do not prevent the list", async () => {
    const scenario = await start();
    await scenario.write("links: { go.example.com/x: { ulr: https://example.com/ } }\n");
    // The address comes from the files, too.
    const { exit, out, err } = await commandIn(scenario.folder, ["list"], scenario.env);
    expect(exit).toBe(0);
    expect(err).toContain("warning[files-broken] The files have 1 error,");
    expect(out).toContain("4 links, newest first");
    expect((await listed(scenario)).diagnostics.map(({ code }) => code)).toEqual(["files-broken"]);
  });

  test("with a wrong id of a domain cause a warning", async () => {
    const scenario = await start();
    await scenario.write("", {
      "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\ndomains: { promo.example.com: 2 }\nlinks: { promo.example.com/spring: { url: https://example.com/a } }\n`,
    });
    const { exit, err } = await runList(scenario, "links", {});
    expect(exit).toBe(0);
    expect(err).toMatch(/warning\[wrong-domain\].*Correct the id: `promo\.example\.com: 3`/s);
  });

  test("state the time zone of dates, otherwise the account does", async () => {
    const scenario = await startLooking({ timezone: "Europe/Berlin", seed: { links: LINKS, pixels: PIXELS } });
    const dateOf = async (): Promise<unknown[]> => {
      const { rows, timezone } = await listed(scenario, { status: "expired", domain: "go.example.com" });
      return [timezone, rows[0]?.fields["expiration.date"], rows[0]?.fields["expiration.time"]];
    };
    expect(await dateOf()).toEqual(["Europe/Berlin", "2020-01-01", "01:00"]);
    await scenario.write("timezone: America/New_York\n");
    expect(await dateOf()).toEqual(["America/New_York", "2019-12-31", "19:00"]);
  });
});

// Fails if a list of pixels, which does not show the version, is read with the words of another version.
test.each(SOFTWARE)("an X pixel is listed with its type, version %s", async (software) => {
  const pixels = [{ name: "X", type: "twitter", value: "o1abc" }];
  const scenario = await startLooking({ software, seed: { pixels } });
  const { rows, diagnostics } = await listed(scenario, {}, "pixels");
  expect([rows[0]?.fields["type"], diagnostics, scenario.sandbox.requests.length]).toEqual(["twitter", [], 1]);
});

describe("documents", () => {
  test("match their schema and have the address, even if nothing could be read", async () => {
    const scenario = await start();
    const { exit, out } = await runList(scenario, "links", { format: ["json"], space: "nowhere" });
    const document = JSON.parse(out);
    expect([exit, document.service.base_url]).toEqual([1, scenario.sandbox.url]);
    expect(await schemaErrors("list", document)).toBeNull();
  });

  test.each([
    [["list", "pixel"]],
    [["list", "--sort", "best"]],
    [["list", "pixels", "--sort", "max"]],
    [["list", "--type", "bing"]],
  ])("wrong usage: %j", async (args) => {
    const { sandbox, folder, env } = await start();
    const ran = await commandIn(folder, [...args, "--format", "json"], { ...env, LINKFORM_BASE_URL: sandbox.url });
    expect(ran.exit).toBe(64);
    expect(await schemaErrors("list", JSON.parse(ran.out))).toBeNull();
    expect(sandbox.requests).toEqual([]);
  });

  test("without files and without an address, the error has a fix", async () => {
    const { folder, env } = await start();
    const { exit, err } = await commandIn(folder, ["list"], env);
    expect(exit).toBe(1);
    expect(err).toContain("--base-url");
  });
});

// `--owner` and `--due`. Fails if they show a link of somebody else or one that is not declared, if `--limit` counts rows that do not
// match, or if they give an empty list where the files cannot answer.
const FILES = `
defaults: { link: { domain: go.example.com, owner: growth-team } }
links:
  spring: { url: https://example.com/a, review_by: 2026-11-21 }
  summer: { url: https://example.com/b, review_by: 2026-11-22, owner: [Brand, growth-team] }
  autumn: { url: https://example.com/c, review_by: 2025-01-01, owner: Brand }
  winter: { url: https://example.com/d, owner: null }
  planned: { url: https://example.com/e, review_by: 2025-01-01 }
`;

async function startOwned(files: string | null = FILES): Promise<Scenario> {
  const aliases = ["spring", "summer", "autumn", "winter", "theirs"];
  const scenario = await startLooking({
    seed: { links: aliases.map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` })) },
  });
  if (files !== null) await scenario.write(files);
  return scenario;
}

const ownedAliases = async (flags: ListFlags): Promise<unknown[]> =>
  (await listed(await startOwned(), { sort: "asc", ...flags })).rows.map(({ fields }) => fields["alias"]);

test.each<[flags: ListFlags, aliases: string[]]>([
  [{ owner: "growth-team" }, ["spring", "summer"]],
  [{ owner: "brand" }, ["summer", "autumn"]],
  [{ due: true }, ["spring", "autumn"]],
  [{ owner: "Brand", due: true }, ["autumn"]],
  [{ owner: "growth-team", limit: 1, sort: "desc" }, ["summer"]],
  [{ owner: "growth-team", search: "spring", by: "alias" }, ["spring"]],
])("%j lists %j", async (flags, aliases) => {
  expect(await ownedAliases(flags)).toEqual(aliases);
});

describe("the output", () => {
  it("has both keys in JSON, and the number of matching rows", async () => {
    const document = await listed(await startOwned(), { owner: "brand", limit: 1, sort: "asc" });
    expect(document.total).toBe(2);
    expect(document.rows).toMatchObject([{ owner: ["Brand", "growth-team"], review_by: "2026-11-22" }]);
    const all = await listed(await startOwned(), { sort: "asc" });
    expect(all.rows.map(({ owner, review_by }) => [owner, review_by]).at(-1)).toEqual([[], null]);
  });

  it("has both columns in CSV, after the others", async () => {
    const { out } = await runList(await startOwned(), "links", { owner: "brand", sort: "asc", format: ["csv"] });
    const [head = "", first = ""] = out.split("\n");
    expect(head).toMatch(/,declared,owner,review_by$/);
    expect(first).toMatch(/,"?Brand; growth-team"?,2026-11-22$/);
  });

  it("says that nothing matches", async () => {
    const { exit, out } = await runList(await startOwned(), "links", { owner: "growth-team", status: "disabled" });
    expect([exit, out]).toEqual([0, "No link matches (1 request).\n"]);
  });

  it("of `show` has both", async () => {
    const scenario = await startOwned();
    const { objects } = await shown(scenario, "summer");
    expect(objects).toMatchObject([{ owner: ["Brand", "growth-team"], review_by: "2026-11-22" }]);
    const { out } = await runShow(scenario, ["summer"]);
    expect(out).toMatch(/^ +owner +Brand, growth-team$/m);
    expect(out).toMatch(/^ +review by +2026-11-22$/m);
  });
});

describe("what the files cannot answer", () => {
  async function refusal(files: string | null, flags: ListFlags, what: "links" | "pixels" = "links"): Promise<string> {
    const scenario = await startOwned(files);
    const text = await runList(scenario, what, flags).then(
      ({ err }) => err,
      (cause: unknown) => String(cause),
    );
    expect(scenario.sandbox.requests).toEqual([]);
    return text;
  }

  it("is an error before the first request", async () => {
    expect(await refusal(null, { owner: "growth-team" })).toMatch(/`--owner` needs a project.*--config/s);
    expect(await refusal(null, { due: true })).toMatch(/`--due` needs a project/);
    expect(await refusal("links: { a: { ulr: x } }\n", { due: true })).toMatch(/files have errors.*linkform validate/s);
    expect(await refusal(FILES, { owner: "growth" })).toMatch(/no link.*`growth`.*Did you mean `growth-team`\?/is);
    expect(await refusal("links: {}\n", { owner: "growth" })).toMatch(/The files name no owner\./);
    expect(await refusal(FILES, { owner: "growth-team" }, "pixels")).toMatch(/`--owner` does not apply to pixels/);
  });
});
