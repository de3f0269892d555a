// Files that are there for the search and not for the reader: what git can't keep as a fixture.

import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { folderSource } from "../../src/config/file-source.ts";
import { messagesIn } from "../support/leaks.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

/** Somebody whom root can be for a while: root itself may read all. */
const NOBODY = 65_534;

/** Does something as somebody who may not read what others may not. */
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

describe("a file that can't be read", () => {
  // Fails when a file that somebody deletes meanwhile is told as a link that leads nowhere, or ends the run with a trace.
  test("because it has vanished since it was found", async () => {
    const source = folderSource(await temporaryFolder());
    expect(await source.read("links/gone.yaml")).toMatchObject({
      problem: { code: "file-unreadable", message: expect.stringContaining("is gone"), hint: "Run it again." },
    });
  });

  // Fails when a folder in a file's place is a trace, or says nothing of a folder.
  test("because it is a folder", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "a.yaml"));
    expect(await folderSource(folder).read("a.yaml")).toMatchObject({
      problem: { code: "file-unreadable", message: "This is a folder, not a file." },
    });
    await mkdir(path.join(folder, "linkform.yaml"));
    const { exit, out } = await runIn(folder, {}, (world) => validate(world, {}));
    expect([exit, messagesIn(out)]).toMatchObject([
      1,
      [{ code: "no-project", text: expect.stringContaining("is a folder") }],
    ]);
  });

  // Fails when a folder whose name ends like a file's is read as one.
  test("a folder that a glob matches is passed over", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD });
    await mkdir(path.join(folder, "links/a.yaml"), { recursive: true });
    expect(await runIn(folder, {}, (world) => validate(world, {}))).toMatchObject({
      exit: 0,
      out: "Valid: 1 file read.\n",
    });
  });

  // Fails when a file without permission is passed over, so that what it declares seems to be gone.
  test("because of its permissions", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD, "links/a.yaml": "links: {}\n" });
    await chmod(path.join(folder, "links/a.yaml"), 0o000);
    const { exit, out } = await asNobody(folder, () => runIn(folder, {}, (world) => validate(world, {})));
    expect(exit).toBe(1);
    expect(out).toContain("error[file-unreadable] There is no permission to read this file.\n  --> links/a.yaml:1:1\n");
  });

  // Fails when a file without content is a mistake where nothing needs to stand in it.
  test("an empty resource file declares nothing, and is no mistake", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": HEAD, "links/a.yaml": "", "links/b.yaml": "\n# later\n" });
    expect(await runIn(folder, {}, (world) => validate(world, {}))).toMatchObject({
      exit: 0,
      out: "Valid: 3 files read.\n",
    });
  });
});
