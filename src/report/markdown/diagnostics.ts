// Diagnostics in Markdown: with source lines, or in one line each.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import {
  groupDiagnostics,
  placesText,
  readable,
  severityCounts,
  SEVERITY_WORDS,
  sortBySeverity,
  splitInFull,
} from "../diagnostics.ts";
import { capital, plural, showCount } from "../counts.ts";
import type { RenderContext } from "../format.ts";
import { digitsOf, frameText } from "../text/diagnostics.ts";
import { PLAIN } from "../text/screen.ts";
import { shrinking, type ReportBlock } from "./fit.ts";
import { code, fence, fold, listItems, placeText, prose } from "./inline.ts";

/** A compromise: a phone shows less of a line without scrolling, a comment on a desktop shows more. */
const FRAME_COLUMNS = 80;

/** More warnings are folded. */
const MAX_UNFOLDED = 5;

export function safetyBlock(diagnostics: readonly Diagnostic[], context: RenderContext): ReportBlock[] {
  const { safety } = groupDiagnostics(diagnostics);
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
  const { errors } = groupDiagnostics(diagnostics);
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
  const all = sortBySeverity(groupDiagnostics(diagnostics).others);
  if (all.length === 0) return [];
  const heading = `### ${severityCounts(all, ["warning", "info"])}\n\n`;
  const inFold = (content: string): string => (all.length <= MAX_UNFOLDED ? content : fold("Show all", content));
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

function fullTexts(diagnostics: readonly Diagnostic[], context: RenderContext): string {
  const { full, short } = splitInFull(diagnostics);
  const more =
    short.length === 0
      ? ""
      : `And ${showCount(short.length)} more, in short:\n\n${shortTexts(short, Infinity, context)}`;
  return `${full.map((one) => fullText(one, context)).join("")}${more}`;
}

function fullText(diagnostic: Diagnostic, context: RenderContext): string {
  const { code: name, hint } = diagnostic;
  const frame = frameOf(diagnostic);
  const lines = frame === "" ? "" : fence(frame);
  const advice = hint === null ? "" : `→ ${prose(readable(hint))}\n\n`;
  return `${headText(diagnostic, context)} · ${code(name)}\n\n${lines}${lines === "" ? "" : "\n"}${advice}`;
}

function headText(diagnostic: Diagnostic, context: RenderContext): string {
  const { severity, message, place } = diagnostic;
  const where = place === null ? "" : ` ${placeText(place, context)}`;
  const places = placesText(diagnostic);
  const repeated = places === null ? "" : ` ${prose(places)}`;
  return `**${capital(SEVERITY_WORDS[severity])}**${where}: ${prose(readable(message))}${repeated}`;
}

/** The source lines of a diagnostic without the line of its place; empty if they are not available. */
function frameOf({ place, also }: Diagnostic): string {
  if (place === null) return "";
  const related = also ?? [];
  const digits = digitsOf([place, ...related.map((one) => one.place)]);
  const frame = frameText(place, related, { ...PLAIN, columns: FRAME_COLUMNS, digits, color: (text) => text });
  return frame.slice(frame.indexOf("\n") + 1);
}

function shortTexts(diagnostics: readonly Diagnostic[], max: number, context: RenderContext): string {
  return listItems(diagnostics, max, (one) => {
    const advice = one.hint === null ? "" : ` → ${prose(readable(one.hint))}`;
    return `- ${headText(one, context)}${advice}\n`;
  });
}
