// JSON files in `files`. Fails if one is read differently than JSON.parse reads it, if a place is wrong, or if a command edits such a
// file.

import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { rm } from "../../src/cli/rm.ts";
import { importCsv } from "../../src/import/command.ts";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import type { TreeNode } from "../../src/config/yaml.ts";
import { showPlace } from "../../src/domain/place.ts";
import type { World } from "../../src/session/context.ts";
import { beginPulling, HEAD as PULL_HEAD, link, type Pulling } from "../support/pulling.ts";
import { runIn, startScenario, textsOf } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import { declared, load, placesOf, valuesOf } from "./loading.ts";

const FILES = 'files: ["links/*"]\n';

/** The tree as plain values. A number is its source text, because names come from there. */
function plain(node: TreeNode): unknown {
  if (node.type === "list") return node.items.map(plain);
  if (node.type === "map") return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  return typeof node.value === "number" ? Number(node.text) : node.value;
}

it("means what JSON.parse does", () => {
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" });
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2, "\t"), (value, indent) => {
      const source = JSON.stringify(value, null, indent);
      fc.pre(!/\\u[dD][89a-fA-F]|\p{Cs}/u.test(source));
      const { documents, diagnostics } = parseYaml(source, "a.json");
      expect(diagnostics).toEqual([]);
      expect(documents.map(plain)).toEqual(value === null ? [] : [JSON.parse(source)]);
    }),
    { numRuns: runs(150) },
  );
});

describe("a project", () => {
  it("can have a byte order mark, tabs and line ends of Windows", async () => {
    const source =
      '\uFEFF{\r\n\t"links": {\r\n\t\t"go.example.com/a": {\t"url": "https:\\/\\/example.com\\/" }\r\n\t}\r\n}\r\n';
    const { project, diagnostics } = await load(FILES, { "links/a.json": source });
    expect(diagnostics).toEqual([]);
    if (project === null) throw new Error("the project is not valid");
    const a = declared(project, "go.example.com/a");
    expect(valuesOf(a)).toEqual({ url: "https://example.com/" });
    expect([showPlace(a.place), placesOf(a)["url"]]).toEqual(["links/a.json:3:3", "links/a.json:3:32"]);
  });

  it("is without declarations if a JSON file cannot be read", async () => {
    const { declarations } = await load(`${FILES}links: { go.example.com/b: { url: https://example.com/ } }\n`, {
      "links/a.json": "{",
    });
    expect(declarations).toEqual([]);
  });
});

describe("commands that write files", () => {
  const JSON_FILE = `${JSON.stringify({ links: { "go.example.com/a": { url: "https://example.com/a" } } }, null, 2)}\n`;
  const begin = (url: string): Promise<Pulling> =>
    beginPulling(
      {
        "linkform.yaml": `${PULL_HEAD}files: [links/*.json, links/*.yaml]\n`,
        "links/a.json": JSON_FILE,
        "links/b.yaml": "links:\n  go.example.com/b: { url: https://example.com/old }\n",
      },
      { links: [link("a", { url }), link("b"), link("c")] },
    );

  test.each([
    ["everything", []],
    ["its key", ["go.example.com/a"]],
  ])("`pull` of %s refuses to change a JSON file, and writes nothing; other keys work", async (_, keys) => {
    const { folder, pull, text } = await begin("https://example.com/by-hand");
    const before = await textsOf(folder);
    const { exit, err } = await pull({}, ...keys);
    expect(exit).toBe(1);
    expect(err).toMatch(/error\[generated-file\][^]*--> links\/a.json:3:5[^]*generate it again/);
    expect(await textsOf(folder)).toEqual(before);
    expect((await pull({ quiet: true }, "go.example.com/b")).exit).toBe(0);
    expect(await text("links/b.yaml")).toContain("https://example.com/b ");
  });

  it("`pull` creates no file that only a glob for JSON matches", async () => {
    const files = { "linkform.yaml": `${PULL_HEAD}files: [links/*.json]\n`, "links/a.json": JSON_FILE };
    const { folder, pull } = await beginPulling(files, { links: [link("a"), link("c")] });
    const { exit, err } = await pull();
    expect(exit).toBe(1);
    expect(err).toContain("No glob in `files` matches the path of a new file");
    expect([...(await textsOf(folder)).keys()]).toEqual(["linkform.yaml", "links/a.json"]);
  });

  it("`pull` and `rm` refuse to change a family in a JSON file", async () => {
    const family = { for: { channel: ["mail", "qr"] }, url: "https://example.com/{channel}" };
    const files = {
      "linkform.yaml": `${PULL_HEAD}files: [links/*.json]\n`,
      "links/a.json": JSON.stringify({ families: { "go.example.com/{channel}": family } }, null, 2),
    };
    const { folder, pull } = await beginPulling(files, {
      links: [link("mail"), link("qr", { url: "https://example.com/by-hand" })],
    });
    const before = await textsOf(folder);
    expect((await pull()).err).toMatch(
      /error\[generated-file\] The link `go.example.com\/qr` .*\n +--> links\/a.json:3:5/,
    );
    expect((await pull({}, "go.example.com/mail")).exit).toBe(0);
    const removed = await runIn(folder, {}, (world) => rm(world, { offline: true }, ["go.example.com/qr"]));
    expect(removed.err).toContain("error[generated-file]");
    expect(await textsOf(folder)).toEqual(before);
  });

  it.each<[string, number, string, (world: World) => Promise<number>]>([
    [
      "`rm`",
      1,
      "error[generated-file] `go.example.com/a` cannot be removed, because it is declared in the JSON",
      (world) => rm(world, { offline: true }, ["go.example.com/a"]),
    ],
    ["`import`", 64, "written as YAML", (world) => importCsv(world, "a.csv", { into: "links/a.json" })],
  ])("%s refuses", async (_, exit, said, run) => {
    const scenario = await startScenario();
    const sheet = "key,url\ngo.example.com/z,https://example.com/\n";
    await scenario.write("files: [links/*.json]\n", { "links/a.json": JSON_FILE, "a.csv": sheet });
    const before = await textsOf(scenario.folder);
    expect(await runIn(scenario.folder, scenario.env, run)).toMatchObject({ exit, err: expect.stringContaining(said) });
    expect(await textsOf(scenario.folder)).toEqual(before);
  });
});
