// One change as a paragraph: the action and the key, what it means for visitors, and each field with its values.

import { visible } from "../../domain/control-characters.ts";
import { showPlace } from "../../domain/place.ts";
import { BRAKE_MARK } from "../brakes.ts";
import { SYMBOL, type ChangeView } from "../change.ts";
import { lineWidth, type Paint, type Screen } from "./screen.ts";
import { pad, widthOf, wrap } from "./width.ts";
import type { ResourceKind } from "../../domain/table.ts";
import { diffValue, viewValue, type PartsDiff, type TextDiff, type ValueDiff, type ValueView } from "../value-diff.ts";
import type { WordChange } from "../values.ts";
import { compareTexts, isAddress, type TextPiece } from "../text-diff.ts";

/** The paragraph of a change; it ends with a line break. */
export function changeText(change: ChangeView, screen: Screen): string {
  const { paint, columns } = screen;
  const { action, kind, key, previousKey: was, id, url, words, place, origin } = change;
  const color = actionColor(action, paint);
  const from = was === null ? "" : ` ${paint.dim("(was")} ${was}${paint.dim(")")}`;
  const number = id === null ? "" : paint.dim(` #${id}`);
  const mark = change.trips ? ` ${paint.red(BRAKE_MARK)}` : "";
  const verb = color(`${SYMBOL[action]} ${action} ${kind}`);
  const lines = [
    wrap(`${verb} ${paint.bold(key)}${from}${number}${mark}`, columns, INDENT, 0),
    ...(url === null ? [] : [paint.dim(`    ${url}`)]),
    ...consequences(change, screen),
    ...fieldLines(kind, words, change.isWhole, screen),
    paint.dim(`    ${wrap(`${visible(showPlace(place))}${origin === null ? "" : ` · ${origin}`}`, columns, INDENT)}`),
  ];
  return `${lines.join("\n")}\n`;
}

export function actionColor(action: ChangeView["action"], paint: Paint): (text: string) => string {
  return { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[action];
}

/** What stops working for visitors, and the remark. */
function consequences({ ending, remark }: ChangeView, { paint, columns }: Screen): string[] {
  const indent = ending === null ? INDENT : INDENT + 2;
  const lines = ending === null ? [] : [`    ${paint.red("!")} ${wrap(ending, columns, indent)}`];
  return remark === null ? lines : [...lines, `${" ".repeat(indent)}${wrap(remark, columns, indent)}`];
}

const INDENT = 4;

/** Between the longest label and the values. */
const GAP = 2;

/** Indentation of values that do not fit beside their label: URLs are never broken. */
const INDENT_BELOW = 8;

/** Lines for these fields. `isWhole`: show only the new value, because there is nothing to compare it with. */
export function fieldLines(
  kind: ResourceKind,
  words: readonly WordChange[],
  isWhole: boolean,
  screen: Screen,
): string[] {
  const { paint } = screen;
  const columns = lineWidth(screen);
  const width = Math.max(0, ...words.map(({ path }) => path.length));
  const indent = INDENT + width + GAP;
  return words.flatMap((word) => {
    const { path } = word;
    const draw = (by: number): Line[] => {
      const style = { paint, room: columns - by };
      return isWhole ? valueLines(viewValue(word.after), style) : diffLines(diffValue(kind, word), style);
    };
    const beside = draw(indent);
    if (beside.every(({ text }) => indent + widthOf(text) <= columns))
      return withLabel(`${" ".repeat(INDENT)}${path.padEnd(width + GAP)}`, indent, beside);
    return [`${" ".repeat(INDENT)}${path}`, ...withLabel(" ".repeat(INDENT_BELOW), INDENT_BELOW, draw(INDENT_BELOW))];
  });
}

/** Colors, and the width available for a value. */
export interface LineStyle {
  readonly paint: Paint;
  readonly room: number;
}

/** A line of a value. With an arrow, its text is aligned with the line above. */
export interface Line {
  readonly text: string;
  readonly hasArrow: boolean;
}

const MARK = { added: "+", removed: "-", changed: "~", kept: "=" } as const;
const MARK_WIDTH = 2;
const ARROW = "→ ";

/** The lines of a value without a comparison. */
export function valueLines(value: ValueView, { room }: LineStyle): Line[] {
  const { text } = value;
  if (value.kind === "map") {
    const width = Math.max(...value.entries.map(([key]) => widthOf(visible(key))));
    return value.entries.map(([key, item]) => plain(`${pad(visible(key), width)}  ${item}`));
  }
  // URLs on one line are hard to tell apart.
  if (value.kind === "list" && value.items.length > 0 && (widthOf(text) > room || value.hasAddress))
    return value.items.map(plain);
  if (widthOf(text) <= room) return [plain(text)];
  return value.kind === "text" && value.isAddress ? parameterLines(text).map(plain) : [plain(text)];
}

/** Splits a URL before each parameter; joined, the lines are the URL. */
function parameterLines(address: string): string[] {
  return address.match(/^[^?#]*|[?&#][^&#]*/g) ?? [address];
}

/** The lines of a changed value. */
export function diffLines(diff: ValueDiff, style: LineStyle): Line[] {
  switch (diff.kind) {
    case "resent":
      return [plain("(set, sent again)")];
    case "map":
      return partLines(diff.parts, style);
    case "set":
      return [
        ...diff.added.map((text) => marked("added", text, style)),
        ...diff.removed.map((text) => marked("removed", text, style)),
        ...keptLines(diff.kept, style),
      ];
    case "sequence":
      return diff.items.map(({ text, change }) => marked(change, text, style));
    case "text":
      return textLines(diff, style);
    case "replaced":
      return transition(diff.before.text, diff.after.text, style);
    default:
      return diff satisfies never;
  }
}

/** Puts a label of `width` characters before the first line and aligns the others. */
export function withLabel(label: string, width: number, lines: readonly Line[]): string[] {
  return lines.map(({ text, hasArrow: isBecome }, index) => {
    if (index === 0) return `${label}${text}`;
    return isBecome ? `${" ".repeat(width - ARROW.length)}${ARROW}${text}` : `${" ".repeat(width)}${text}`;
  });
}

function plain(text: string): Line {
  return { text, hasArrow: false };
}

function arrowLine(text: string): Line {
  return { text, hasArrow: true };
}

function textLines({ before, after, isAddress: areAddresses, address }: TextDiff, style: LineStyle): Line[] {
  if (!areAddresses) return transition(before, after, style);
  if (address === null) return markedLines(before, after, style);
  const { page, parameters } = address;
  const head = page.before === page.after ? [plain(page.after)] : markedLines(page.before, page.after, style);
  return [...head, ...partLines(parameters, style)];
}

/** Both values on one line if they fit. */
function transition(before: string, after: string, { paint, room }: LineStyle): Line[] {
  if (widthOf(before) + widthOf(after) + 3 <= room) return [plain(`${paint.dim(before)} ${ARROW}${after}`)];
  const [first = "", ...rest] = isAddress(after) && widthOf(after) > room ? parameterLines(after) : [after];
  return [plain(paint.dim(before)), arrowLine(first), ...rest.map(plain)];
}

/** Both values below each other. Differences are colored, or marked on a separate line if there are no colors. */
function markedLines(before: string, after: string, { paint }: LineStyle): Line[] {
  const compared = compareTexts(before, after);
  if (compared === null) return [plain(paint.dim(before)), arrowLine(after)];
  const draw = (pieces: readonly TextPiece[], mark: (text: string) => string): string =>
    pieces.map(({ text, differs }) => (differs ? mark(text) : text)).join("");
  const old = plain(draw(compared.before, (text) => paint.red(paint.underline(text))));
  const next = arrowLine(draw(compared.after, (text) => paint.green(paint.underline(text))));
  if (paint.isColorSupported) return [old, next];
  const marks = underscores(compared.after);
  return marks.length === 0 ? [old, ...underscores(compared.before), next] : [old, next, ...marks];
}

/** A line of `^` below the differences; none if there are none. */
function underscores(pieces: readonly TextPiece[]): Line[] {
  if (!pieces.some(({ differs }) => differs)) return [];
  const marks = pieces.map(({ text, differs }) => (differs ? "^" : " ").repeat(widthOf(text)));
  return [plain(marks.join("").trimEnd())];
}

/** A line for each changed part; the others are counted. */
function partLines({ changed, kept }: PartsDiff, style: LineStyle): Line[] {
  const width = Math.max(...changed.map(({ name }) => widthOf(visible(name))));
  const indent = MARK_WIDTH + width + 2;
  const lines = changed.flatMap((part) => {
    const label = `${pad(visible(part.name), width)}  `;
    if (part.change !== "changed") return marked(part.change, `${label}${part.text}`, style);
    const inner = textLines(part.diff, { ...style, room: style.room - indent });
    return withLabel(`${markText("changed", style)}${label}`, indent, inner).map(plain);
  });
  return [...lines, ...keptLines(kept, style)];
}

function marked(how: keyof typeof MARK, text: string, style: LineStyle): Line {
  return plain(`${markText(how, style)}${how === "kept" ? style.paint.dim(text) : text}`.trimEnd());
}

function markText(how: keyof typeof MARK, { paint }: LineStyle): string {
  const color = { added: paint.green, removed: paint.red, changed: paint.yellow, kept: paint.dim }[how];
  return `${color(MARK[how])} `;
}

/** Unchanged parts on one line: by name if all of them fit. */
function keptLines(names: readonly string[], style: LineStyle): Line[] {
  if (names.length === 0) return [];
  const all = names.map(visible).join(", ");
  const text = `${all} unchanged`;
  return [marked("kept", widthOf(text) + MARK_WIDTH <= style.room ? text : `${names.length} others unchanged`, style)];
}
