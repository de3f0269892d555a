// Values and what becomes of them, in markdown: what differs is bold.

import { calledAt, fieldAt, type ResourceKind } from "../../domain/table.ts";
import { shown, showItem } from "../../view/confusables.ts";
import {
  compareAddresses,
  compareParts,
  compareTexts,
  isAddress,
  type PartDiff,
  type TextPiece,
} from "../../view/text-diff.ts";
import { isList, isMap, isSetSecret, showWord, showWords, type Word, type WordChange } from "../../view/values.ts";
import { code, shortened, whole } from "./inline.ts";

/** How much room there is: a cell is read at a glance, a list has it all. */
export interface Room {
  /** Characters of a value. */
  readonly value: number;
  /** Characters of what two values have in common, on each side of what differs. */
  readonly common: number;
}

export const CELL: Room = { value: 56, common: 16 };
export const WHOLE: Room = { value: Infinity, common: Infinity };

/** An address at a glance is one that people type. */
const USUAL_SCHEME = /^https:\/\/(?=.)/;

/** More parts that differ than these say less than the two texts do. */
const MOST_MARKS = 4;

/** A field's name before its value. */
export function fieldName(path: string): string {
  return calledAt(path) ?? code(path);
}

/** A value that stands alone. */
export function valueText(word: Word, room: Room): string {
  if (isMap(word)) {
    const pairs = Object.entries(word).map(([key, text]) => `${code(key)} ${plain(shown(text), room)}`);
    return pairs.length === 0 ? "none" : pairs.join(", ");
  }
  if (isList(word) && word.length > 0) return word.map((item) => plain(shown(item), room)).join(", ");
  return isText(word) ? plain(showWord(word), room) : plainWord(word);
}

/** What becomes of a value, in one or more pieces. */
export function changedTexts(kind: ResourceKind, { path, before, after }: WordChange, room: Room): string[] {
  if (isSetSecret(before) && isSetSecret(after)) return ["sent again"];
  if (isMap(before) && isMap(after)) {
    const changed = compareParts(entriesOf(before), entriesOf(after)).filter((part) => part.before !== part.after);
    return changed.map((part) => partText(part, " ", room));
  }
  if (isList(before) && isList(after) && fieldAt(kind, path)?.kind !== "list") return setTexts(before, after, room);
  if (typeof before === "string" && typeof after === "string" && before !== "" && after !== "")
    return textsOf(before, after, room);
  return [`${valueText(before, room)} → ${valueText(after, room)}`];
}

function textsOf(before: string, after: string, room: Room): string[] {
  const [old, next] = showWords(before, after);
  const parts = isAddress(before) && isAddress(after) && room !== WHOLE ? compareAddresses(old, next) : null;
  if (parts === null) return [pairText(old, next, room)];
  const { page, parameters } = parts;
  const changed = parameters.filter((part) => part.before !== part.after);
  if (changed.length > MOST_MARKS) return [pairText(old, next, room)];
  const head = page.before === page.after ? [] : [pairText(page.before, page.after, room)];
  return [...head, ...changed.map((part) => partText(part, "=", room))];
}

function partText({ name, before, after }: PartDiff<string>, sign: string, room: Room): string {
  if (before !== undefined && after !== undefined)
    return `${code(name)} ${pairText(...showWords(before, after), room)}`;
  const value = shown(before ?? after ?? "");
  const text =
    sign === " " ? `${code(name)} ${plain(value, room)}` : code(shortened(`${name}${sign}${value}`, room.value));
  return `${text} ${before === undefined ? "added" : "removed"}`;
}

/** Two texts that differ, as they are shown beside each other. */
export function pairText(before: string, after: string, room: Room): string {
  const compared = compareTexts(before, after);
  const isClear = compared !== null && [compared.before, compared.after].every(isMarkedWell);
  if (!isClear) return `${plain(before, room)} → ${plain(after, room)}`;
  const { before: old, after: next } = compared;
  return `${markedText(old, next, room)} → ${markedText(next, old, room)}`;
}

function plain(text: string, { value }: Room): string {
  if (text === "" || text === '""') return code('""');
  return code(value === Infinity ? text : shortened(text.replace(USUAL_SCHEME, ""), value));
}

function isMarkedWell(pieces: readonly TextPiece[]): boolean {
  return pieces.filter(({ differs }) => differs).length <= MOST_MARKS;
}

function markedText(pieces: readonly TextPiece[], others: readonly TextPiece[], room: Room): string {
  return pieces
    .map(({ text, differs }, at) => {
      if (differs) return `**${code(shortened(text, room.value))}**`;
      // What is put before or behind a text leaves it whole: it is cut as the other one is.
      const isWhole = pieces.length === 1;
      const isFirst = isWhole ? others[0]?.differs === false : at === 0;
      const isLast = isWhole ? !isFirst : at === pieces.length - 1;
      return code(aroundText(text, isFirst, isLast, room));
    })
    .join("");
}

/** What stays, as much of it as lies beside what differs: from or to the end of a part of an address, where one is near. */
function aroundText(text: string, isFirst: boolean, isLast: boolean, { common }: Room): string {
  if (text.length <= common * (isFirst || isLast ? 1.5 : 2)) return text;
  if (isFirst) {
    const tail = whole(text.slice(-common));
    return `…${tail.slice(Math.max(0, tail.search(/[/?&]/)))}`;
  }
  const head = whole(text.slice(0, common));
  if (isLast) return `${head.slice(0, /.*[/?&]/s.exec(head)?.[0].length ?? head.length)}…`;
  return `${head}…${whole(text.slice(-common))}`;
}

function setTexts(before: readonly string[], after: readonly string[], { value }: Room): string[] {
  const show = showItem([...before, ...after]);
  const named = (items: readonly string[], without: readonly string[], what: string): string[] =>
    items.filter((item) => !without.includes(item)).map((item) => `${code(shortened(show(item), value))} ${what}`);
  return [...named(after, before, "added"), ...named(before, after, "removed")];
}

/** What stands for a value that is none of the files' words, without its brackets. */
function plainWord(word: Word): string {
  const text = showWord(word);
  if (typeof word === "number" || typeof word === "boolean") return code(text);
  return text === "[]" ? "none" : text.replace(/^\((.*)\)$/, "$1");
}

function isText(word: Word): word is string {
  return typeof word === "string";
}

function entriesOf(map: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(map));
}
