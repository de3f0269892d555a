// What `linkform schema --project` prints, in the real language server: it proposes what the project knows, and marks nothing that is valid.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { schema } from "../../src/cli/schema.ts";
import { useEditor } from "../support/editor-project.ts";
import { runIn, writeFiles } from "../support/scenario.ts";

const PROJECT = `version: 1
service: { base_url: https://short.example.com }
domains: { go: { id: 2, name: go.example.com }, "2024": 3 }
spaces: { Marketing: 1 }
scope: { domains: [go, "2024"], spaces: [Marketing, Sales, null] }
pixels: { Meta main: { type: facebook, value: "1" } }
utm: { source: [newsletter, instagram, "2027"], medium: [email, social], campaign: "(a+)+" }
policies:
  own-destinations: { destinations: [example.com], reason: Visitors trust our name. }
`;
const LINKS = `links:
  go/spring: { url: https://example.com/, pixels: [Meta main, Live only], space: Sales }
`;

let root = "";
const editor = useEditor(async (folder) => {
  root = folder;
  await mkdir(path.join(folder, ".linkform"));
  await writeFiles(folder, {
    "linkform.yaml": "version: 1\n",
    "linkform.staging.yaml": PROJECT,
    "links/a.yaml": LINKS,
  });
  for (const kind of ["project", "resources"] as const) {
    const flags = { project: true, config: "linkform.staging.yaml" };
    const { exit, out, err } = await runIn(folder, {}, (world) => schema(world, kind, flags));
    expect([exit, err]).toEqual([0, ""]);
    await writeFile(path.join(folder, `.linkform/${kind}.json`), out);
  }
});

const SCHEMA_LINE = "# yaml-language-server: $schema=.linkform/project.json\n";
const resource = (text: string): string => `# yaml-language-server: $schema=../.linkform/resources.json\n${text}`;

async function labels(file: string, text: string): Promise<string[]> {
  return (await editor().complete(file, text)).map(({ label }) => label);
}

async function marks(text: string): Promise<string[]> {
  return (await editor().marks("links/a.yaml", resource(text))).map(({ message }) => message);
}

const FAMILY = "families:\n  a-{channel}:\n    for: { channel: [insta, newsletter] }\n    url: https://example.com/\n";
const SOURCES = ["newsletter", "instagram"];

// Fails if a label or name of the project is not in the schema, or if the editor does not find it there.
it.each([
  ["links:\n  a:\n    domain: ▮", ['"2024"', "go"]],
  ["links:\n  a:\n    space: ▮", ["Marketing", "Sales"]],
  ["links:\n  a:\n    pixels: [▮]", ["Live only", "Meta main"]],
  ["links:\n  a:\n    pixels:\n      - ▮", ["Live only", "Meta main"]],
  ["defaults:\n  link:\n    domain: ▮", ['"2024"', "go"]],
  ["links:\n  a:\n    utm:\n      source: ▮", SOURCES],
  ["defaults:\n  link:\n    utm:\n      source: ▮", SOURCES],
  [`${FAMILY}    utm:\n      source: ▮`, SOURCES],
  [`${FAMILY}    each:\n      - when: { channel: insta }\n        utm:\n          source: ▮`, SOURCES],
  [`${FAMILY}    domain: ▮`, ["go"]],
  ["links:\n  a:\n    waive:\n      ▮", ["own-destinations"]],
])("completion has what the project knows: %s", async (text, expected) => {
  const found = await labels("links/a.yaml", resource(text));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).not.toContain("go.example.com");
  expect(await labels("linkform.yaml", `${SCHEMA_LINE}${PROJECT}${text}`)).toEqual(expect.arrayContaining(expected));
});

it("completion has the domains in the scope", async () => {
  const text = SCHEMA_LINE + PROJECT.replace("domains: [go, ", "domains: [▮, ");
  expect(await labels("linkform.yaml", text)).toEqual(expect.arrayContaining(['"2024"', "go"]));
});

// Fails if a suggestion becomes a rule.
it("marks no other valid value", async () => {
  const text =
    "links:\n  a: { url: https://example.com/, domain: 7, space: null, pixels: [Other, 12] }\n  b: { url: https://example.com/, domain: on, space: 2024, utm: { source: 2027, medium: null, term: Any thing } }\n";
  expect(await marks(text)).toEqual([]);
  expect(await marks(`${FAMILY}    utm: { source: "{channel}" }\n`)).toEqual([]);
  expect(await marks("links: { a: { url: https://example.com/, domain: [] } }\n")).toHaveLength(1);
  expect(await editor().marks("linkform.yaml", `${SCHEMA_LINE}${PROJECT}protect: [go/a]\n`)).toEqual([]);
});

// Fails if a pattern of the project is in the schema: an editor matches by backtracking, without end.
it("leaves patterns out", async () => {
  expect(await readFile(path.join(root, ".linkform/resources.json"), "utf8")).not.toContain("(a+)+");
});

// Fails if the alternatives are visible: the server joins their titles with `||`.
it.each(["go", "other"])("shows one title in a hover over `domain: %s`", async (value) => {
  const shown = await editor().hover("links/a.yaml", resource(`links:\n  a:\n    ▮domain: ${value}`));
  expect(shown).toMatch(/^#### domain\n/);
  expect(shown).not.toContain("||");
});
