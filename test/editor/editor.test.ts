// What the editor proposes and explains, with the schemas of the package and those of `linkform schema --project`, and what it says about the
// files of `linkform init`: real files, the real language server.

import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { blockFields, fieldAt } from "../../src/domain/table.ts";
import { init } from "../../src/init/command.ts";
import { commandIn } from "../support/command.ts";
import { copySchemas, project, resource, useEditor } from "../support/editor-project.ts";
import { runIn, writeFiles } from "../support/scenario.ts";

const KNOWN = `version: 1
service: { base_url: https://short.example.com }
domains: { go: { id: 2, name: go.example.com }, "2024": 3 }
spaces: { Marketing: 1 }
scope: { domains: [go, "2024"], spaces: [Marketing, Sales, null] }
pixels: { Meta main: { type: facebook, value: "1" } }
utm: { source: [newsletter, instagram, "2027"], medium: [email, social], campaign: "(a+)+" }
policies:
  own-destinations: { destinations: [example.com], reason: Visitors trust our name. }
`;
const KNOWN_LINKS = `links:
  go/spring: { url: https://example.com/, pixels: [Meta main, Live only], space: Sales }
`;

let begun = "";
let known = "";
const editor = useEditor(async (folder) => {
  await copySchemas(folder);
  begun = path.join(folder, "begun");
  await mkdir(begun);
  const names = { domain: ["go.example.com=2", "promo.example.com"], space: ["Marketing=1", "Sales"] };
  const flags = { baseUrl: "https://short.example.com", offline: true, ...names };
  expect((await runIn(begun, {}, (world) => init(world, flags))).exit).toBe(0);
  known = path.join(folder, "known");
  await writeFiles(known, { "linkform.staging.yaml": KNOWN, "links/a.yaml": KNOWN_LINKS });
  for (const kind of ["project", "resources"]) {
    const args = ["schema", kind, "--project", "--config", "linkform.staging.yaml"];
    const { exit, out, err } = await commandIn(known, args);
    expect([exit, err]).toEqual([0, ""]);
    await writeFiles(known, { [`.linkform/${kind}.json`]: out });
  }
});

async function labels(file: string, text: string): Promise<string[]> {
  return (await editor().complete(file, text)).map(({ label }) => label);
}

const inResource = (text: string): Promise<string[]> => labels("links/a.yaml", resource(text));
const inLink = (text: string): Promise<string[]> => inResource(`links:\n  spring:\n    ${text}`);
const inProject = (text: string): Promise<string[]> => labels("linkform.yaml", project(text));

/** The first part of each path: a field, or its group. */
const topFields = (kind: "link" | "pixel"): string[] => [
  ...new Set(blockFields(kind).map(({ path: field }) => field.split(".")[0] ?? "")),
];

// Fails if a block is hidden from completion (for example, behind `anyOf`), or if a field of the table or a key of the project is missing.
describe("completion", () => {
  const KEYS = "version service timezone domains spaces files scope prune brake protect allow defaults unspecified";
  it.each<[string, (text: string) => Promise<string[]>, string, readonly string[]]>([
    ["a link", inLink, "▮", [...topFields("link"), "renamed_from", "protect", "note", "unspecified"]],
    ["a pixel", inResource, "pixels:\n  Meta main:\n    ▮", topFields("pixel")],
    ["the defaults", inResource, "defaults:\n  link:\n    ▮", topFields("link")],
    ["`expiration`", inLink, "expiration:\n      ▮", ["date", "time", "clicks", "url"]],
    ["a secret", inLink, "password:\n      ▮", ["env", "file"]],
    ["a secret, as a word", inLink, "password: ▮", ["none"]],
    ["a switch", inLink, "disabled: ▮", ["true", "false"]],
    ["`active`", inLink, "targeting:\n      active: ▮", ["none", "country", "rotation"]],
    ["`prune`", inProject, "version: 1\nprune: ▮", ["none", "removed", "scope"]],
    ["the project file", inProject, "▮", [...KEYS.split(" "), "links", "pixels", "absent"]],
    ["`service`", inProject, "version: 1\nservice:\n  ▮", ["base_url", "account_timezone"]],
  ])("in %s", async (_, complete, text, expected) => {
    expect(await complete(text)).toEqual(expect.arrayContaining([...expected]));
  });

  it("leaves out keys of other blocks and keys that are there", async () => {
    const beside = await inLink("url: https://example.com/\n    pri▮");
    expect(beside).toEqual(expect.arrayContaining(["privacy", "privacy_password"]));
    expect(beside).not.toContain("url");
    expect(await inLink("expiration:\n      ▮")).not.toContain("privacy");
    const platforms = await inLink("targeting:\n      platform:\n        iOS: https://example.com/\n        A▮");
    expect(platforms).toContain("Android");
    expect(platforms).not.toContain("iOS");
  });

  it("has the words of privacy with their meaning", async () => {
    const found = await editor().complete("links/a.yaml", resource("links:\n  spring:\n    privacy: ▮"));
    expect(found.map(({ label }) => label)).toEqual(["public", "private", "password"]);
    expect(found.at(-1)?.documentation).toEqual({
      kind: "markdown",
      value: "Visitors who enter `privacy_password` can see the statistics.",
    });
  });

  // Fails if an example is where the server makes "[object Object]" of it, or if the snippet of a key is not the text of its example.
  it("writes only what a file can have", async () => {
    const places = ["links", "pixels", "defaults", "absent"].map((key) => `${key}: ▮`);
    const fields = ["password", "expiration", "targeting", "space", "pixels"];
    for (const text of [...places, ...fields.map((key) => `links:\n  a:\n    ${key}: ▮`)])
      expect((await inResource(text)).filter((label) => /object|undefined/i.test(label))).toEqual([]);
    expect(await inResource("links: ▮")).toContain("{ spring: { url: https://example.com/spring } }");
    const items = await editor().complete("links/a.yaml", resource("▮"));
    const written = new Map(items.map(({ label, insertText }) => [label, insertText]));
    expect(written.get("links")).toBe("links:\n  spring:\n    url: https://example.com/spring");
    expect(written.get("pixels")).toBe("pixels:\n  Meta main:\n    type: facebook\n    value: 1234567890123456");
  });
});

const hover = async (text: string): Promise<string> => (await editor().hover("links/a.yaml", resource(text))) ?? "";

// Fails if the description of a key does not reach the user. Which keys have one: schema.test.ts.
describe("a hover", () => {
  it("explains a field with its default, its words and an example, also over its value", async () => {
    const about = fieldAt("link", "privacy")?.about ?? "no such field";
    const shown = await hover("links:\n  spring:\n    pri▮vacy: private");
    for (const said of [about, "Default: `public`.", "* `private`: Only the account can see the statistics."])
      expect(shown).toContain(said);
    expect(shown).toContain("Example:\n\n```yaml\nprivate\n```");
    expect(await hover("links:\n  spring:\n    privacy: pri▮vate")).toContain(about);
  });

  it.each([
    ["links/a.yaml", resource("links: { a: { ▮protect: true } }"), "No flag overrides this"],
    ["links/a.yaml", resource("links: { a: { password: { ▮env: LINKFORM_SECRET_A } } }"), "LINKFORM_SECRET_SPRING"],
    ["links/a.yaml", resource("links: { a: { pixels: [▮Meta] } }"), "The name of a pixel."],
    ["linkform.yaml", project("version: 1\n▮prune: none"), "* `scope`: Delete all that are in `scope`."],
  ])("explains keys at every depth: %s, %s", async (file, text, said) => {
    expect(await editor().hover(file, text)).toContain(said);
  });

  // Fails if the alternatives of a union are visible: the server joins their texts with `||`, and takes the title of the file.
  it.each([
    ["links:\n  a:\n    ▮expiration: none", "expiration"],
    ["links:\n  a:\n    ▮expiration: { date: none }", "expiration"],
    ["links:\n  a:\n    expiration: { ▮date: none }", "expiration.date"],
    ["links:\n  a:\n    targeting: { ▮country: null }", "targeting.country"],
    ["links:\n  a:\n    ▮space: null", "space"],
    ["links:\n  ▮a:", "link"],
    ["absent:\n  ▮links: [a]", "absent.links"],
  ])("over %j has one title, which is the path of the key", async (text, title) => {
    const shown = await hover(text);
    expect(shown.split("\n")[0]).toBe(`#### ${title}`);
    expect(shown).not.toContain("||");
  });
});

// Fails if the schema line leads nowhere from the folder of the file, or if a file has a value that the schema does not know.
it.each(["linkform.yaml", "links/example.yaml"])(
  "%s of `init` has no marks, and a mistake in it has one",
  async (file) => {
    const text = await readFile(path.join(begun, file), "utf8");
    expect(await editor().marks(`begun/${file}`, text)).toEqual([]);
    expect(await editor().marks(`begun/${file}`, `${text}nonsense: 1\n`)).toHaveLength(1);
  },
);

const SCHEMA_LINE = "# yaml-language-server: $schema=.linkform/project.json\n";
const knownResource = (text: string): string => `# yaml-language-server: $schema=../.linkform/resources.json\n${text}`;

async function knownMarks(text: string): Promise<string[]> {
  return (await editor().marks("known/links/a.yaml", knownResource(text))).map(({ message }) => message);
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
  const found = await labels("known/links/a.yaml", knownResource(text));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).not.toContain("go.example.com");
  expect(await labels("known/linkform.yaml", `${SCHEMA_LINE}${KNOWN}${text}`)).toEqual(
    expect.arrayContaining(expected),
  );
});

it("completion has the domains in the scope", async () => {
  const text = SCHEMA_LINE + KNOWN.replace("domains: [go, ", "domains: [▮, ");
  expect(await labels("known/linkform.yaml", text)).toEqual(expect.arrayContaining(['"2024"', "go"]));
});

// Fails if a suggestion becomes a rule.
it("marks no other valid value", async () => {
  const text =
    "links:\n  a: { url: https://example.com/, domain: 7, space: null, pixels: [Other, 12] }\n  b: { url: https://example.com/, domain: on, space: 2024, utm: { source: 2027, medium: null, term: Any thing } }\n";
  expect(await knownMarks(text)).toEqual([]);
  expect(await knownMarks(`${FAMILY}    utm: { source: "{channel}" }\n`)).toEqual([]);
  expect(await knownMarks("links: { a: { url: https://example.com/, domain: [] } }\n")).toHaveLength(1);
  expect(await editor().marks("known/linkform.yaml", `${SCHEMA_LINE}${KNOWN}protect: [go/a]\n`)).toEqual([]);
});

// Fails if a pattern of the project is in the schema: an editor matches by backtracking, without end.
it("leaves patterns out", async () => {
  expect(await readFile(path.join(known, ".linkform/resources.json"), "utf8")).not.toContain("(a+)+");
});

// Fails if the alternatives are visible: the server joins their titles with `||`.
it.each(["go", "other"])("shows one title in a hover over `domain: %s`", async (value) => {
  const shown = await editor().hover("known/links/a.yaml", knownResource(`links:\n  a:\n    ▮domain: ${value}`));
  expect(shown).toMatch(/^#### domain\n/);
  expect(shown).not.toContain("||");
});
