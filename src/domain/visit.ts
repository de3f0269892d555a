// Where the visitor of a short URL is sent, and why (observed.md, "What a visitor sees"; corners.md):
//
//     expired? disabled? password?     in the order of the service's version:
//        │                             its expiration URL or a page, a page, a page that asks and goes on
//     destination: by the group in force, else the link's own
//        │
//     pixels? ─ some ─→ a page that asks for consent; whoever accepts goes to the link's own destination
//        │ none, or refused
//     a redirect that browsers do not keep

import type { FieldRow } from "./field.ts";
import type { Place } from "./place.ts";
import { fieldAt, REFERENCE_FIELD } from "./table.ts";
import { taken, texts, type Doubt, type Fact, type Facts } from "./visit-facts.ts";
import { CLICK_LIMIT, DESTINATION_ROW, ENDS, LOCK, OFF, OVER, TARGETS } from "./visit-fields.ts";
import type { NoteCode } from "./visit-notes.ts";
import { mergeQuery, type Merged } from "./visit-query.ts";
import { GATE_ORDER, VERSIONS, type Gate, type Version } from "./visit-versions.ts";
import { chooseWays, type Choice, type VisitorKind, type Way } from "./visit-ways.ts";

/** Who comes, and when. */
export interface Visitor extends VisitorKind {
  /** What the visitor is, by the word of the group that asks: a key, or null for one that no group has. What is not in here nobody said. */
  readonly is: ReadonlyMap<string, string | null>;
  /** By its user agent: it gets no targets. */
  readonly isCrawler: boolean;
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

type ExpiryStep = StepBase & {
  readonly asks: "expired";
  readonly by: "date" | "clicks" | null;
  readonly ends: { readonly instant: string; readonly place: Place | null } | null;
  readonly limit: { readonly clicks: number; readonly place: Place | null } | null;
  readonly clicks: number | null;
  readonly over: { readonly to: string; readonly place: Place | null } | null;
};

type QueryStep = StepBase & { readonly asks: "query"; readonly query: string } & Omit<Merged, "to">;

export type Step =
  | ExpiryStep
  | (StepBase & { readonly asks: "disabled"; readonly is: boolean })
  | (StepBase & { readonly asks: "password"; readonly is: boolean })
  | (StepBase & { readonly asks: "destination"; readonly choice: Choice; readonly ways: readonly Way[] })
  /** Only where there is a query. What it does to any of the destinations. */
  | QueryStep
  | (StepBase & { readonly asks: "pixels"; readonly names: readonly string[] });

/** How a visit ends. Of several ways it is one, for each visitor another. */
export type End =
  | { readonly kind: "expired"; readonly to: string | null; readonly place: Place | null }
  /** `asksPassword`: only who enters it gets to see that the link is disabled. */
  | { readonly kind: "disabled"; readonly asksPassword: boolean }
  | {
      readonly kind: "sent on";
      readonly asksPassword: boolean;
      readonly pixels: readonly string[];
      /** Empty where the service fails. */
      readonly ways: readonly Way[];
      /** Where visitors go who accept tracking; null without pixels. */
      readonly accepted: Way | null;
    };

export interface Visit {
  /** In the order in which the version decides them. */
  readonly steps: readonly Step[];
  readonly end: End;
}

/** Every step of a visit to a service of this version. Those behind the one that ends it are told as if it had not. */
function visit(facts: Facts, visitor: Visitor, version: Version): Visit {
  const expired = expiryStep(facts, visitor);
  const off = flagStep(OFF, facts);
  const lock = flagStep(LOCK, facts);
  const isHeld: Readonly<Record<Gate, boolean>> = { expired: expired.by !== null, disabled: off.is, password: lock.is };
  const order: readonly Gate[] = GATE_ORDER[version];
  const ending = order.find((gate) => gate !== "password" && isHeld[gate]) ?? null;
  const isReached = (gate: Gate): boolean => ending === null || order.indexOf(gate) <= order.indexOf(ending);
  const orderNotes: readonly NoteCode[] =
    Object.values(isHeld).filter(Boolean).length > 1 && ending !== null ? ["order"] : [];
  const gates: Readonly<Record<Gate, Step>> = {
    expired: { ...expired, isReached: isReached("expired"), notes: [...expired.notes, ...orderNotes] },
    disabled: {
      ...off,
      asks: "disabled",
      isReached: isReached("disabled"),
      notes: off.is ? ["off-page", ...orderNotes] : [],
    },
    password: {
      ...lock,
      asks: "password",
      isReached: isReached("password"),
      notes: lock.is ? ["lock-page", ...orderNotes] : [],
    },
  };
  const isThrough = ending === null;
  const destination = destinationStep(facts, visitor, isThrough);
  const merged = destination.ways.map((way) => ({ way, merged: mergeQuery(way.to, visitor.query) }));
  const pixels = pixelStep(facts, isThrough);
  const steps: readonly Step[] = [
    ...order.map((gate) => gates[gate]),
    destination,
    ...queryStep(
      visitor.query,
      merged.map((one) => one.merged),
      isThrough,
    ),
    pixels,
  ];
  const asksPassword = lock.is && isReached("password");
  if (ending === "expired")
    return { steps, end: { kind: "expired", to: expired.over?.to ?? null, place: expired.over?.place ?? null } };
  if (ending === "disabled") return { steps, end: { kind: "disabled", asksPassword } };
  const ways = merged.map(({ way, merged: { to } }): Way => ({ ...way, to }));
  const accepted = pixels.names.length === 0 ? null : destination.own;
  return { steps, end: { kind: "sent on", asksPassword, pixels: pixels.names, ways, accepted } };
}

/** The visit as a version answers it. */
export interface VersionVisit {
  readonly version: Version;
  readonly visit: Visit;
}

/** The visit as the version answers it, or `others`: as each other version does, where nobody knows the version. */
export interface Visits extends VersionVisit {
  readonly others: readonly VersionVisit[];
}

/** The visit by the version of the service; where nobody knows that, by the oldest, and by each of the others. */
export function visits(facts: Facts, visitor: Visitor, version: Version | null): Visits {
  const [oldest, ...later] = VERSIONS;
  const others = version === null ? later.map((one) => ({ version: one, visit: visit(facts, visitor, one) })) : [];
  return { version: version ?? oldest, visit: visit(facts, visitor, version ?? oldest), others };
}

/** ms: no zone's clocks are further from UTC's. */
const MOST_OFF = 14 * 3_600_000;

function expiryStep(facts: Facts, { at, query }: Visitor): ExpiryStep {
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
      ...(by === null ? [] : ([over === null ? "over-page" : "over-url"] as const)),
      ...(by !== null && over !== null && query !== "" ? (["over-query"] as const) : []),
    ],
    // What decides already needs nothing else; where it leads then may not be known.
    doubts: [...(by === null ? [...date.doubts, ...count.doubts, ...uncounted] : url.doubts), ...shifted],
    isReached: true,
  };
}

function flagStep(row: FieldRow, facts: Facts): StepBase & { readonly is: boolean } {
  const { value, place, doubts } = taken(row, facts);
  return { is: value === true, place, doubts, notes: [], isReached: true };
}

function destinationStep(
  facts: Facts,
  visitor: Visitor,
  isReached: boolean,
): Extract<Step, { asks: "destination" }> & { readonly own: Way } {
  const active = taken(TARGETS.active, facts);
  const own = taken(DESTINATION_ROW, facts);
  const word = String(active.value);
  const row = TARGETS.byWord.get(word);
  const group = row === undefined ? null : taken(row, facts);
  const { choice, ways, notes } = chooseWays(word, row, group, own, visitor);
  const isIdle = choice.by === "none" && [...TARGETS.byWord.values()].some((one) => hasSome(facts.of(one)));
  return {
    asks: "destination",
    choice: choice.by === "none" ? { by: "none", isIdle } : choice,
    ways,
    own: { who: { by: "all" }, to: String(own.value ?? ""), place: own.place },
    place: active.place ?? own.place,
    notes: isIdle ? [...notes, "group-idle"] : notes,
    doubts: [...active.doubts, ...(group?.doubts ?? []), ...own.doubts],
    isReached,
  };
}

/** What a query does to the destinations; nothing where all of them stay as they are stored. */
function queryStep(query: string, merged: readonly Merged[], isReached: boolean): readonly Step[] {
  if (query.replaceAll("&", "") === "") return [];
  const all = <Item>(of: (one: Merged) => readonly Item[]): Item[] => [...new Set(merged.flatMap(of))];
  const lost = all((one) => one.lost);
  const isRebuilt = merged.some((one) => one.isRebuilt);
  const step: QueryStep = {
    asks: "query",
    query,
    isRebuilt,
    replaced: all((one) => one.replaced),
    removed: all((one) => one.removed),
    lost,
    place: null,
    doubts: [],
    notes: isRebuilt ? ["query", ...(lost.length > 0 ? (["query-drops"] as const) : [])] : [],
    isReached,
  };
  return [step];
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
