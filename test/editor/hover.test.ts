// What the editor shows over a key: what it is, its default, its words, an example.

import { describe, expect, it } from "vitest";
import { blockFields, fieldAt, GROUPS } from "../../src/domain/table.ts";
import { project, resource, useEditor } from "../support/editor-project.ts";

const editor = useEditor();

async function hover(text: string): Promise<string> {
  return (await editor().hover("links/a.yaml", resource(text))) ?? "";
}

async function hoverProject(text: string): Promise<string> {
  return (await editor().hover("linkform.yaml", project(text))) ?? "";
}

const about = (field: string): string => fieldAt("link", field)?.about ?? "no such field";

// Fails when what the field table says of a field does not reach the person who points at it.
describe("a field of a link", () => {
  it("is explained, with its default, its words and an example", async () => {
    const shown = await hover("links:\n  spring:\n    pri▮vacy: private");
    expect(shown).toContain(about("privacy"));
    expect(shown).toContain("Default: `public`.");
    expect(shown).toContain("* `private`: Only the account can see the statistics.");
    expect(shown).toContain("Example:\n\n```yaml\nprivate\n```");
  });

  it("is explained at its value, too", async () => {
    expect(await hover("links:\n  spring:\n    privacy: pri▮vate")).toContain(about("privacy"));
  });

  const ofLines = blockFields("link").filter(({ path }) => !path.includes("."));
  it.each(ofLines)("$path", async ({ path, about: said }) => {
    expect(await hover(`links:\n  spring:\n    ▮${path}: none`)).toContain(said);
  });

  const inGroups = blockFields("link").filter(({ path }) => path.includes("."));
  it.each(inGroups)("$path", async ({ path, about: said }) => {
    const [group, name] = path.split(".");
    expect(await hover(`links:\n  spring:\n    ${group}:\n      ▮${name}: none`)).toContain(said);
  });

  it.each(Object.entries(GROUPS))("%s, which is a group", async (group, { about: said }) => {
    const member = blockFields("link").find(({ path }) => path.startsWith(`${group}.`));
    const shown = await hover(`links:\n  spring:\n    ▮${group}:\n      ${member?.path.split(".")[1]}: none`);
    expect(shown).toContain(said);
    expect(shown).toContain("Example:");
  });
});

// Fails when a key that is no field, or the key of a block, is left without a word.
describe("other keys", () => {
  it.each([
    ["▮links: { a: { url: https://example.com/ } }", "Short links by alias or domain/alias."],
    ["links: { ▮a: { url: https://example.com/ } }", "A short link. The key is its alias, or domain/alias."],
    ["pixels: { ▮Meta: { type: facebook } }", "A tracking pixel. The key is its name."],
    ["absent: { ▮links: [a] }", "Links to delete if they exist."],
    ["links: { a: { ▮protect: true } }", "No flag overrides this"],
    ["links: { a: { password: { ▮env: LINKFORM_SECRET_A } } }", "LINKFORM_SECRET_SPRING"],
    [
      "links: { a: { targeting: { country: { ▮DE: https://example.com/ } } } }",
      "Destination for visitors with this country.",
    ],
    ["links: { a: { pixels: [▮Meta] } }", "The name of a pixel."],
    ["links: { a: { ▮utm: { source: a } } }", "UTM parameters that are appended to `url`"],
    ["links: { a: { utm: { ▮source: a } } }", "Appended as `utm_source`."],
    ["links: { a: { ▮owner: growth } }", "sent to the service"],
    ["links: { a: { ▮waive: { own: { until: 2027-01-01, because: x } } } }", "does not have to follow"],
    ['▮families: { "a-{b}": { for: { b: [c] } } }', "one link for each combination of values"],
    ['families: { "a-{b}": { ▮for: { b: [c] } } }', "combination"],
    ['families: { "a-{b}": { for: { b: [c] }, ▮each: [{ when: { b: c } }] } }', "Later entries win."],
  ])("of a resource file: %s", async (text, said) => {
    expect(await hover(text)).toContain(said);
  });

  it.each([
    ["▮service: { base_url: https://short.example.com }", "The service that has the links and pixels."],
    ["service: { ▮base_url: https://short.example.com }", "Never write the API key into a file."],
    ["▮policies: { own: { require: [space] } }", "House rules that links must follow"],
    ["utm: { ▮source: [newsletter] }", "a list, or a pattern"],
    ["▮prune: none", "* `scope`: Delete all that are in `scope`."],
    ["▮files: [a.yaml]", "Default: `[ links/**/*.yaml ]`."],
    ["brake: { ▮deletes: 3 }", "Most deletes of links"],
    ["domains: { ▮go: 2 }", "The domain: its id, its name, or both."],
  ])("of a project file: %s", async (text, said) => {
    expect(await hoverProject(`version: 1\n${text}`)).toContain(said);
  });
});

// Fails when the branches of a union show through: the server joins what they say by `||`, and titles by the file's own.
it("shows one title, which is the key's path, and no alternatives", async () => {
  for (const [text, title] of [
    ["links:\n  a:\n    ▮expiration: none", "expiration"],
    ["links:\n  a:\n    ▮expiration: { date: none }", "expiration"],
    ["links:\n  a:\n    expiration: { ▮date: none }", "expiration.date"],
    ["links:\n  a:\n    targeting: { ▮country: null }", "targeting.country"],
    ["links:\n  a:\n    ▮space: null", "space"],
    ["links:\n  ▮a:", "link"],
    ["absent:\n  ▮links: [a]", "absent.links"],
  ] as const) {
    const shown = await hover(text);
    expect(shown).toMatch(new RegExp(String.raw`^#### ${title.replace(".", String.raw`\.`)}\n`));
    expect(shown).not.toContain("||");
  }
});
