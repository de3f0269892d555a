// Files that are nested too deeply for the parser, which is recursive.

import { describe, expect, it } from "vitest";
import { linkform } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { load } from "./loading.ts";

const LEVELS = 20_000;

/** Each line is indented by one more space. */
const stairs = (text: string): string =>
  Array.from({ length: 3000 }, (_, level) => `${" ".repeat(level)}${text}`).join("\n  ");

describe("a file that is nested too deeply", () => {
  // Fails if the stack overflow of the parser ends the run, which a pull request could cause with one file.
  it.each([
    ["maps by indentation", stairs("a:")],
    ["lists by indentation", stairs("-")],
    ["keys", "? ".repeat(LEVELS)],
    ["lists in one line", "- ".repeat(LEVELS)],
    ["brackets", "[".repeat(LEVELS)],
    ["braces", "{a: ".repeat(LEVELS)],
  ])("%s: an error with a place", async (_, text) => {
    const { project, diagnostics } = await load(`links:\n  ${text}\n`);
    expect(project).toBeNull();
    expect(diagnostics).toMatchObject([{ code: "yaml-too-deep", place: { file: "linkform.yaml" } }]);
  });

  // Fails if the parser starts on such a file with a stack that is almost full: then V8 ends the process.
  it("is an error of `fmt --check`, and not the end of the process", async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, {
      "linkform.yaml": 'version: 1\nservice: { base_url: "https://short.example.com" }\n',
      "links/deep.yaml": `links: ${"[".repeat(2500)}${"]".repeat(2500)}\n`,
    });
    for (let run = 0; run < 3; run += 1) {
      const { exit, err, out } = await linkform(folder, ["fmt", "--check"]);
      expect(exit).toBe(1);
      expect(err + out).toContain("error[yaml-too-deep]");
    }
  });
});
