// Values and what becomes of them, in markdown: what differs is bold.

import { fieldAt, type ResourceKind } from "../../domain/table.ts";
import { shown, showItem } from "../alike.ts";
import { compareAddresses, compareParts, compareTexts, isAddress, type Part, type Piece } from "../pieces.ts";
import { isList, isMap, isSetSecret, showWord, showWords, type Word, type WordChange } from "../words.ts";
import { code, shortened } from "./inline.ts";

/** How much room there is: a cell is read at a glance, a list has it all. */
export interface Room {
  /** Characters of a value. */
  readonly value: number;
  /** Characters of what two values have in common. */
  readonly common: number;
}

export const CELL: Room = { value: 64, common: 44 };
export const WHOLE: Room = { value: Infinity, common: Infinity };

/** More parts that differ than these say less than the two texts do. */
const MOST_MARKS = 4;

/** What people call a field that they know by no key. */
const NAMES: Readonly<Record<string, string>> = { url: "destination" };

/** A field's name before its value. */
export function fieldName(path: string): string {
  return NAMES[path] ?? code(path);
}

/** A value that stands alone. */
export function valueText(word: Word, { value }: Room): string {
  if (isMap(word)) {
    const pairs = Object.entries(word).map(([key, text]) => `${code(key)} ${code(shortened(shown(text), value))}`);
    return pairs.length === 0 ? "none" : pairs.join(", ");
  }
  if (isList(word) && word.length > 0) return word.map((item) => code(shortened(shown(item), value))).join(", ");
  return isText(word) ? code(shortened(showWord(word), value)) : plainWord(word);
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

function partText({ name, before, after }: Part<string>, sign: string, room: Room): string {
  if (before !== undefined && after !== undefined)
    return `${code(name)} ${pairText(...showWords(before, after), room)}`;
  const value = shortened(shown(before ?? after ?? ""), room.value);
  const text = sign === " " ? `${code(name)} ${code(value)}` : code(`${name}${sign}${value}`);
  return `${text} ${before === undefined ? "added" : "removed"}`;
}

/** Two texts that differ, as they are shown beside each other. */
export function pairText(before: string, after: string, room: Room): string {
  const compared = compareTexts(before, after);
  const isClear = compared !== null && [compared.before, compared.after].every(isMarkedWell);
  if (!isClear) return `${plain(before, room)} → ${plain(after, room)}`;
  return `${markedText(compared.before, room)} → ${markedText(compared.after, room)}`;
}

function plain(text: string, { value }: Room): string {
  return text === "" ? code('""') : code(shortened(text, value));
}

function isMarkedWell(pieces: readonly Piece[]): boolean {
  return pieces.filter(({ differs }) => differs).length <= MOST_MARKS;
}

function markedText(pieces: readonly Piece[], room: Room): string {
  const joined: { text: string; differs: boolean }[] = [];
  for (const { text, differs } of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.differs === differs) last.text += text;
    else joined.push({ text, differs });
  }
  return joined
    .map(({ text, differs }) =>
      differs ? `**${code(shortened(text, room.value))}**` : code(shortened(text, room.common)),
    )
    .join("");
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
