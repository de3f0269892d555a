// How links are read in edge cases, and with a service that changes or behaves unexpectedly.

import { describe, expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Scenario, startWith } from "../support/scenario.ts";
import { send } from "../support/through.ts";

type SeedLinks = NonNullable<Exclude<SandboxOptions["seed"], string | undefined>["links"]>;

const DESTINATION = "https://example.com/";

/** Four pages of links on domain 2, none of them in the files. */
const OTHERS: SeedLinks = Array.from({ length: 350 }, (_, at) => ({
  url: DESTINATION,
  domain: 2,
  alias: `other-${at}`,
}));
const OLD = { id: 1, name: "Old", type: "bing", value: "1" };
const EMPTY: Answer = {
  status: 200,
  body: '{"data":[],"meta":{"current_page":1,"last_page":1,"total":0},"status":200}',
};

function declared(...keys: readonly string[]): string {
  return `links:\n${keys.map((key) => `  ${key}: { url: https://example.com/ }\n`).join("")}`;
}

/** Plans through a proxy and returns the output. */
async function planThrough(
  scenario: Scenario,
  act: (url: string) => Answer | Promise<Answer>,
): Promise<{ readonly out: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) => {
    asked.push(url);
    return act(url);
  });
  const { out } = await runIn(scenario.folder, scenario.env, (world) => plan(world, { baseUrl }));
  return { out, asked };
}

describe("of two ways with the same number of requests", () => {
  // Fails if the way that reads less is chosen, or if a look-up counts as more than a page.
  it.each([
    [["go.example.com/aaa", "promo.example.com/bbb", "go.example.com/ccc"], 351],
    [["go.example.com/aaa", "promo.example.com/bbb"], null],
  ])("%j to be looked up, and 3 pages left: %s unmanaged", async (keys, unmanaged) => {
    const links = [...OTHERS, { url: DESTINATION, domain: 3, alias: "theirs" }];
    const scenario = await startWith(declared(...keys), { links });
    expect((await scenario.planDocument()).summary.unmanaged).toBe(unmanaged);
  });
});

// Fails if a label with an id is used only after a link has confirmed it: then no domain could be chosen.
it("a domain that is not on the first page is read by the id of its label", async () => {
  const mine = Array.from({ length: 30 }, (_, at) => ({ url: DESTINATION, domain: 3, alias: `mine${at}` }));
  const scenario = await startScenario({ seed: { links: [...OTHERS, ...mine] } });
  await scenario.write(declared(...mine.map(({ alias }) => `promo.example.com/${alias}`)));
  const { changes, summary, requests } = await scenario.planDocument();
  // The first page, the page of the domain, the pixels.
  expect([changes, summary.unchanged, requests.read]).toEqual([[], 30, 3]);
});

// Fails if an alias that cannot be searched for is left out: its link would be created a second time.
it("with an alias that is too short to look up, all links are read", async () => {
  const scenario = await startScenario({ seed: { links: [...OTHERS, { url: DESTINATION, domain: 2, alias: "ab" }] } });
  await scenario.write(declared("go.example.com/ab", "promo.example.com/spring"));
  const { changes, summary } = await scenario.planDocument();
  expect([changes.map(({ key }) => key), summary.unmanaged]).toEqual([["promo.example.com/spring"], 350]);
});

// Fails if the list of a service with a wrong domain filter is used.
it("the list of a domain is not used if it lacks links of the first page", async () => {
  const mine = Array.from({ length: 30 }, (_, at) => ({ url: DESTINATION, domain: 3, alias: `mine${at}` }));
  const scenario = await startScenario({
    seed: { links: [...mine, ...OTHERS, { url: DESTINATION, domain: 3, alias: "mine" }] },
  });
  await scenario.write(declared("promo.example.com/mine", ...mine.map(({ alias }) => `promo.example.com/${alias}`)));
  const { out, asked } = await planThrough(scenario, (url) => (url.includes("domain=3") ? EMPTY : "forward"));
  expect(asked.some((url) => url.includes("domain=3"))).toBe(true);
  expect(out).toContain("No changes. 31 unchanged.");
});

// Fails if any search result counts as proof that the service searches aliases.
it("a search that finds other links is not used", async () => {
  const scenario = await startScenario({
    seed: { links: [...OTHERS, { url: DESTINATION, domain: 2, alias: "spring" }] },
  });
  await scenario.write(declared("go.example.com/spring"));
  const row = { id: 9, alias: "other-8", url: DESTINATION, domain: { id: 2, name: "go.example.com" } };
  const meta = { current_page: 1, last_page: 1, total: 1 };
  const found: Answer = { status: 200, body: JSON.stringify({ data: [row], meta, status: 200 }) };
  const { out } = await planThrough(scenario, (url) => (url.includes("search=") ? found : "forward"));
  expect(out).toContain("No changes. 1 unchanged.");
});

// Fails if a record of the first page wins over one that was read later.
it("a record that changed between two readings is planned as it was read last", async () => {
  const scenario = await startScenario({
    seed: { links: [{ url: DESTINATION, domain: 2, alias: "spring" }, ...OTHERS] },
  });
  await scenario.write(declared("go.example.com/spring"));
  const { out } = await planThrough(scenario, async (url): Promise<Answer> => {
    if (url.includes("search=")) await send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Ftheirs.example%2F");
    return "forward";
  });
  expect(out).toContain("    url  https://theirs.example/\n       → https://example.com/\n");
});

describe("names that are only on the first page", () => {
  // Fails if the lists are requested for names that the first page has.
  it("are known after a look-up by alias", async () => {
    const scenario = await startScenario({
      seed: { links: [{ url: DESTINATION, domain: 2, alias: "theirs" }, ...OTHERS] },
    });
    await scenario.write(declared("go.example.com/spring"));
    // The first page, the alias, the check of the search, the pixels.
    expect((await scenario.planDocument()).requests.read).toBe(4);
  });

  it("are known after a reading of one domain", async () => {
    const mine = Array.from({ length: 5 }, (_, at) => ({ url: DESTINATION, domain: 3, alias: `mine${at}` }));
    const theirs = { url: DESTINATION, domain: 2, alias: "theirs", space: 2 };
    const scenario = await startScenario({ seed: { links: [theirs, ...OTHERS, ...mine] } });
    const links = mine.map(({ alias }) => `  promo.example.com/${alias}: { url: ${DESTINATION}, space: Sales }\n`);
    await scenario.write(`links:\n${links.join("")}`);
    const { changes, requests } = await scenario.planDocument();
    expect([changes.length, requests.read]).toEqual([5, 3]);
  });
});

describe("a pixel that is to be deleted", () => {
  // Fails if a link that is read twice, by its alias and as a user of the pixel, counts as two.
  it("whose only user stops using it is planned together with that link", async () => {
    const uses = { url: DESTINATION, domain: 2, alias: "spring", pixels: [1] };
    const scenario = await startScenario({ seed: { links: [...OTHERS, uses], pixels: [OLD] } });
    await scenario.write(`${declared("go.example.com/spring")}absent: { pixels: [Old] }\n`);
    const { changes, diagnostics, summary } = await scenario.planDocument();
    expect([changes.map(({ action, key }) => `${action} ${key}`), diagnostics, summary.unmanaged]).toEqual([
      ["delete Old", "update go.example.com/spring"],
      [],
      null,
    ]);
    await scenario.converge();
  });

  // Fails if its users are requested although all links were read, or although a link has this name.
  it.each([
    ["all links have been read", "absent: { pixels: [Old] }\n", OTHERS.slice(0, 50)],
    ["a link of this name is", "absent: { links: [go.example.com/old] }\n", OTHERS],
    ["no such pixel is live", "absent: { pixels: [Gone] }\n", OTHERS],
  ])("%s: its users are not asked for", async (_what, absent, links) => {
    const scenario = await startWith(absent, { links, pixels: [OLD] });
    const { diagnostics } = await scenario.planDocument();
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(scenario.sandbox.requests.filter(({ path }) => path.includes("pixel="))).toEqual([]);
  });
});

describe("the second reading", () => {
  const since = ({ sandbox }: Scenario, before: number): string[] =>
    sandbox.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.replace(/[?&](sort|per_page)=\w+/g, "")}`);

  // Fails if all pages are read for a few links.
  it("after a look-up by alias searches for each new alias", async () => {
    const scenario = await startWith(declared("go.example.com/spring", "promo.example.com/summer"), { links: OTHERS });
    const { requests } = await scenario.planDocument();
    const before = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(requests.verify).toBe(2);
    expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
    const searched = since(scenario, before).slice(-2).join(" ");
    expect(searched).toMatch(/search=spring.*search=summer|search=summer.*search=spring/);
  });

  // Fails if the estimate uses the number of pages before the deletes.
  it("after deletes counts the remaining pages", async () => {
    const scenario = await startScenario({ seed: { links: OTHERS.slice(0, 102) } });
    await scenario.write(`absent: { links: [go.example.com/other-0, go.example.com/other-1] }\n`);
    const { requests } = await scenario.planDocument();
    const before = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(requests.verify).toBe(1);
    expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
  });

  // Fails if an empty list counts as no page: it is requested anyway.
  it("after the only link was deleted takes one request", async () => {
    const scenario = await startWith("absent: { links: [go.example.com/other-0] }\n", { links: OTHERS.slice(0, 1) });
    expect((await scenario.planDocument()).requests.verify).toBe(1);
  });

  // Fails if changes that were not applied count: then the whole list is read for one record.
  it("counts only applied changes", async () => {
    const scenario = await startScenario();
    const bad = "{ url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }";
    await scenario.write(
      `rules: { unknown-country: warning }\n${declared("go.example.com/good")}  go.example.com/bad: ${bad}\n`,
    );
    const before = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(since(scenario, before).at(-1)).toContain("search=good");
  });

  // Fails if the list of pixels is requested with a domain.
  it("of one domain reads the list of its links and the list of all pixels", async () => {
    const mine = Array.from({ length: 5 }, (_, at) => ({ url: `${DESTINATION}old`, domain: 3, alias: `mine${at}` }));
    const scenario = await startScenario({ seed: { links: [...mine, ...OTHERS] } });
    const pixels = "pixels: { P: { type: bing, value: '1' }, Q: { type: bing, value: '2' } }\n";
    await scenario.write(`${pixels}${declared(...mine.map(({ alias }) => `promo.example.com/${alias}`))}`);
    const before = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(since(scenario, before).slice(-2).toSorted()).toEqual([
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
