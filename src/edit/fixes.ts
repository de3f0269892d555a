// Makes the fixes of diagnostics in the texts of files.

import { isJsonFile } from "../config/json.ts";
import { splitIdentical, type Diagnostic } from "../domain/diagnostic.ts";

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `count`: the number of places that were fixed. */
export interface FixedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly count: number;
}

/**
 * The texts of the files that change. Leaves out a fix whose text is not in its place, such as a value behind an alias or one that a
 * family makes, and fixes in JSON files, which a program generates.
 */
export function applyFixes(texts: ReadonlyMap<string, string>, diagnostics: readonly Diagnostic[]): FixedTexts {
  const changed = new Map<string, string>();
  let count = 0;
  const all = splitIdentical(diagnostics).filter(({ fix }) => fix !== undefined);
  for (const [file, text] of texts) {
    if (isJsonFile(file)) continue;
    const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const found = all.flatMap((one) => (one.place?.file === file ? replacementFor(one, text, starts) : []));
    const replacements = withoutOverlaps(found);
    if (replacements.length === 0) continue;
    count += replacements.length;
    changed.set(file, replaced(text, replacements));
  }
  return { texts: changed, count };
}

function replacementFor({ place, fix }: Diagnostic, text: string, starts: readonly number[]): Replacement[] {
  if (place === null || place.length === undefined || fix === undefined || fix.before === "") return [];
  const from = (starts[place.line - 1] ?? Infinity) + place.column - 1;
  const there = text.slice(from, from + place.length);
  const at = there.indexOf(fix.before);
  if (at < 0 || at !== there.lastIndexOf(fix.before)) return [];
  return [{ start: from + at, end: from + at + fix.before.length, text: fix.after }];
}

/** In order. The same fix is made once: a value in `defaults` is reported for each link. */
function withoutOverlaps(replacements: readonly Replacement[]): Replacement[] {
  const kept: Replacement[] = [];
  for (const one of replacements.toSorted((a, b) => a.start - b.start))
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end, text: after } of replacements) {
    parts.push(text.slice(at, start), after);
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}
