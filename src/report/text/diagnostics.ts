// Diagnostics as text, each with its marked source line and hint.

import type { Diagnostic, RelatedPlace, Severity } from "../../domain/diagnostic.ts";
import { showPlace, type Place } from "../../domain/place.ts";
import { CONCEALED, concealedIn, type TextRange } from "../redaction.ts";
import type { Paint, Screen } from "./screen.ts";
import { colorLines, graphemesOf, widthOf, wrap } from "./width.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";
import { placesText, readable, SEVERITY_WORDS, splitInFull } from "../diagnostics.ts";

/** Width of source lines if the terminal width is unknown. */
const DEFAULT_FRAME_COLUMNS = 100;

/**
 * The diagnostics in their order, with an empty line between two of them; ends with a line break. On a terminal prose is
 * broken to its width.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  const { full, short } = splitInFull(diagnostics);
  const digits = digitsOf(
    full.flatMap(({ place, also = [] }) => [...(place === null ? [] : [place]), ...also.map((one) => one.place)]),
  );
  const blocks = full.map((one) => fullText(one, screen, digits));
  const rest = `And ${short.length} more, in short:\n${short.map((one) => shortText(one, screen)).join("")}`;
  return [...blocks, ...(short.length === 0 ? [] : [rest])].join("\n");
}

function fullText(diagnostic: Diagnostic, screen: Screen, digits: number): string {
  const { code, severity, message, place, hint, also } = diagnostic;
  const { paint, columns } = screen;
  const color = colorOf(severity, screen);
  const head = `${SEVERITY_WORDS[severity]}[${code}]`;
  const text = wrap(readable(message), columns, 2, head.length + 1);
  const frame =
    place === null
      ? ""
      : frameText(place, also ?? [], { paint, columns: columns ?? DEFAULT_FRAME_COLUMNS, digits, color });
  const indent = digits + 4;
  const places = placesText(diagnostic);
  const advice = [hint === null ? null : readable(hint), places === null ? null : `${places} ${LIST_ALL}`]
    .flatMap((line) => line ?? [])
    .map((line) => `${" ".repeat(indent - 2)}${dimBlue("=", paint)} ${wrap(line, columns, indent)}\n`)
    .join("");
  return `${paint.bold(color(head))} ${colorLines(text, paint.bold)}\n${frame}${advice}`;
}

const LIST_ALL = "Add --verbose to list them all.";

function shortText(diagnostic: Diagnostic, screen: Screen): string {
  const { code, severity, place } = diagnostic;
  const places = placesText(diagnostic);
  const message = `${diagnostic.message}${places === null ? "" : ` ${places}`}`;
  const where = place === null ? "" : `${visible(showPlace(place))} `;
  const head = `${where}${SEVERITY_WORDS[severity]}[${code}]`;
  return `${where}${colorOf(severity, screen)(`${SEVERITY_WORDS[severity]}[${code}]`)} ${wrap(readable(message), screen.columns, 4, widthOf(head) + 1)}\n`;
}

function colorOf(severity: Severity, { paint }: Screen): (text: string) => string {
  return severity === "error" ? paint.red : severity === "warning" ? paint.yellow : paint.cyan;
}

/** `digits`: width of line numbers. `columns`: width of the screen. `color`: the color of the main mark. */
export interface FrameContext {
  readonly paint: Paint;
  readonly columns: number;
  readonly digits: number;
  readonly color: (text: string) => string;
}

interface FrameMark {
  readonly place: Place;
  readonly character: "^" | "-";
  readonly label: string;
}

/** The place of a diagnostic, `  --> file:line:column`, and its source lines if they are available. */
export function frameText(place: Place, also: readonly RelatedPlace[], context: FrameContext): string {
  const related = also.map(({ place: other, says }): FrameMark => ({ place: other, character: "-", label: says }));
  const isHere = (mark: FrameMark): boolean => mark.place.source === place.source && mark.place.file === place.file;
  const here = [{ place, character: "^", label: "" } as const, ...related.filter(isHere)];
  const elsewhere = related.filter((mark) => !isHere(mark));
  return [
    headText("-->", place, context) + linesText(here, context),
    ...elsewhere.map((mark) => headText(":::", mark.place, context) + linesText([mark], context)),
  ].join("");
}

/** The width of the line numbers. */
export function digitsOf(places: readonly Place[]): number {
  return Math.max(1, ...places.map(({ line }) => String(line).length));
}

/** Gutter and arrows are bold, because plain blue is hard to read on black. */
function dimBlue(text: string, paint: Paint): string {
  return paint.bold(paint.blue(text));
}

function headText(arrow: string, place: Place, { paint, digits }: FrameContext): string {
  const ref = place.source?.ref ?? null;
  const where = `${visible(showPlace(place))}${ref === null ? "" : ` at ${visible(ref)}`}`;
  return `${" ".repeat(digits + 1)}${dimBlue(arrow, paint)} ${where}\n`;
}

function linesText(marks: readonly FrameMark[], context: FrameContext): string {
  const { paint, digits } = context;
  const gutter = (label: string): string => dimBlue(` ${label.padStart(digits)} |`, paint);
  const numbers = [...new Set(marks.map(({ place }) => place.line))].toSorted((a, b) => a - b);
  const drawn = numbers.flatMap((number, at) => {
    const lines = marks
      .filter(({ place }) => place.line === number)
      .flatMap((mark, index) => {
        const line = markedLine(mark, context);
        if (line === null) return [];
        return [...(index === 0 ? [`${gutter(String(number))} ${line.text}`] : []), `${gutter("")} ${line.mark}`];
      });
    const before = numbers[at - 1];
    return [...(before !== undefined && number > before + 1 ? [dimBlue("...", paint)] : []), ...lines];
  });
  return drawn.length === 0 ? "" : [gutter(""), ...drawn].map((line) => `${line}\n`).join("");
}

/** A source line and the mark below it, cut to the screen; null if the text is not available. */
function markedLine(
  { place, character, label: says }: FrameMark,
  { paint, columns, digits, color }: FrameContext,
): { text: string; mark: string } | null {
  const line = place.source?.line(place.line) ?? null;
  if (place.source === undefined || line === null) return null;
  const room = Math.max(columns - digits - 4, 20);
  const from = place.column - 1;
  const to = from + (place.length ?? 1);
  // A line can be as long as a file, so only the part that can be shown is split into cells.
  const around = [Math.max(0, from - 4 * room), from + 4 * room] as const;
  const { cells, isCutBefore, isCutAfter } = cut(
    cellsOf(line, around, concealedIn(place.source, place.line)),
    [from, to],
    room,
  );
  const lead = isCutBefore ? "…" : "";
  const shown = `${lead}${cells.map((cell) => cell.shown).join("")}`;
  const before = widthOf(lead) + sum(cells.filter((cell) => cell.to <= from));
  const marked = sum(cells.filter((cell) => cell.to > from && cell.from < to));
  const goesOn = isCutAfter && (cells.at(-1)?.to ?? 0) < to ? 1 : 0;
  const paintMark =
    character === "^"
      ? (text: string): string => paint.bold(color(text))
      : (text: string): string => dimBlue(text, paint);
  return {
    text: `${shown}${isCutAfter ? "…" : ""}`.trimEnd(),
    mark: `${" ".repeat(before)}${paintMark(`${character.repeat(Math.max(1, marked + goesOn))}${says === "" ? "" : ` ${says}`}`)}`,
  };
}

interface Cut {
  readonly cells: readonly Cell[];
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The cells that fit: from the start of the line, or around the mark. */
function cut(all: readonly Cell[], [from, to]: readonly [number, number], room: number): Cut {
  const width = sum(all);
  const startsWhole = (all[0]?.from ?? 0) === 0;
  if (width <= room && startsWhole) return { cells: all, isCutBefore: false, isCutAfter: false };
  const before = all.filter((cell) => cell.to <= from);
  const marked = sum(all.filter((cell) => cell.to > from && cell.from < to));
  // Some text before the mark gives context; the rest of the width goes to the text after it.
  const context = Math.min(sum(before), Math.max(8, Math.min(24, room - marked - 2)));
  const fitsBefore = marked < room - 2 ? sum(before) + marked < room : sum(before) * 3 < room;
  const isCutBefore = !startsWhole || !fitsBefore;
  const skipped = isCutBefore ? before.length - fitting(before.toReversed(), context) : 0;
  const rest = all.slice(skipped);
  const left = room - (isCutBefore ? 1 : 0);
  if (sum(rest) <= left) return { cells: rest, isCutBefore, isCutAfter: false };
  return { cells: rest.slice(0, fitting(rest, left - 1)), isCutBefore, isCutAfter: true };
}

/** The number of leading cells that fit into `columns`. */
function fitting(cells: readonly Cell[], columns: number): number {
  let used = 0;
  const at = cells.findIndex((cell) => (used += cell.width) > columns);
  return at < 0 ? cells.length : at;
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((width, cell) => width + cell.width, 0);
}

/** A grapheme, or a concealed range, with its offsets in the line. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
  readonly width: number;
}

/** Editors differ in the width of a tab, so it is shown as an arrow. */
const TAB = "→   ";

/**
 * The cells of a line between two offsets, which may split a grapheme: do not show the outermost cells then.
 * Invisible and control characters are shown as code points.
 */
export function cellsOf(line: string, [start, end]: TextRange, concealed: readonly TextRange[]): Cell[] {
  const cells: Cell[] = [];
  for (const { segment, index } of graphemesOf(line.slice(start, end))) {
    const from = start + index;
    const to = from + segment.length;
    const hidden = concealed.find((stretch) => from >= stretch[0] && from < stretch[1]);
    const last = cells.at(-1);
    if (hidden === undefined) cells.push({ from, to, ...displayOf(segment) });
    else if (last?.shown === CONCEALED && last.to === from && from > hidden[0]) cells.splice(-1, 1, { ...last, to });
    else cells.push({ from, to, shown: CONCEALED, width: CONCEALED.length });
  }
  return cells;
}

function displayOf(character: string): Pick<Cell, "shown" | "width"> {
  if (character === "\t") return { shown: TAB, width: TAB.length };
  const width = widthOf(character);
  // A character without width is visible only next to another one.
  const isStrange = hasUnseen(character) || width === 0;
  if (!isStrange) return { shown: character, width };
  const shown = Array.from(character, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join("");
  return { shown, width: shown.length };
}
