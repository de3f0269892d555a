// The content that a report must have: the facts of its JSON document.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { visible } from "../../src/domain/control-characters.ts";
import { maskUsers, splitUtmWords, type Word } from "../../src/report/values.ts";
import type { ReportDocument } from "../../src/report/document.ts";
import { Rendered } from "./rendered.ts";

/** The formats for `missingFacts`, as flags. */
export const FACT_FORMATS = ["json", "markdown", "html", "text"].map((format) => `${format}=report.${format}`);

/** The facts of the JSON document in a folder that another format of the same run lacks. */
export async function missingFacts(folder: string): Promise<string[]> {
  const read = (format: string): Promise<string> => readFile(path.join(folder, `report.${format}`), "utf8");
  const { facts, findings } = factsOf(JSON.parse(await read("json")));
  const pages = {
    markdown: new Rendered(await read("markdown")).text(),
    html: (await read("html"))
      .replace(/<style>.*?<\/style>/s, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point))),
    text: await read("text"),
  };
  return Object.entries(pages).flatMap(([format, text]) => {
    const said = squeezed(text);
    const expected = format === "text" ? facts : [...facts, ...findings];
    return [...new Set(expected)].flatMap((fact) => (said.includes(fact) ? [] : `${format}: ${fact}`));
  });
}

/** Keys, ids, clicks, values, places, findings, and what is withheld. Text has findings on stderr. */
function factsOf(document: ReportDocument): { readonly facts: string[]; readonly findings: string[] } {
  const {
    changes = [],
    withheld = [],
    orphans = [],
    unmanaged,
    remarks = [],
    diagnostics,
    brakes = [],
    to_delete: toDelete,
  } = document;
  const facts = [
    ...changes.flatMap((change) => [
      change.key,
      ...(change.previous_key === null ? [] : [change.previous_key]),
      ...(change.id === null ? [] : [String(change.id)]),
      ...(change.clicks === undefined ? [] : [`${change.clicks.toLocaleString("en-US")} click`]),
      ...(change.because === undefined ? [] : [change.because]),
      ...(change.ending === undefined || change.action === "delete" ? [] : [change.ending]),
      `${change.source.file}:${change.source.line}`,
      ...(change.lost ?? []).flatMap(({ value }) => textsOf(value)),
      ...(change.drift !== undefined && change.action !== "update"
        ? []
        : splitUtmWords(change.fields).flatMap(({ before, after }) => differing(textsOf(before), textsOf(after)))),
    ]),
    ...withheld.flatMap(({ key, waits_for: waits }) => (waits === null ? [key] : [key, waits.key])),
    ...orphans.flatMap(({ key, id, paste, advice }) => [
      key,
      String(id),
      ...(advice === undefined ? [] : [advice, paste]),
    ]),
    ...(toDelete === undefined ? [] : [toDelete.text, toDelete.lines]),
    // Those of one kind have one heading.
    ...(unmanaged ?? []).flatMap(({ key, declare, problem = "" }) => [
      key,
      problem,
      declare?.replace(/^.*\n/, "") ?? "",
    ]),
    ...remarks,
    ...brakes.flatMap(({ message, advice, write }) => [message, advice, write ?? ""]),
  ];
  const shown = diagnostics.filter(({ hidden, code }) => hidden !== true && code !== "brake");
  const findings = shown.flatMap(({ code, message, hint, file, line }) => [
    code,
    message,
    hint ?? "",
    file === null ? "" : `${file}:${line}`,
  ]);
  // Look-alike letters are shown by code point where they could be confused.
  const isPlain = (text: string): boolean => /^[ -~\n]*$/.test(text);
  return { facts: facts.filter(isPlain).map(shownText), findings: findings.map(shownText) };
}

/** The texts that only one side has. */
function differing(before: readonly string[], after: readonly string[]): string[] {
  return [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))];
}

/** The texts of a value. Of an address, its page and its parameters: they may be compared one by one. */
function textsOf(word: Word): string[] {
  if (word === null) return [];
  if (typeof word !== "object")
    return String(word)
      .split(/[?&#]/)
      .flatMap((part) => part.split("="));
  if (Array.isArray(word)) return word.flatMap(textsOf);
  if ("secret" in word || "unknown" in word) return [];
  return Object.entries(word).flatMap(([name, text]) => [name, ...textsOf(String(text))]);
}

function shownText(text: string): string {
  return squeezed(visible(maskUsers(text).replaceAll("\n", " ")));
}

/** A text without white space and marks, which formats add and take away. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s`]+/g, "");
}
