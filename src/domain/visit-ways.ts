// The destinations of a link, and which of them stay open to a visitor.

import type { Place } from "./place.ts";
import { pairs, texts, type Taken } from "./visit-facts.ts";
import { LANGUAGE, TARGETS, type TargetRow } from "./visit-fields.ts";
import type { NoteCode } from "./visit-notes.ts";
import type { VisitRules } from "./visit-versions.ts";

/** A destination, who is sent there, and where a file says so. */
export interface VisitorRoute {
  readonly who: Who;
  readonly to: string;
  readonly place: Place | null;
}

/** `turn` counts from 1. */
export type Who =
  | { readonly by: "all" }
  | { readonly by: "key"; readonly key: string }
  | { readonly by: "others" }
  | { readonly by: "turn"; readonly turn: number; readonly turns: number };

/** What decides between the destinations. `is`: the visitor's key, null for none; undefined if it was not given. */
export type Choice =
  | { readonly by: "none"; readonly isIdle: boolean }
  | { readonly by: "crawler" }
  | {
      readonly by: "group";
      readonly group: string;
      readonly row: TargetRow;
      /** What the service compares with the keys; null for a rotation. */
      readonly signal: string | null;
      readonly is: string | null | undefined;
    }
  /** A rotation with an empty entry: the service fails. */
  | { readonly by: "hole" }
  /** A rotation that the version does not follow. */
  | { readonly by: "unused" }
  | { readonly by: "word"; readonly word: string };

interface ChosenTarget {
  readonly choice: Choice;
  /** Empty where the service fails. */
  readonly ways: readonly VisitorRoute[];
  readonly notes: readonly NoteCode[];
}

/** What is known about the visitor: see `Visitor`. */
export interface VisitorKind {
  /** The value of the language group can be a whole `Accept-Language`. */
  readonly is: ReadonlyMap<string, string | null>;
  readonly isCrawler: boolean;
}

/** The ways that stay open to this visitor; all of them where nobody said what the visitor is. */
export function chooseWays(
  word: string,
  row: TargetRow | undefined,
  group: Taken | null,
  own: Taken,
  { is, isCrawler }: VisitorKind,
  rules: VisitRules,
): ChosenTarget {
  const ownTo = String(own.value ?? "");
  const all: VisitorRoute = { who: { by: "all" }, to: ownTo, place: own.place };
  if (word === TARGETS.active.default)
    return { choice: { by: "none", isIdle: false }, ways: [all], notes: ["destination"] };
  if (isCrawler) return { choice: { by: "crawler" }, ways: [all], notes: ["crawler"] };
  if (row === undefined || group === null) return { choice: { by: "word", word }, ways: [all], notes: ["other-word"] };
  const places = (at: number): Place | null => group.parts[at] ?? group.place;
  if (row.kind === "list") {
    const targets = texts(group.value);
    if (targets.some(isHole)) return { choice: { by: "hole" }, ways: [], notes: ["rotation-hole"] };
    if (rules.rotation === "own destination" && targets.length > 0)
      return { choice: { by: "unused" }, ways: [all], notes: ["rotation-unused"] };
    const turns = targets.length + 1;
    const ways = [...targets, ownTo].map((to, at): VisitorRoute => {
      const place = at < targets.length ? places(at) : own.place;
      return { who: { by: "turn", turn: at + 1, turns }, to, place };
    });
    const notes: readonly NoteCode[] = turns === 1 ? ["group-empty"] : ["turns", "whose-turn", "crawler"];
    return {
      choice: { by: "group", group: word, row, signal: null, is: undefined },
      ways,
      notes: ["group-documented", ...notes],
    };
  }
  const keyed = pairs(group.value).map(([key, to], at): VisitorRoute => ({
    who: { by: "key", key },
    to,
    place: places(at),
  }));
  const counted = keyed.filter(({ who }, at) => keyed.findLastIndex((other) => isSameKey(other.who, who)) === at);
  const others: VisitorRoute = { ...all, who: { by: "others" } };
  const mine = keyOf(row, is.get(word), rules);
  const match = counted.find(({ who }) => who.by === "key" && who.key === mine);
  const ways = mine === undefined ? [...counted, others] : [match ?? others];
  const isTwice = keyed.some(
    ({ who }) =>
      keyed.filter((other) => isSameKey(other.who, who)).length > 1 &&
      (mine === undefined || (who.by === "key" && who.key === mine)),
  );
  const notes: NoteCode[] = [
    row.keys.isDocumented ? "group-documented" : "group-undocumented",
    "told-by",
    ...(row === LANGUAGE && rules.language === "whole header" ? (["whole-language"] as const) : []),
    ...(rules.unmeasured.includes(word) ? (["group-unmeasured"] as const) : []),
    ...(match === undefined ? (["no-match"] as const) : []),
    ...(isTwice ? (["key-twice"] as const) : []),
    ...(keyed.length === 0 ? (["group-empty"] as const) : []),
    "crawler",
  ];
  const signal = (row === LANGUAGE ? rules.languageSignal : null) ?? row.keys.signal;
  return { choice: { by: "group", group: word, row, signal: signal, is: mine }, ways, notes };
}

/** The key that the version compares with those of the group. */
function keyOf(row: TargetRow, is: string | null | undefined, rules: VisitRules): string | null | undefined {
  if (typeof is !== "string" || row !== LANGUAGE) return is;
  switch (rules.language) {
    case "first two letters":
      return is.slice(0, 2);
    case "whole header":
      return is;
    default:
      return rules.language satisfies never;
  }
}

/** An entry of a rotation that the service keeps empty. */
export function isHole(target: string): boolean {
  return target === "";
}

function isSameKey(a: Who, b: Who): boolean {
  return a.by === "key" && b.by === "key" && a.key === b.key;
}
