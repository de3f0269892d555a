// Which links are read with few requests, also in edge cases and with a service that behaves unexpectedly. A narrow reading gives the same
// plan as a whole one.

import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { GIT_ENV, repositoryIn } from "../support/repository.ts";
import { runIn, type Scenario, startWith } from "../support/scenario.ts";
import { send } from "../support/through.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

const URL_OF_ALL = "https://example.com/";
const OLD = { id: 1, name: "Old", type: "bing", value: "1" };

function live(alias: string, domain = 2, more: Partial<SeedLink> = {}): SeedLink {
  return { url: URL_OF_ALL, alias, domain, ...more };
}

/** This many links on a domain: `other-0`, … */
function linksOn(domain: number, count: number, prefix = "other-", more: Partial<SeedLink> = {}): SeedLink[] {
  return Array.from({ length: count }, (_, at) => live(`${prefix}${at}`, domain, more));
}

/** Four pages of links that are not in the files. */
const OTHERS = linksOn(2, 350);
/** Links on another domain. */
const MINE = linksOn(3, 30, "mine");

function declared(...keys: readonly string[]): string {
  return `links:\n${keys.map((key) => `  ${key}: { url: ${URL_OF_ALL} }\n`).join("")}`;
}

const keysOf = (links: readonly SeedLink[]): string[] => links.map(({ alias }) => `promo.example.com/${alias}`);
const SPRING = declared("go.example.com/spring");

/** The response to a list without rows. */
const EMPTY: Answer = {
  status: 200,
  body: '{"data":[],"meta":{"current_page":1,"last_page":1,"total":0},"status":200}',
};

/** The queries to the list of links, without sort, per_page and page. */
function asked({ sandbox }: Scenario): string[] {
  return sandbox.requests.flatMap(({ path }) => {
    const url = new URL(path, "http://sandbox.test");
    if (url.pathname !== "/api/v1/links") return [];
    for (const name of ["sort", "per_page", "page", "by", "search_by"]) url.searchParams.delete(name);
    // Filters are sent under the names of all versions.
    for (const name of ["domain", "space", "pixel"])
      if (url.searchParams.has(name) || url.searchParams.get(`${name}_id`) === "0")
        url.searchParams.delete(`${name}_id`);
    return [url.search];
  });
}

/** Plans through a proxy and returns the output. */
async function planThrough(
  scenario: Scenario,
  act: (url: string) => Answer | Promise<Answer>,
): Promise<{ readonly out: string; readonly urls: readonly string[] }> {
  const urls: string[] = [];
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) => {
    urls.push(url);
    return act(url);
  });
  const { out } = await runIn(scenario.folder, scenario.env, (world) => plan(world, { baseUrl }));
  return { out, urls };
}

describe.each(["4.1", "4.9"] as const)("on %s", (software) => {
  // Fails if the look-up is not used, uses a parameter that a version ignores, or trusts the search results.
  it("few links are looked up by alias, ignoring case and accents", async () => {
    const files =
      "links:\n  go.example.com/spring-sale: { url: https://example.com/new }\n  promo.example.com/summer: { url: https://example.com/ }\nabsent: { links: [go.example.com/autumn] }\n";
    const links = [...linksOn(2, 450), live("SPRÍNG-Sale")];
    const scenario = await startWith(files, { links }, { software });
    const { changes, summary, requests } = await scenario.planDocument();
    expect(asked(scenario)).toEqual(["", "?search=spring-sale", "?search=summer", "?search=autumn"]);
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      "update go.example.com/spring-sale",
      "create promo.example.com/summer",
    ]);
    expect(summary).toMatchObject({ unmanaged: null });
    // Also the list of domains, because these links do not use all of them, and the list of pixels.
    expect(requests.read).toBe(6);
    await scenario.converge();
  });

  // Fails if the filter is not used, or if links on other domains are counted or changed.
  it("links of one domain are read with its filter", async () => {
    const files = declared(...keysOf(MINE)).replaceAll(URL_OF_ALL, "https://example.com/new");
    const links = [...MINE, ...linksOn(2, 900)];
    const scenario = await startWith(`brake: { updates: 100% }\n${files}`, { links }, { software });
    const { changes, summary, requests } = await scenario.planDocument();
    expect(asked(scenario)).toEqual(["", "?domain=3"]);
    expect(changes).toHaveLength(30);
    expect([summary.unmanaged, requests.read, requests.verify]).toEqual([null, 3, 1]);
    const sent = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(scenario.sandbox.requests.length - sent).toBe(3 + 30 + 1 + 1);
    await scenario.converge();
  });

  // Fails if only the links that were read are checked, and the pixel silently disappears from the others.
  it("before a pixel is deleted, its users on all domains are read", async () => {
    const seed = { links: [...OTHERS, live("theirs", 3, { pixels: [1] })], pixels: [OLD] };
    const scenario = await startWith(`${SPRING}absent: { pixels: [old] }\n`, seed, { software });
    const document = await scenario.planDocument();
    expect(asked(scenario)).toEqual(["", "?search=spring", "?search=other-0", "?pixel=1"]);
    expect(document.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "pixel-in-use Pixel `Old` is still used by `promo.example.com/theirs`.",
    ]);
  });
});

// Fails if further pages are read although the files name no link.
it("with files that name no link, only the first page of links is read", async () => {
  const scenario = await startWith("pixels: { P: { type: bing, value: '1' } }", { links: OTHERS });
  const { requests, summary } = await scenario.planDocument();
  expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, null, 2]);
  await scenario.converge();
});

// Fails if the summary of a narrow reading says `null unmanaged`.
it("the report of a narrow reading says so", async () => {
  const { out } = await (await startWith(SPRING, { links: OTHERS })).plan({ verbose: true });
  expect(out).toContain("Objects that are not in the files were not counted, because not all links were read.");
});

// Fails if a narrow reading does not find two records with equal keys.
it("a second record with the same key is found on any page", async () => {
  const scenario = await startWith(SPRING, { links: [live("spring"), ...OTHERS, live("Spríng")] });
  expect((await scenario.planDocument()).diagnostics.map(({ code }) => code)).toContain("two-live-rows");
});

// Fails if the zone is requested only after the links: the first page is then never answered.
it("the time zone is read together with the first page if the files have dates", async () => {
  const files = "links: { go.example.com/a: { url: https://example.com/, expiration: { date: 2027-01-01 } } }";
  const scenario = await startWith(files, { links: [live("other")] });
  const requests = new EventEmitter();
  const zoneRequest = once(requests, "zone");
  const { out } = await planThrough(scenario, async (url): Promise<Answer> => {
    if (url.includes("/account")) requests.emit("zone");
    if (url.includes("/links?")) await zoneRequest;
    return "forward";
  });
  expect(out).toContain("1 to create");
});

describe("all links are read", () => {
  // Fails if an alias that cannot be searched for is left out: its link would be created a second time.
  it("with an alias whose letters have another spelling", async () => {
    const files = declared("go.example.com/ss", "promo.example.com/spring");
    const scenario = await startWith(files, { links: [...OTHERS, live("ss")] });
    const { changes, summary } = await scenario.planDocument();
    expect([changes.map(({ key }) => key), summary.unmanaged]).toEqual([["promo.example.com/spring"], 350]);
  });

  // Fails if a search for a part that half of the account has takes more requests than reading all links.
  it("if an alias is part of all others", async () => {
    const scenario = await startWith(declared("go.example.com/other"), { links: OTHERS });
    const { requests, summary } = await scenario.planDocument();
    expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, 350, 6]);
  });

  // Fails if the list of a service with a wrong domain filter is used.
  it("if the list of a domain lacks links of the first page", async () => {
    const scenario = await startWith(declared("promo.example.com/mine", ...keysOf(MINE)), {
      links: [...MINE, ...OTHERS, live("mine", 3)],
    });
    const { out, urls } = await planThrough(scenario, (url) => (url.includes("domain=3") ? EMPTY : "forward"));
    expect(urls.some((url) => url.includes("domain=3"))).toBe(true);
    expect(out).toContain("No changes. 31 unchanged.");
  });

  // Fails if all links are planned as new because a version searches only titles, or if any search result counts as proof that the service
  // searches aliases.
  it.each<[string, string[]]>([
    ["nothing", []],
    ["other links", ["other-8"]],
    ["also a link with the text by chance", ["other-8", "hot-spring"]],
    ["the shortest alias of the first page", ["o"]],
  ])("if a search finds %s", async (_what, aliases) => {
    const links = [live("o"), ...OTHERS, live("spring"), live("hot-spring")];
    const found = links.map((link, at) => ({ ...link, id: at + 1, domain: { id: 2, name: "go.example.com" } }));
    const data = found.filter(({ alias }) => aliases.includes(alias));
    const meta = { current_page: 1, last_page: 1, total: data.length };
    const answer = { status: 200, body: JSON.stringify({ data, meta, status: 200 }) };
    const scenario = await startWith(SPRING, { links });
    const { out } = await planThrough(scenario, (url) => (url.includes("search=") ? answer : "forward"));
    expect(out).toContain("No changes. 1 unchanged.");
  });
});

// Fails if all pages are read to check the search, although half of the account matches.
it("one page is enough to check that the service searches aliases", async () => {
  const scenario = await startWith(SPRING, { links: [live("other"), ...OTHERS] });
  const { summary } = await scenario.planDocument();
  expect(asked(scenario)).toEqual(["", "?search=spring", "?search=other"]);
  expect([summary.create, summary.unmanaged]).toEqual([1, null]);
});

// Fails if a label with an id is used only after a link has confirmed it: then no domain could be chosen.
it("a domain that is not on the first page is read by the id of its label", async () => {
  const scenario = await startWith(declared(...keysOf(MINE)), { links: [...OTHERS, ...MINE] });
  const { changes, summary, requests } = await scenario.planDocument();
  // The first page, the page of the domain, the pixels.
  expect([changes, summary.unchanged, requests.read]).toEqual([[], 30, 3]);
});

// Fails if a record of the first page wins over one that was read later.
it("a record that changed between two readings is planned as it was read last", async () => {
  const scenario = await startWith(SPRING, { links: [live("spring"), ...OTHERS] });
  const { out } = await planThrough(scenario, async (url): Promise<Answer> => {
    if (url.includes("search=")) await send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Ftheirs.example%2F");
    return "forward";
  });
  expect(out).toContain("    url  https://theirs.example/\n       → https://example.com/\n");
});

// Fails if its users are requested although all links were read, or although a link has this name.
it.each([
  ["all links have been read", "absent: { pixels: [Old] }\n", OTHERS.slice(0, 50)],
  ["a link of this name is", "absent: { links: [go.example.com/old] }\n", OTHERS],
  ["no such pixel is live", "absent: { pixels: [Gone] }\n", OTHERS],
])("the users of a pixel that is to be deleted are not asked for: %s", async (_what, absent, links) => {
  const scenario = await startWith(absent, { links, pixels: [OLD] });
  const { diagnostics } = await scenario.planDocument();
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(scenario.sandbox.requests.filter(({ path }) => path.includes("pixel="))).toEqual([]);
});

// Fails if a pixel that the files no longer name is deleted although a link that was not read uses it, or if a pixel that stays costs a request.
const [kept, gone, done] = ["Kept", "Gone", "Done"].map((name) => `  ${name}: { type: bing, value: "1"`);
const NOW = `pixels:\n${kept} }\n${SPRING}`;
const BASE = `pixels:\n${kept} }\n${gone} }\n${done}, renamed_from: Before }\n${SPRING}  go.example.com/gone: { url: ${URL_OF_ALL}, pixels: [Gone] }\n`;

/** An account of five pages whose last link, on another domain, uses a pixel. */
async function startPruned(pixel: number): Promise<Scenario> {
  const pixels = ["Kept", "Gone", "Done", "Theirs"].map((name, at) => ({
    id: at + 1,
    name,
    type: "bing",
    value: "1",
  }));
  const ours = [live("spring"), live("gone", 2, { pixels: [2] })];
  const links = [...OTHERS, ...linksOn(3, 50), ...ours, live("theirs", 3, { pixels: [pixel] })];
  const scenario = await startWith(BASE, { links, pixels });
  await (await repositoryIn(scenario.folder)).commitAll();
  return scenario;
}

const errorsOf = ({ diagnostics }: PlanDocument): string[] =>
  diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));

it.each([
  [4, ["delete link go.example.com/gone", "delete pixel Done", "delete pixel Gone"], []],
  [2, [], ["Pixel `Gone` is still used by `promo.example.com/theirs`."]],
  [3, [], ["Pixel `Done` is still used by `promo.example.com/theirs`."]],
])("a pixel that is pruned while a link on another domain uses pixel %i", async (pixel, changes, errors) => {
  const scenario = await startPruned(pixel);
  await scenario.write(`prune: removed\n${NOW}`);
  const { out } = await runIn(scenario.folder, { ...scenario.env, ...GIT_ENV }, (world) =>
    plan(world, { base: "HEAD", format: ["json"] }),
  );
  const document: PlanDocument = JSON.parse(out);
  expect(document.changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`)).toEqual(changes);
  expect([document.summary.unmanaged, errorsOf(document)]).toEqual([null, errors]);
  // No other users are requested.
  const users = scenario.sandbox.requests.flatMap(({ path }) => /[?&]pixel=(\d+)/.exec(path)?.[1] ?? []);
  expect(users).toEqual(["2", "3"]);
});

// Only the links of one domain are read, and a link on another domain uses the pixel in the scope.
it("a pixel that is pruned by scope is not deleted if a link on another domain uses it", async () => {
  const scenario = await startPruned(2);
  await scenario.write(
    `prune: scope\nscope: { domains: [go.example.com], pixels: [Kept, Gone] }\nbrake: { deletes: 100% }\n${NOW}`,
  );
  const document = await scenario.planDocument();
  expect([document.complete, errorsOf(document)]).toEqual([
    false,
    ["Pixel `Gone` is still used by `promo.example.com/theirs`."],
  ]);
});

describe("the second reading", () => {
  const since = ({ sandbox }: Scenario, before: number): string[] =>
    sandbox.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.replace(/[?&](sort|per_page)=\w+/g, "")}`);

  // Fails if the estimate uses the number of pages before the apply, or if an empty list counts as no page: it is requested anyway.
  it.each([
    ["creates", declared(...linksOn(2, 250).map(({ alias }) => `go.example.com/${alias}`)), [], 3],
    ["deletes", "absent: { links: [go.example.com/other-0, go.example.com/other-1] }\n", OTHERS.slice(0, 102), 1],
    ["the only delete", "absent: { links: [go.example.com/other-0] }\n", OTHERS.slice(0, 1), 1],
  ])("after %s counts the pages that there will be", async (_what, files, links, pages) => {
    const scenario = await startWith(files, { links });
    const { requests } = await scenario.planDocument();
    const before = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(requests.verify).toBe(pages);
    expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
  });

  // Fails if the list of pixels is requested with a domain.
  it("of one domain reads the list of its links and the list of all pixels", async () => {
    const mine = linksOn(3, 5, "mine", { url: `${URL_OF_ALL}old` });
    const pixels = "pixels: { P: { type: bing, value: '1' }, Q: { type: bing, value: '2' } }\n";
    const scenario = await startWith(`${pixels}${declared(...keysOf(mine))}`, { links: [...mine, ...OTHERS] });
    await scenario.apply();
    expect(since(scenario, 0).slice(-2).toSorted()).toEqual([
      "GET /api/v1/links?domain_id=3&by=alias&search_by=alias&domain=3&page=1",
      "GET /index.php/api/v1/pixels&page=1",
    ]);
  });

  // Fails if more records are requested in parallel than --concurrency allows.
  it("respects --concurrency", async () => {
    const scenario = await startWith(declared("go.example.com/spring", "promo.example.com/summer"), { links: OTHERS });
    let [underWay, most] = [0, 0];
    const baseUrl = await startProxy(
      scenario.sandbox.url,
      async (_method, url): Promise<Answer> => {
        if (/links\/\d+$/.test(url)) most = Math.max(most, ++underWay);
        return "forward";
      },
      (body, url) => {
        if (/links\/\d+$/.test(url)) underWay -= 1;
        return body;
      },
    );
    expect((await scenario.apply({ baseUrl, concurrency: 1 })).exit).toBe(0);
    expect(most).toBe(1);
  });
});

// Fails if the way is chosen before its pages are known: no link of the domain is on the first page of all links.
it.each([
  ["o", ["?search=o", "?domain=3", "?domain=3", "?domain=3", "?domain=3"]],
  ["fb", ["?search=fb", "?search=other-2-0"]],
])("an alias %s on a domain with many links is searched for before all of them are read", async (alias, rest) => {
  const links = [...linksOn(2, 450, "other-2-"), ...linksOn(3, 450, "other-3-")];
  const scenario = await startWith(declared(`promo.example.com/${alias}`), { links });
  const { summary } = await scenario.planDocument();
  expect(asked(scenario)).toEqual(["", "?domain=3", ...rest]);
  expect([summary.create, summary.unmanaged]).toEqual([1, null]);
});
