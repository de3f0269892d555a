// Labels, names and ids of domains and spaces are compared with the service before anything is planned. The last tests have names that only
// links show: reading few links must not make them unknown (promise 5).

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { startScenario, writeFiles, type Scenario } from "../support/scenario.ts";

const seed: SeedState = {
  domains: [
    { id: 1, name: "short.example.com", shared: true },
    { id: 2, name: "go.example.com" },
    { id: 3, name: "promo.example.test" },
  ],
  spaces: [
    { id: 1, name: "Marketing" },
    { id: 2, name: "Sales" },
    { id: 3, name: "Sales" },
  ],
  links: [{ url: "https://example.com/", domain: 1, alias: "shared", space: 1 }],
};

/** A project without the labels of other scenarios. */
async function writeProject({ folder, sandbox }: Scenario, text: string): Promise<void> {
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n${text}` });
}

/** A project with only these lines, and a link at the end. `more` is added to its block. */
async function project(
  scenario: Scenario,
  lines: string,
  key = "go.example.com/a",
  more = "",
): Promise<{ exit: number; err: string; changes: unknown }> {
  const block = `links:\n  ${key}:\n    url: https://example.com/\n${more === "" ? "" : `    ${more}\n`}`;
  await writeProject(scenario, `${lines}\n${block}`);
  const { exit, err } = await scenario.plan();
  return { exit, err, changes: (await scenario.planDocument()).changes };
}

it.each([
  ["a label with its id", "domains: { go.example.com: 2 }", "go.example.com/a"],
  ["a label for another name", "domains: { promo: promo.example.test }", "promo/a"],
  ["a label with both", "domains: { shop: { id: 3, name: promo.example.test } }", "shop/a"],
  ["the service's name", "", "go.example.com/a"],
  ["the service's id", "", "2/a"],
  ["a shared domain that only links name", "", "short.example.com/a"],
])("names that match are planned: %s", async (_name, lines, key) => {
  const scenario = await startScenario({ seed });
  expect(await project(scenario, lines, key)).toMatchObject({ exit: 0, changes: [{ action: "create" }] });
});

it("names that match are planned: an unconfirmed name is accepted if the file has its id and name, with a warning", async () => {
  const scenario = await startScenario({ seed: { ...seed, links: [] } });
  const lines = "domains: { short: { id: 1, name: short.example.com } }";
  const { exit, err } = await project(scenario, lines, "short/a");
  expect([exit, err]).toEqual([0, expect.stringContaining("warning[unconfirmed-domain]")]);
  await scenario.converge();
  expect(scenario.link("a").domain).toBe(1);
});

const NOWHERE = "`domains: { nowhere.example.com: { id: …, name: nowhere.example.com } }`";
const PROMO = "`domains: { shop: { id: 3, name: promo.example.test } }`";

// Misspelt names: fixtures/plans/misspelt-names. Two names of one domain: fixtures/plans/declared-twice-by-account.
it.each<[string, string, string, string, string, string?]>([
  ["another domain's id", "domains: { go.example.com: 3 }", "go.example.com/a", "wrong-domain", "`go.example.com: 2`"],
  [
    "a missing id of a name",
    "domains: { go.example.com: 9 }",
    "go.example.com/a",
    "wrong-domain",
    "`go.example.com: 2`",
  ],
  ["an id whose name nobody knows", "domains: { shop: 3 }", "shop/a", "wrong-domain", PROMO],
  ["id and name of two", "domains: { go: { id: 3, name: go.example.com } }", "go/a", "wrong-domain", "`go: 2`"],
  ["a name that does not exist", "", "nowhere.example.com/a", "unconfirmed-domain", NOWHERE],
  ["an id that nothing names", "", "77/a", "unconfirmed-domain", "`domains: { 77: { id: 77, name: … } }`"],
  ["another space's id", "spaces: { Marketing: 2 }", "2/a", "wrong-space", "`Marketing: 1`", "space: Marketing"],
  ["the name of two spaces", "", "2/a", "ambiguous-space", "ids 2, 3", "space: Sales"],
])(
  "a name that is wrong, ambiguous or unconfirmed is an error with the line to write: %s",
  async (_name, lines, key, code, says, more) => {
    const { exit, err, changes } = await project(await startScenario({ seed }), lines, key, more);
    expect({ exit, changes }).toEqual({ exit: 1, changes: [] });
    expect(err).toMatch(new RegExp(`^error\\[${code}\\] .*\\n +--> linkform\\.yaml:\\d+:\\d+$`, "m"));
    expect(err).toContain(says);
  },
);

describe("only the necessary lists are requested", () => {
  const DATE = "expiration: { date: 2027-01-01 }";
  const paths = (scenario: Scenario): string[] =>
    [...new Set(scenario.sandbox.requests.map(({ path }) => path.split("?")[0] ?? ""))].toSorted();

  it("neither lists nor zone if the rows have all names and there is no date", async () => {
    const scenario = await startScenario({ seed });
    await project(scenario, "", "short.example.com/shared", "space: Marketing");
    expect(paths(scenario)).toEqual(["/api/v1/links", "/index.php/api/v1/pixels"]);
  });

  it("the list of domains, of spaces, and the zone, each for a separate reason", async () => {
    const scenario = await startScenario({ seed });
    await project(scenario, "", "go.example.com/a", `space: 2\n    ${DATE}`);
    expect(paths(scenario)).toEqual([
      "/api/v1/account",
      "/api/v1/domains",
      "/api/v1/links",
      "/api/v1/spaces",
      "/index.php/api/v1/pixels",
    ]);
  });

  it("no zone for an undeclared live date, or if the files have a zone", async () => {
    const dated = { url: "https://example.com/", domain: 1, alias: "dated", ends_at: "2030-01-01T00:00:00.000Z" };
    const scenario = await startScenario({ seed: { ...seed, links: [...(seed.links ?? []), dated] } });
    await project(scenario, "", "short.example.com/shared");
    await project(scenario, "timezone: UTC", "short.example.com/dated");
    expect(paths(scenario)).not.toContain("/api/v1/account");
    await project(scenario, "", "short.example.com/dated");
    expect(paths(scenario)).toContain("/api/v1/account");
  });

  it("the account's zone if there are dates, although the files set it: the two could differ", async () => {
    const scenario = await startScenario({ seed });
    await writeFiles(scenario.folder, {
      "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}", account_timezone: UTC }\nlinks: { short.example.com/a: { url: https://example.com/, ${DATE} } }\n`,
    });
    await scenario.converge();
    expect(paths(scenario)).toContain("/api/v1/account");
  });
});

const URL = "url: https://example.com/";

it("keys are shown with the label, for any name of the domain in the files", async () => {
  const keys = `3/a: { ${URL} }\n  promo.example.test/b: { ${URL} }\n  shop/c`;
  const { changes } = await project(await startScenario({ seed }), "domains: { shop: promo.example.test }", keys);
  expect(changes).toMatchObject([{ key: "shop/a" }, { key: "shop/b" }, { key: "shop/c" }]);
});

/** Four pages without the domain or space of the test. */
const OTHERS: NonNullable<SeedState["links"]> = Array.from({ length: 350 }, (_, at) => ({
  url: "https://example.com/",
  domain: 2,
  alias: `other-${at}`,
}));

// Fails if a shared domain, which is in no list (docs/service.md, "Endpoints"), is unknown because the links on it were not read.
it("a shared domain that a link on the last page names", async () => {
  const links = [...OTHERS, { url: "https://example.com/", domain: 1, alias: "theirs" }];
  const scenario = await startScenario({ seed: { ...seed, links } });
  await writeProject(scenario, "links: { short.example.com/new: { url: https://example.com/ } }\n");
  const { changes, diagnostics, summary } = await scenario.planDocument();
  expect([changes.map(({ key }) => key), diagnostics]).toEqual([["short.example.com/new"], []]);
  // All links were read, so undeclared ones can be counted.
  expect(summary.unmanaged).toBe(351);
  await scenario.converge();
});

// Fails if a label with the id of another domain is accepted: the link would be stored there.
it("a shared domain whose id has another name in the files", async () => {
  const links = [...OTHERS, { url: "https://example.com/", domain: 1, alias: "theirs" }];
  const scenario = await startScenario({ seed: { ...seed, links } });
  await writeProject(
    scenario,
    "domains: { promo: { id: 1, name: promo.example.com } }\nlinks:\n  promo/new: { url: https://example.com/ }\n  go.example.com/new: { url: https://example.com/ }\n",
  );
  expect((await scenario.planDocument()).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "wrong-domain The files call domain 1 `promo.example.com`, but the service calls it `short.example.com`.",
  ]);
});

// Fails if the links of a space are not read although there is no list of spaces.
it("a space, if the service has no list of them", async () => {
  const links = [...OTHERS, { url: "https://example.com/", domain: 2, alias: "theirs", space: 2 }];
  const scenario = await startScenario({ seed: { links } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Sales } }\n");
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) =>
    url.startsWith("/api/v1/spaces") ? { status: 404, body: '{"message":"Not found.","status":404}' } : "forward",
  );
  const { exit, err } = await scenario.plan({ baseUrl });
  expect([exit, err]).toEqual([0, ""]);
});

// Fails if all links are read again, although that cannot show more.
it("a domain that is unconfirmed after all links have been read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  const keys = ["aaa", "bbb", "ccc", "ddd"].map(
    (alias) => `  nowhere.example.com/${alias}: { url: https://example.com/ }\n`,
  );
  await writeProject(scenario, `links:\n${keys.join("")}`);
  const { diagnostics, requests } = await scenario.planDocument();
  // Four pages of links, the pixels, the domains.
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-domain"], 6]);
});

// Fails if linkform reads all pages of links because of a misspelled space.
it("a space that is not in the list: an error, and no more links are read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Salse } }\n");
  const { diagnostics, requests } = await scenario.planDocument();
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-space"], 5]);
});
