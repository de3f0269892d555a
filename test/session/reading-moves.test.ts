// Renames, moves, tombstones with ids and labels of all forms: a narrow reading gives the same plan as a whole one.

import { describe, expect, it } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { startScenario, writeFiles } from "../support/scenario.ts";

type Seed = Exclude<SandboxOptions["seed"], string | undefined>;
type SeedLinks = NonNullable<Seed["links"]>;

const DESTINATION = "https://example.com/";

/** Four pages of links that are not in the files. The relevant links follow, with ids from 351. */
const OTHERS: SeedLinks = Array.from({ length: 350 }, (_, at) => ({
  url: DESTINATION,
  domain: 2,
  alias: `other-${at}`,
}));
const PIXELS = [
  { id: 1, name: "Old", type: "bing", value: "1" },
  { id: 2, name: "Used", type: "bing", value: "2" },
];

const link = (domain: number, alias: string, more: object = {}): SeedLinks[number] => ({
  url: DESTINATION,
  domain,
  alias,
  ...more,
});

interface Case {
  readonly what: string;
  readonly live: SeedLinks;
  readonly files: string;
  /** The changes, or the codes of the errors. */
  readonly planned: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "a move to another domain",
    live: [link(3, "sale")],
    files: "links: { go.example.com/sale: { url: https://example.com/, renamed_from: promo.example.com/sale } }",
    planned: ["replace go.example.com/sale #351"],
  },
  {
    what: "a move that was stopped halfway",
    live: [link(3, "sale"), link(2, "sale")],
    files: "links: { go.example.com/sale: { url: https://example.com/, renamed_from: promo.example.com/sale } }",
    planned: ["delete promo.example.com/sale #351"],
  },
  {
    what: "a rename",
    live: [link(2, "spring")],
    files: "links: { go.example.com/summer: { url: https://example.com/, renamed_from: go.example.com/spring } }",
    planned: ["update go.example.com/summer #351"],
  },
  {
    what: "a tombstone with the id of one of two rows, the other of which is declared",
    live: [link(2, "spring"), link(2, "SPRING")],
    files:
      "links: { go.example.com/spring: { url: https://example.com/ } }\nabsent: { links: { go.example.com/spring: { id: 352 } } }",
    planned: ["delete go.example.com/SPRING #352"],
  },
  {
    what: "a tombstone with the id of another row",
    live: [link(2, "spring")],
    files: "absent: { links: { go.example.com/spring: { id: 7 } } }",
    planned: [],
  },
  {
    what: "a tombstone on one domain of two that have the alias",
    live: [link(2, "spring"), link(3, "spring")],
    files: "absent: { links: [promo.example.com/spring] }",
    planned: ["delete promo.example.com/spring #352"],
  },
  {
    what: "a label by name only",
    live: [link(3, "spring", { disabled: 1 })],
    files: "domains: { shop: promo.example.com }\nlinks: { shop/spring: { url: https://example.com/new } }",
    planned: ["update shop/spring #351"],
  },
  {
    what: "a domain by its id",
    live: [link(3, "spring")],
    files: 'links: { "3/spring": { url: https://example.com/new } }',
    planned: ["update promo.example.com/spring #351"],
  },
  {
    what: "a label with the id of another domain",
    live: [link(3, "spring")],
    files: "domains: { go.example.com: 3 }\nlinks: { go.example.com/spring: { url: https://example.com/new } }",
    planned: ["wrong-domain"],
  },
  {
    what: "a space that no link names",
    live: [link(2, "spring")],
    files: "links: { go.example.com/spring: { url: https://example.com/, space: Sales } }",
    planned: ["update go.example.com/spring #351"],
  },
  {
    what: "a pixel that is not live any more, and one that a link of another domain uses",
    live: [link(3, "theirs", { pixels: [2] })],
    files: "links: { go.example.com/spring: { url: https://example.com/ } }\nabsent: { pixels: [Gone, Used] }",
    planned: ["pixel-in-use", "tombstone-spent"],
  },
  {
    what: "a pixel that is renamed while an unmanaged link uses it",
    live: [link(3, "theirs", { pixels: [1] })],
    files:
      "pixels: { New: { type: bing, value: '1', renamed_from: Old } }\nlinks: { go.example.com/spring: { url: https://example.com/, pixels: [New] } }",
    planned: ["create go.example.com/spring", "update New #1"],
  },
];

// Fails if a narrow reading misses a relevant record or name, or uses an irrelevant one.
describe.each(CASES)("$what", ({ live, files, planned }) => {
  it("has the same plan with a narrow and a whole reading, and converges", async () => {
    const scenario = await startScenario({ seed: { links: [...OTHERS, ...live], pixels: PIXELS } });
    const head = `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\n`;
    await writeFiles(scenario.folder, { "linkform.yaml": `${head}${files}\n` });
    const narrow = await scenario.planDocument();
    const whole: typeof narrow = JSON.parse((await scenario.plan({ showUnmanaged: true, format: ["json"] })).out);
    expect([narrow.changes, narrow.diagnostics]).toEqual([whole.changes, whole.diagnostics]);
    const said = narrow.complete
      ? narrow.changes.map(({ action, key, id }) => `${action} ${key}${id === null ? "" : ` #${id}`}`)
      : narrow.diagnostics.map(({ code }) => code);
    expect(said.toSorted()).toEqual([...planned].toSorted());
    if (!narrow.complete) return;
    // The reading must really be narrow.
    expect(narrow.summary.unmanaged).toBeNull();
    await scenario.converge();
    const { links } = scenario.sandbox.state();
    expect(links.filter(({ alias }) => alias.startsWith("other-"))).toHaveLength(OTHERS.length);
  });
});
