// Random trees with random links, names and globs. Fails if a file outside the project is read or written, or if the search on disk, in a
// commit and a naive one differ. What globs match: discovery.test.ts.

import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openFolder } from "../../src/config/checkout.ts";
import { atBase } from "../../src/config/base.ts";
import { findFiles } from "../../src/config/find-files.ts";
import { loadFrom, loadProject } from "../../src/config/load.ts";
import { leavesFolder, parsePathGlob, PathMatcher } from "../../src/config/path-glob.ts";
import { ProjectFolder } from "../../src/files/folder.ts";
import { PathError, writeTo } from "../../src/files/location.ts";
import { locateNamed } from "../../src/files/named.ts";
import { writeFiles } from "../../src/files/write-files.ts";
import { git, startRepository } from "../support/repository.ts";
import { temporaryFolder, textsOf } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";
import { runs } from "../support/states.ts";

const RUNS = runs(100);
const CANARY = "links: { go.example.com/canary: { url: https://canary.example/ } }\n";

const literal = fc.constantFrom("a", "b", ".", "-", " ", "ä", "\n", "\\{", "\\[", "\\,", "\\\\", "\\(", ".yaml", ".h");
const token = fc.oneof({ weight: 3, arbitrary: literal }, fc.constantFrom("*", "*", "?"));
const word = (maxLength: number): fc.Arbitrary<string> => fc.array(token, { maxLength }).map((all) => all.join(""));
const piece = fc.oneof(
  { weight: 4, arbitrary: token },
  fc.array(word(2), { minLength: 2, maxLength: 3 }).map((choices) => `{${choices.join(",")}}`),
);
const segment = fc.oneof(
  fc.constantFrom("**", "*", "*.yaml"),
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
);
const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));

// Trees

const NAMES = "a¦b¦a.yaml¦b.yaml¦.h¦.h.yaml¦-a.yaml¦ä.yaml¦a\n.yaml¦{a}.yaml¦[b]¦q'\".yaml¦node_modules".split("¦");

const name = fc.constantFrom(...NAMES);
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const target = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof({ weight: 2, arbitrary: name }, fc.constantFrom("..", ".")), { minLength: 1, maxLength: 4 })
      .map((steps) => steps.join("/")),
  },
  fc.constantFrom(
    "OUTSIDE",
    "OUTSIDE/a.yaml",
    "OUTSIDE/new.yaml",
    "../outside",
    "../outside/a.yaml",
    "../../outside/a.yaml",
    "../../outside",
    "../outside/new.yaml",
    "/",
  ),
);

const entries = fc.array(fc.record({ names, target: fc.option(target) }), { minLength: 1, maxLength: 9 });
type Entries = Parameters<Parameters<typeof entries.map>[0]>[0];

/** Creates the entries below the folder, unless another entry is in the way. No file is written through a link. */
function make(folder: string, tree: Entries, outside: string): void {
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch {
      // Another entry exists.
    }
  };
  for (const { names: steps } of tree)
    attempt(() => void mkdirSync(path.join(folder, ...steps.slice(0, -1)), { recursive: true }));
  for (const [at, one] of tree.entries()) {
    const file = path.join(folder, ...one.names);
    const link = `links: { go.example.com/l${at}: { url: https://example.com/ } }\n`;
    if (one.target === null) attempt(() => writeFileSync(file, link, { flag: "wx" }));
  }
  for (const one of tree) {
    const to = one.target?.replace("OUTSIDE", outside);
    if (to !== undefined) attempt(() => symlinkSync(to, path.join(folder, ...one.names)));
  }
}

/** Resolves a path step by step; null if it leads out, or to nothing. */
function resolved(root: string, done: readonly string[], rest: readonly string[], links = 0): readonly string[] | null {
  const [first, ...others] = rest;
  if (first === undefined) return done;
  if (first === "." || first === "") return resolved(root, done, others, links);
  const here = lstatSync(path.join(root, ...done));
  if (!here.isDirectory()) return null;
  if (first === "..") return done.length === 0 ? null : resolved(root, done.slice(0, -1), others, links);
  const found = lstatSync(path.join(root, ...done, first), { throwIfNoEntry: false });
  if (found === undefined || links > 40) return null;
  if (!found.isSymbolicLink()) return resolved(root, [...done, first], others, links);
  const to = readlinkSync(path.join(root, ...done, first));
  return to.startsWith("/") ? null : resolved(root, done, [...to.split("/"), ...others], links + 1);
}

/** The real files behind all paths of at most four names that a glob matches. */
function naivelyFound(root: string, isMatch: (names: readonly string[]) => boolean): Set<string> {
  const found = new Set<string>();
  const walk = (steps: readonly string[], real: readonly string[]): void => {
    for (const one of readdirSync(path.join(root, ...real))) {
      const there = resolved(root, real, [one]);
      const next = [...steps, one];
      if (there === null) continue;
      if (lstatSync(path.join(root, ...there)).isDirectory()) {
        if (next.length < 4) walk(next, there);
      } else if (isMatch(next)) found.add(there.join("/"));
    }
  };
  walk([], []);
  found.delete("linkform.yaml");
  return found;
}

/** The names, texts and times of a folder beside the project. */
async function startOutside(base: string): Promise<{ folder: string; state: () => Promise<string> }> {
  const folder = path.join(base, "outside");
  await mkdir(path.join(folder, "a"), { recursive: true });
  for (const file of ["a.yaml", "b.yaml", "a/a.yaml"]) writeFileSync(path.join(folder, file), CANARY);
  const state = async (): Promise<string> => {
    const all = (await readdir(folder, { recursive: true })).toSorted();
    const times = await Promise.all(all.map(async (file) => (await stat(path.join(folder, file))).mtimeMs));
    return JSON.stringify([all, times, [...(await textsOf(folder))]]);
  };
  return { folder, state };
}

it("the search finds the same files on disk, in a commit and with a naive search, and reads nothing outside", async () => {
  const repository = await startRepository();
  const base = repository.folder;
  const outside = await startOutside(base);
  const before = await outside.state();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(entries, fc.array(glob, { minLength: 1, maxLength: 2 }), async (tree, texts) => {
      const parsed = texts.map(parsePathGlob).flatMap((one) => ("glob" in one ? [one.glob] : []));
      fc.pre(parsed.length === texts.length && texts.every((text) => !text.startsWith("!") && !leavesFolder(text)));
      const matcher = new PathMatcher(parsed);
      const folder = path.join(base, `run-${(run += 1)}`);
      mkdirSync(folder);
      make(folder, tree, outside.folder);
      const project = JSON.stringify(texts);
      writeFileSync(path.join(folder, "linkform.yaml"), `${HEAD}files: ${project}\n`);
      const isMatch = (steps: readonly string[]): boolean => matcher.matches(steps.join("/"));
      const place = { file: "linkform.yaml", line: 3, column: 1 };
      const asked = texts.map((pattern) => ({ pattern, place }));

      const onDisk = findFiles(await openFolder(folder), "linkform.yaml", asked);
      const real = (file: string): string | null => resolved(folder, [], file.split("/"))?.join("/") ?? null;
      // On disk, broken links are among the files, and reading them is an error.
      const files = onDisk.files.filter((file) => real(file) !== null);
      expect(files.filter((file) => !isMatch(file.split("/")))).toEqual([]);
      const reals = new Set(files.map(real));
      expect([...naivelyFound(folder, isMatch)].filter((file) => !reals.has(file))).toEqual([]);

      await git(base, "add", "--all", "--force", "--", path.basename(folder));
      const id = await git(base, "commit-tree", "-m", "base", await git(base, "write-tree"));
      await atBase(folder, id, { PATH: process.env["PATH"] }, async ({ files: commit }) => {
        const inCommit = findFiles(commit, "linkform.yaml", asked);
        expect(inCommit.files).toEqual(files);
        const loaded = [await loadProject(path.join(folder, "linkform.yaml")), await loadFrom(commit, "linkform.yaml")];
        for (const { texts: read, diagnostics, declarations } of loaded)
          expect(JSON.stringify([[...read], diagnostics, declarations])).not.toContain("canary");
      });
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
  expect(await outside.state()).toBe(before);
}, 120_000);

it("nothing outside is written, whatever links are in the path", async () => {
  const base = await temporaryFolder();
  const outside = await startOutside(base);
  const before = await outside.state();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.array(names, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (tree, targets, isNamedByUser) => {
        const folder = path.join(base, `run-${(run += 1)}`);
        mkdirSync(folder);
        make(folder, tree, outside.folder);
        writeFileSync(path.join(folder, "linkform.yaml"), HEAD);
        const project = new ProjectFolder(folder);
        const paths = targets.map((steps) => steps.join("/"));
        if (isNamedByUser)
          for (const file of paths)
            await Promise.resolve()
              .then(() => writeTo(locateNamed(folder, file), "new"))
              .catch((cause: unknown) =>
                expect(cause instanceof PathError || (cause instanceof Error && "code" in cause)).toBe(true),
              );
        else {
          const edits = await Promise.all(
            [...new Set(paths)].map(async (file) => {
              return { file, before: await project.read(file).then(String, () => null), after: "new" };
            }),
          );
          const writing = Promise.resolve().then(() => writeFiles(project, edits));
          const isWritten = writing.then(() => true).catch(() => false);
          if (await isWritten) for (const file of paths) expect(String(await project.read(file))).toBe("new");
          // With types, no link is followed.
          const all = await readdir(folder, { recursive: true, withFileTypes: true });
          const left = all.filter((one) => one.name.includes(".linkform"));
          expect(left).toEqual([]);
        }
        expect(await outside.state()).toBe(before);
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
