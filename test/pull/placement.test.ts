// Where pulled links and pixels go in files that people wrote. Fails if a link goes into a file without links of its domain and
// space, if it breaks the order of a sorted section, or if its place depends on the order of the records.

import { describe, expect, it, onTestFinished } from "vitest";
import { findPlacements, type Placements } from "../../src/pull/placement.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { loadWith, readWhole, settled, unclaimedRows } from "../support/account.ts";
import { startSandbox } from "../support/sandbox.ts";

/** Space of a link by the name of its file, in these tests. */
const SPACES = ["Marketing", "Sales", "Events"];
const DOMAINS = ["go.example.com", "promo.example.com", "short.example.com"];

interface Row {
  readonly domain: string;
  readonly alias: string;
  readonly space: string | null;
}

/** `promo/spring-sale @Sales`; the domain is `go` by default. */
function rowOf(text: string): Row {
  const [key = "", space = null] = text.split(" @");
  const [alias = "", domain = "go"] = key.split("/").toReversed();
  return { alias, domain: `${domain}.example.com`, space };
}

/** A file that declares these links in this order. */
function fileOf(rows: readonly string[]): string {
  const blocks = rows.map(rowOf).map(({ domain, alias, space }) => {
    const inSpace = space === null ? "" : `, space: ${space}`;
    return `  ${domain}/${alias}: { url: https://example.com/${inSpace} }\n`;
  });
  return `links:\n${blocks.join("")}`;
}

function seedOf(rows: readonly string[]): SeedState {
  return {
    domains: DOMAINS.map((name, at) => ({ id: at + 2, name })),
    spaces: SPACES.map((name) => ({ name })),
    links: rows.map(rowOf).map(({ domain, alias, space }) => ({
      url: "https://example.com/",
      alias,
      domain: DOMAINS.indexOf(domain) + 2,
      space: space === null ? null : SPACES.indexOf(space) + 1,
    })),
  };
}

async function placementsOf(seed: SeedState, text: string, files: ReadonlyMap<string, string>): Promise<Placements> {
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  onTestFinished(() => sandbox.close());
  const { project, documents } = await loadWith(text, files);
  const both = settled(project, await readWhole(sandbox, project));
  const records = unclaimedRows(both);
  const found = findPlacements(records, both.claims, documents);
  expect(findPlacements(records.toReversed(), both.claims, documents)).toEqual({
    ...found,
    unplaced: found.unplaced.toReversed(),
  });
  return found;
}

/** Each new record with its neighbor: `spring-b: links/a.yaml after spring-a`. */
function shown({ placed, unplaced }: Placements): string[] {
  const beside = placed.map(({ live, document, near }) => {
    const [side, place] = "after" in near ? (["after", near.after] as const) : (["before", near.before] as const);
    const line = place.source?.line(place.line) ?? "";
    return `${live.key}: ${document.file} ${side} ${/[^\s/]+(?=:)/.exec(line)?.[0] ?? line}`;
  });
  return [...beside, ...unplaced.map(({ key }) => `${key}: new`)].map((line) => line.replace("go.example.com/", ""));
}

async function placesOf(
  files: Readonly<Record<string, readonly string[]>>,
  added: readonly string[],
): Promise<string[]> {
  const texts = new Map(Object.entries(files).map(([name, rows]) => [`links/${name}.yaml`, fileOf(rows)]));
  const all = Object.values(files).flat();
  return shown(await placementsOf(seedOf([...all, ...added]), "", texts));
}

describe("a new link goes into the file", () => {
  it.each<[string, Record<string, string[]>, string, string]>([
    ["of its domain", { a: ["a", "b"], b: ["promo/a", "promo/b"] }, "promo/c", "b"],
    ["of its space", { a: ["a @Sales", "b @Sales"], b: ["c @Events", "d @Events"] }, "x @Events", "b"],
    [
      "of its space even if the aliases in another file are more similar",
      { a: ["x-1 @Sales", "b @Sales"], b: ["c @Events", "d @Events"] },
      "x-2 @Events",
      "b",
    ],
    [
      "of its domain and space",
      { a: ["a @Sales", "b @Sales"], b: ["promo/c @Sales", "promo/d @Sales"], c: ["e", "f"] },
      "promo/x @Sales",
      "b",
    ],
    ["with most links of its domain and space", { a: ["a", "b @Sales", "c @Sales"], b: ["d", "e"] }, "x", "b"],
    ["that is first if two have the same number", { a: ["a"], b: ["b"] }, "c", "a"],
    ["that is the only one with links", { a: ["a", "promo/b"] }, "short/c @Events", "a"],
  ])("%s", async (_, files, added, file) => {
    const where = await placesOf(files, [added]);
    expect(where).toEqual([expect.stringContaining(`: links/${file}.yaml `)]);
  });

  it.each<[string, Record<string, string[]>, string]>([
    ["no file has its domain", { a: ["a"], b: ["promo/b"] }, "short/c"],
    ["no file has its space", { a: ["a @Sales", "b @Sales"], b: ["c", "d"] }, "x @Events"],
    ["one file has its domain and another its space", { a: ["a @Sales"], b: ["promo/b"] }, "promo/x @Sales"],
    ["no file declares anything", {}, "a"],
  ])("that is new if %s", async (_, files, added) => {
    expect(await placesOf(files, [added])).toEqual([expect.stringMatching(/: new$/)]);
  });
});

describe("a new block goes", () => {
  it.each<[string, string[], string[], string[]]>([
    [
      "to its position in a sorted file",
      ["b", "d", "f"],
      ["a", "c", "e", "g"],
      ["a before b", "c after b", "e after d", "g after f"],
    ],
    [
      "to its position if case and accents are ignored",
      ["Äpfel", "birne", "Zimt"],
      ["apfelmus", "Citrone"],
      ["apfelmus after Äpfel", "Citrone after birne"],
    ],
    [
      "to its domain, in the file's order of domains",
      ["promo/b", "promo/d", "a", "c"],
      ["promo/c", "b"],
      ["promo.example.com/c after b", "b after a"],
    ],
    ["to the end of a file that is not sorted", ["d", "a", "c"], ["b", "e"], ["b after c", "e after c"]],
    [
      "to the end even if only the last block is out of order",
      ["a", "c", "e", "g", "i", "k", "b"],
      ["d", "z"],
      ["d after b", "z after b"],
    ],
  ])("%s", async (_, file, added, expected) => {
    const where = await placesOf({ all: file }, added);
    expect(where.map((line) => line.replace(": links/all.yaml", "")).toSorted()).toEqual(expected.toSorted());
  });

  it("in the order of its key among other new blocks", async () => {
    const where = await placesOf({ all: ["a-1", "s_c"] }, ["s2-b", "s-a", "a-2", "b"]);
    expect(where.map((line) => line.replace(": links/all.yaml", ""))).toEqual([
      "a-2 after a-1",
      "b after a-1",
      "s-a after a-1",
      "s2-b after a-1",
    ]);
  });
});

it("finds the document in a file with several documents, and the file with most pixels", async () => {
  const text = `domains: { go.example.com: 2, promo.example.com: 3 }\n`;
  const files = new Map([
    [
      "links/a.yaml",
      `defaults: { link: { domain: go.example.com } }
links:
  a: { url: https://example.com/ }
  b: { url: https://example.com/ }
---
defaults: { link: { domain: promo.example.com } }
pixels:
  One: { type: bing, value: "1" }
links:
  a: { url: https://example.com/ }
  c: { url: https://example.com/ }
`,
    ],
    ["links/b.yaml", 'pixels:\n  Two: { type: bing, value: "1" }\n  Three: { type: bing, value: "1" }\n'],
  ]);
  const pixel = (name: string): object => ({ name, type: "bing", value: "1" });
  const seed = {
    ...seedOf(["a", "b", "c", "promo/a", "promo/b", "promo/c"]),
    pixels: JSON.parse(JSON.stringify(["One", "Two", "Three", "Four"].map(pixel))),
  };
  const found = await placementsOf(seed, text, files);
  expect(shown(found).toSorted()).toEqual([
    "Four: links/b.yaml after Three",
    "c: links/a.yaml after b",
    "promo.example.com/b: links/a.yaml after a",
  ]);
  expect(found.placed.map(({ live, document: { place } }) => `${live.key} ${place.file}:${place.line}`)).toContain(
    "promo.example.com/b links/a.yaml:6",
  );
});
