// Globs in `files`: typical mistakes, and attacks. Fails if the search leaves the project, does not end, or ends without an error
// that has a fix and the place of the glob.

import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SearchClock } from "../../src/config/file-source.ts";
import { findFiles } from "../../src/config/find-files.ts";
import { parsePathGlob, PathMatcher } from "../../src/config/path-glob.ts";
import { loadProject } from "../../src/config/load.ts";
import { showPlace } from "../../src/domain/place.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import type { PathEntry, PathTree } from "../../src/files/follow.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

const LINK = (alias: string): string => `links: { go.example.com/${alias}: { url: https://example.com/ } }\n`;

function shown({ code, message, place, hint }: Diagnostic): string {
  return `${place === null ? "" : showPlace(place)} ${code}: ${message} ${hint ?? ""}`;
}

/** Loads a project with these globs, and links by name. Returns the files that were read, and the errors. */
async function found(
  globs: string,
  links: Readonly<Record<string, string>> = {},
): Promise<{ files: readonly string[]; errors: string[] }> {
  const folder = await temporaryFolder();
  const files = { "links/a.yaml": LINK("a"), "links/deep/b.yaml": LINK("b"), "shop/c.yml": LINK("c") };
  await writeFiles(folder, { "linkform.yaml": `${HEAD}files: ${globs}\n`, ...files });
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(folder, name));
  const loaded = await loadProject(path.join(folder, "linkform.yaml"));
  return { files: loaded.files.slice(1), errors: loaded.diagnostics.map(shown) };
}

describe("a wrong glob is one error at its place", () => {
  const GLOB = "wrong-type: An item of `files` must be a glob, such as links/**/*.yaml.";
  const LEAVES = "leads out of the project folder. Move the files into the folder of the project file.";
  const BRACES = "has braces that are not closed or contain no comma. Write alternatives as `{a,b}`.";
  it.each([
    ['[""]', GLOB],
    ['[" "]', GLOB],
    ["[null]", "wrong-type: An item of `files` cannot be `null`. It must be a glob, such as links/**/*.yaml."],
    ["['links/../../*.yaml']", `outside-project: \`links/../../*.yaml\` ${LEAVES}`],
    ["['**']", "wrong-glob: `**` matches every file. Name the files to read: `**/*.yaml`."],
    ["['.']", "wrong-glob: `.` does not name a file."],
    ["['links/[ab].yaml']", "contains `[`, which globs do not support."],
    ["['links/{a.yaml']", BRACES],
    ["['links/a}.yaml']", BRACES],
    ["['links/{a}.yaml']", BRACES],
    ["['{{{{{{{{{{{{']", BRACES],
    [`['${"{a,".repeat(300)}']`, BRACES],
    [`['${"{a,b}".repeat(20)}']`, "has more than 100 alternatives."],
    [`['${"*".repeat(1001)}']`, "is longer than 1000 characters."],
    [
      "[links]",
      "no-such-files: `links` matches no file. Fix the glob or remove it. To match a whole folder, write `folder/**/*.yaml`.",
    ],
  ])("%s", async (globs, message) => {
    const { errors } = await found(globs);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^linkform\.yaml:3:[89] /);
    expect(errors[0]).toContain(message);
  });
});

// Fails if a glob names another file than it says, or one that is hidden or installed.
it.each<[string, readonly string[], readonly string[]]>([
  ["links/*.yaml", ["links/a.yaml", "links/ä b.yaml"], ["links/.a.yaml", "links/b/a.yaml", "links/a.yml", "a.yaml"]],
  ["**/*.yaml", ["a.yaml", "x/y/a.yaml"], [".h/a.yaml", "node_modules/a.yaml", "x/node_modules/a.yaml", "x/.a.yaml"]],
  ["a/**/b.yaml", ["a/b.yaml", "a/x/y/b.yaml"], ["a/.x/b.yaml", "b.yaml"]],
  ["links/**", ["links/a", "links/x/y"], ["links", "links/.h/a", "links/.a"]],
  ["{a,b/{c,d}}/?.yaml", ["a/x.yaml", "b/c/x.yaml", "b/d/日.yaml"], ["b/x.yaml", "a/xy.yaml", "a/.yaml"]],
  ["{a,{b,{c,{d,{e,{f,{g,h}}}}}}}.yaml", ["a.yaml", "g.yaml", "h.yaml"], ["i.yaml", ".yaml"]],
  ["{,x}{a,*b}.yaml", ["a.yaml", "xa.yaml", "bb.yaml"], ["xx.yaml", ".b.yaml"]],
  ["{**,x}/a.yaml", ["a.yaml", "x/a.yaml", "y/z/a.yaml"], ["a.yml"]],
  [".*/.h.yaml", [".x/.h.yaml"], ["x/.h.yaml"]],
  [String.raw`\{a\}/\*\,.yaml`, ["{a}/*,.yaml"], ["a/*,.yaml", "{a}/x,.yaml"]],
  ["./links//a.yaml", ["links/a.yaml"], ["./links/a.yaml"]],
  ["node_modules/*.yaml", [], ["node_modules/a.yaml"]],
])("%s", (text, matching, others) => {
  const read = parsePathGlob(text);
  if (!("glob" in read)) throw new Error(read.message);
  const matcher = new PathMatcher([read.glob]);
  expect([...matching, ...others].filter((one) => matcher.matches(one))).toEqual(matching);
});

describe("links", () => {
  it("to the root of the disk are errors, and are not followed", async () => {
    const { files, errors } = await found("['**/*.yaml']", { "links/root": "/", "links/up": "../.." });
    expect(files).toEqual(["links/a.yaml", "links/deep/b.yaml"]);
    const leads =
      "outside-project: This symbolic link leads out of the project folder. Replace the link with the file or folder itself. If it is absolute and stays inside, make it relative.";
    expect(errors).toEqual([`links/root:1:1 ${leads}`, `links/up:1:1 ${leads}`]);
  });

  it("that lead back to their own folder are followed once, and each file is read once", async () => {
    const cycles = { "links/self": ".", "links/deep/up": "..", "links/deep/top": "../..", "links/twice": "deep" };
    expect(await found("['**/*.yaml', 'links/**/**/**/?*.yaml']", cycles)).toEqual({
      files: ["links/a.yaml", "links/deep/b.yaml"],
      errors: [],
    });
  });
});

/** A tree of a million folders, ten in each, that counts how many are listed. */
function hugeTree(): PathTree & { looked: number } {
  return {
    looked: 0,
    entry(): PathEntry {
      this.looked += 1;
      return { type: "folder" };
    },
    names: (folders) => (folders.length < 6 ? Array.from({ length: 10 }, (_, at) => `folder-${at}`) : []),
  };
}

describe("a search that is too large", () => {
  const place = { file: "linkform.yaml", line: 3, column: 9 };
  const slow = (): SearchClock => {
    let now = 0;
    return { now: () => (now += 1000) };
  };
  it.each<[string, readonly string[], SearchClock, number, string]>([
    [
      "at 100,000 entries",
      ["links/*.yaml", "**/*.yaml"],
      { now: () => 0 },
      100_001,
      "more than 100,000 files and folders",
    ],
    ["after two minutes", ["**/*.yaml"], slow(), 130, "takes more than 120 seconds to search"],
  ])("stops %s", (_, patterns, clock, most, said) => {
    const tree = hugeTree();
    const globs = patterns.map((pattern) => ({ pattern, place }));
    const source = Object.assign(tree, { isStrict: true, clock });
    const { files, diagnostics } = findFiles(source, "linkform.yaml", globs);
    expect(files).toEqual([]);
    expect(tree.looked).toBeLessThanOrEqual(most);
    expect(diagnostics.map(shown)).toEqual([expect.stringContaining(said)]);
    expect(diagnostics.map(shown)[0]).toMatch(
      /^linkform\.yaml:3:9 files-budget: `\*\*\/\*\.yaml` .*Name the folders that contain resource files, such as `links\/\*\*\/\*\.yaml`\.$/,
    );
  });
});

it("many wildcards against long names do not take exponential time", () => {
  const segments = "*a".repeat(100);
  const read = parsePathGlob(`**/${segments}b/**/${segments}b`);
  if (!("glob" in read)) throw new Error(read.message);
  const matcher = new PathMatcher([read.glob]);
  const name = "a".repeat(255);
  expect(matcher.matches([name, name, name, name].join("/"))).toBe(false);
  expect(matcher.matches([name, `${name}b`, name, `${name}b`].join("/"))).toBe(true);
});
