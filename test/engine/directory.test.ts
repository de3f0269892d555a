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

/** A project with only these lines and labels. */
async function project(scenario: Scenario, lines: string): Promise<{ exit: number; err: string; changes: unknown }> {
  await writeFiles(scenario.folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\n${lines}\n`,
  });
  const { exit, err } = await scenario.plan();
  return { exit, err, changes: (await scenario.planDocument()).changes };
}

const block = (more: string): string => `    url: https://example.com/\n${more}`;

describe("names that match are planned", () => {
  it.each([
    ["a label with its id", "domains: { go.example.com: 2 }\nlinks:\n  go.example.com/a:\n"],
    ["a label for another name", "domains: { promo: promo.example.test }\nlinks:\n  promo/a:\n"],
    ["a label with both", "domains: { shop: { id: 3, name: promo.example.test } }\nlinks:\n  shop/a:\n"],
    ["the service's name", "links:\n  go.example.com/a:\n"],
    ["the service's id", "links:\n  2/a:\n"],
    ["a shared domain that only links name", "links:\n  short.example.com/a:\n"],
  ])("%s", async (_name, lines) => {
    const scenario = await startScenario({ seed });
    const { exit, changes } = await project(scenario, `${lines}${block("")}`);
    expect(exit).toBe(0);
    expect(changes).toMatchObject([{ action: "create" }]);
  });

  it("an unconfirmed name is accepted if the file has its id and name, with a warning", async () => {
    const scenario = await startScenario({ seed: { ...seed, links: [] } });
    const { exit, err } = await project(
      scenario,
      `domains: { short: { id: 1, name: short.example.com } }\nlinks:\n  short/a:\n${block("")}`,
    );
    expect(exit).toBe(0);
    expect(err).toContain("warning[unconfirmed-domain]");
    await scenario.converge();
    expect(scenario.link("a").domain).toBe(1);
  });
});

// Misspelt names: fixtures/plans/misspelt-names.
describe("a name that is wrong, ambiguous or unconfirmed is an error with the line to write", () => {
  it.each([
    [
      "an id that the service gives another name",
      "domains: { go.example.com: 3 }\nlinks:\n  go.example.com/a:\n",
      "",
      "wrong-domain",
      "`go.example.com: 2`",
    ],
    [
      "an id whose name nobody knows",
      "domains: { shop: 3 }\nlinks:\n  shop/a:\n",
      "",
      "wrong-domain",
      "`domains: { shop: { id: 3, name: promo.example.test } }`",
    ],
    [
      "an id and name of different domains",
      "domains: { go: { id: 3, name: go.example.com } }\nlinks:\n  go/a:\n",
      "",
      "wrong-domain",
      "promo.example.test",
    ],
    [
      "an id that does not exist, of a name that does",
      "domains: { go.example.com: 9 }\nlinks:\n  go.example.com/a:\n",
      "",
      "wrong-domain",
      "`go.example.com: 2`",
    ],
    [
      "a name that does not exist",
      "links:\n  nowhere.example.com/a:\n",
      "",
      "unconfirmed-domain",
      "`domains: { nowhere.example.com: { id: …, name: nowhere.example.com } }`",
    ],
    [
      "an id that nothing names",
      "links:\n  77/a:\n",
      "",
      "unconfirmed-domain",
      "`domains: { 77: { id: 77, name: … } }`",
    ],
    [
      "a space with the id of another",
      "spaces: { Marketing: 2 }\nlinks:\n  go.example.com/a:\n",
      "    space: Marketing\n",
      "wrong-space",
      "`Marketing: 1`",
    ],
    [
      "a space's name that two have",
      "links:\n  go.example.com/a:\n",
      "    space: Sales\n",
      "ambiguous-space",
      "ids 2, 3",
    ],
  ])("%s", async (_name, lines, more, code, says) => {
    const scenario = await startScenario({ seed });
    const { exit, err, changes } = await project(scenario, `${lines}${block(more)}`);
    expect({ exit, changes }).toEqual({ exit: 1, changes: [] });
    expect(err).toMatch(new RegExp(`^error\\[${code}\\] .*\\n +--> linkform\\.yaml:\\d+:\\d+$`, "m"));
    expect(err).toContain(says);
  });
});

describe("only the necessary lists are requested", () => {
  const paths = (scenario: Scenario): string[] =>
    [...new Set(scenario.sandbox.requests.map(({ path }) => path.split("?")[0] ?? ""))].toSorted();

  it("neither lists nor zone if the rows have all names and there is no date", async () => {
    const scenario = await startScenario({ seed });
    await project(scenario, `links:\n  short.example.com/shared:\n${block("    space: Marketing\n")}`);
    expect(paths(scenario)).toEqual(["/api/v1/links", "/index.php/api/v1/pixels"]);
  });

  it("the list of domains, of spaces, and the zone, each for a separate reason", async () => {
    const scenario = await startScenario({ seed });
    await project(
      scenario,
      `links:\n  go.example.com/a:\n${block("    space: 2\n    expiration: { date: 2027-01-01 }\n")}`,
    );
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
    await project(scenario, `links:\n  short.example.com/shared:\n${block("")}`);
    await project(scenario, `timezone: UTC\nlinks:\n  short.example.com/dated:\n${block("")}`);
    expect(paths(scenario)).not.toContain("/api/v1/account");
    await project(scenario, `links:\n  short.example.com/dated:\n${block("")}`);
    expect(paths(scenario)).toContain("/api/v1/account");
  });

  it("the account's zone if there are dates, although the files set it: the two could differ", async () => {
    const scenario = await startScenario({ seed });
    await writeFiles(scenario.folder, {
      "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}", account_timezone: UTC }\nlinks:\n  short.example.com/a:\n${block("    expiration: { date: 2027-01-01 }\n")}`,
    });
    await scenario.converge();
    expect(paths(scenario)).toContain("/api/v1/account");
  });
});

it("two spellings that only the service treats as one domain give one key", async () => {
  const scenario = await startScenario({ seed });
  const { exit, err } = await project(scenario, `links:\n  2/a:\n${block("")}  go.example.com/a:\n${block("")}`);
  expect(exit).toBe(1);
  expect(err).toMatch(/^error\[duplicate-key\] .*linkform\.yaml:4:3.*\n +--> linkform\.yaml:6:3\n/m);
});

it("keys are shown with the label, for any name of the domain in the files", async () => {
  const scenario = await startScenario({ seed });
  const { changes } = await project(
    scenario,
    `domains: { shop: promo.example.test }\nlinks:\n  3/a:\n${block("")}  promo.example.test/b:\n${block("")}  shop/c:\n${block("")}`,
  );
  expect(changes).toMatchObject([{ key: "shop/a" }, { key: "shop/b" }, { key: "shop/c" }]);
});
