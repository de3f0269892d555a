// Where records are written, when, and what they contain. Fails if a record is incomplete, readable by other users or visible to
// git, or if a JSON document does not match its schema.

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../support/record-lines.ts";
import { git, repositoryIn } from "../support/repository.ts";
import { startScenario, startWith } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

const FILES =
  'links: { go.example.com/a: { url: "https://user:pass@example.com/a", password: { env: LINKFORM_SECRET_A } } }\n';
const FIRST = ".linkform/runs/20261121T120000Z-1.jsonl";

describe("a record", () => {
  it("is reported with the command that undoes it, is accessible only to its owner, ignored by git, and has no password", async () => {
    const scenario = await startWith(FILES);
    const { exit, out } = await scenario.apply();
    expect([exit, out.trimEnd().split("\n").at(-1)]).toEqual([0, `To undo: linkform undo ${FIRST}`]);
    const mode = async (file: string): Promise<number> => (await stat(path.join(scenario.folder, file))).mode & 0o777;
    expect([await mode(FIRST), await mode(path.dirname(FIRST))]).toEqual([0o600, 0o700]);
    const files = await readdir(path.join(scenario.folder, ".linkform/runs"));
    expect(files.toSorted()).toEqual([".gitignore", path.basename(FIRST)]);
    await repositoryIn(scenario.folder);
    expect(await git(scenario.folder, "status", "--porcelain", "-uall")).toBe("?? linkform.yaml");
    const text = await readFile(path.join(scenario.folder, FIRST), "utf8");
    const after = { url: "https://user:pass@example.com/a", password: { secret: "set" } };
    expect(linesOf(text)).toContainEqual(
      expect.objectContaining({ event: "change", before: null, after: expect.objectContaining(after) }),
    );
    expect(text).not.toMatch(/first secret|sandbox-key/);
  });

  it("is not written without changes or with `--record none`, and --record names another file", async () => {
    const scenario = await startWith(FILES);
    const none = JSON.parse((await scenario.apply({ record: false, format: ["json"] })).out);
    expect(none.record).toBeNull();
    expect(JSON.parse((await scenario.apply({ format: ["json"] })).out).record).toBeNull();
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml"]);
    await scenario.write(FILES.replace('/a"', '/b"'));
    const mine = JSON.parse((await scenario.apply({ record: "mine.jsonl", format: ["json"] })).out);
    expect(mine.record).toBe("mine.jsonl");
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml", "mine.jsonl"]);
  });

  // Fails if the command that the report names undoes another run.
  it.each(["last", "-r.jsonl"])("in a file named %s is reported with a path", async (record) => {
    const scenario = await startWith(FILES);
    const { out } = await scenario.apply({ record });
    expect(out).toContain(`To undo: linkform undo ./${record}\n`);
  });

  it("that cannot be written stops the apply before its first change, and the error names the flags", async () => {
    const scenario = await startWith(FILES);
    await writeFile(path.join(scenario.folder, ".linkform"), "");
    const { exit, err } = await scenario.apply();
    expect(exit).toBe(1);
    expect(err).toContain("error[record-unwritable]");
    expect(err).toContain("pass another file with --record, or pass `--record none`");
    expect(scenario.writes()).toEqual([]);
    expect(await scenario.apply({ record: false })).toMatchObject({ exit: 0 });
  });

  it("overwrites only records", async () => {
    const scenario = await startWith(FILES);
    await writeFile(path.join(scenario.folder, "notes.json"), '{ "format_version": "1.0", "changes": [] }');
    for (const flags of [{ record: "linkform.yaml" }, { record: "notes.json" }])
      expect(await scenario.apply(flags)).toMatchObject({ exit: 64 });
    expect(scenario.writes()).toEqual([]);
    // `undo last` would be another record.
    const { exit, out } = await scenario.apply({ record: "last" });
    expect([exit, out.trimEnd().split("\n").at(-1)]).toEqual([0, "To undo: linkform undo ./last"]);
    await scenario.write(FILES.replace('/a"', '/b"'));
    expect(await scenario.apply({ record: "last" })).toMatchObject({ exit: 0 });
  });
});

it("records of the same second get different names, and `last` is the newest", async () => {
  const scenario = await startWith(FILES);
  for (let at = 1; at <= 11; at += 1) {
    await scenario.write(`brake: { updates: 100% }\n${FILES.replace('/a"', `/a${at}"`)}`);
    expect(await scenario.apply()).toMatchObject({ exit: 0 });
  }
  const { document } = await scenario.undoDocument();
  expect(document.undo?.record).toBe(".linkform/runs/20261121T120000Z-11.jsonl");
  expect(scenario.link("a").url).toBe("https://user:pass@example.com/a10");
});

it("`last` is the newest record of this project file, not of another environment in the same folder", async () => {
  const scenario = await startWith(FILES);
  const text = await readFile(path.join(scenario.folder, "linkform.yaml"), "utf8");
  const staging = { config: "linkform.staging.yaml" };
  await writeFile(path.join(scenario.folder, staging.config), text.replace("go.example.com/a:", "go.example.com/b:"));
  await scenario.apply();
  const err = expect.stringContaining("This project has no record for linkform.staging.yaml");
  expect(await scenario.undo({ ...staging, dryRun: true })).toMatchObject({ exit: 1, err });
  await scenario.apply(staging);
  const { document } = await scenario.undoDocument({ dryRun: true });
  expect(document.undo?.record).toBe(FIRST);
  expect((await scenario.undoDocument({ ...staging, dryRun: true })).document.undo?.record).not.toBe(FIRST);
});

it("an undo as JSON matches its schema after a dry run, an undo and a refusal", async () => {
  const scenario = await startWith(`brake: { deletes: 100% }\n${FILES}`);
  await scenario.apply();
  for (const flags of [{ dryRun: true }, {}, {}]) {
    const { document } = await scenario.undoDocument(flags, FIRST);
    expect(await schemaErrors("undo", document)).toBeNull();
  }
  const { document } = await scenario.undoDocument({}, "none.json");
  expect(await schemaErrors("undo", document)).toBeNull();
});

it("an undo names the files that still ask for the undone changes, until they are changed", async () => {
  const scenario = await startScenario();
  const write = async (prune: string, block: string): Promise<void> => {
    const files = {
      "links/a.yaml": block,
      "links/b.yaml": "links: { go.example.com/b: { url: https://example.com/b } }\n",
    };
    await scenario.write(`brake: { deletes: 100% }\nprune: ${prune}\n`, files);
  };
  const link = "links: { go.example.com/a: { url: https://example.com/a } }\n";
  const absent = "absent: { links: [go.example.com/a] }\n";
  for (const [block, file] of [
    [link, "links/a.yaml"],
    [absent, "links/a.yaml"],
    ["links: {}\n", "linkform.yaml"],
  ] as const) {
    for (const text of [block === link ? "links: {}\n" : link, block]) {
      await write("scope\nscope: { domains: [go.example.com] }", text);
      await scenario.apply();
    }
    const { document } = await scenario.undoDocument();
    expect(document.undo?.files).toEqual([{ file, keys: ["go.example.com/a"] }]);
  }
  await write("removed", absent);
  await scenario.apply();
  await write("removed", "links: {}\n");
  const { exit, out } = await scenario.undo();
  expect({ exit, out: out.includes("the files still") }).toEqual({ exit: 0, out: false });
});
