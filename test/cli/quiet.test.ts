// The output: the result on stdout and nothing else, everything else on stderr, and with `--quiet` only errors there; colors only in text
// on a terminal. This runs each command with each of its formats.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { FORMATS_OF, type FormatName } from "../../src/report/format.ts";
import { wantsColor } from "../../src/report/text/screen.ts";
import { commandIn } from "../support/command.ts";
import { linesOf } from "../support/record-lines.ts";
import { key, onTerminal, projectFor } from "../support/program.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { startWith, type Ran } from "../support/scenario.ts";

/** A run with a warning, one that is refused in part, and one that cannot begin. */
const CASES = {
  "goes well": "links:\n  go.example.com/a: { url: http://plain.example.com/ }\n",
  "is refused in part":
    "rules: { unknown-country: warning }\nlinks:\n  go.example.com/a: { url: https://example.com/ }\n  go.example.com/b: { url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }\n",
  "has mistakes": "links: { go.example.com/a: { ulr: https://example.com/ } }\n",
};

const walk = (["validate", "plan", "drift", "doctor", "apply"] as const).flatMap((command) =>
  FORMATS_OF[command].flatMap((format) => Object.entries(CASES).map(([how, text]) => ({ command, format, how, text }))),
);

/** Runs a command on a project, and returns its output and the text of the file `report`. */
async function runOf(
  { command, text }: (typeof walk)[number],
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran & { readonly report: string }> {
  const scenario = await startWith(text);
  const args = [command, ...(command === "apply" ? ["--yes"] : []), ...flags];
  const ran = await commandIn(scenario.folder, args, { ...scenario.env, ...env });
  return { ...ran, report: await readFile(path.join(scenario.folder, "report"), "utf8").catch(() => "") };
}

// Fails if stdout has more than the report: the file has only the report.
it.each(walk)("stdout of `$command --format $format` that $how is the report", async ({ format, ...one }) => {
  const { out, report } = await runOf({ format, ...one }, ["--format", format, "--format", `${format}=report`]);
  expect(out).toBe(report);
  if (format === "json" || format === "gitlab") expect(out === "" || typeof JSON.parse(out)).not.toBe("string");
  if (format === "ndjson") expect(linesOf(out).length).toBeGreaterThan(0);
});

describe("--quiet", () => {
  const isDocument = (format: FormatName): boolean => format === "json" || format === "ndjson";

  // Reports of these formats are printed as Markdown is.
  const asMarkdown: readonly string[] = ["html", "github", "gitlab"];

  // Fails if a warning, a plan, an outcome or a request is printed for somebody who wants only the result.
  it.each(walk.filter(({ format, how }) => how === "is refused in part" || !asMarkdown.includes(format)))(
    "`$command --format $format` that $how: on stderr only errors",
    async (one) => {
      const { command, format, how } = one;
      const flags = ["--format", format, "--format", `${format}=report`, "--quiet"];
      const { exit, out, report, ...ran } = await runOf(one, flags, { FORCE_COLOR: "1" });
      const err = stripVTControlCharacters(ran.err);
      // Colors that CI forces are in text on stdout, and nowhere else.
      if (how === "is refused in part")
        expect([report.includes("\u001b"), out.includes("\u001b")]).toEqual([false, format === "text"]);
      const messages = err.match(/^(error|warning|note)\[/gm) ?? [];
      expect([err === "" ? "" : err.split("[")[0], new Set(messages).size]).toEqual(
        messages.length === 0 ? ["", 0] : ["error", 1],
      );
      if (how === "goes well" && command !== "drift") expect([exit, err]).toEqual([0, ""]);
      if (isDocument(format)) expect(err).toBe("");
      const isSaid = how === "has mistakes" && !isDocument(format) && ["plan", "apply", "drift"].includes(command);
      if (isSaid) expect(err).toMatch(/^error\[/);
    },
  );

  it("with --verbose is wrong usage, and says so", async () => {
    const { exit, err, out } = await commandIn(".", ["plan", "--format", "json", "--quiet", "--verbose"]);
    expect([exit, err, JSON.parse(out).diagnostics[0].code]).toEqual([64, "", "conflicting-flags"]);
  });

  // Fails when somebody is asked whether to apply what nobody has shown.
  it("who is asked sees the plan all the same", async () => {
    const sandbox = await sandboxFor();
    const { out } = await onTerminal(await projectFor(sandbox.url), ["apply", "--quiet"], key, "no\n");
    expect(out.indexOf("+ create link")).toBeGreaterThanOrEqual(0);
    expect(out.indexOf("+ create link")).toBeLessThan(out.indexOf("Apply this change?"));
  });
});

// https://no-color.org, https://force-color.org, and Node's own reading of FORCE_COLOR=0.
it.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: "dumb" }, true, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "0" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "true" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "" }, false, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "1", TERM: "dumb" }, false, true],
  [{ FORCE_COLOR: "0", NO_COLOR: "1" }, true, false],
])("color with %j, on a terminal %s: %s", (env, isTerminal, wanted) => {
  expect(wantsColor(env, isTerminal)).toBe(wanted);
});

// Fails if the program does not know that its stdout is a terminal.
it("color of the program on a real terminal", async () => {
  const { url } = await sandboxFor();
  const { out } = await onTerminal(await projectFor(url), ["plan"], key);
  expect([out.includes("create link"), out.includes("\u001b[32m")]).toEqual([true, true]);
});
