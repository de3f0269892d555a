// Projects in fixtures/config that are invalid, or that are valid and break rules, and the exact output of `linkform validate` for
// them: place, code, message, hint. Projects that rules make invalid are named rules-*.
// UPDATE_FIXTURES=1 writes the current output. Then read every changed expected.txt as a user would.
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { runIn } from "../support/scenario.ts";

const CASES = path.join(import.meta.dirname, "../fixtures/config");

/** Files that git cannot store: links that lead out, permissions, bytes that are not text. */
const PREPARE: Readonly<Record<string, (folder: string, outside: string) => Promise<void>>> = {
  "file-symlink-out": (folder, outside) =>
    symlink(path.join(outside, "secret.yaml"), path.join(folder, "links/a.yaml")),
  "file-symlink-folder-out": (folder, outside) => symlink(outside, path.join(folder, "links/shared")),
  "file-symlink-dangling": (folder) => symlink("nowhere.yaml", path.join(folder, "links/a.yaml")),
  "file-symlink-loop": (folder) => symlink("a.yaml", path.join(folder, "links/a.yaml")),
  "file-empty-project": (folder) => writeFile(path.join(folder, "linkform.yaml"), ""),
};

/** The flags of a case. Without flags, linkform finds the project in the current folder. */
const CONFIG: Readonly<Record<string, string>> = {
  "file-folder-as-config": "links",
  "file-config-missing": "nope.yaml",
};

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "linkform-invalid-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function run(kind: "advice" | "invalid", name: string): Promise<{ exit: number; out: string }> {
  const folder = path.join(scratch, name, "project");
  const outside = path.join(scratch, name, "outside");
  await cp(path.join(CASES, kind, name), folder, { recursive: true });
  await cp(path.join(CASES, kind, name), outside, { recursive: true });
  await writeFile(path.join(outside, "secret.yaml"), "links: { stolen: { url: https://example.com/ } }\n");
  await PREPARE[name]?.(folder, outside);
  const config = CONFIG[name];
  const { exit, out, err } = await runIn(folder, {}, (world) =>
    validate(world, { verbose: kind === "invalid", ...(config !== undefined && { config }) }),
  );
  return { exit, out: `${out}${err}` };
}

/** Texts that must never be printed. */
const LEAKS =
  /undefined|\[object|NaN|Invalid input|expected string|received|Unrecognized|\bat \S+:\d+:\d+\)|node_modules|zod|hunter2/i;

const named = async (kind: "advice" | "invalid"): Promise<(readonly [string, "advice" | "invalid"])[]> =>
  (await readdir(path.join(CASES, kind))).toSorted().map((name) => [name, kind]);
const [invalid, advice] = [await named("invalid"), await named("advice")];

describe("a project", () => {
  // Fails if a place, message, hint, severity or the number of findings changes.
  test.each([...invalid, ...advice])("%s (%s)", async (name, kind) => {
    const { exit, out } = await run(kind, name);
    const expected = path.join(CASES, kind, name, "expected.txt");
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, out);
    expect(out).toBe(await readFile(expected, "utf8"));
    expect(exit).toBe(kind === "invalid" ? 1 : 0);
    expect(out).not.toMatch(LEAKS);
    expect(out).not.toContain(scratch);
  });

  // Fails if a key of a file reaches the prototype that every object shares.
  test("changes no prototype of objects", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    await run("invalid", "yaml-proto");
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  // Fails if the folder is not found, so that the table above is empty.
  test("has many examples", () => {
    expect(invalid.length).toBeGreaterThanOrEqual(40);
  });
});
