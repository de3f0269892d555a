// Findings in markdown: with the lines of the files that they speak of, or in a line each.

import { bySafety, type Diagnostic } from "../../domain/diagnostic.ts";
import { secretFinder, type SecretFinder } from "../../view/redaction.ts";
import { readable } from "../../view/diagnostics.ts";
import { SEVERITY_WORDS } from "../../view/diagnostics.ts";
import { capital, plural, showCount } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import { digitsOf, frameText } from "../text/frame.ts";
import { PLAIN } from "../text/screen.ts";
import { texts, type ReportBlock } from "./fit.ts";
import { code, fence, fold, prose } from "./inline.ts";
import { placeText } from "./place.ts";

/** More than these are told in a line each: nobody mends two hundred mistakes in one go. */
const MOST_IN_FULL = 30;

/** What a phone shows of a line without scrolling is less; what a page shows of a comment, more. */
const COLUMNS = 80;

/** So many warnings are read where they stand. */
const GLANCE = 5;

/** Changes to safety settings come before everything else: who approves the others must know these. */
export function safetyBlock(diagnostics: readonly Diagnostic[], setting: Setting): ReportBlock[] {
  const { safety } = bySafety(diagnostics);
  if (safety.length === 0) return [];
  const heading = `### ⚠️ ${plural(safety.length, "safety setting")} changed\n\n`;
  const short = (most: number): string => heading + shortTexts(safety, most, setting);
  return [
    texts(
      [76, () => short(Infinity)],
      [116, () => short(25)],
      [126, () => short(10)],
      [132, () => short(3)],
      [134, () => heading],
    ),
  ];
}

/** Errors stand where they are seen. */
export function errorsBlock(diagnostics: readonly Diagnostic[], setting: Setting): ReportBlock[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [];
  const short = (most: number): string => shortTexts(errors, most, setting);
  return [
    texts(
      [75, () => fullTexts(errors, setting)],
      [95, () => short(Infinity)],
      [115, () => short(25)],
      [125, () => short(10)],
      [131, () => short(3)],
      [133, () => short(1)],
    ),
  ];
}

/** Warnings and notes: a few where they are seen, more to be opened. */
export function warningsBlock(diagnostics: readonly Diagnostic[], setting: Setting): ReportBlock[] {
  const { rest } = bySafety(diagnostics);
  const all = (["warning", "info"] as const).flatMap((is) => rest.filter(({ severity }) => severity === is));
  if (all.length === 0) return [];
  const heading = `### ${countOf(all)}\n\n`;
  const inFold = (content: string): string => (all.length <= GLANCE ? content : fold("Read them", content));
  const short = (most: number): string => heading + inFold(shortTexts(all, most, setting));
  return [
    texts(
      [10, () => heading + inFold(fullTexts(all, setting))],
      [26, () => short(Infinity)],
      [46, () => short(25)],
      [66, () => short(3)],
      [96, () => heading],
    ),
  ];
}

/** `2 warnings, 1 note`. */
function countOf(diagnostics: readonly Diagnostic[]): string {
  return (["warning", "info"] as const)
    .flatMap((is) => {
      const count = diagnostics.filter(({ severity }) => severity === is).length;
      return count === 0 ? [] : [plural(count, SEVERITY_WORDS[is])];
    })
    .join(", ");
}

function fullTexts(diagnostics: readonly Diagnostic[], setting: Setting): string {
  const conceal = secretFinder();
  const full = diagnostics.slice(0, MOST_IN_FULL).map((one) => fullText(one, setting, conceal));
  const rest = diagnostics.slice(MOST_IN_FULL);
  const more =
    rest.length === 0 ? "" : `And ${showCount(rest.length)} more, in short:\n\n${shortTexts(rest, Infinity, setting)}`;
  return `${full.join("")}${more}`;
}

function fullText(diagnostic: Diagnostic, setting: Setting, conceal: SecretFinder): string {
  const { code: name, hint } = diagnostic;
  const frame = frameOf(diagnostic, conceal);
  const lines = frame === "" ? "" : fence(frame);
  const advice = hint === null ? "" : `→ ${prose(readable(hint))}\n\n`;
  return `${headText(diagnostic, setting)} · ${code(name)}\n\n${lines}${lines === "" ? "" : "\n"}${advice}`;
}

function headText({ severity, message, place }: Diagnostic, setting: Setting): string {
  const where = place === null ? "" : ` ${placeText(place, setting)}`;
  return `**${capital(SEVERITY_WORDS[severity])}**${where}: ${prose(readable(message))}`;
}

/** The lines of a finding without the line that says where they stand; empty where they are not at hand. */
function frameOf({ place, also }: Diagnostic, conceal: SecretFinder): string {
  if (place === null) return "";
  const asides = also ?? [];
  const digits = digitsOf([place, ...asides.map((one) => one.place)]);
  const frame = frameText(place, asides, { ...PLAIN, columns: COLUMNS, digits, colour: (text) => text, conceal });
  return frame.slice(frame.indexOf("\n") + 1);
}

function shortTexts(diagnostics: readonly Diagnostic[], most: number, setting: Setting): string {
  const shown = diagnostics.slice(0, most).map((one) => {
    const advice = one.hint === null ? "" : ` → ${prose(readable(one.hint))}`;
    return `- ${headText(one, setting)}${advice}\n`;
  });
  const rest = diagnostics.length - shown.length;
  return `${shown.join("")}${rest === 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
}
