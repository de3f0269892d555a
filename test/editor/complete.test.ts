// What the editor proposes: fields where fields stand, words where words do. Real files, the real server.

import { describe, expect, it } from "vitest";
import { blockFields } from "../../src/domain/table.ts";
import { allWords } from "../../src/domain/wire.ts";
import { project, resource, useEditor } from "../support/editor-project.ts";

const editor = useEditor();

async function labels(file: string, text: string): Promise<string[]> {
  return (await editor().complete(file, text)).map(({ label }) => label);
}

const inResource = (text: string): Promise<string[]> => labels("links/a.yaml", resource(text));
const inProject = (text: string): Promise<string[]> => labels("linkform.yaml", project(text));

/** What stands first in a path: a field, or its group. */
const topFields = (kind: "link" | "pixel"): string[] => [
  ...new Set(blockFields(kind).map(({ path }) => path.split(".")[0] ?? "")),
];

// Fails when the block of a link is hidden from completion (behind `anyOf`, say), or a row of the field table is not in it.
describe("fields", () => {
  it("are proposed in an empty link", async () => {
    const found = await inResource("links:\n  spring:\n    ▮");
    expect(found).toEqual(
      expect.arrayContaining([...topFields("link"), "renamed_from", "protect", "note", "unspecified"]),
    );
  });

  it("are proposed beside others, without those that are there", async () => {
    const found = await inResource("links:\n  spring:\n    url: https://example.com/\n    pri▮");
    expect(found).toEqual(expect.arrayContaining(["privacy", "privacy_password"]));
    expect(found).not.toContain("url");
  });

  it("are proposed in a pixel, and in the defaults of links", async () => {
    expect(await inResource("pixels:\n  Meta main:\n    ▮")).toEqual(expect.arrayContaining(topFields("pixel")));
    expect(await inResource("defaults:\n  link:\n    ▮")).toEqual(expect.arrayContaining(topFields("link")));
  });

  it("are proposed inside expiration and inside targeting", async () => {
    const expiration = await inResource("links:\n  spring:\n    expiration:\n      ▮");
    expect(expiration).toEqual(expect.arrayContaining(["date", "time", "clicks", "url"]));
    expect(expiration).not.toContain("privacy");
    const targeting = await inResource("links:\n  spring:\n    targeting:\n      ▮");
    expect(targeting).toEqual(expect.arrayContaining(["active", "country", "platform", "language", "rotation"]));
  });

  it("are proposed inside a secret, which may also be `none`", async () => {
    const inside = await inResource("links:\n  spring:\n    password:\n      ▮");
    expect(inside).toEqual(expect.arrayContaining(["env", "file"]));
    expect(await inResource("links:\n  spring:\n    password: ▮")).toContain("none");
  });
});

// Fails when the words of a field become a pattern, or the keys of a map are no longer told to the editor.
describe("words", () => {
  it("are proposed for the type of a pixel", async () => {
    const types = blockFields("pixel").flatMap((field) =>
      field.kind === "word" ? [...allWords(field), ...Object.keys(field.synonyms)] : [],
    );
    expect(types.length).toBeGreaterThan(5);
    expect(await inResource("pixels:\n  Meta main:\n    type: ▮")).toEqual(types);
  });

  it("are proposed for privacy, each with what it means", async () => {
    const found = await editor().complete("links/a.yaml", resource("links:\n  spring:\n    privacy: ▮"));
    expect(found.map(({ label }) => label)).toEqual(["public", "private", "password"]);
    expect(found.map(({ documentation }) => documentation)).toContainEqual({
      kind: "markdown",
      value: "Visitors who enter `privacy_password` can see the statistics.",
    });
  });

  it("are proposed for switches, `active`, `unspecified` and `prune`", async () => {
    expect(await inResource("links:\n  spring:\n    disabled: ▮")).toEqual(expect.arrayContaining(["true", "false"]));
    const active = await inResource("links:\n  spring:\n    targeting:\n      active: ▮");
    expect(active).toEqual(expect.arrayContaining(["none", "country", "rotation"]));
    expect(await inResource("unspecified: ▮")).toEqual(expect.arrayContaining(["reset", "keep"]));
    expect(await inProject("version: 1\nprune: ▮")).toEqual(["none", "removed", "scope"]);
  });

  it.each(blockFields("link").flatMap((field) => (field.kind === "map" && field.keys.words.length > 0 ? [field] : [])))(
    "are proposed for the keys of $path",
    async ({ path, keys }) => {
      const name = path.split(".").at(-1);
      const found = await inResource(`links:\n  spring:\n    targeting:\n      ${name}:\n        ▮`);
      expect(found).toEqual(expect.arrayContaining([...keys.words]));
    },
  );

  it("are proposed for platforms, without those that are there", async () => {
    const found = await inResource(
      "links:\n  spring:\n    targeting:\n      platform:\n        iOS: https://example.com/\n        A▮",
    );
    expect(found).toContain("Android");
    expect(found).not.toContain("iOS");
  });
});

// Fails when a key of the project file gets lost, or completing one writes what nobody asked for.
describe("the project file", () => {
  it("is proposed with all its keys", async () => {
    const keys = ["version", "service", "timezone", "domains", "spaces", "files", "scope", "prune", "brake", "protect"];
    const sections = ["allow", "defaults", "unspecified", "links", "pixels", "absent"];
    expect(await inProject("▮")).toEqual(expect.arrayContaining([...keys, ...sections]));
  });

  it("is proposed inside its blocks", async () => {
    expect(await inProject("version: 1\nservice:\n  ▮")).toEqual(
      expect.arrayContaining(["base_url", "account_timezone"]),
    );
    expect(await inProject("version: 1\nbrake:\n  ▮")).toEqual(
      expect.arrayContaining(["deletes", "updates", "clicks"]),
    );
    expect(await inProject("version: 1\nscope:\n  ▮")).toEqual(expect.arrayContaining(["domains", "spaces", "pixels"]));
  });
});

// Fails when an example is put where the server makes "[object Object]" of it, or a snippet is no YAML that fits.
it("proposes nothing that is no value of a file", async () => {
  const places = ["links", "pixels", "defaults", "absent"].map((key) => `${key}: ▮`);
  const inLink = ["password", "expiration", "targeting", "space", "pixels"].map((key) => `links:\n  a:\n    ${key}: ▮`);
  for (const text of [...places, ...inLink]) {
    const found = await inResource(text);
    expect(found.filter((label) => /object|undefined/i.test(label))).toEqual([]);
  }
  expect(await inResource("links: ▮")).toContain("{ spring: { url: https://example.com/spring } }");
});

// Fails when the snippet of a key is indented so that it is another document than its example.
it("writes a whole block where a key can't be without one", async () => {
  const items = await editor().complete("links/a.yaml", resource("▮"));
  const written = new Map(items.map(({ label, insertText }) => [label, insertText]));
  expect(written.get("links")).toBe("links:\n  spring:\n    url: https://example.com/spring");
  expect(written.get("pixels")).toBe("pixels:\n  Meta main:\n    type: facebook\n    value: 1234567890123456");
});

// Fails when a schema refers to an address, so that completing would wait for the network or fail without it.
it("asks nobody over the network", () => {
  expect(editor().requests()).toBe(0);
});
