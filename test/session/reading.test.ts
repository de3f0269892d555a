// Which links are read with few requests. A narrow reading gives the same plan as a whole one.

import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import { unmistakablePart, fold } from "../../src/domain/fold.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { SAME } from "../support/folding.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { startScenario, type Scenario, startWith } from "../support/scenario.ts";

type SeedLinks = NonNullable<Exclude<SandboxOptions["seed"], string | undefined>["links"]>;

/** This many other links on a domain: `other-0`, … */
function others(count: number, domain: number): SeedLinks {
  return Array.from({ length: count }, (_, at) => ({
    url: `https://example.com/${at}`,
    domain,
    alias: `other-${domain}-${at}`,
  }));
}

/** The queries to the list of links since a request, without sort, per_page and page. */
function asked({ sandbox }: Scenario, since: number): string[] {
  return sandbox.requests.slice(since).flatMap(({ path }) => {
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

describe.each(["4.1", "4.9"] as const)("on %s", (software) => {
  // Fails if the look-up is not used, uses a parameter that a version ignores, or trusts the search results.
  it("few links are looked up by alias, ignoring case and accents", async () => {
    const seed = { links: [...others(450, 2), { url: "https://example.com/a", domain: 2, alias: "SPRÍNG-Sale" }] };
    const scenario = await startScenario({ seed, software });
    await scenario.write(
      "links:\n  go.example.com/spring-sale: { url: https://example.com/new }\n  promo.example.com/summer: { url: https://example.com/ }\nabsent: { links: [go.example.com/autumn] }\n",
    );
    const before = scenario.sandbox.requests.length;
    const { changes, summary, requests } = await scenario.planDocument();
    expect(asked(scenario, before)).toEqual(["", "?search=spring-sale", "?search=summer", "?search=autumn"]);
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
    const mine = Array.from({ length: 30 }, (_, at) => ({
      url: "https://example.com/old",
      domain: 3,
      alias: `mine${at}`,
    }));
    const scenario = await startScenario({ seed: { links: [...mine, ...others(900, 2)] }, software });
    const declared = mine.map(({ alias }) => `  promo.example.com/${alias}: { url: https://example.com/new }\n`);
    await scenario.write(`brake: { updates: 100% }\nlinks:\n${declared.join("")}`);
    const before = scenario.sandbox.requests.length;
    const { changes, summary, requests } = await scenario.planDocument();
    expect(asked(scenario, before)).toEqual(["", "?domain=3"]);
    expect(changes).toHaveLength(30);
    expect([summary.unmanaged, requests.read, requests.verify]).toEqual([null, 3, 1]);
    const sent = scenario.sandbox.requests.length;
    await scenario.apply();
    expect(scenario.sandbox.requests.length - sent).toBe(3 + 30 + 1 + 1);
    await scenario.converge();
  });

  // Fails if only the links that were read are checked, and the pixel silently disappears from the others.
  it("before a pixel is deleted, its users on all domains are read", async () => {
    const links = [...others(350, 2), { url: "https://example.com/", domain: 3, alias: "theirs", pixels: [1] }];
    const seed = { links, pixels: [{ id: 1, name: "Old", type: "bing", value: "1" }] };
    const scenario = await startScenario({ seed, software });
    await scenario.write(
      "links: { go.example.com/spring: { url: https://example.com/ } }\nabsent: { pixels: [old] }\n",
    );
    const before = scenario.sandbox.requests.length;
    const document = await scenario.planDocument();
    expect(asked(scenario, before)).toEqual(["", "?search=spring", "?search=other-2-0", "?pixel=1"]);
    expect(document.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "pixel-in-use Pixel `Old` is still used by `promo.example.com/theirs`.",
    ]);
  });
});

// Fails if further pages are read although the files name no link.
it("with files that name no link, only the first page of links is read", async () => {
  const scenario = await startWith("pixels: { P: { type: bing, value: '1' } }", { links: others(350, 2) });
  const { requests, summary } = await scenario.planDocument();
  expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, null, 2]);
  expect((await scenario.plan({ verbose: true })).err).toContain(
    "The files name no links, so linkform reads no more of them.",
  );
  await scenario.converge();
});

// Fails if --show-unmanaged shows no links.
it("--show-unmanaged reads all links", async () => {
  const scenario = await startScenario({ seed: { links: others(350, 2) } });
  await scenario.write("links: { go.example.com/spring: { url: https://example.com/ } }");
  const { out } = await scenario.plan({ showUnmanaged: true });
  expect(out).toContain("# id 350, 0 clicks\n  go.example.com/other-2-349:\n");
  expect(out.match(/^ {2}# id \d+/gm)).toHaveLength(350);
});

// Fails if the summary of a narrow reading says `null unmanaged`, or if --verbose does not give the reason.
it("the report of a narrow reading says so, and --verbose gives the reason", async () => {
  const scenario = await startScenario({ seed: { links: others(350, 2) } });
  await scenario.write("links: { go.example.com/spring: { url: https://example.com/ } }");
  const { out, err } = await scenario.plan({ verbose: true });
  expect(out).toContain("Objects that are not in the files were not counted, because not all links were read.");
  expect(err).toContain(
    "Links: 350 on 4 pages. Searching only for the aliases in the files: 1 request instead of 3 more requests.",
  );
});

// Fails if a narrow reading does not find two records with equal keys.
it("a second record with the same key is found on any page", async () => {
  const twins = [
    { url: "https://example.com/1", domain: 2, alias: "spring" },
    ...others(350, 2),
    { url: "https://example.com/2", domain: 2, alias: "Spríng" },
  ];
  const scenario = await startWith("links: { go.example.com/spring: { url: https://example.com/ } }", { links: twins });
  expect((await scenario.planDocument()).diagnostics.map(({ code }) => code)).toContain("two-live-rows");
});

// Fails if all links are planned as new because a version searches only titles and finds nothing.
it("all links are read if the service does not search aliases", async () => {
  const links = [...others(350, 2), { url: "https://example.com/", domain: 2, alias: "spring" }];
  const scenario = await startWith("links: { go.example.com/spring: { url: https://example.com/ } }", { links });
  const proxy = await startProxy(scenario.sandbox.url, (_method, url) =>
    url.includes("search=")
      ? { status: 200, body: '{"data":[],"meta":{"current_page":1,"last_page":1,"total":0},"status":200}' }
      : "forward",
  );
  const { out } = await scenario.plan({ baseUrl: proxy });
  expect(out).toContain("No changes. 1 unchanged.");
});

// Fails if the zone is requested only after the links: the first page is then never answered.
it("the time zone is read together with the first page if the files have dates", async () => {
  const scenario = await startScenario({ seed: { links: others(1, 2) } });
  await scenario.write(
    "links: { go.example.com/spring: { url: https://example.com/, expiration: { date: 2027-01-01 } } }",
  );
  const requests = new EventEmitter();
  const zoneRequest = once(requests, "zone");
  const proxy = await startProxy(scenario.sandbox.url, async (_method, url): Promise<Answer> => {
    if (url.includes("/account")) requests.emit("zone");
    if (url.includes("/links?")) await zoneRequest;
    return "forward";
  });
  const { out } = await scenario.plan({ baseUrl: proxy });
  expect(out).toContain("1 to create");
});

// Fails if all pages are read to check the search, although half of the account matches.
it("one page is enough to check that the service searches aliases", async () => {
  const links = [{ url: "https://example.com/", domain: 2, alias: "other" }, ...others(350, 2)];
  const scenario = await startWith("links: { go.example.com/spring: { url: https://example.com/ } }", { links });
  const before = scenario.sandbox.requests.length;
  const { summary } = await scenario.planDocument();
  expect(asked(scenario, before)).toEqual(["", "?search=spring", "?search=other"]);
  expect([summary.create, summary.unmanaged]).toEqual([1, null]);
});

// Fails if a search for a part that half of the account has takes more requests than reading all links.
it("an alias that is part of all others is not looked up completely", async () => {
  const scenario = await startScenario({ seed: { links: others(350, 2) } });
  await scenario.write("links: { go.example.com/other: { url: https://example.com/ } }");
  const { requests, summary } = await scenario.planDocument();
  expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, 350, 6]);
});

describe("the part of an alias that is searched for", () => {
  // Fails if it contains a part that another spelling of the alias writes differently: that record would not be found.
  it.each(SAME)("is in both spellings or in none: %s, %s", (one, other) => {
    for (const [written, live] of [
      [`abc-${one}-xyz`, `abc-${other}-xyz`],
      [`abc-${other}-xyz`, `abc-${one}-xyz`],
    ] as const) {
      expect(fold(written)).toBe(fold(live));
      const part = unmistakablePart(written);
      expect(part).not.toBeNull();
      // The service compares letter by letter, each folded on its own.
      const letters = [...live].map(fold);
      expect(letters.some((_, at) => letters.slice(at, at + (part ?? "").length).join("") === part)).toBe(true);
    }
  });

  it.each([
    ["spring-sale", "spring-sale"],
    ["spring_sale", "spring"],
    ["Grosse-Aktion", "e-aktion"],
    ["a", null],
    ["ssss", null],
    ["été-2027", "-2027"],
    ["50%off", null],
  ])("of %s is %s", (alias, part) => {
    expect(unmistakablePart(alias)).toBe(part);
  });
});

// Fails if the estimate uses the number of pages before the apply: here one before, and three after.
it("a plan that creates many links counts the pages that they will need", async () => {
  const scenario = await startScenario();
  const links = Array.from({ length: 250 }, (_, at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`);
  await scenario.write(`links:\n${links.join("")}`);
  const { requests } = await scenario.planDocument();
  const before = scenario.sandbox.requests.length;
  await scenario.apply();
  expect(requests.verify).toBe(3);
  expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
});
