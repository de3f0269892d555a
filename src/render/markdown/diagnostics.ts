// Diagnostics in Markdown: with source lines, or in one line each.

import { bySafety, type Diagnostic } from "../../domain/diagnostic.ts";
import { secretFinder, type SecretFinder } from "../../view/redaction.ts";
import { readable, SEVERITY_WORDS } from "../../view/diagnostics.ts";
import { capital, plural, showCount } from "../../view/counts.ts";
import type { RenderContext } from "../format.ts";
import { digitsOf, frameText } from "../text/diagnostics.ts";
import { PLAIN } from "../text/screen.ts";
import { shrinking, type ReportBlock } from "./fit.ts";
import { code, fence, fold, placeText, prose } from "./inline.ts";

/** Further diagnostics get one line each: nobody fixes two hundred mistakes in one go. */
const MAX_IN_FULL = 30;

/** A compromise: a phone shows less of a line without scrolling, a comment on a desktop shows more. */
const FRAME_COLUMNS = 80;

/** More warnings are folded. */
const MAX_UNFOLDED = 5;

/** Changes to safety settings come first, because the reviewer must know them. */
export function safetyBlock(diagnostics: readonly Diagnostic[], context: RenderContext): ReportBlock[] {
  const { safety } = bySafety(diagnostics);
  if (safety.length === 0) return [];
  const heading = `### ⚠️ ${plural(safety.length, "safety setting")} changed\n\n`;
  const short = (max: number): string => heading + shortTexts(safety, max, context);
  return [
    shrinking(
      [76, () => short(Infinity)],
      [116, () => short(25)],
      [126, () => short(10)],
      [132, () => short(3)],
      [134, () => heading],
    ),
  ];
}

/** Errors are never folded. */
export function errorsBlock(diagnostics: readonly Diagnostic[], context: RenderContext): ReportBlock[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [];
  const short = (max: number): string => shortTexts(errors, max, context);
  return [
    shrinking(
      [75, () => fullTexts(errors, context)],
      [95, () => short(Infinity)],
      [115, () => short(25)],
      [125, () => short(10)],
      [131, () => short(3)],
      [133, () => short(1)],
    ),
  ];
}

/** Warnings and notes, folded if there are many. */
export function warningsBlock(diagnostics: readonly Diagnostic[], context: RenderContext): ReportBlock[] {
  const { rest } = bySafety(diagnostics);
  const all = (["warning", "info"] as const).flatMap((is) => rest.filter(({ severity }) => severity === is));
  if (all.length === 0) return [];
  const heading = `### ${countOf(all)}\n\n`;
  const inFold = (content: string): string => (all.length <= MAX_UNFOLDED ? content : fold("Read them", content));
  const short = (max: number): string => heading + inFold(shortTexts(all, max, context));
  return [
    shrinking(
      [10, () => heading + inFold(fullTexts(all, context))],
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

function fullTexts(diagnostics: readonly Diagnostic[], context: RenderContext): string {
  const conceal = secretFinder();
  const full = diagnostics.slice(0, MAX_IN_FULL).map((one) => fullText(one, context, conceal));
  const rest = diagnostics.slice(MAX_IN_FULL);
  const more =
    rest.length === 0 ? "" : `And ${showCount(rest.length)} more, in short:\n\n${shortTexts(rest, Infinity, context)}`;
  return `${full.join("")}${more}`;
}

function fullText(diagnostic: Diagnostic, context: RenderContext, conceal: SecretFinder): string {
  const { code: name, hint } = diagnostic;
  const frame = frameOf(diagnostic, conceal);
  const lines = frame === "" ? "" : fence(frame);
  const advice = hint === null ? "" : `→ ${prose(readable(hint))}\n\n`;
  return `${headText(diagnostic, context)} · ${code(name)}\n\n${lines}${lines === "" ? "" : "\n"}${advice}`;
}

function headText({ severity, message, place }: Diagnostic, context: RenderContext): string {
  const where = place === null ? "" : ` ${placeText(place, context)}`;
  return `**${capital(SEVERITY_WORDS[severity])}**${where}: ${prose(readable(message))}`;
}

/** The source lines of a diagnostic without the line of its place; empty if they are not available. */
function frameOf({ place, also }: Diagnostic, conceal: SecretFinder): string {
  if (place === null) return "";
  const related = also ?? [];
  const digits = digitsOf([place, ...related.map((one) => one.place)]);
  const frame = frameText(place, related, { ...PLAIN, columns: FRAME_COLUMNS, digits, color: (text) => text, conceal });
  return frame.slice(frame.indexOf("\n") + 1);
}

function shortTexts(diagnostics: readonly Diagnostic[], max: number, context: RenderContext): string {
  const shown = diagnostics.slice(0, max).map((one) => {
    const advice = one.hint === null ? "" : ` → ${prose(readable(one.hint))}`;
    return `- ${headText(one, context)}${advice}\n`;
  });
  const rest = diagnostics.length - shown.length;
  return `${shown.join("")}${rest === 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
}
