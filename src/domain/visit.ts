// Where the visitor of a short URL is sent, and why (docs/service.md, "What a visitor sees"):
//
//     expired? disabled? password? warning?     those that the service's version has, in its order:
//        │                     its expiration URL or a page, a page, a page that asks and goes on, and another
//     destination: by the group in force, else the link's own
//        │
//     pixels? ─ some ─→ a page that asks for consent; whoever accepts goes to the link's own destination
//        │ none, or refused
//     a redirect that browsers do not keep

import type { FieldSpec } from "./field.ts";
import type { Place } from "./place.ts";
import { SOFTWARE, type Software } from "./software.ts";
import { fieldAt, REFERENCE_FIELD } from "./table.ts";
import type { Value } from "./value.ts";
import { taken, texts, type Doubt, type Fact, type Facts } from "./visit-facts.ts";
import { CLICK_LIMIT, DESTINATION_ROW, ENDS, LOCK, OFF, OVER, STARTS, TARGETS, WARNING } from "./visit-fields.ts";
import type { NoteCode } from "./visit-notes.ts";
import { mergeQuery, type Merged } from "./visit-query.ts";
import { VISIT_RULES, type Gate } from "./visit-versions.ts";
import { chooseWays, type Choice, type VisitorKind, type VisitorRoute } from "./visit-ways.ts";
import { inexpressibleIn, wireOf } from "./wire.ts";

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
  readonly by: "start" | "date" | "clicks" | null;
  readonly starts: { readonly instant: string; readonly place: Place | null } | null;
  readonly ends: { readonly instant: string; readonly place: Place | null } | null;
  readonly limit: { readonly clicks: number; readonly place: Place | null } | null;
  readonly clicks: number | null;
  readonly over: { readonly to: string; readonly place: Place | null } | null;
};

type QueryStep = StepBase & { readonly asks: "query"; readonly query: string } & Omit<Merged, "to">;

export type VisitStep =
  | ExpiryStep
  | (StepBase & { readonly asks: "disabled" | "password" | "warning"; readonly is: boolean })
  | (StepBase & { readonly asks: "destination"; readonly choice: Choice; readonly ways: readonly VisitorRoute[] })
  /** Only where there is a query. What it does to any of the destinations. */
  | QueryStep
  | (StepBase & { readonly asks: "pixels"; readonly names: readonly string[] });

/** A page that visitors pass before they go on. */
export type PassedPage = Extract<Gate, "password" | "warning">;

/** How a visit ends. Of several ways it is one, for each visitor another. `passed`: pages before the end, in their order. */
export type End =
  | {
      readonly kind: "expired";
      readonly passed: readonly PassedPage[];
      /** The active period has not begun. */
      readonly isEarly: boolean;
      readonly to: string | null;
      readonly place: Place | null;
    }
  | { readonly kind: "disabled"; readonly passed: readonly PassedPage[] }
  | {
      readonly kind: "sent on";
      readonly passed: readonly PassedPage[];
      readonly pixels: readonly string[];
      /** Empty where the service fails. */
      readonly ways: readonly VisitorRoute[];
      /** Where visitors go who accept tracking; null without pixels. */
      readonly accepted: VisitorRoute | null;
    };

interface Visit {
  /** In the order in which the version decides them. */
  readonly steps: readonly VisitStep[];
  readonly end: End;
}

const isPassedPage = (gate: Gate): gate is PassedPage => gate === "password" || gate === "warning";

/** Every step of a visit to a service of this version. Steps behind the one that ends it are explained as if it had not. */
function visit(facts: Facts, visitor: Visitor, software: Software): Visit {
  const order = VISIT_RULES[software].gates;
  const steps = order.map((gate) => gateStep(gate, facts, visitor, software));
  const isHeld = (gate: Gate): boolean => steps[order.indexOf(gate)]?.isHeld === true;
  const ending = order.find((gate) => !isPassedPage(gate) && isHeld(gate)) ?? null;
  const isReached = (gate: Gate): boolean => ending === null || order.indexOf(gate) <= order.indexOf(ending);
  const orderNotes: readonly NoteCode[] = order.filter(isHeld).length > 1 && ending !== null ? ["order"] : [];
  const gates = steps.map(({ gate, step, isHeld: holds }): VisitStep => {
    const notes = holds || gate === "expired" ? [...step.notes, ...orderNotes] : step.notes;
    return { ...step, isReached: isReached(gate), notes };
  });
  const passed = order.filter(isPassedPage).filter((page) => isHeld(page) && isReached(page));
  const isThrough = ending === null;
  const destination = destinationStep(facts, visitor, software, isThrough);
  const merged = destination.ways.map((way) => ({ way, merged: mergeQuery(way.to, visitor.query) }));
  const pixels = pixelStep(facts, isThrough);
  const all: readonly VisitStep[] = [
    ...gates,
    destination,
    ...queryStep(
      visitor.query,
      merged.map((one) => one.merged),
      isThrough,
    ),
    pixels,
  ];
  if (ending === "expired") {
    const expired = gates.find((step) => step.asks === "expired");
    const over = expired?.over ?? null;
    const isEarly = expired?.by === "start";
    const [to, place] = [over?.to ?? null, over?.place ?? null];
    return { steps: all, end: { kind: "expired", passed, isEarly, to, place } };
  }
  if (ending === "disabled") return { steps: all, end: { kind: "disabled", passed } };
  const ways = merged.map(({ way, merged: { to } }): VisitorRoute => ({ ...way, to }));
  const accepted = pixels.names.length === 0 ? null : destination.own;
  return { steps: all, end: { kind: "sent on", passed, pixels: pixels.names, ways, accepted } };
}

interface GateStep {
  readonly gate: Gate;
  readonly step: VisitStep;
  /** The visitor meets something here. */
  readonly isHeld: boolean;
}

function gateStep(gate: Gate, facts: Facts, visitor: Visitor, software: Software): GateStep {
  switch (gate) {
    case "expired": {
      const step = expiryStep(facts, visitor, software);
      return { gate, step, isHeld: step.by !== null };
    }
    case "disabled":
      return flagStep(gate, OFF, "off-page", facts);
    case "password":
      return flagStep(gate, LOCK, "lock-page", facts);
    case "warning":
      return flagStep(gate, WARNING, "warning-page", facts);
    default:
      return gate satisfies never;
  }
}

function flagStep(gate: Exclude<Gate, "expired">, row: FieldSpec, note: NoteCode, facts: Facts): GateStep {
  const { value, place, doubts } = taken(row, facts);
  const is = value === true;
  return { gate, isHeld: is, step: { asks: gate, is, place, doubts, notes: is ? [note] : [], isReached: true } };
}

/** The visit as a version answers it. */
export interface VersionVisit {
  readonly version: Software;
  readonly visit: Visit;
}

/** The visit as the version answers it, or `others`: as each other version does, where nobody knows the version. */
export interface Visits extends VersionVisit {
  readonly others: readonly VersionVisit[];
  /** What the link has and a version cannot express. If the version is not known, such a version does not count. */
  readonly lacking: readonly Lacking[];
}

/** What a version cannot express. `because` ends a sentence that begins with the version: "has no `disabled`". */
interface Lacking {
  readonly version: Software;
  readonly because: readonly string[];
}

function knownValues(facts: Facts): { get(path: string): Value | undefined } {
  return {
    get: (path) => {
      const row = fieldAt("link", path);
      const fact = row && facts.of(row);
      return fact?.isKnown === true ? fact.value : undefined;
    },
  };
}

/** The visit by the version of the service; if that is not known, by the oldest that has the link's fields, and by each of the others. */
export function visits(facts: Facts, visitor: Visitor, version: Software | null): Visits {
  const asked = version === null ? SOFTWARE : [version];
  const lacking = asked.flatMap((one): Lacking[] => {
    const because = inexpressibleIn(one, "link", knownValues(facts)).map((problem) => problem.because);
    return because.length === 0 ? [] : [{ version: one, because }];
  });
  const able = asked.filter((one) => lacking.every((lack) => lack.version !== one));
  const [first = SOFTWARE[0], ...others] = able.length === 0 ? asked : able;
  const answerOf = (one: Software): VersionVisit => ({ version: one, visit: visit(facts, visitor, one) });
  return { ...answerOf(first), others: others.map(answerOf), lacking };
}

/** ms: no zone's clocks are further from UTC's. */
const MOST_OFF = 14 * 3_600_000;

function expiryStep(facts: Facts, { at, query }: Visitor, software: Software): ExpiryStep {
  const [date, count, url] = [taken(ENDS, facts), taken(CLICK_LIMIT, facts), taken(OVER, facts)];
  const start = wireOf(STARTS, software) !== null ? taken(STARTS, facts) : null;
  const starts = typeof start?.value === "string" ? { instant: start.value, place: start.place } : null;
  const ends = typeof date.value === "string" ? { instant: date.value, place: date.place } : null;
  const limit = typeof count.value === "number" ? { clicks: count.value, place: count.place } : null;
  const over = typeof url.value === "string" ? { to: url.value, place: url.place } : null;
  const isEarly = starts !== null && at < starts.instant;
  const isPast = ends !== null && ends.instant <= at;
  const isUsedUp = limit !== null && facts.clicks !== null && facts.clicks >= limit.clicks;
  const by = isEarly ? "start" : isPast ? "date" : isUsedUp ? "clicks" : null;
  const uncounted: Doubt[] = limit !== null && facts.clicks === null ? [{ path: CLICK_LIMIT.path, why: "clicks" }] : [];
  const isNear = (one: { readonly instant: string } | null): boolean =>
    one !== null && Math.abs(Date.parse(one.instant) - Date.parse(at)) <= MOST_OFF;
  const shifted = [...(isNear(starts) ? [STARTS.path] : []), ...(isNear(ends) ? [ENDS.path] : [])];
  const unsaid = [...(start?.doubts ?? []), ...date.doubts, ...count.doubts, ...uncounted];
  return {
    asks: "expired",
    by,
    starts,
    ends,
    limit,
    clicks: facts.clicks,
    over,
    place: by === "start" ? (starts?.place ?? null) : by === "clicks" ? count.place : (date.place ?? count.place),
    notes: [
      ...(ends !== null || limit !== null ? (["over-when"] as const) : []),
      ...(starts === null ? [] : (["before-start"] as const)),
      ...(by === null ? [] : ([over === null ? "over-page" : "over-url"] as const)),
      ...(by !== null && over !== null && query !== "" ? (["over-query"] as const) : []),
    ],
    // What decides already needs nothing else; where it leads then may not be known.
    doubts: [
      ...(by === null ? unsaid : url.doubts),
      ...(facts.isZoneGuessed ? shifted.map((path): Doubt => ({ path, why: "zone" })) : []),
    ],
    isReached: true,
  };
}

function destinationStep(
  facts: Facts,
  visitor: Visitor,
  software: Software,
  isReached: boolean,
): Extract<VisitStep, { asks: "destination" }> & { readonly own: VisitorRoute } {
  const active = taken(TARGETS.active, facts);
  const own = taken(DESTINATION_ROW, facts);
  const word = String(active.value);
  const row = TARGETS.byWord.get(word);
  const group = row === undefined ? null : taken(row, facts);
  const { choice, ways, notes } = chooseWays(word, row, group, own, visitor, VISIT_RULES[software]);
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
function queryStep(query: string, merged: readonly Merged[], isReached: boolean): readonly VisitStep[] {
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

function pixelStep(facts: Facts, isReached: boolean): Extract<VisitStep, { asks: "pixels" }> {
  const row = fieldAt("link", REFERENCE_FIELD.pixel);
  if (row === undefined) throw new Error("no field of a link names its pixels");
  const { value, place, doubts } = taken(row, facts);
  const names = texts(value);
  return { asks: "pixels", names, place, doubts, notes: names.length > 0 ? ["pixel-page"] : [], isReached };
}
