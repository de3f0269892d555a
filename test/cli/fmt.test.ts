// `linkform fmt`. Fails if it writes a file that has mistakes, one that is already canonical or one out of the project, or if
// `--check` writes anything or has a wrong exit code.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { commandIn } from "../support/command.ts";
import { temporaryFolder, textsOf, writeFiles, type Ran } from "../support/scenario.ts";

const PROJECT = "version: 1\nservice: { base_url: https://short.example.com }\n";
const UGLY = "links:\n    go.example.com/a:   {note: 'x', url: \"https://example.com/\"}\n";
const PRETTY = "links:\n  go.example.com/a: { url: https://example.com/, note: x }\n";

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": PROJECT, ...files });
  return folder;
}

const run = (folder: string, ...args: readonly string[]): Promise<Ran> => commandIn(folder, ["fmt", ...args]);
const runWith = async (stdin: string): Promise<Ran> =>
  commandIn(await temporaryFolder(), ["fmt", "--stdin"], {}, { stdin: Readable.from([Buffer.from(stdin)]) });

describe("linkform fmt", () => {
  it("writes the files that are not canonical, and only once", async () => {
    const folder = await project({ "links/a.yaml": UGLY, "links/b.yaml": "links: {}\n" });
    expect(await run(folder)).toEqual({ exit: 0, out: "Written: 1 file.\n    ~ links/a.yaml\n", err: "" });
    expect(await readFile(path.join(folder, "links/a.yaml"), "utf8")).toBe(PRETTY);
    expect(await run(folder)).toEqual({ exit: 0, out: "The files need no changes.\n", err: "" });
  });

  it("formats only the files that it is given", async () => {
    const folder = await project({ "links/a.yaml": UGLY, "links/b.yaml": UGLY.replace("/a:", "/b:") });
    expect((await run(path.join(folder, "links"), "b.yaml")).out).toBe("Written: 1 file.\n    ~ links/b.yaml\n");
    expect(await readFile(path.join(folder, "links/a.yaml"), "utf8")).toBe(UGLY);
    expect(await run(folder, "other.yaml")).toMatchObject({ exit: 64, out: "" });
  });

  it("formats a project with mistakes that are not about YAML", async () => {
    const folder = await project({ "links/a.yaml": UGLY.replace("url", "ulr") });
    expect(await run(folder)).toMatchObject({ exit: 0, err: "" });
  });

  it("reports a file with mistakes in its YAML, and formats the others", async () => {
    const bad = "links:\n  a: [\n";
    const folder = await project({ "links/a.yaml": UGLY, "links/bad.yaml": bad });
    const { exit, out, err } = await run(folder);
    expect(exit).toBe(1);
    expect(err).toContain("--> links/bad.yaml:");
    expect(out).toBe("Written: 1 file.\n    ~ links/a.yaml\n\n1 file of 3 cannot be formatted: 1 error.\n");
    expect(await readFile(path.join(folder, "links/bad.yaml"), "utf8")).toBe(bad);
  });

  it("reports a file that is not UTF-8, and leaves it alone", async () => {
    const folder = await project({ "links/a.yaml": UGLY });
    const bytes = Buffer.from("links:\n    a: { note: Gr\xfc\xdfe }\n", "latin1");
    await writeFile(path.join(folder, "links/b.yaml"), bytes);
    const { exit, err } = await run(folder);
    expect({ exit, err }).toMatchObject({ exit: 1, err: expect.stringContaining("error[file-encoding]") });
    expect(await readFile(path.join(folder, "links/b.yaml"))).toEqual(bytes);
    expect(await readFile(path.join(folder, "links/a.yaml"), "utf8")).toBe(PRETTY);
  });

  it("does not format JSON files", async () => {
    const json = '{"links": {"go.example.com/b": {"url": "https://example.com/"}}}';
    const folder = await project({
      "linkform.yaml": `${PROJECT}files: ["links/*"]\n`,
      "links/b.json": json,
      "links/c.JSON": json,
    });
    expect((await run(folder)).out).toBe("The files need no changes.\n");
  });
});

it("linkform fmt --check prints a diff, writes nothing, and exits with 2", async () => {
  const folder = await project({ "links/a.yaml": UGLY });
  const before = await textsOf(folder);
  const { exit, out, err } = await run(folder, "--check");
  expect({ exit, err }).toEqual({ exit: 2, err: "" });
  expect(out).toContain("--- a/links/a.yaml\n+++ b/links/a.yaml\n");
  expect(out).toContain(`+  go.example.com/a: { url: https://example.com/, note: x }\n`);
  expect(out).toContain("Not formatted: 1 file.\n    ~ links/a.yaml\n\nRun `linkform fmt` to format them.\n");
  expect(await textsOf(folder)).toEqual(before);
});

it("linkform fmt --check exits with 0 if all files are canonical, and with 1 if one has mistakes", async () => {
  const folder = await project({ "links/a.yaml": PRETTY });
  expect(await run(folder, "--check")).toMatchObject({ exit: 0, out: "The files need no changes.\n" });
  await writeFiles(folder, { "links/a.yaml": UGLY, "links/b.yaml": "links: [" });
  expect(await run(folder, "--check")).toMatchObject({ exit: 1 });
});

describe("linkform fmt --stdin", () => {
  it("prints the formatted text, also outside of a project", async () => {
    expect(await runWith(UGLY)).toEqual({ exit: 0, out: PRETTY, err: "" });
  });

  it("prints nothing on stdout if the text has mistakes", async () => {
    const { exit, out, err } = await runWith("links: [");
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(err).toContain("--> stdin:1:");
  });
});
