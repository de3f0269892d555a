// What the README shows on a console is what the program prints. Fails when a block was edited by hand, or when what is printed
// has changed and the README has not: then copy it from the expected.txt that plans.test.ts has written.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../src/sandbox/index.ts";
import { linkform } from "./support/program.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PLANS = path.join(import.meta.dirname, "fixtures/plans");
const readme = await readFile(path.join(ROOT, "README.md"), "utf8");

/** The blocks of one language, each without its fences. */
function blocksOf(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

/** A commit's name depends on the moment it was made. */
function withoutCommits(text: string): string {
  return text.replaceAll(/\([0-9a-f]{7}\)/g, "(0000000)");
}

async function casesOf(file: string): Promise<string[]> {
  const names = (await readdir(PLANS)).filter((name) => name.startsWith("readme-"));
  return Promise.all(names.map((name) => readFile(path.join(PLANS, name, file), "utf8")));
}

const FIRST_STEPS = "http://127.0.0.1:8787";
const blocks = blocksOf("console");

describe("the README", () => {
  test("shows plans that were printed", async () => {
    const shown = blocks.filter((block) => !block.includes(FIRST_STEPS)).map(withoutCommits);
    const printed = (await casesOf("expected.txt")).map((text) => text.replace(/exit \d+\n$/, ""));
    expect(shown.toSorted()).toEqual(printed.toSorted());
  });

  test("shows the project of which the first plan was made", async () => {
    const projects = blocksOf("yaml").filter((block) => block.startsWith("version: 1"));
    expect(projects).toEqual([await readFile(path.join(PLANS, "readme-first/now/linkform.yaml"), "utf8")]);
  });

  test("has first steps that go as they are told", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const folder = path.join(ROOT, "examples/first-link");
    const call = (command: string): ReturnType<typeof linkform> =>
      linkform(folder, command.replace(FIRST_STEPS, sandbox.url).split(" ").slice(1), {
        LINKFORM_API_KEY: sandbox.apiKey,
      });
    const steps = blocks.filter((block) => block.includes(FIRST_STEPS) && !block.startsWith("$ linkform sandbox"));
    expect(steps).toHaveLength(2);
    for (const block of steps) {
      let said = "";
      for (const [, command = ""] of block.matchAll(/^\$ (.+)$/gm)) {
        const { out, err } = command.startsWith("linkform ") ? await call(command) : { out: "", err: "" };
        said += `$ ${command}\n${err}${out}`;
      }
      expect(said).toBe(block);
      await call(`linkform apply --yes --base-url ${FIRST_STEPS}`);
    }
  });

  test("leads to files that are there, and to headings that it has", async () => {
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(
      ([, text = ""]) =>
        `#${text
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-")}`,
    );
    for (const target of targets) {
      if (target.startsWith("#")) expect(headings).toContain(target);
      else await readFile(path.join(ROOT, target));
    }
    expect(targets.length).toBeGreaterThan(0);
  });
});
