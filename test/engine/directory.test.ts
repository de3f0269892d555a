// Labels, names and ids of domains and spaces are compared with the service before anything is planned.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
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

/** A project with only these lines, and a link at the end. `more` is added to its block. */
async function project(
  scenario: Scenario,
  lines: string,
  key = "go.example.com/a",
  more = "",
): Promise<{ exit: number; err: string; changes: unknown }> {
  const block = `links:\n  ${key}:\n    url: https://example.com/\n${more === "" ? "" : `    ${more}\n`}`;
  await writeFiles(scenario.folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\n${lines}\n${block}`,
  });
  const { exit, err } = await scenario.plan();
  return { exit, err, changes: (await scenario.planDocument()).changes };
}

describe("names that match are planned", () => {
  it.each([
    ["a label with its id", "domains: { go.example.com: 2 }", "go.example.com/a"],
    ["a label for another name", "domains: { promo: promo.example.test }", "promo/a"],
    ["a label with both", "domains: { shop: { id: 3, name: promo.example.test } }", "shop/a"],
    ["the service's name", "", "go.example.com/a"],
    ["the service's id", "", "2/a"],
    ["a shared domain that only links name", "", "short.example.com/a"],
  ])("%s", async (_name, lines, key) => {
    const scenario = await startScenario({ seed });
    expect(await project(scenario, lines, key)).toMatchObject({ exit: 0, changes: [{ action: "create" }] });
  });

  it("an unconfirmed name is accepted if the file has its id and name, with a warning", async () => {
    const scenario = await startScenario({ seed: { ...seed, links: [] } });
    const lines = "domains: { short: { id: 1, name: short.example.com } }";
    const { exit, err } = await project(scenario, lines, "short/a");
    expect([exit, err]).toEqual([0, expect.stringContaining("warning[unconfirmed-domain]")]);
    await scenario.converge();
    expect(scenario.link("a").domain).toBe(1);
  });
});

const NOWHERE = "`domains: { nowhere.example.com: { id: …, name: nowhere.example.com } }`";
const PROMO = "`domains: { shop: { id: 3, name: promo.example.test } }`";

// Misspelt names: fixtures/plans/misspelt-names.
describe("a name that is wrong, ambiguous or unconfirmed is an error with the line to write", () => {
  it.each<[string, string, string, string, string, string?]>([
    [
      "another domain's id",
      "domains: { go.example.com: 3 }",
      "go.example.com/a",
      "wrong-domain",
      "`go.example.com: 2`",
    ],
    [
      "a missing id of a name",
      "domains: { go.example.com: 9 }",
      "go.example.com/a",
      "wrong-domain",
      "`go.example.com: 2`",
    ],
    ["an id whose name nobody knows", "domains: { shop: 3 }", "shop/a", "wrong-domain", PROMO],
    [
      "id and name of two",
      "domains: { go: { id: 3, name: go.example.com } }",
      "go/a",
      "wrong-domain",
      "promo.example.test",
    ],
    ["a name that does not exist", "", "nowhere.example.com/a", "unconfirmed-domain", NOWHERE],
    ["an id that nothing names", "", "77/a", "unconfirmed-domain", "`domains: { 77: { id: 77, name: … } }`"],
    ["another space's id", "spaces: { Marketing: 2 }", "2/a", "wrong-space", "`Marketing: 1`", "space: Marketing"],
    ["the name of two spaces", "", "2/a", "ambiguous-space", "ids 2, 3", "space: Sales"],
  ])("%s", async (_name, lines, key, code, says, more) => {
    const { exit, err, changes } = await project(await startScenario({ seed }), lines, key, more);
    expect({ exit, changes }).toEqual({ exit: 1, changes: [] });
    expect(err).toMatch(new RegExp(`^error\\[${code}\\] .*\\n +--> linkform\\.yaml:\\d+:\\d+$`, "m"));
    expect(err).toContain(says);
  });
});

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

it("two spellings that only the service treats as one domain give one key", async () => {
  const { exit, err } = await project(await startScenario({ seed }), "", `2/a: { ${URL} }\n  go.example.com/a`);
  expect(exit).toBe(1);
  expect(err).toMatch(/^error\[duplicate-key\] .*linkform\.yaml:5:3.*\n +--> linkform\.yaml:6:3\n/m);
});

it("keys are shown with the label, for any name of the domain in the files", async () => {
  const keys = `3/a: { ${URL} }\n  promo.example.test/b: { ${URL} }\n  shop/c`;
  const { changes } = await project(await startScenario({ seed }), "domains: { shop: promo.example.test }", keys);
  expect(changes).toMatchObject([{ key: "shop/a" }, { key: "shop/b" }, { key: "shop/c" }]);
});
