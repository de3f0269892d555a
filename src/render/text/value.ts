// The value of a field, or how it differs, as lines: the difference is marked, so that nobody compares by eye.

import { visible } from "../../domain/control-characters.ts";
import { shown } from "../../view/confusables.ts";
import { compareTexts, isAddress, type PartDiff, type TextPiece } from "../../view/text-diff.ts";
import { diffText, type TextDiff, type ValueDiff, type ValueView } from "../../view/value-diff.ts";
import type { Paint } from "./screen.ts";
import { widthOf } from "./width.ts";

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

/** The lines of a value that stands alone. */
export function valueLines(value: ValueView, { room }: Pen): Line[] {
  const { text } = value;
  if (value.kind === "map") {
    const width = Math.max(...value.entries.map(([key]) => widthOf(visible(key))));
    return value.entries.map(([key, item]) => plain(`${padded(visible(key), width)}  ${item}`));
  }
  // Addresses side by side are hard to tell apart.
  if (value.kind === "list" && value.items.length > 0 && (widthOf(text) > room || value.hasAddress))
    return value.items.map(plain);
  if (widthOf(text) <= room) return [plain(text)];
  return value.kind === "text" && value.isAddress ? parameterLines(text).map(plain) : [plain(text)];
}

/** An address with each of its parameters on a line of its own: put together again, they are the address. */
function parameterLines(address: string): string[] {
  return address.match(/^[^?#]*|[?&#][^&#]*/g) ?? [address];
}

/** The lines of a value that changes. */
export function diffLines(diff: ValueDiff, pen: Pen): Line[] {
  switch (diff.kind) {
    case "resent":
      return [plain("(set, sent again)")];
    case "map":
      return partLines(diff.parts, pen);
    case "set":
      return [
        ...diff.added.map((text) => marked("added", text, pen)),
        ...diff.removed.map((text) => marked("removed", text, pen)),
        ...keptLines(diff.kept, pen),
      ];
    case "sequence":
      return diff.items.map(({ text, change }) => marked(change, text, pen));
    case "text":
      return textLines(diff, pen);
    case "replaced":
      return transition(diff.before.text, diff.after.text, pen);
    default:
      return diff satisfies never;
  }
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

function textLines({ before, after, isAddress: areAddresses, address }: TextDiff, pen: Pen): Line[] {
  if (!areAddresses) return transition(before, after, pen);
  if (address === null) return markedLines(before, after, pen);
  const { page, parameters } = address;
  const head = page.before === page.after ? [plain(page.after)] : markedLines(page.before, page.after, pen);
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
    const inner = textLines(diffText(before, after), { ...pen, room: pen.room - indent });
    return behind(`${sign("changed", pen)}${label}`, indent, inner).map(plain);
  });
  return [...lines, ...keptLines(kept, pen)];
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
