// Hints that say what to write: each is applied to the files of its finding.

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { isMap, isPair, parseDocument, visit } from "yaml";
import type { DiagnosticDocument, PlanDocument } from "../../src/report/json/schema.ts";
import { temporaryFolder } from "./scenario.ts";

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
export const FIXES: readonly (readonly [hint: RegExp, fix: Fix])[] = [
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
  // Lines for the block of the finding.
  [
    /write (`[^.]+`)\.$/,
    (text, [, more = ""], { line }) => {
      const lines = text.split("\n");
      const at = (line ?? 1) - 1;
      return lines.with(at, (lines[at] ?? "").replace(/ \}$/, `, ${more.replaceAll("`", "")} }`)).join("\n");
    },
  ],
];

/** The starts of hints that a program cannot follow: they name a flag or an example, or leave a choice to the author. */
const NOT_FOLLOWED =
  /^(Add the id of|Apply the (move|rename) to|Check that `files`|Declare it in the project|Delete one of them|Match links by|Pass `--base REF`|Remove it from th|Remove the pixels|Remove the `renamed_from` of each|Remove `renamed_from` from these)/;

/** The message of a brake without its numbers. */
function subject(message: string): string {
  return message
    .replace(/;.*/s, "")
    .replaceAll(/\d[\d,]*/g, "")
    .replaceAll(/s\b/g, "");
}

/**
 * Follows each hint of a plan that a program can follow. Fails if the next plan has the same hint, or an error about the written line, or
 * if a hint is new here.
 * Returns the patterns of these hints.
 */
export async function expectHintsWork(
  folder: string,
  { diagnostics }: PlanDocument,
  planIn: (folder: string) => Promise<PlanDocument>,
): Promise<RegExp[]> {
  const followed: RegExp[] = [];
  for (const finding of diagnostics) {
    const hint = finding.hint ?? "";
    const fixes = FIXES.filter(([one]) => one.test(hint));
    expect([hint, fixes.length > 0 || NOT_FOLLOWED.test(hint) || !hint.includes("`")]).toEqual([hint, true]);
    for (const [pattern, fix] of fixes) {
      const changed = await temporaryFolder();
      await cp(folder, changed, { recursive: true });
      const file = path.join(changed, finding.file ?? "linkform.yaml");
      await writeFile(file, fix(await readFile(file, "utf8"), pattern.exec(hint) ?? [], finding));
      const after = (await planIn(changed)).diagnostics;
      // Other findings may have the same hint.
      const isAlike = (one: DiagnosticDocument): boolean => one.hint === hint && one.code === finding.code;
      const alike = after.filter(isAlike).slice(diagnostics.filter(isAlike).length - 1);
      const same = after.filter(
        ({ code, message, line, column, severity }) =>
          (code === "brake" && subject(message) === subject(finding.message)) ||
          (severity === "error" && line !== null && line === finding.line && column === finding.column),
      );
      expect([hint, alike, same]).toEqual([hint, [], []]);
      followed.push(pattern);
    }
  }
  return followed;
}
