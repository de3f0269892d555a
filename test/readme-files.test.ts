// Every project and part of a project in the documents (README.md, CONTRIBUTING.md, docs/, examples/) is valid, and every link works. Fails
// if the loader refuses a block of YAML, if the whole projects of the README are not those of its plans, if a document names a missing
// file, heading or schema, or if a comment cites a missing page or heading.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { validate } from "../src/cli/validate.ts";
import { anchorOf, readDocuments, ROOT } from "./support/documents.ts";
import { runIn, temporaryFolder, writeFiles } from "./support/scenario.ts";

const documents = await readDocuments();
const blocks = documents.flatMap((document) => document.blocks.filter(({ language }) => language === "yaml"));

/** The required lines, for the parts that lack them. */
const HEAD: Readonly<Record<string, string>> = {
  version: "version: 1",
  service: "service: { base_url: https://short.example.com }",
  defaults: "defaults: { link: { domain: go.example.com } }",
};

describe("yaml blocks", () => {
  test.each(blocks)("$place", async ({ text }) => {
    const keys = Object.keys(parse(text) ?? {});
    const isWhole = keys.includes("version");
    const head = Object.entries(HEAD).flatMap(([key, line]) => (keys.includes(key) ? [] : `${line}\n`));
    const folder = await temporaryFolder();
    // The block comes first, so that messages have its line numbers.
    await writeFiles(folder, { "linkform.yaml": isWhole ? text : `${text}${head.join("")}` });
    const { exit, err, out } = await runIn(folder, {}, (world) => validate(world, {}));
    expect({ exit, said: exit === 0 ? "" : `${err}${out}` }).toEqual({ exit: 0, said: "" });
  });

  test("whole projects of the README are those of its plans", async () => {
    const plans = path.join(import.meta.dirname, "fixtures/plans");
    const names = (await readdir(plans)).filter((name) => name.startsWith("readme-"));
    const files = names.map((name) => path.join(plans, name, "now/linkform.yaml"));
    const projects = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const whole = blocks.filter(({ place, text }) => place.startsWith("README.md:") && /^version:/m.test(text));
    for (const { place, text } of whole) expect(projects, `${place} is no fixture`).toContain(text);
  });

  test("the schemas that they name exist", async () => {
    const named = blocks.flatMap(({ text }) => [...text.matchAll(/\$schema=(\S+)/g)].map(([, file = ""]) => file));
    const there = await readdir(path.join(ROOT, "schemas"));
    for (const file of named) expect(there).toContain(path.basename(file));
  });
});

describe("links", () => {
  test.each(documents)("of $file work", async ({ file, text, headings }) => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    for (const target of targets.filter((one) => !/^https?:/.test(one))) {
      const [name = "", anchor] = target.split("#");
      const there = path.join(path.dirname(file), name);
      if (name !== "")
        expect(await readdir(path.join(ROOT, path.dirname(there))), `${file} links to it`).toContain(
          path.basename(there),
        );
      if (anchor === undefined) continue;
      const document = name === "" ? { headings } : documents.find((other) => other.file === there);
      expect(document?.headings.map(anchorOf), `${file} links to ${target}`).toContain(anchor);
    }
  });

  test.each(documents)("files that $file names exist", async ({ spans }) => {
    const tracked = /^(?:\.ci|docs|examples|schemas|scripts|src|test)\/[\w./-]*\w$/;
    for (const { place, text } of spans.filter((span) => tracked.test(span.text))) {
      const found = await readdir(path.join(ROOT, path.dirname(text)));
      // Vitest also accepts the start of a name.
      expect(
        found.find((name) => name.startsWith(path.basename(text))),
        `${place} names ${text}`,
      ).toBeDefined();
    }
  });
});

describe("comments", () => {
  /** Every file that people write, as a path from the root. */
  async function sourceFiles(): Promise<readonly string[]> {
    const folders = ["src", "test", "scripts", "action", "docs", "examples", "templates", ".ci"];
    const nested = folders.map(async (folder) => {
      const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    });
    const top = (await readdir(ROOT)).filter((name) => /\.(?:md|ts|yml)$/.test(name));
    return [...(await Promise.all(nested)).flat(), ...top.map((name) => path.join(ROOT, name))];
  }

  /** `docs/service.md, "Lists" and "Errors"`: the page, and the headings after it. */
  const CITATION = /(docs\/service(?:-compatibility)?\.md)((?:(?:,| and) "[A-Z][^"\n]*")+)/g;

  test("cite pages of this project, and headings that these pages have", async () => {
    const headings = new Map(documents.map((document) => [document.file, document.headings]));
    const wrong: string[] = [];
    let count = 0;
    for (const file of await sourceFiles()) {
      const text = await readFile(file, "utf8");
      const name = path.relative(ROOT, file);
      const [stranger] = /\b(?:observed|interface|design|versions|corners)\.md\b/.exec(text) ?? [];
      if (stranger !== undefined) wrong.push(`${name}: ${stranger}`);
      // A citation can continue on the next line of the comment.
      for (const [, page = "", cited = ""] of text.replaceAll(/\n *(?:\/\/|\*|#)? */g, " ").matchAll(CITATION)) {
        for (const [, heading = ""] of cited.matchAll(/"([^"]+)"/g)) {
          count += 1;
          if (headings.get(page)?.includes(heading) !== true) wrong.push(`${name}: ${page}, "${heading}"`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
