// The value of a field, or its change, as lines: what differs is marked, so that it is seen without comparing by eye.

import { diffArrays } from "diff";
import type { Paint } from "./paint.ts";
import {
  compareAddresses,
  compareParts,
  compareTexts,
  isAddress,
  type PartDiff,
  type TextPiece,
} from "../../view/text-diff.ts";
import { shown, showItem } from "../../view/confusables.ts";
import { widthOf } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import { isList, isMap, isSetSecret, showWord, showWords, type Word } from "../../view/values.ts";

/** How lines are drawn: in which colours, and how many characters there are room for. */
export interface Pen {
  readonly paint: Paint;
  readonly room: number;
}

/** A line of a value; one that begins with the arrow has its text below that of the line before. */
export interface Line {
  readonly text: string;
  readonly isBecome: boolean;
}

/** Signs before what is only after, only before, different, and the same. */
const MARK = { added: "+", removed: "-", changed: "~", kept: "=" } as const;
const MARK_WIDTH = 2;
const ARROW = "→ ";

/** The lines of a value that is new. */
export function newLines(word: Word, { room }: Pen): Line[] {
  if (isMap(word)) {
    const width = Math.max(...Object.keys(word).map((key) => widthOf(visible(key))));
    return Object.entries(word).map(([key, value]) => plain(`${padded(visible(key), width)}  ${shown(value)}`));
  }
  const text = showWord(word);
  // Addresses side by side are hard to tell apart.
  if (isList(word) && word.length > 0 && (widthOf(text) > room || word.some(isAddress)))
    return word.map((item) => plain(shown(item)));
  if (widthOf(text) <= room) return [plain(text)];
  return isAddress(text) ? parameterLines(text).map(plain) : [plain(text)];
}

/** An address with each of its parameters on a line of its own: put together again, they are the address. */
function parameterLines(address: string): string[] {
  return address.match(/^[^?#]*|[?&#][^&#]*/g) ?? [address];
}

/** The lines of a value that changes. `isOrdered`: of a list, whether its order counts. */
export function changedLines(before: Word, after: Word, isOrdered: boolean, pen: Pen): Line[] {
  if (isSetSecret(before) && isSetSecret(after)) return [plain("(set, sent again)")];
  if (isMap(before) && isMap(after)) return partLines(compareParts(entriesOf(before), entriesOf(after)), pen);
  if (isList(before) && isList(after))
    return isOrdered ? sequenceLines(before, after, pen) : setLines(before, after, pen);
  if (typeof before === "string" && typeof after === "string") return textLines(before, after, pen);
  return transition(showWord(before), showWord(after), pen);
}

/** Lines behind a label of `width` characters; what something becomes stands below it, behind an arrow. */
export function behind(label: string, width: number, lines: readonly Line[]): string[] {
  return lines.map(({ text, isBecome }, index) => {
    if (index === 0) return `${label}${text}`;
    return isBecome ? `${" ".repeat(width - ARROW.length)}${ARROW}${text}` : `${" ".repeat(width)}${text}`;
  });
}

function padded(text: string, width: number): string {
  return text + " ".repeat(width - widthOf(text));
}

function plain(text: string): Line {
  return { text, isBecome: false };
}

function become(text: string): Line {
  return { text, isBecome: true };
}

function textLines(before: string, after: string, pen: Pen): Line[] {
  const [old, next] = showWords(before, after);
  if (!isAddress(before) || !isAddress(after)) return transition(old, next, pen);
  const parts = compareAddresses(old, next);
  if (parts === null) return markedLines(old, next, pen);
  const { page, parameters } = parts;
  const isSame = page.before === page.after;
  const head = isSame ? [plain(page.after)] : markedLines(page.before, page.after, pen);
  return [...head, ...partLines(parameters, pen)];
}

/** Both on a line if they fit, else below each other. */
function transition(before: string, after: string, { paint, room }: Pen): Line[] {
  if (widthOf(before) + widthOf(after) + 3 <= room) return [plain(`${paint.dim(before)} ${ARROW}${after}`)];
  const [first = "", ...rest] = isAddress(after) && widthOf(after) > room ? parameterLines(after) : [after];
  return [plain(paint.dim(before)), become(first), ...rest.map(plain)];
}

/** Below each other, for the eye to compare; what differs is in colour, or without colours has a line of its own. */
function markedLines(before: string, after: string, { paint }: Pen): Line[] {
  const compared = compareTexts(before, after);
  if (compared === null) return [plain(paint.dim(before)), become(after)];
  const draw = (pieces: readonly TextPiece[], mark: (text: string) => string): string =>
    pieces.map(({ text, differs }) => (differs ? mark(text) : text)).join("");
  const old = plain(draw(compared.before, (text) => paint.red(paint.underline(text))));
  const next = become(draw(compared.after, (text) => paint.green(paint.underline(text))));
  if (paint.isColorSupported) return [old, next];
  const marks = underscores(compared.after);
  return marks.length === 0 ? [old, ...underscores(compared.before), next] : [old, next, ...marks];
}

/** A line that marks what differs; none where nothing does. */
function underscores(pieces: readonly TextPiece[]): Line[] {
  if (!pieces.some(({ differs }) => differs)) return [];
  const marks = pieces.map(({ text, differs }) => (differs ? "^" : " ").repeat(widthOf(text)));
  return [plain(marks.join("").trimEnd())];
}

/** A line for each part that changes, the others summed up. */
function partLines(parts: readonly PartDiff<string>[], pen: Pen): Line[] {
  const changed = parts.filter(({ before, after }) => before !== after);
  const kept = parts.flatMap(({ name, before, after }) => (before === after ? [name] : []));
  const width = Math.max(...changed.map(({ name }) => widthOf(visible(name))));
  const indent = MARK_WIDTH + width + 2;
  const lines = changed.flatMap(({ name, before, after }) => {
    const label = `${padded(visible(name), width)}  `;
    if (before === undefined) return marked("added", `${label}${shown(after ?? "")}`, pen);
    if (after === undefined) return marked("removed", `${label}${shown(before)}`, pen);
    const inner = textLines(before, after, { ...pen, room: pen.room - indent });
    return behind(`${sign("changed", pen)}${label}`, indent, inner).map(plain);
  });
  return [...lines, ...keptLines(kept, pen)];
}

function setLines(before: readonly string[], after: readonly string[], pen: Pen): Line[] {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  const kept = after.filter((item) => before.includes(item));
  const show = showItem([...before, ...after]);
  return [
    ...added.map((item) => marked("added", show(item), pen)),
    ...removed.map((item) => marked("removed", show(item), pen)),
    ...keptLines(kept.map(show), pen),
  ];
}

/** In their order: a line for each that comes or goes, and for those that stay between them. */
function sequenceLines(before: readonly string[], after: readonly string[], pen: Pen): Line[] {
  const show = showItem([...before, ...after]);
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((item) => marked(added ? "added" : removed ? "removed" : "kept", show(item), pen)),
  );
}

function marked(how: keyof typeof MARK, text: string, pen: Pen): Line {
  return plain(`${sign(how, pen)}${how === "kept" ? pen.paint.dim(text) : text}`.trimEnd());
}

function sign(how: keyof typeof MARK, { paint }: Pen): string {
  const colour = { added: paint.green, removed: paint.red, changed: paint.yellow, kept: paint.dim }[how];
  return `${colour(MARK[how])} `;
}

/** What stays, on one line: by name if there is room for all. */
function keptLines(names: readonly string[], pen: Pen): Line[] {
  if (names.length === 0) return [];
  const all = names.map(visible).join(", ");
  const text = `${all} unchanged`;
  return [marked("kept", widthOf(text) + MARK_WIDTH <= pen.room ? text : `${names.length} others unchanged`, pen)];
}

function entriesOf(map: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(map));
}
