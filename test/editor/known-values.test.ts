// What `linkform schema --project` prints, in the real language server: it offers what the project knows, and marks nothing that is valid.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
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
  await writeFiles(folder, { "linkform.yaml": PROJECT, "links/a.yaml": LINKS });
  for (const kind of ["project", "resources"] as const) {
    const { exit, out, err } = await runIn(folder, {}, (world) => schema(world, kind, { project: true }));
    expect([exit, err]).toEqual([0, ""]);
    await writeFile(path.join(folder, `.linkform/${kind}.json`), out);
  }
});

const resource = (text: string): string => `# yaml-language-server: $schema=../.linkform/resources.json\n${text}`;
const project = (text: string): string => `# yaml-language-server: $schema=.linkform/project.json\n${PROJECT}${text}`;

async function labels(file: string, text: string): Promise<string[]> {
  return (await editor().complete(file, text)).map(({ label }) => label);
}

// Fails when a label or name of the project is not in the schema, or the editor does not look for it there.
describe("completion offers what the project knows", () => {
  it.each([
    ["links:\n  a:\n    domain: ▮", ['"2024"', "go"]],
    ["links:\n  a:\n    space: ▮", ["Marketing", "Sales"]],
    ["links:\n  a:\n    pixels: [▮]", ["Live only", "Meta main"]],
    ["links:\n  a:\n    pixels:\n      - ▮", ["Live only", "Meta main"]],
    ["defaults:\n  link:\n    domain: ▮", ['"2024"', "go"]],
  ])("%s", async (text, offered) => {
    expect(await labels("links/a.yaml", resource(text))).toEqual(expect.arrayContaining(offered));
    expect(await labels("linkform.yaml", project(text))).toEqual(expect.arrayContaining(offered));
    expect(await labels("links/a.yaml", resource(text))).not.toContain("go.example.com");
  });

  const family = "families:\n  a-{channel}:\n    for: { channel: [insta, mail] }\n";
  it.each([
    ["links:\n  a:\n    utm:\n      source: ▮", ["newsletter", "instagram"]],
    ["defaults:\n  link:\n    utm:\n      source: ▮", ["newsletter", "instagram"]],
    [`${family}    utm:\n      source: ▮`, ["newsletter", "instagram"]],
    [
      `${family}    each:\n      - when: { channel: mail }\n        utm:\n          source: ▮`,
      ["newsletter", "instagram"],
    ],
    [`${family}    domain: ▮`, ["go"]],
    ["links:\n  a:\n    waive:\n      ▮", ["own-destinations"]],
  ])("%s", async (text, offered) => {
    expect(await labels("links/a.yaml", resource(text))).toEqual(expect.arrayContaining(offered));
    expect(await labels("linkform.yaml", project(text))).toEqual(expect.arrayContaining(offered));
  });

  it("in the scope", async () => {
    const text = PROJECT.replace("domains: [go, ", "domains: [▮, ");
    expect(await labels("linkform.yaml", `# yaml-language-server: $schema=.linkform/project.json\n${text}`)).toEqual(
      expect.arrayContaining(['"2024"', "go"]),
    );
  });
});

// Fails when a suggestion becomes a rule.
it("marks no other valid value", async () => {
  expect(
    await editor().marks(
      "links/a.yaml",
      resource(
        "links:\n  a: { url: https://example.com/, domain: 7, space: null, pixels: [Other, 12] }\n  b: { url: https://example.com/, domain: on, space: 2024 }\n",
      ),
    ),
  ).toEqual([]);
  expect(await editor().marks("linkform.yaml", project("protect: [go/a]\n"))).toEqual([]);
});

// Fails when the editor refuses what `validate` accepts, or accepts a text that is not in a list.
it("marks UTM values outside of the lists, and no others", async () => {
  const marks = async (utm: string): Promise<string[]> => {
    const found = await editor().marks(
      "links/a.yaml",
      resource(`links:\n  a: { url: https://example.com/, utm: ${utm} }\n`),
    );
    return found.map(({ message }) => message);
  };
  expect(await marks("{ source: newsletter, medium: null, campaign: aaa, term: Any thing }")).toEqual([]);
  expect(await marks("{ source: 2027, campaign: aaa }")).toEqual([]);
  expect(await marks("none")).toEqual([]);
  expect(await marks("{ source: news }")).toEqual(["This must be one of: newsletter, instagram, 2027."]);
  const family =
    "families:\n  a-{channel}:\n    for: { channel: [newsletter, instagram] }\n    url: https://example.com/\n";
  expect(await editor().marks("links/a.yaml", resource(`${family}    utm: { source: "{channel}" }\n`))).toEqual([]);
});

// Fails when a pattern of the project gets into the schema: an editor matches by backtracking, without end.
it("leaves patterns out", async () => {
  const schemaText = await readFile(path.join(root, ".linkform/resources.json"), "utf8");
  expect(schemaText).not.toContain("(a+)+");
});

it("still marks values of a wrong type", async () => {
  const text = "links:\n  a: { url: https://example.com/, domain: [go], pixels: Meta }\n";
  const marks = await editor().marks("links/a.yaml", resource(text));
  expect(marks.map(({ message }) => message)).toEqual([
    "This must be the label, name or id of a domain.",
    "This must be a list of pixels, such as `[one, two]`.",
  ]);
});

// Fails when the alternatives show through: the server joins their titles by `||`.
it.each(["go", "other"])("shows one title in a hover over `domain: %s`", async (value) => {
  const shown = await editor().hover("links/a.yaml", resource(`links:\n  a:\n    ▮domain: ${value}`));
  expect(shown).toMatch(/^#### domain\n/);
  expect(shown).toContain("The domain of the short link");
  expect(shown).not.toContain("||");
});
