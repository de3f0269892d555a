// Where new rows go in files that people wrote. Fails if a new link is put into a file that has other things in it, breaks the order
// of a sorted section, is torn from its family, or if it goes elsewhere when rows come in another order.

import { describe, expect, it, onTestFinished } from "vitest";
import { findPlacements, type Placements } from "../../src/pull/neighbors.ts";
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

/** `promo/spring-sale @Sales`; `go` goes without saying. */
function rowOf(text: string): Row {
  const [key = "", space = null] = text.split(" @");
  const [alias = "", domain = "go"] = key.split("/").toReversed();
  return { alias, domain: `${domain}.example.com`, space };
}

/** A file that declares these, in this order. */
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

async function homesOf(seed: SeedState, text: string, files: ReadonlyMap<string, string>): Promise<Placements> {
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  onTestFinished(() => sandbox.close());
  const { project, documents } = await loadWith(text, files);
  const both = settled(project, await readWhole(sandbox, project));
  const rows = unclaimedRows(both);
  const found = findPlacements(rows, both.claims, documents);
  expect(findPlacements(rows.toReversed(), both.claims, documents)).toEqual({
    ...found,
    homeless: found.homeless.toReversed(),
  });
  return found;
}

/** Each new row with its neighbour: `spring-b: links/a.yaml after spring-a`. */
function shown({ placed, homeless }: Placements): string[] {
  const beside = placed.map(({ live, document, near }) => {
    const [side, place] = "after" in near ? (["after", near.after] as const) : (["before", near.before] as const);
    const line = place.source?.line(place.line) ?? "";
    return `${live.key}: ${document.file} ${side} ${/[^\s/]+(?=:)/.exec(line)?.[0] ?? line}`;
  });
  return [...beside, ...homeless.map(({ key }) => `${key}: new`)].map((line) => line.replace("go.example.com/", ""));
}

async function homes(files: Readonly<Record<string, readonly string[]>>, added: readonly string[]): Promise<string[]> {
  const texts = new Map(Object.entries(files).map(([name, rows]) => [`links/${name}.yaml`, fileOf(rows)]));
  const all = Object.values(files).flat();
  return shown(await homesOf(seedOf([...all, ...added]), "", texts));
}

describe("goes into the file", () => {
  it.each<[string, Record<string, string[]>, string, string]>([
    ["of its domain", { a: ["a", "b"], b: ["promo/a", "promo/b"] }, "promo/c", "b"],
    [
      "of its domain though another has its space",
      { a: ["a @Sales", "b @Sales"], b: ["promo/a", "promo/b"] },
      "promo/c @Sales",
      "b",
    ],
    ["of its space", { a: ["a @Sales", "b @Sales"], b: ["c @Events", "d @Events"] }, "x @Events", "b"],
    [
      "of its space though another has its family",
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
    [
      "of its domain where that one has one space and this is another",
      { a: ["a @Sales", "b @Sales"], b: ["promo/c @Events", "promo/d @Events"] },
      "x @Events",
      "a",
    ],
    ["of its family", { a: ["x-1", "x-2", "x-3"], b: ["y-1", "y-2", "y-3", "y-4", "y-5"] }, "x-4", "a"],
    ["of all sorts where it is new", { a: ["x-1", "x-2", "x-3"], b: ["k", "l-1", "m", "n-1"] }, "z", "b"],
    ["that is the only one", { a: ["a", "b @Sales"] }, "c @Events", "a"],
    ["of several domains, for a third", { a: ["a", "promo/b", "c", "promo/d"] }, "short/x", "a"],
  ])("%s", async (_, files, added, file) => {
    const where = await homes(files, [added]);
    expect(where).toEqual([expect.stringContaining(`: links/${file}.yaml `)]);
  });

  it.each<[string, Record<string, string[]>, string]>([
    ["of its domain", { a: ["a", "b"] }, "promo/c"],
    ["of its space, where there is one for each", { a: ["a @Sales", "b @Sales"], b: ["c", "d"] }, "x @Events"],
    ["at all", {}, "a"],
    ["of more than one link", { a: ["a"], b: ["b"], c: ["c"] }, "d"],
  ])("that is new where there is none %s", async (_, files, added) => {
    expect(await homes(files, [added])).toEqual([expect.stringMatching(/: new$/)]);
  });
});

describe("stands", () => {
  it.each<[string, string[], string[], string[]]>([
    [
      "in its place in a sorted file",
      ["b", "d", "f"],
      ["a", "c", "e", "g"],
      ["a before b", "c after b", "e after d", "g after f"],
    ],
    [
      "without regard to case and accents",
      ["Äpfel", "birne", "Zimt"],
      ["apfelmus", "Citrone"],
      ["apfelmus after Äpfel", "Citrone after birne"],
    ],
    ["as programs sort, where the file does", ["B", "Z", "a", "c"], ["D", "b2"], ["D after B", "b2 after a"]],
    [
      "by numbers, where the file does",
      ["q-1", "q-2", "q-10", "q-11"],
      ["q-9", "q-100"],
      ["q-9 after q-2", "q-100 after q-11"],
    ],
    [
      "by domain, in the order that the file has",
      ["promo/b", "promo/d", "a", "c"],
      ["promo/c", "b"],
      ["promo.example.com/c after b", "b after a"],
    ],
    ["at the end of what is not sorted", ["d", "a", "c"], ["b", "e"], ["b after c", "e after c"]],
    [
      "with its family in what is not sorted",
      ["y-2", "y-5", "x-1", "x-3", "a"],
      ["x-2", "y-1", "y-9"],
      ["y-1 before y-2", "y-9 after y-5", "x-2 after x-1"],
    ],
    ["behind its family where that is not sorted", ["y-5", "y-2", "y-9", "x"], ["y-3"], ["y-3 after y-9"]],
    [
      "before the first of its family, not behind another one",
      ["a-1", "a-2", "c-5", "c-6"],
      ["b", "c-1", "c-2"],
      ["b after a-2", "c-1 before c-5", "c-2 before c-5"],
    ],
    [
      "in the sorted part of a file to which something was added",
      ["a", "c", "e", "g", "i", "k", "b"],
      ["d", "z"],
      ["d after c", "z after b"],
    ],
  ])("%s", async (_, file, added, expected) => {
    const where = await homes({ all: file }, added);
    expect(where.map((line) => line.replace(": links/all.yaml", "")).toSorted()).toEqual(expected.toSorted());
  });

  it("so that a sorted file stays sorted, and in the order of its key among other new ones", async () => {
    const where = await homes({ all: ["a-1", "s_c"] }, ["s2-b", "s-a", "a-2", "b"]);
    expect(where.map((line) => line.replace(": links/all.yaml", ""))).toEqual([
      "a-2 after a-1",
      "b after a-1",
      "s-a before s_c",
      "s2-b before s_c",
    ]);
  });
});

it("finds the document of a file that has several, and the place of pixels", async () => {
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
  const found = await homesOf(seed, text, files);
  expect(shown(found).toSorted()).toEqual([
    "Four: links/b.yaml after Three",
    "c: links/a.yaml after b",
    "promo.example.com/b: links/a.yaml after a",
  ]);
  expect(found.placed.map(({ live, document: { file, index } }) => `${live.key} ${file} ${index}`)).toContain(
    "promo.example.com/b links/a.yaml 1",
  );
});

it.each<[string, Record<string, string[]>, string | null]>([
  ["domains", { a: ["a", "b"], b: ["promo/a", "promo/b"] }, "domain"],
  ["spaces", { a: ["a @Sales", "b @Sales"], b: ["c", "promo/d"] }, "space"],
  [
    "families",
    Object.fromEntries(["x", "y", "z"].map((name) => [name, [1, 2, 3, 4, 5].map((at) => `${name}-${at}`)])),
    "alias-prefix",
  ],
  ["nothing that can be seen", { a: ["a", "b"] }, null],
])("sees that files are cut by %s", async (_, files, split) => {
  const texts = new Map(Object.entries(files).map(([name, rows]) => [`links/${name}.yaml`, fileOf(rows)]));
  expect((await homesOf(seedOf(Object.values(files).flat()), "", texts)).split).toBe(split);
});
