// The examples are what people copy: each names its schema, and the editor finds nothing to say of it.

import { access, cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { useEditor } from "../support/editor-project.ts";
import { yamlFilesIn } from "../support/yaml-files.ts";

const files = (await yamlFilesIn("examples")).filter((file) => !file.startsWith(path.join("examples", "ci", "")));

const editor = useEditor(async (folder) => {
  await cp("schemas", path.join(folder, "schemas"), { recursive: true });
  await Promise.all(files.map((file) => mkdir(path.join(folder, path.dirname(file)), { recursive: true })));
});

// Fails when the folder is not found, and the tests below pass because there are none.
it("finds the examples", () => {
  expect(files.length).toBeGreaterThan(8);
});

describe.each(files)("%s", (file) => {
  // Fails when an example is without its schema line, or has been copied to another depth with a path that leads nowhere.
  it("names its schema by a path that is right", async () => {
    const [first] = (await readFile(file, "utf8")).split("\n");
    const schema = path.resolve(
      path.dirname(file),
      /^# yaml-language-server: \$schema=(\S+)$/.exec(first ?? "")?.[1] ?? "",
    );
    const name = path.basename(file).startsWith("linkform") ? "project" : "resource";
    expect(schema).toBe(path.resolve(`schemas/${name}.schema.json`));
    await access(schema);
  });

  // Fails when the schema refuses what the example shows; a file of several documents is marked in none of them.
  it("has no marks in the editor", async () => {
    expect(await editor().marks(file, await readFile(file, "utf8"))).toEqual([]);
  });
});
