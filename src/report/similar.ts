// Groups changes that are alike, with a sentence that is complete for each of them.

import { calledAt } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import { code, joinLines, line, webAddress, type Line, type Span } from "./blocks.ts";
import { countEach } from "./counts.ts";
import type { ShownChange } from "./document.ts";
import { isWhole, wordsOf } from "./rows.ts";
import { isMap, isMarker, isSetSecret, showWord, showWords, type Word, type WordChange } from "./values.ts";

export interface Member {
  readonly change: ShownChange;
  readonly words: readonly WordChange[];
  /** For each field, the descriptions of its change; empty for new and deleted objects. */
  readonly edits: readonly (readonly Edit[])[];
}

export interface Group {
  readonly members: readonly [Member, ...Member[]];
  /** What is the same for all of them; empty for nothing. */
  readonly statement: Line;
  /** How each of them changes. */
  readonly edits: readonly Edit[];
  /** The fields whose values differ between them: those after a create, or those before an update. */
  readonly differing: ReadonlySet<string>;
}

const MIN_SIMILAR = 5;

/** Whether a sentence describes the future, the past, or declared and live values. */
export type Tense = "plan" | "apply" | "drift";

/** Changes are similar if they set the same values or change the same start of addresses, and new objects if they have the same fields. */
export function groupSimilar(
  all: readonly ShownChange[],
  tense: Tense,
): { readonly groups: readonly Group[]; readonly rest: readonly ShownChange[] } {
  const members = all.map((change): Member => {
    const words = wordsOf(change);
    return { change, words, edits: isWhole(change) ? [] : words.map(editsOf) };
  });
  const counts = countEach(members.flatMap(({ edits }) => edits.flat()).map((edit) => JSON.stringify(edit)));
  const countOf = (edit: Edit): number => counts.get(JSON.stringify(edit)) ?? 0;
  // For each field, the description that fits the most changes.
  const chosen = (one: Member): Edit[] =>
    one.edits.flatMap((edits) => edits.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, 1));
  const byKey = groupBy(members, (one) => {
    const { change, words } = one;
    const { action, kind, drift, owner, origin, because, trips, family } = change;
    if (change.previous_key !== null || (words.length === 0 && !isWhole(change))) return Symbol("alone");
    const about = [action, kind, origin, because, trips, ...(drift === undefined ? [] : [drift, owner])];
    return JSON.stringify([about, isWhole(change) ? [family?.pattern, words.map(shapeOf)] : chosen(one)]);
  });
  const groups = [...byKey.values()].flatMap(([first, ...others]): Group[] =>
    first === undefined || others.length + 1 < MIN_SIMILAR ? [] : [groupOf([first, ...others], chosen(first), tense)],
  );
  const grouped = new Set(groups.flatMap((group) => group.members.map(({ change }) => change)));
  return {
    groups: groups.toSorted((a, b) => b.members.length - a.members.length),
    rest: all.filter((one) => !grouped.has(one)),
  };
}

/** Created objects are alike if they have the same fields, and the same hosts in addresses. */
function shapeOf({ path, after: word }: WordChange): unknown {
  if (typeof word === "string") return [path, originOf(word)];
  return [path, isMap(word) ? Object.entries(word).map(([name, text]) => [name, originOf(text)]) : word];
}

/** New and deleted objects have no edits. They are described by the values that all of them have. */
function groupOf(members: Group["members"], edits: readonly Edit[], tense: Tense): Group {
  const isNew = edits.length === 0;
  const differing = new Set<string>();
  const lines = members[0].words.flatMap(({ path, before, after }, at): Line[] => {
    const edit = edits[at];
    const values = members.map((one) => JSON.stringify(isNew ? one.words[at]?.after : one.words[at]?.before));
    if (edit?.start === undefined && new Set(values).size > 1) differing.add(path);
    if (edit !== undefined) return [editLine(edit, differing.has(path) ? undefined : before, tense)];
    return differing.has(path) ? [] : [line`${fieldName(path)} ${wordSpan(after)}`];
  });
  const statement = lines.length === 0 ? [] : line`${joinLines(lines, isNew ? ", " : "; ")}.`;
  return { members, statement, edits, differing };
}

/** A complete description of how a field changes. */
export interface Edit {
  readonly path: string;
  readonly after: Word;
  /** The start of an address that becomes `after`: scheme and host, or more. Left out if all of the value does. */
  readonly start?: string;
}

/** The most exact description first. */
function editsOf({ path, before, after }: WordChange): Edit[] {
  const starts = typeof before === "string" && typeof after === "string" ? startsOf(before, after) : null;
  return [{ path, after }, ...(starts === null ? [] : [{ path, start: starts[0], after: starts[1] }])];
}

/** The scheme, user and host of an address. */
function originOf(text: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(text)?.[0] ?? null;
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

/** `previous`: the value before, if all have the same. */
function editLine(edit: Edit, previous: Word | undefined, tense: Tense): Line {
  const name = fieldName(edit.path);
  if (edit.start !== undefined) {
    const [before, after] = showWords(edit.start, edit.after);
    const part = originOf(edit.start) === edit.start ? "host" : "start";
    return line`${part} of ${name}: ${becomesLine([code(before)], [code(after)], tense)}`;
  }
  if (previous === undefined)
    return tense === "drift"
      ? line`${name}: ${wordSpan(edit.after)} is declared, and other values are live`
      : line`${name} ${tense === "apply" ? "became" : "becomes"} ${wordSpan(edit.after)}`;
  if (isSetSecret(previous) && isSetSecret(edit.after)) return line`${name} is sent again`;
  const [before, after] = showWords(previous, edit.after);
  return line`${name}: ${becomesLine([wordSpan(previous, before)], [wordSpan(edit.after, after)], tense)}`;
}

/** Drift is shown with the declared value first. */
function becomesLine(before: Line, after: Line, tense: Tense): Line {
  if (tense === "drift") return line`${after} is declared, ${before} is live`;
  return line`${before} ${tense === "apply" ? "became" : "becomes"} ${after}`;
}

export function fieldName(path: string): Span {
  const name = calledAt(path);
  return name === null ? code(path) : { text: name, as: "text" };
}

/** A value as it is shown, by default on its own. Only a marker is a word of linkform, whatever the text looks like. */
export function wordSpan(word: Word, text: string = showWord(word)): Span {
  return isMarker(word) ? { text, as: "text" } : code(text, webAddress(text));
}
