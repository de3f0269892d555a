// Where pulled links and pixels go in files that people wrote. Fails if a link goes into a file without links of its domain and
// space, or if its place depends on the order of the records.

import { expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginPulling, HEAD } from "../support/pulling.ts";
import { textsOf } from "../support/scenario.ts";

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

/** The keys of each file after a pull, without the domain `go`. */
async function keysAfter(
  files: Readonly<Record<string, readonly string[]>>,
  added: readonly string[],
): Promise<Record<string, string[]>> {
  const texts = Object.entries(files).map(([name, rows]) => [`links/${name}.yaml`, fileOf(rows)]);
  const { folder, converge } = await beginPulling(
    Object.fromEntries(texts),
    seedOf([...Object.values(files).flat(), ...added]),
  );
  await converge();
  const after = [...(await textsOf(folder))].filter(([file]) => file.startsWith("links/"));
  const keysIn = (text: string): string[] =>
    [...text.matchAll(/^ {2}(\S+):/gm)].map(([, key = ""]) =>
      key.replace("go.example.com/", "").replace(".example.com", ""),
    );
  return Object.fromEntries(after.map(([file, text]) => [file.replace(/^links\/|\.yaml$/g, ""), keysIn(text)]));
}

it.each<[string, Record<string, string[]>, string, string]>([
  ["of its domain", { a: ["a", "b"], b: ["promo/a", "promo/b"] }, "promo/c", "b"],
  ["of its space", { a: ["a @Sales", "b @Sales"], b: ["c @Events", "d @Events"] }, "x @Events", "b"],
  [
    "of its domain and space",
    { a: ["a @Sales", "b @Sales"], b: ["promo/c @Sales", "promo/d @Sales"], c: ["e", "f"] },
    "promo/x @Sales",
    "b",
  ],
  ["with most links of its domain and space", { a: ["a", "b @Sales", "c @Sales"], b: ["d", "e"] }, "x", "b"],
  ["that is first if two have the same number", { a: ["a"], b: ["b"] }, "c", "a"],
  ["that is the only one with links", { a: ["a", "promo/b"] }, "short/c @Events", "a"],
  ["that is new if no file has its domain", { a: ["a"], b: ["promo/b"] }, "short/c", "new"],
  [
    "that is new if one file has its domain and another its space",
    { a: ["a @Sales"], b: ["promo/b"] },
    "promo/x @Sales",
    "new",
  ],
])("a new link goes into the file %s", async (_, files, added, expected) => {
  const after = await keysAfter(files, [added]);
  const found = Object.entries(after).flatMap(([name, keys]) =>
    keys.some((key) => added.startsWith(key)) ? name : [],
  );
  expect(found.map((name) => (name in files ? name : "new"))).toEqual([expected]);
});

it("adds new blocks at the end, in the order of their keys", async () => {
  const added = ["promo/a", "s2-b", "s-a", "a-2", "Äpfel"];
  for (const rows of [added, added.toReversed()])
    expect(await keysAfter({ all: ["a-1", "s_c"] }, rows)).toEqual({
      all: ["a-1", "s_c", "a-2", "Äpfel", "s-a", "s2-b", "promo/a"],
    });
});

it("finds the document in a file with several documents, and the file with most pixels", async () => {
  const url = "{ url: https://example.com/ }";
  const [go, promo] = ["go", "promo"].map((name) => `defaults: { link: { domain: ${name}.example.com } }\n`);
  const one = 'pixels:\n  One: { type: bing, value: "1" }\n';
  const files = {
    "linkform.yaml": `${HEAD}domains: { go.example.com: 2, promo.example.com: 3 }\n`,
    "links/a.yaml": `${go}links:\n  a: ${url}\n  b: ${url}\n---\n${promo}${one}links:\n  a: ${url}\n  c: ${url}\n`,
    "links/b.yaml": 'pixels:\n  Two: { type: bing, value: "1" }\n  Three: { type: bing, value: "1" }\n',
  };
  const pixels = ["One", "Two", "Three", "Four"].map((name) => ({ name, type: "bing", value: "1" }));
  const seed = { ...seedOf(["a", "b", "c", "promo/a", "promo/b", "promo/c"]), pixels };
  const { text, converge } = await beginPulling(files, seed);
  await converge();
  expect(await text("links/a.yaml")).toBe(
    `${go}links:\n  a: ${url}\n  b: ${url}\n  c: ${url}\n---\n${promo}${one}links:\n  a: ${url}\n  c: ${url}\n  b: ${url}\n`,
  );
  expect(await text("links/b.yaml")).toBe(`${files["links/b.yaml"]}  Four: { type: bing, value: "1" }\n`);
});
