// Values and how they differ, on one line: for tables, and for sentences about many changes.

import { calledAt, type ResourceKind } from "../domain/table.ts";
import { code, joinLines, line, shorten, shortenAddress, strong, trimSurrogates, type Span } from "./spans.ts";
import { compareTexts, isAddress, type TextPiece } from "./text-diff.ts";
import { diffValue, viewValue, type ChangedPart, type TextDiff, type ValueView } from "./value-diff.ts";
import type { Word, WordChange } from "./values.ts";

/** The longest texts to show: a list of changes is short, its details show everything. */
export interface SpanLimits {
  /** Length of a value. */
  readonly value: number;
  /** Length of the common text on each side of a difference. */
  readonly common: number;
}

export const LIST_LIMITS: SpanLimits = { value: 96, common: 24 };
export const NO_LIMITS: SpanLimits = { value: Infinity, common: Infinity };

/** Campaign parameters are compared by people, so only values that nobody would read are cut. */
const UTM_LIMITS: SpanLimits = { value: 255, common: 255 };

/** Left out in a list of changes. */
const USUAL_SCHEME = /^https:\/\/(?=.)/;

/** With more differing parts, both texts are shown without marks. A short text has room for one mark. */
const MAX_MARKS = 4;

export function fieldName(path: string): Span[] {
  return line`${calledAt(path) ?? code(path)}`;
}

export function valueSpans(word: Word, room: SpanLimits): Span[] {
  return viewSpans(viewValue(word), room);
}

function viewSpans(value: ValueView, room: SpanLimits): Span[] {
  switch (value.kind) {
    case "map": {
      const pairs = value.entries.map(([key, text]) => line`${code(key)} ${plain(text, room)}`);
      return pairs.length === 0 ? line`none` : joinLines(pairs, ", ");
    }
    case "list":
      return value.items.length === 0
        ? line`none`
        : joinLines(
            value.items.map((item) => [plain(item, room)]),
            ", ",
          );
    case "text":
      return [plain(value.text, room)];
    case "literal":
      return [code(value.text)];
    case "mark":
      return line`${value.text.replace(/^\((.*)\)$/, "$1")}`;
    default:
      return value satisfies never;
  }
}

/** How a value differs, one line for each part. */
export function diffSpans(kind: ResourceKind, change: WordChange, room: SpanLimits): Span[][] {
  const diff = diffValue(kind, change);
  switch (diff.kind) {
    case "resent":
      return [line`sent again`];
    case "map":
      return diff.parts.changed.map((part) => partSpans(part, " ", room));
    case "set": {
      const each = (items: readonly string[], what: string): Span[][] =>
        items.map((item) => line`${code(shorten(item, room.value))} ${what}`);
      return [...each(diff.added, "added"), ...each(diff.removed, "removed")];
    }
    case "text":
      return textSpans(diff, room);
    case "sequence":
    case "replaced":
      return [line`${viewSpans(diff.before, room)} → ${viewSpans(diff.after, room)}`];
    default:
      return diff satisfies never;
  }
}

function textSpans({ before, after, address }: TextDiff, room: SpanLimits): Span[][] {
  if (address === null || room === NO_LIMITS || address.parameters.changed.length > MAX_MARKS)
    return [pairSpans(before, after, room)];
  const { page, parameters } = address;
  const head = page.before === page.after ? [] : [pairSpans(page.before, page.after, room)];
  return [...head, ...parameters.changed.map((part) => partSpans(part, "=", room))];
}

function partSpans(part: ChangedPart, separator: " " | "=", room: SpanLimits): Span[] {
  const { name, change } = part;
  const limits = separator === "=" && room !== NO_LIMITS && /^utm_/i.test(name) ? UTM_LIMITS : room;
  if (change === "changed") return line`${code(name)} ${pairSpans(part.diff.before, part.diff.after, limits)}`;
  return separator === " "
    ? line`${code(name)} ${plain(part.text, limits)} ${change}`
    : line`${code(shorten(`${name}${separator}${part.text}`, limits.value))} ${change}`;
}

export function pairSpans(before: string, after: string, room: SpanLimits): Span[] {
  const compared = compareTexts(before, after);
  const isShort = room !== NO_LIMITS && Math.max(before.length, after.length) <= room.common;
  const most = isShort ? 1 : MAX_MARKS;
  if (compared === null || ![compared.before, compared.after].every((pieces) => marksIn(pieces) <= most))
    return line`${plain(before, room)} → ${plain(after, room)}`;
  const { before: old, after: next } = compared;
  return line`${markedSpans(old, next, room)} → ${markedSpans(next, old, room)}`;
}

function plain(text: string, { value }: SpanLimits): Span {
  if (text === "" || text === '""') return code('""');
  if (value === Infinity) return code(text);
  const cut = isAddress(text) ? shortenAddress : shorten;
  return code(cut(text.replace(USUAL_SCHEME, ""), value));
}

function marksIn(pieces: readonly TextPiece[]): number {
  return pieces.filter(({ differs }) => differs).length;
}

function markedSpans(pieces: readonly TextPiece[], others: readonly TextPiece[], room: SpanLimits): Span[] {
  return pieces.map(({ text, differs }, at) => {
    if (differs) return strong(shorten(text, room.value));
    // If text was only prepended or appended, this is the whole text: it is cut on the same side as the other one.
    const isWhole = pieces.length === 1;
    const isFirst = isWhole ? others[0]?.differs === false : at === 0;
    const isLast = isWhole ? !isFirst : at === pieces.length - 1;
    return code(contextText(text, isFirst, isLast, room));
  });
}

/** The common text before a difference. The host of an address stays whole. */
function startText(text: string, common: number): string {
  const shown = text.replace(USUAL_SCHEME, "");
  if (shown.length <= common * 1.5) return shown;
  const host = shown === text ? "" : (/^[^/?#]*/.exec(shown)?.[0] ?? "");
  const tail = trimSurrogates(shown.slice(Math.max(host.length, shown.length - common)));
  const end = tail.slice(Math.max(0, tail.search(/[/?&]/)));
  return host.length + end.length >= shown.length ? shown : `${host}…${end}`;
}

/** The common text next to a difference, cut at an address separator if one is near. */
function contextText(text: string, isFirst: boolean, isLast: boolean, { common }: SpanLimits): string {
  if (common === Infinity) return text;
  if (isFirst) return startText(text, common);
  if (text.length <= common * (isLast ? 1.5 : 2)) return text;
  const head = trimSurrogates(text.slice(0, common));
  if (isLast) return `${head.slice(0, /.*[/?&]/s.exec(head)?.[0].length ?? head.length)}…`;
  return `${head}…${trimSurrogates(text.slice(-common))}`;
}
