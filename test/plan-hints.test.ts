// Hints that say what to write, in the plans of test/fixtures/plans: each is applied to the files. Fails if the next plan has the same
// hint, or an error about the written line.

import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isMap, isPair, parseDocument, visit } from "yaml";
import { plan } from "../src/cli/plan.ts";
import { startSandbox } from "./support/sandbox.ts";
import { runIn, temporaryFolder } from "./support/scenario.ts";
import type { DiagnosticDocument, PlanDocument } from "../src/report/json/schema.ts";

const CASES = path.join(import.meta.dirname, "fixtures/plans");

/** The starts of hints that a program cannot follow, with the reason. */
const SKIPPED: readonly (readonly [start: string, why: string])[] = [
  ["Match links by domain and alias. ", "`go.example.com/qr-*` is an example, not the glob that was meant"],
  ["Match links by domain and alias, and pixels", "the key in it is an example for a flag"],
  ["Remove `renamed_from` from these blocks, and exchange", "which destinations to exchange is the author's choice"],
  ["Remove the `renamed_from` of each rename that is done", "only the author knows which rename has been done"],
  ["Apply the move to `", "it is done in two applies, in an order that it names"],
  ["Pass `--base REF`", "it is a flag"],
  ["What `", "it asks a person to check something"],
  ["Check that `files` matches", "it names no line"],
  ["Declare it in the project that it belongs to", "it is a choice between two files"],
  ["Remove it from these files", "it is a choice of the author"],
  ["Remove it from this link first", "it is a choice of the author"],
  ["Remove it from these links first", "it is a choice of the author"],
  ["Remove the pixels or the targeting", "it is a choice of the author"],
];

/** Replaces the text that a finding marks. */
function replaced(
  text: string,
  { line, column, end_column: end }: DiagnosticDocument,
  by: (marked: string) => string,
): string {
  const lines = text.split("\n");
  const at = (line ?? 1) - 1;
  const [from, to] = [(column ?? 1) - 1, (end ?? column ?? 1) - 1];
  const old = lines[at] ?? "";
  return lines.with(at, `${old.slice(0, from)}${by(old.slice(from, to))}${old.slice(to)}`).join("\n");
}

/** Sets a limit in the project file. The other settings of the brake stay. */
function withBrake(text: string, line: string): string {
  const [file, said] = [parseDocument(text), parseDocument(line)];
  visit(said, {
    Scalar: (key, node, parents) => {
      const keys = parents.flatMap((one) => (isPair(one) ? [String(one.key)] : []));
      if (key !== "value") return;
      // A limit for each kind replaces one for both kinds.
      const both = keys.slice(0, 2);
      if (keys.length > 2 && file.hasIn(both) && !isMap(file.getIn(both))) file.deleteIn(both);
      file.setIn(keys, node.value);
    },
  });
  return file.toString();
}

/** The text of the file of a finding after a fix. */
type Fix = (text: string, found: readonly string[], at: DiagnosticDocument) => string;

/** The fixes that hints suggest. */
const FIXES: readonly (readonly [hint: RegExp, fix: Fix])[] = [
  [
    /Did you mean `([^`]+)`\?/,
    (text, [, meant = ""], at) => replaced(text, at, (marked) => marked.replace(/^[^/]+/, meant)),
  ],
  [
    /add the id: `(domains|spaces): \{ (\S+): \{ id: …/,
    (text, [, section, label]) => `${text}\n${section}: { ${label}: { id: 77, name: ${label} } }\n`,
  ],
  [/or write this in the project file: `(brake: [^`]+)`/, (text, [, limit = ""]) => withBrake(text, limit)],
  [
    /^Remove `renamed_from`\. /,
    (text, _found, { line }) => {
      const lines = text.split("\n");
      const at = (line ?? 1) - 1;
      return lines.with(at, (lines[at] ?? "").replace(/,? *renamed_from: [^\s,}]+/, "")).join("\n");
    },
  ],
];

/** The message of a brake without its numbers. */
function subject(message: string): string {
  return message
    .replace(/;.*/s, "")
    .replaceAll(/\d[\d,]*/g, "")
    .replaceAll(/s\b/g, "");
}

const names = (await readdir(CASES)).toSorted();

describe("a hint that says what to write", () => {
  test.each(names)("%s", async (name) => {
    const [, command = ""] = (await readFile(path.join(CASES, name, "command.txt"), "utf8")).split("\n");
    // Those fixtures need a repository, and their hints name flags or merges.
    if (command.includes("--base")) return;
    const seed = JSON.parse(await readFile(path.join(CASES, name, "live.json"), "utf8"));
    const sandbox = await startSandbox({ rateLimit: 0, seed });
    onTestFinished(() => sandbox.close());
    const env = { LINKFORM_API_KEY: sandbox.apiKey };
    const planIn = async (folder: string): Promise<PlanDocument> => {
      const flags = { baseUrl: sandbox.url, format: ["json"] };
      return JSON.parse((await runIn(folder, env, (world) => plan(world, flags))).out);
    };
    const folder = await temporaryFolder();
    await cp(path.join(CASES, name, "now"), folder, { recursive: true });
    const { diagnostics } = await planIn(folder);
    const given = diagnostics.filter(
      ({ hint }) => hint?.includes("`") === true && !SKIPPED.some(([start]) => hint.startsWith(start)),
    );
    for (const finding of given) {
      const hint = finding.hint ?? "";
      const fixes = FIXES.filter(([pattern]) => pattern.test(hint));
      expect([hint, fixes.length > 0]).toEqual([hint, true]);
      for (const [pattern, fix] of fixes) {
        const changed = await temporaryFolder();
        await cp(folder, changed, { recursive: true });
        const file = path.join(changed, finding.file ?? "linkform.yaml");
        await writeFile(file, fix(await readFile(file, "utf8"), pattern.exec(hint) ?? [], finding));
        const after = (await planIn(changed)).diagnostics;
        const same = after.filter(
          ({ code, message, line, column, severity, ...one }) =>
            (one.hint === hint && code === finding.code) ||
            (code === "brake" && subject(message) === subject(finding.message)) ||
            (severity === "error" && line !== null && line === finding.line && column === finding.column),
        );
        expect([hint, same]).toEqual([hint, []]);
      }
    }
  });
});
