// Files that the search finds and that cannot be read, which git cannot store as fixtures.

import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { openFolder } from "../../src/config/checkout.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

/** A user without special permissions, because root can read every file. */
const NOBODY = 65_534;

/** Runs a function as that user. */
async function asNobody<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return act();
  await chmod(folder, 0o755);
  process.seteuid?.(NOBODY);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

const validated = (folder: string): Promise<Ran> => runIn(folder, {}, (world) => validate(world, {}));

describe("a file that cannot be read", () => {
  // Fails if a file that is deleted during the run is reported as a broken link, or ends the run with a stack trace.
  test("because it was deleted after the search", async () => {
    const source = await openFolder(await temporaryFolder());
    expect(await source.read("links/gone.yaml")).toMatchObject({
      problem: {
        code: "file-unreadable",
        message: expect.stringContaining("was removed in the meantime"),
        hint: expect.stringContaining("run the command again"),
      },
    });
  });

  // Fails if a folder whose name ends like that of a file is read as a file.
  test("a folder that a glob matches is skipped", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD });
    await mkdir(path.join(folder, "links/a.yaml"), { recursive: true });
    expect(await validated(folder)).toMatchObject({ exit: 0, out: "Valid: 1 file read.\n" });
  });

  // Fails if a file without permission is skipped, so that its declarations seem to be removed.
  test("because of its permissions", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD, "links/a.yaml": "links: {}\n" });
    await chmod(path.join(folder, "links/a.yaml"), 0o000);
    const { exit, out } = await asNobody(folder, () => validated(folder));
    expect(exit).toBe(1);
    expect(out).toContain(
      "error[file-unreadable] linkform has no permission to read this file.\n  --> links/a.yaml:1:1\n",
    );
  });

  // Fails if a valid U+FFFD before it is marked in its place.
  test.each([
    ["a byte", [0xff, 0x20]],
    ["a character without its end", [0xef, 0xbf]],
  ])("because %s is not UTF-8", async (_, bytes) => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD });
    await mkdir(path.join(folder, "links"));
    await writeFile(
      path.join(folder, "links/a.yaml"),
      Buffer.from([...Buffer.from("\uFEFF# \uFFFD\n# ä: "), ...bytes]),
    );
    const { out } = await validated(folder);
    expect(out).toContain("error[file-encoding] This character is not valid UTF-8.\n  --> links/a.yaml:2:6\n");
  });
});
