// Groups changes that are alike, with a sentence that is complete for each of them.

import { calledAt } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import type { Line, Span } from "./blocks.ts";
import { countBy } from "./counts.ts";
import type { ShownChange } from "./document.ts";
import { isWhole, wordsOf } from "./rows.ts";
import { code, joinLines, line, webAddress } from "./spans.ts";
import { isMap, isMarker, isSetSecret, showWord, showWords, type Word, type WordChange } from "./values.ts";

/** A change, and the values that its report shows. */
export interface Member {
  readonly change: ShownChange;
  readonly words: readonly WordChange[];
}

export interface Group {
  readonly members: readonly Member[];
  /** What is the same for all of them. */
  readonly statement: Line;
  /** How each of them changes; empty for new and deleted objects. */
  readonly edits: readonly Edit[];
  /** The fields whose values differ between them, with their common start: those after a create, or those before an update. */
  readonly differing: ReadonlyMap<string, string>;
}

/** The smallest group. */
const MIN_SIMILAR = 5;

/** Whether a sentence describes the future, the past, or declared and live values. */
export type Tense = "plan" | "apply" | "drift";

/** Groups similar changes: those that set the same values or change the same start of addresses, and new objects with the same fields. */
export function groupSimilar(
  all: readonly ShownChange[],
  tense: Tense,
): { readonly groups: readonly Group[]; readonly rest: readonly ShownChange[] } {
  const members = all.map((change) => ({ change, words: wordsOf(change) }));
  const described = new Map(members.map((one) => [one, isWhole(one.change) ? [] : one.words.map(editsOf)]));
  const counts = countBy([...described.values()].flat(2), editKey);
  const countOf = (edit: Edit): number => counts.get(editKey(edit)) ?? 0;
  // For each field, the description that fits the most changes. `toSorted` is stable, so the most exact of them comes first.
  const chosen = (one: Member): Edit[] =>
    (described.get(one) ?? []).flatMap((edits) => edits.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, 1));
  const byKey = groupBy(members, (one) => {
    const { change, words } = one;
    const { action, kind, drift, owner, origin, because, trips, family } = change;
    if (change.previous_key !== null || (words.length === 0 && !isWhole(change))) return Symbol("alone");
    const about = [action, kind, origin, because, trips, ...(drift === undefined ? [] : [drift, owner])];
    return JSON.stringify([about, isWhole(change) ? [family?.pattern, words.map(shapeOf)] : chosen(one)]);
  });
  const groups = [...byKey.values()].flatMap((alike): Group[] => {
    const [first] = alike;
    if (first === undefined || alike.length < MIN_SIMILAR) return [];
    return [isWhole(first.change) ? wholeGroup(alike) : editGroup(alike, chosen(first), tense)];
  });
  const grouped = new Set(groups.flatMap((group) => group.members.map(({ change }) => change)));
  return {
    groups: groups.toSorted((a, b) => b.members.length - a.members.length),
    rest: all.filter((one) => !grouped.has(one)),
  };
}

function editKey(edit: Edit): string {
  return JSON.stringify(edit);
}

/** Created objects are alike if they have the same fields, and the same hosts in addresses. */
function shapeOf({ path, after: word }: WordChange): unknown {
  if (typeof word === "string") return [path, originOf(word)];
  return [path, isMap(word) ? Object.entries(word).map(([name, text]) => [name, originOf(text)]) : word];
}

function wholeGroup(members: readonly Member[]): Group {
  const differing = new Map<string, string>();
  const same = (members[0]?.words ?? []).flatMap(({ path, after }, at) => {
    const words = members.map((one) => one.words[at]?.after ?? null);
    if (words.every((word) => JSON.stringify(word) === JSON.stringify(after)))
      return [line`${fieldName(path)} ${wordSpan(after)}`];
    const start = typeof after === "string" ? commonStart(words.map(showWord)) : "";
    differing.set(path, start);
    return start === "" ? [] : [line`${fieldName(path)} starts with ${code(start)}`];
  });
  const statement = same.length === 0 ? line`alike.` : line`${joinLines(same, ", ")}.`;
  return { members, statement, edits: [], differing };
}

/** How all addresses start, up to a slash; empty for other texts. */
function commonStart(texts: readonly string[]): string {
  const [first = ""] = texts;
  const ends = Array.from(first.matchAll(/\/(?!\/)/g), ({ index }) => index + 1).toReversed();
  const end = ends.find((at) => texts.every((text) => text.startsWith(first.slice(0, at)))) ?? 0;
  const start = first.slice(0, end);
  return originOf(start) === null ? "" : start;
}

function editGroup(members: readonly Member[], edits: readonly Edit[], tense: Tense): Group {
  const lines = edits.map((edit) => editLine(edit, tense));
  const differing = new Map(edits.flatMap(({ form, path }) => (form === "becomes" ? [[path, ""] as const] : [])));
  return { members, statement: line`${joinLines(lines, "; ")}.`, edits, differing };
}

/** A complete description of how a field changes. */
export type Edit = { readonly path: string } & (
  | { readonly form: "value"; readonly before: Word; readonly after: Word }
  /** The start of an address, or of each address with this start in a list or target group: scheme and host, or more. */
  | { readonly form: "start"; readonly before: string; readonly after: string }
  /** For any previous value. */
  | { readonly form: "becomes"; readonly after: Word }
);

/** The descriptions of a change, the most exact first. */
function editsOf({ path, before, after }: WordChange): Edit[] {
  const value = { path, form: "value" as const, before, after };
  const becomes = { path, form: "becomes" as const, after };
  const start = startEdit(before, after);
  return start === null ? [value, becomes] : [value, { path, form: "start", ...start }, becomes];
}

/** The scheme, user and host of an address; null for another text. */
function originOf(text: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(text)?.[0] ?? null;
}

/** The start that becomes another one in each address of a value that has it; null if anything else differs. */
function startEdit(before: Word, after: Word): { readonly before: string; readonly after: string } | null {
  const [old, next] = [textsOf(before), textsOf(after)];
  const at = old.findIndex(([, text], index) => text !== next[index]?.[1]);
  const starts = startsOf(old[at]?.[1] ?? "", next[at]?.[1] ?? "");
  if (starts === null || old.length !== next.length) return null;
  const [was, is] = starts;
  const isMoved = old.every(([name, text], index) => {
    const [otherName, other] = next[index] ?? [];
    const hasStart = text.startsWith(was) && /^([/?#]|$)/.test(text.slice(was.length));
    return name === otherName && other === (hasStart ? `${is}${text.slice(was.length)}` : text);
  });
  return isMoved ? { before: was, after: is } : null;
}

/** Two addresses up to their common end, which is at most the path and what follows it. */
function startsOf(before: string, after: string): [before: string, after: string] | null {
  const [old, next] = [originOf(before), originOf(after)];
  if (old === null || next === null || before === after) return null;
  const [rest, other] = [before.slice(old.length), after.slice(next.length)];
  if (rest === other) return [old, next];
  const ends = Array.from(rest.matchAll(/[/?#]/g), ({ index }) => rest.slice(index));
  const end = ends.find((one) => other.endsWith(one));
  return end === undefined ? null : [before.slice(0, -end.length), after.slice(0, -end.length)];
}

function textsOf(word: Word): [name: string, text: string][] {
  if (typeof word === "string") return [["", word]];
  if (word === null || typeof word !== "object") return [];
  return Object.entries(word).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : []));
}

/** How a field of each object changes. */
function editLine(edit: Edit, tense: Tense): Line {
  const name = fieldName(edit.path);
  switch (edit.form) {
    case "value": {
      if (isSetSecret(edit.before) && isSetSecret(edit.after)) return line`${name} is sent again`;
      const [before, after] = showWords(edit.before, edit.after);
      return line`${name}: ${becomesLine([wordSpan(edit.before, before)], [wordSpan(edit.after, after)], tense)}`;
    }
    case "start": {
      const [before, after] = showWords(edit.before, edit.after);
      const part = originOf(edit.before) === edit.before ? "host" : "start";
      return line`${part} of ${name}: ${becomesLine([code(before)], [code(after)], tense)}`;
    }
    case "becomes":
      return tense === "drift"
        ? line`${name}: ${wordSpan(edit.after)} is declared, and other values are live`
        : line`${name} ${tense === "apply" ? "became" : "becomes"} ${wordSpan(edit.after)}`;
    default:
      return edit satisfies never;
  }
}

/** Drift is shown with the declared value first. */
function becomesLine(before: Line, after: Line, tense: Tense): Line {
  if (tense === "drift") return line`${after} is declared, ${before} is live`;
  return line`${before} ${tense === "apply" ? "became" : "becomes"} ${after}`;
}

/** What people call a field. */
export function fieldName(path: string): Span {
  const name = calledAt(path);
  return name === null ? code(path) : { text: name, as: "text" };
}

/** A value as it is shown, by default on its own. Only a marker is a word of linkform, whatever the text looks like. */
export function wordSpan(word: Word, text: string = showWord(word)): Span {
  return isMarker(word) ? { text, as: "text" } : code(text, webAddress(text));
}
