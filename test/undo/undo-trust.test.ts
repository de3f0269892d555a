// Records that someone else may have written. Fails if `undo` uses a record from a commit, from another user of this
// machine or behind a symbolic link, or if it refuses a record that a pipeline kept.

import { chmod, cp, mkdir, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { undo } from "../../src/cli/apply.ts";
import { git, repositoryIn } from "../support/repository.ts";
import { runIn, startWith } from "../support/scenario.ts";
import { applied } from "../support/undone.ts";

const RUNS = ".linkform/runs";
const FIRST = `${RUNS}/20261121T120000Z-1.jsonl`;
const FILES = "links: { go.example.com/a: { url: https://example.com/a } }\n";

/** A change in the project folder. */
type Change = (folder: string) => Promise<unknown>;

/** The record, the change, the error, and the change that makes the record valid again. */
type Spoiled = [of: string, record: string, spoil: Change, code: string, fix?: Change];

const LATER = "99990101T000000Z-1.jsonl";
const copyTo = async (folder: string, to: string): Promise<void> => {
  await mkdir(path.dirname(path.join(folder, to)), { recursive: true });
  await cp(path.join(folder, FIRST), path.join(folder, to));
  await git(folder, "add", "--force", to);
};
const mode = (file: string, bits: number) => (folder: string) => chmod(path.join(folder, file), bits);

it.each<Spoiled>([
  ...["last", FIRST].map((record): Spoiled => [
    "git tracks it",
    record,
    (folder) => git(folder, "add", "--force", FIRST),
    `record-tracked] git tracks ${FIRST}`,
    (folder) => git(folder, "rm", "--quiet", "--cached", FIRST),
  ]),
  [
    "git tracks it under a name that linkform does not give",
    "events.ndjson",
    (folder) => copyTo(folder, "events.ndjson"),
    "record-tracked] git tracks",
  ],
  [
    "git tracks a record in the same folder, even if the folder's name has another case",
    "last",
    (folder) => copyTo(folder, `.Linkform/Runs/${LATER}`),
    "record-tracked]",
  ],
  ...[0o644, 0o620, 0o602].map((bits): Spoiled => [
    `other users can read or write it: ${bits.toString(8)}`,
    "last",
    mode(FIRST, bits),
    "record-not-private]",
    mode(FIRST, 0o600),
  ]),
  ["other users can write to its folder", "last", mode(RUNS, 0o777), "record-not-private]", mode(RUNS, 0o700)],
  ...[RUNS, FIRST, ".linkform"].map((linked): Spoiled => [
    `${linked} is a symbolic link`,
    "last",
    async (folder) => {
      await rename(path.join(folder, linked), path.join(folder, "elsewhere"));
      await symlink(path.join(folder, "elsewhere"), path.join(folder, linked));
    },
    "record-linked]",
  ]),
])("a record is not undone if %s (%s)", async (_of, record, spoil, code, fix) => {
  const scenario = await applied(FILES);
  await repositoryIn(scenario.folder);
  await spoil(scenario.folder);
  const before = scenario.writes();
  const { exit, err } = await scenario.undo({}, record);
  expect([exit, err, scenario.writes()]).toEqual([1, expect.stringContaining(`error[${code}`), before]);
  await fix?.(scenario.folder);
  if (fix !== undefined) expect(await scenario.undo()).toMatchObject({ exit: 0 });
});

it("a record is not undone if its time is in the future", async () => {
  const scenario = await applied(FILES);
  const { err } = await runIn(scenario.folder, { LINKFORM_API_KEY: scenario.sandbox.apiKey }, (world) =>
    undo({ ...world, now: () => "2026-11-20T12:00:00Z" }, { yes: true }, "last"),
  );
  expect(err).toContain("error[record-from-future]");
});

it("a record is not written into a linked folder", async () => {
  const scenario = await startWith(FILES);
  await mkdir(path.join(scenario.folder, "elsewhere"));
  await symlink("elsewhere", path.join(scenario.folder, ".linkform"));
  const { exit, err } = await scenario.apply();
  expect({ exit, writes: scenario.writes() }).toEqual({ exit: 1, writes: [] });
  expect(err).toContain(".linkform is a symbolic link");
});

it("a record that a pipeline kept as an artifact can be undone by its file name", async () => {
  const scenario = await applied(FILES);
  const kept = path.join(scenario.folder, "linkform-apply.record.jsonl");
  await cp(path.join(scenario.folder, FIRST), kept);
  await chmod(kept, 0o644);
  const { exit, err } = await scenario.undo({}, "linkform-apply.record.jsonl");
  expect([exit, err]).toEqual([0, expect.stringContaining("go.example.com/a")]);
});
