// The lines of a file that a finding is about, marked below, and the width of text in a terminal.

import type { RelatedPlace } from "../../domain/diagnostic.ts";
import { showPlace, type Place } from "../../domain/place.ts";
import type { SecretFinder, TextRange } from "../../view/redaction.ts";
import type { Paint } from "./screen.ts";
import { widthOf } from "./width.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";

/** How frames are drawn. `digits`: room for line numbers; `columns`: of the screen; `colour`: of the mark that matters. */
export interface FrameContext {
  readonly paint: Paint;
  readonly columns: number;
  readonly digits: number;
  readonly colour: (text: string) => string;
  readonly conceal: SecretFinder;
}

interface FrameMark {
  readonly place: Place;
  readonly sign: "^" | "-";
  readonly says: string;
}

/** Where a finding is, `  --> file:line:column`, and the lines that are at hand. Each line ends with a line break. */
export function frameText(place: Place, also: readonly RelatedPlace[], drawing: FrameContext): string {
  const asides = also.map(({ place: other, says }): FrameMark => ({ place: other, sign: "-", says }));
  const isHere = (mark: FrameMark): boolean => mark.place.source === place.source && mark.place.file === place.file;
  const here = [{ place, sign: "^", says: "" } as const, ...asides.filter(isHere)];
  const elsewhere = asides.filter((mark) => !isHere(mark));
  return [
    headText("-->", place, drawing) + linesText(here, drawing),
    ...elsewhere.map((mark) => headText(":::", mark.place, drawing) + linesText([mark], drawing)),
  ].join("");
}

/** How many digits the numbers of these lines have. */
export function digitsOf(places: readonly Place[]): number {
  return Math.max(1, ...places.map(({ line }) => String(line).length));
}

/** What holds a frame together. Blue by itself is hard to read on black. */
export function quiet(text: string, paint: Paint): string {
  return paint.bold(paint.blue(text));
}

function headText(arrow: string, place: Place, { paint, digits }: FrameContext): string {
  const ref = place.source?.ref ?? null;
  const where = `${visible(showPlace(place))}${ref === null ? "" : ` at ${visible(ref)}`}`;
  return `${" ".repeat(digits + 1)}${quiet(arrow, paint)} ${where}\n`;
}

function linesText(marks: readonly FrameMark[], drawing: FrameContext): string {
  const { paint, digits } = drawing;
  const gutter = (label: string): string => quiet(` ${label.padStart(digits)} |`, paint);
  const numbers = [...new Set(marks.map(({ place }) => place.line))].toSorted((a, b) => a - b);
  const drawn = numbers.flatMap((number, at) => {
    const lines = marks
      .filter(({ place }) => place.line === number)
      .flatMap((mark, index) => {
        const line = markedLine(mark, drawing);
        if (line === null) return [];
        return [...(index === 0 ? [`${gutter(String(number))} ${line.text}`] : []), `${gutter("")} ${line.mark}`];
      });
    const before = numbers[at - 1];
    return [...(before !== undefined && number > before + 1 ? [quiet("...", paint)] : []), ...lines];
  });
  return drawn.length === 0 ? "" : [gutter(""), ...drawn].map((line) => `${line}\n`).join("");
}

/** The line of a mark and what stands below it, cut to the screen; null where the text is not at hand. */
function markedLine(
  { place, sign, says }: FrameMark,
  { paint, columns, digits, colour, conceal }: FrameContext,
): { text: string; mark: string } | null {
  const line = place.source?.line(place.line) ?? null;
  if (place.source === undefined || line === null) return null;
  const room = Math.max(columns - digits - 4, 20);
  const from = place.column - 1;
  const to = from + (place.length ?? 1);
  // A line may be as long as a file: no more of it is looked at than may be shown.
  const around = [Math.max(0, from - 4 * room), from + 4 * room] as const;
  const { cells, isCutBefore, isCutAfter } = cut(
    cellsOf(line, around, conceal(place.source, place.line)),
    [from, to],
    room,
  );
  const lead = isCutBefore ? "…" : "";
  const shown = `${lead}${cells.map((cell) => cell.shown).join("")}`;
  const before = widthOf(lead) + sum(cells.filter((cell) => cell.to <= from));
  const marked = sum(cells.filter((cell) => cell.to > from && cell.from < to));
  const goesOn = isCutAfter && (cells.at(-1)?.to ?? 0) < to ? 1 : 0;
  const paintMark =
    sign === "^" ? (text: string): string => paint.bold(colour(text)) : (text: string): string => quiet(text, paint);
  return {
    text: `${shown}${isCutAfter ? "…" : ""}`.trimEnd(),
    mark: `${" ".repeat(before)}${paintMark(`${sign.repeat(Math.max(1, marked + goesOn))}${says === "" ? "" : ` ${says}`}`)}`,
  };
}

interface Cut {
  readonly cells: readonly Cell[];
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** As many cells as there is room for: from the beginning of the line, or else around what is marked. */
function cut(all: readonly Cell[], [from, to]: readonly [number, number], room: number): Cut {
  const width = sum(all);
  const startsWhole = (all[0]?.from ?? 0) === 0;
  if (width <= room && startsWhole) return { cells: all, isCutBefore: false, isCutAfter: false };
  const before = all.filter((cell) => cell.to <= from);
  const marked = sum(all.filter((cell) => cell.to > from && cell.from < to));
  // What stands before a mark tells where one is; what stands behind it has the rest of the room.
  const context = Math.min(sum(before), Math.max(8, Math.min(24, room - marked - 2)));
  const fitsBefore = marked < room - 2 ? sum(before) + marked < room : sum(before) * 3 < room;
  const isCutBefore = !startsWhole || !fitsBefore;
  const skipped = isCutBefore ? before.length - fitting(before.toReversed(), context) : 0;
  const rest = all.slice(skipped);
  const left = room - (isCutBefore ? 1 : 0);
  if (sum(rest) <= left) return { cells: rest, isCutBefore, isCutAfter: false };
  return { cells: rest.slice(0, fitting(rest, left - 1)), isCutBefore, isCutAfter: true };
}

/** How many of these cells, from the first on, fit into so many columns. */
function fitting(cells: readonly Cell[], columns: number): number {
  let used = 0;
  const at = cells.findIndex((cell) => (used += cell.width) > columns);
  return at < 0 ? cells.length : at;
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((width, cell) => width + cell.width, 0);
}

/** What a person takes for one sign, or a stretch that is not shown: from where to where it goes in the line. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
  readonly width: number;
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const CONCEALED = "********";

/** As wide as a step of indentation in most editors; not as wide as in all, so it is shown for what it is. */
const TAB = "→   ";

/**
 * The cells of a line between two indexes, which may lie in the middle of a sign: those at the ends are not to be shown then.
 * What can't be seen or would be obeyed is shown by its number.
 */
export function cellsOf(line: string, [start, end]: TextRange, concealed: readonly TextRange[]): Cell[] {
  const cells: Cell[] = [];
  for (const { segment, index } of GRAPHEMES.segment(line.slice(start, end))) {
    const from = start + index;
    const to = from + segment.length;
    const hidden = concealed.find((stretch) => from >= stretch[0] && from < stretch[1]);
    const last = cells.at(-1);
    if (hidden === undefined) cells.push({ from, to, ...look(segment) });
    else if (last?.shown === CONCEALED && last.to === from && from > hidden[0]) cells.splice(-1, 1, { ...last, to });
    else cells.push({ from, to, shown: CONCEALED, width: CONCEALED.length });
  }
  return cells;
}

function look(sign: string): Pick<Cell, "shown" | "width"> {
  if (sign === "\t") return { shown: TAB, width: TAB.length };
  const width = widthOf(sign);
  // Signs of no width show only together with others.
  const isStrange = hasUnseen(sign) || width === 0;
  if (!isStrange) return { shown: sign, width };
  const shown = Array.from(sign, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join("");
  return { shown, width: shown.length };
}
