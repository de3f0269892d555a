// Where the visitor of a short URL is sent, and why (observed.md, "What a visitor meets"):
//
//     expired? ─ yes ─→ its expiration URL, or a page
//        │ no
//     disabled? ─ yes ─→ a page
//        │ no
//     password? ─ yes ─→ a page that asks for it, and on
//        │
//     destination: by the group in force, else the link's own
//        │
//     pixels? ─ some ─→ a page that loads them, and on
//        │ none
//     a lasting redirect

import type { FieldRow } from "./field.ts";
import type { Place } from "./place.ts";
import { fieldAt, REFERENCE_FIELD } from "./table.ts";
import { taken, texts, type Doubt, type Fact, type Facts } from "./visit-facts.ts";
import { CLICK_LIMIT, DESTINATION_ROW, ENDS, LOCK, OFF, OVER, TARGETS } from "./visit-fields.ts";
import type { NoteCode } from "./visit-notes.ts";
import { mergeQuery } from "./visit-query.ts";
import { chooseWays, type Choice, type Way } from "./visit-ways.ts";

/** Who comes, and when. */
export interface Visitor {
  /** What the visitor is, by the word of the group that asks: a key, or null for one that no group has. What is not in here nobody said. */
  readonly is: ReadonlyMap<string, string | null>;
  /** An instant in canonical form. */
  readonly at: string;
  /** The short URL's, without `?`. */
  readonly query: string;
}

interface StepBase {
  /** The files' line that decides; null where none does. */
  readonly place: Place | null;
  readonly notes: readonly NoteCode[];
  readonly doubts: readonly Doubt[];
  /** False behind a step that ends the visit. */
  readonly isReached: boolean;
}

export type Step =
  | (StepBase & {
      readonly asks: "expired";
      readonly by: "date" | "clicks" | null;
      readonly ends: { readonly instant: string; readonly place: Place | null } | null;
      readonly limit: { readonly clicks: number; readonly place: Place | null } | null;
      readonly clicks: number | null;
      readonly over: { readonly to: string; readonly place: Place | null } | null;
    })
  | (StepBase & { readonly asks: "disabled"; readonly is: boolean })
  | (StepBase & { readonly asks: "password"; readonly is: boolean })
  | (StepBase & { readonly asks: "destination"; readonly choice: Choice; readonly ways: readonly Way[] })
  /** Only where there is a query. `doubled`: names that the destination has, too. */
  | (StepBase & { readonly asks: "query"; readonly query: string; readonly doubled: readonly string[] })
  | (StepBase & { readonly asks: "pixels"; readonly names: readonly string[] });

/** How a visit ends. Of several ways it is one, for each visitor another. */
export type End =
  | { readonly kind: "expired"; readonly to: string | null; readonly place: Place | null }
  /** `isLocked`: it has a password, too. */
  | { readonly kind: "disabled"; readonly isLocked: boolean }
  | {
      readonly kind: "sent on";
      readonly asksPassword: boolean;
      readonly pixels: readonly string[];
      readonly ways: readonly Way[];
    };

export interface Visit {
  readonly steps: readonly Step[];
  readonly end: End;
}

/** Every step of a visit. Those behind the one that ends it are told as if it had not. */
export function visit(facts: Facts, visitor: Visitor): Visit {
  const expired = expiryStep(facts, visitor);
  const isOver = expired.by !== null;
  const off = flagStep(OFF, facts, !isOver);
  const isOff = isOver || off.is;
  const lock = flagStep(LOCK, facts, !isOff);
  const { choice, ways, ...chosen } = destinationStep(facts, visitor, !isOff);
  const merged = ways.map((way) => ({ way, ...mergeQuery(way.to, visitor.query) }));
  const pixels = pixelStep(facts, !isOff);
  const steps: readonly Step[] = [
    expired,
    { ...off, asks: "disabled", notes: offNotes(off.is, lock.is) },
    { ...lock, asks: "password", notes: lock.is ? ["lock-page"] : [] },
    { ...chosen, asks: "destination", choice, ways },
    ...queryStep(
      visitor.query,
      merged.flatMap(({ doubled }) => doubled),
      !isOff,
    ),
    pixels,
  ];
  if (isOver)
    return { steps, end: { kind: "expired", to: expired.over?.to ?? null, place: expired.over?.place ?? null } };
  if (off.is) return { steps, end: { kind: "disabled", isLocked: lock.is } };
  const sentTo = merged.map(({ way, to }) => ({ ...way, to }));
  return { steps, end: { kind: "sent on", asksPassword: lock.is, pixels: pixels.names, ways: sentTo } };
}

function offNotes(isOff: boolean, isLocked: boolean): NoteCode[] {
  if (!isOff) return [];
  return isLocked ? ["off-page", "off-or-lock"] : ["off-page"];
}

/** ms: no zone's clocks are further from UTC's. */
const MOST_OFF = 14 * 3_600_000;

function expiryStep(facts: Facts, { at, query }: Visitor): Extract<Step, { asks: "expired" }> {
  const [date, count, url] = [taken(ENDS, facts), taken(CLICK_LIMIT, facts), taken(OVER, facts)];
  const ends = typeof date.value === "string" ? { instant: date.value, place: date.place } : null;
  const limit = typeof count.value === "number" ? { clicks: count.value, place: count.place } : null;
  const over = typeof url.value === "string" ? { to: url.value, place: url.place } : null;
  const isPast = ends !== null && ends.instant <= at;
  const isUsedUp = limit !== null && facts.clicks !== null && facts.clicks >= limit.clicks;
  const by = isPast ? "date" : isUsedUp ? "clicks" : null;
  const uncounted: Doubt[] = limit !== null && facts.clicks === null ? [{ path: CLICK_LIMIT.path, why: "clicks" }] : [];
  const isNear = ends !== null && Math.abs(Date.parse(ends.instant) - Date.parse(at)) <= MOST_OFF;
  const shifted: Doubt[] = facts.isZoneGuessed && isNear ? [{ path: ENDS.path, why: "zone" }] : [];
  const canEnd = ends !== null || limit !== null;
  return {
    asks: "expired",
    by,
    ends,
    limit,
    clicks: facts.clicks,
    over,
    place: by === "clicks" ? count.place : (date.place ?? count.place),
    notes: [
      ...(canEnd ? (["over-when"] as const) : []),
      ...(by === null ? [] : (["over-first", over === null ? "over-page" : "over-url"] as const)),
      ...(by !== null && over !== null && query !== "" ? (["over-query"] as const) : []),
    ],
    // What decides already needs nothing else; where it leads then may not be known.
    doubts: [...(by === null ? [...date.doubts, ...count.doubts, ...uncounted] : url.doubts), ...shifted],
    isReached: true,
  };
}

function flagStep(row: FieldRow, facts: Facts, isReached: boolean): StepBase & { readonly is: boolean } {
  const { value, place, doubts } = taken(row, facts);
  return { is: value === true, place, doubts, notes: [], isReached };
}

function destinationStep(
  facts: Facts,
  { is }: Visitor,
  isReached: boolean,
): StepBase & { readonly choice: Choice; readonly ways: readonly Way[] } {
  const active = taken(TARGETS.active, facts);
  const own = taken(DESTINATION_ROW, facts);
  const word = String(active.value);
  const row = TARGETS.byWord.get(word);
  const group = row === undefined ? null : taken(row, facts);
  const chosen = chooseWays(word, row, group, own, is);
  const isIdle = chosen.choice.by === "none" && [...TARGETS.byWord.values()].some((one) => hasSome(facts.of(one)));
  return {
    choice: chosen.choice.by === "none" ? { by: "none", isIdle } : chosen.choice,
    ways: chosen.ways,
    place: active.place ?? own.place,
    notes: isIdle ? [...chosen.notes, "group-idle"] : chosen.notes,
    doubts: [...active.doubts, ...(group?.doubts ?? []), ...own.doubts],
    isReached,
  };
}

function queryStep(query: string, doubled: readonly string[], isReached: boolean): readonly Step[] {
  if (query.replaceAll("&", "") === "") return [];
  const notes: readonly NoteCode[] = doubled.length === 0 ? ["query"] : ["query", "query-twice"];
  return [{ asks: "query", query, doubled: [...new Set(doubled)], place: null, doubts: [], notes, isReached }];
}

function hasSome(fact: Fact): boolean {
  return fact.isKnown && Array.isArray(fact.value) && fact.value.length > 0;
}

function pixelStep(facts: Facts, isReached: boolean): Extract<Step, { asks: "pixels" }> {
  const row = fieldAt("link", REFERENCE_FIELD.pixel);
  if (row === undefined) throw new Error("no field of a link names its pixels");
  const { value, place, doubts } = taken(row, facts);
  const names = texts(value);
  return { asks: "pixels", names, place, doubts, notes: names.length > 0 ? ["pixel-page"] : [], isReached };
}
