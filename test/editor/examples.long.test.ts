// The examples and the blocks of the documents are what people copy: the editor finds no mistake in them.

import { access, cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readDocuments } from "../support/documents.ts";
import { project, resource, useEditor } from "../support/editor-project.ts";
import { yamlFilesIn } from "../support/yaml-files.ts";

const files = (await yamlFilesIn("examples")).filter((file) => !file.startsWith(path.join("examples", "ci", "")));

const editor = useEditor(async (folder) => {
  await cp("schemas", path.join(folder, "schemas"), { recursive: true });
  await mkdir(path.join(folder, "links"));
  await Promise.all(files.map((file) => mkdir(path.join(folder, path.dirname(file)), { recursive: true })));
});

// Fails if the folder is not found, so that there are no tests below.
it("finds the examples", () => {
  expect(files.length).toBeGreaterThan(8);
});

describe.each(files)("%s", (file) => {
  // Fails if an example lacks its schema line, or if the path in it leads nowhere because the example was copied to another depth.
  it("names its schema by a correct path", async () => {
    const [first] = (await readFile(file, "utf8")).split("\n");
    const schema = path.resolve(
      path.dirname(file),
      /^# yaml-language-server: \$schema=(\S+)$/.exec(first ?? "")?.[1] ?? "",
    );
    const name = path.basename(file).startsWith("linkform") ? "project" : "resource";
    expect(schema).toBe(path.resolve(`schemas/${name}.schema.json`));
    await access(schema);
  });

  // Fails if the schema refuses what the example shows, in any document of a file.
  it("has no marks in the editor", async () => {
    expect(await editor().marks(file, await readFile(file, "utf8"))).toEqual([]);
  });
});

const blocks = (await readDocuments()).flatMap(({ blocks: all }) => all).filter(({ language }) => language === "yaml");

/** What a part of a project file needs to be one. */
const HEAD = ["version: 1", "service: { base_url: https://short.example.com }"];
/** The keys of resource files. */
const SECTIONS = ["links", "families", "pixels", "absent", "defaults", "unspecified"];

// Fails if the schema refuses what a document shows. Parts that a project file and a resource file can have are checked as both.
it.each(blocks)("$place has no marks in the editor", async ({ text }) => {
  const part = text.replace(/^# yaml-language-server:.*\n/gm, "");
  const keys = [...part.matchAll(/^([a-z_]+):/gm)].map(([, key = ""]) => key);
  const head = HEAD.filter((line) => !keys.some((key) => line.startsWith(`${key}:`)));
  expect(await editor().marks("linkform.yaml", project(`${head.join("\n")}\n${part}`))).toEqual([]);
  if (keys.every((key) => SECTIONS.includes(key)))
    expect(await editor().marks("links/a.yaml", resource(part))).toEqual([]);
});
