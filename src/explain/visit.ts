// Where the visitor of a short URL is sent, and why (docs/service.md, "What a visitor sees"):
//
//     gates: expired, disabled, password, warning     in the order of the service's version
//        │   expired: the expiration URL or a page; disabled: a page; password and warning: a page that the visitor can pass
//     destination: from the active targeting group, else the link's own
//        │
//     pixels? ─ some ─→ a page that asks for consent; visitors who accept go to the link's own destination
//        │ none, or refused
//     a redirect that browsers do not cache

import type { Place } from "../domain/place.ts";
import { SOFTWARE, type Software } from "../domain/software.ts";
import {
  CLICK_LIMIT,
  DESTINATION,
  DISABLED,
  EXPIRATION_DATE,
  EXPIRATION_URL,
  fieldAt,
  LANGUAGE,
  PASSWORD,
  REFERENCE_FIELD,
  SENSITIVE,
  START_DATE,
  TARGETS,
  type TargetSpec,
} from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import {
  VISIT_RULES,
  type Choice,
  type Doubt,
  type Gate,
  type NoteCode,
  type PassedPage,
  type ExpiryStep,
  type VersionVisit,
  type Visit,
  type VisitRules,
  type Visitor,
  type VisitorRoute,
  type Visits,
  type VisitStep,
  type Who,
} from "../domain/visit.ts";
import { inexpressibleIn, wireOf } from "../domain/wire.ts";
import { resolveFact, type Facts, type ResolvedFact } from "./facts.ts";

const isPassedPage = (gate: Gate): gate is PassedPage => gate === "password" || gate === "warning";

/** Every step of a visit. Steps after the one that ends it are explained as if they were reached. */
function visit(facts: Facts, visitor: Visitor, software: Software): Visit {
  const order = VISIT_RULES[software].gates;
  const steps = order.map((gate) => gateStep(gate, facts, visitor, software));
  const isHeld = (gate: Gate): boolean => steps[order.indexOf(gate)]?.isHeld === true;
  const ending = order.find((gate) => !isPassedPage(gate) && isHeld(gate)) ?? null;
  const isReached = (gate: Gate): boolean => ending === null || order.indexOf(gate) <= order.indexOf(ending);
  const gates = steps.map(({ gate, step }): VisitStep => ({ ...step, isReached: isReached(gate) }));
  const passed = order.filter(isPassedPage).filter((page) => isHeld(page) && isReached(page));
  const isThrough = ending === null;
  const destination = destinationStep(facts, visitor, software, isThrough);
  const pixels = pixelStep(facts, isThrough);
  const all: readonly VisitStep[] = [...gates, destination, pixels];
  if (ending === "expired") {
    const expired = gates.find((step) => step.asks === "expired");
    const over = expired?.over ?? null;
    const isEarly = expired?.by === "start";
    const [to, place] = [over?.to ?? null, over?.place ?? null];
    return { steps: all, end: { kind: "expired", passed, isEarly, to, place } };
  }
  if (ending === "disabled") return { steps: all, end: { kind: "disabled", passed } };
  const { ways } = destination;
  const accepted = pixels.names.length === 0 ? null : destination.own;
  return { steps: all, end: { kind: "sent on", passed, pixels: pixels.names, ways, accepted } };
}

interface GateStep {
  readonly gate: Gate;
  readonly step: VisitStep;
  /** The check applies to this visit. */
  readonly isHeld: boolean;
}

const FLAG_OF = { disabled: DISABLED, password: PASSWORD, warning: SENSITIVE } as const;

function gateStep(gate: Gate, facts: Facts, visitor: Visitor, software: Software): GateStep {
  if (gate !== "expired") return flagStep(gate, facts);
  const step = expiryStep(facts, visitor, software);
  return { gate, step, isHeld: step.by !== null };
}

function flagStep(gate: Exclude<Gate, "expired">, facts: Facts): GateStep {
  const { value, place, doubts } = resolveFact(FLAG_OF[gate], facts);
  const is = value === true;
  return { gate, isHeld: is, step: { asks: gate, is, place, doubts, notes: [], isReached: true } };
}

function knownValues(facts: Facts): { get(path: string): Value | undefined } {
  return {
    get: (path) => {
      const field = fieldAt("link", path);
      const fact = field && facts.of(field);
      return fact?.isKnown === true ? fact.value : undefined;
    },
  };
}

/** The visit in this version; if it is unknown, in the oldest version that has the link's fields, and in each of the others. */
export function visits(facts: Facts, visitor: Visitor, version: Software | null): Visits {
  const asked = version === null ? SOFTWARE : [version];
  const able = asked.filter((one) => inexpressibleIn(one, "link", knownValues(facts)).length === 0);
  const [first = SOFTWARE[0], ...others] = able.length === 0 ? asked : able;
  const visitIn = (one: Software): VersionVisit => ({ version: one, visit: visit(facts, visitor, one) });
  return { ...visitIn(first), others: others.map(visitIn) };
}

/** In milliseconds: the largest offset of any time zone. */
const MAX_UTC_OFFSET = 14 * 3_600_000;

function expiryStep(facts: Facts, { at }: Visitor, software: Software): ExpiryStep {
  const [date, count, url] = [
    resolveFact(EXPIRATION_DATE, facts),
    resolveFact(CLICK_LIMIT, facts),
    resolveFact(EXPIRATION_URL, facts),
  ];
  const start = wireOf(START_DATE, software) !== null ? resolveFact(START_DATE, facts) : null;
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
    one !== null && Math.abs(Date.parse(one.instant) - Date.parse(at)) <= MAX_UTC_OFFSET;
  const shifted = [...(isNear(starts) ? [START_DATE.path] : []), ...(isNear(ends) ? [EXPIRATION_DATE.path] : [])];
  const expiryDoubts = [...(start?.doubts ?? []), ...date.doubts, ...count.doubts, ...uncounted];
  return {
    asks: "expired",
    by,
    starts,
    ends,
    limit,
    clicks: facts.clicks,
    over,
    place: by === "start" ? (starts?.place ?? null) : by === "clicks" ? count.place : (date.place ?? count.place),
    notes: [],
    // If the link has expired, unknown dates do not matter, but its expiration URL does.
    doubts: [
      ...(by === null ? expiryDoubts : url.doubts),
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
  const active = resolveFact(TARGETS.active, facts);
  const own = resolveFact(DESTINATION, facts);
  const word = String(active.value);
  const field = TARGETS.byWord.get(word);
  const group = field === undefined ? null : resolveFact(field, facts);
  const { choice, ways, notes } = chooseRoutes(word, field, group, own, visitor, VISIT_RULES[software]);
  return {
    asks: "destination",
    choice,
    ways,
    own: { who: { by: "all" }, to: String(own.value ?? ""), place: own.place },
    place: active.place ?? own.place,
    notes,
    doubts: [...active.doubts, ...(group?.doubts ?? []), ...own.doubts],
    isReached,
  };
}

function pixelStep(facts: Facts, isReached: boolean): Extract<VisitStep, { asks: "pixels" }> {
  const field = fieldAt("link", REFERENCE_FIELD.pixel);
  if (field === undefined) throw new Error("no field of a link names its pixels");
  const { value, place, doubts } = resolveFact(field, facts);
  const names = texts(value);
  return { asks: "pixels", names, place, doubts, notes: [], isReached };
}

interface ChosenTarget {
  readonly choice: Choice;
  /** Empty where the service fails. */
  readonly ways: readonly VisitorRoute[];
  readonly notes: readonly NoteCode[];
}

/** The routes of this visitor; all routes if nothing is known about the visitor. */
function chooseRoutes(
  word: string,
  field: TargetSpec | undefined,
  group: ResolvedFact | null,
  own: ResolvedFact,
  { is, isCrawler }: Visitor,
  rules: VisitRules,
): ChosenTarget {
  const ownTo = String(own.value ?? "");
  const all: VisitorRoute = { who: { by: "all" }, to: ownTo, place: own.place };
  if (word === TARGETS.active.default) return { choice: { by: "none" }, ways: [all], notes: [] };
  if (isCrawler) return { choice: { by: "crawler" }, ways: [all], notes: [] };
  if (field === undefined || group === null)
    return { choice: { by: "word", word }, ways: [all], notes: ["other-word"] };
  const places = (at: number): Place | null => group.parts[at] ?? group.place;
  if (field.kind === "list") {
    const targets = texts(group.value);
    if (targets.some(isEmptyEntry)) return { choice: { by: "hole" }, ways: [], notes: [] };
    if (rules.rotation === "own destination" && targets.length > 0)
      return { choice: { by: "unused" }, ways: [all], notes: ["rotation-unused"] };
    const turns = targets.length + 1;
    const ways = [...targets, ownTo].map((to, at): VisitorRoute => {
      const place = at < targets.length ? places(at) : own.place;
      return { who: { by: "turn", turn: at + 1, turns }, to, place };
    });
    const notes: readonly NoteCode[] = turns === 1 ? [] : ["whose-turn"];
    return { choice: { by: "group", group: word, field, signal: null, is: undefined }, ways, notes };
  }
  const keyed = pairs(group.value).map(([key, to], at): VisitorRoute => ({
    who: { by: "key", key },
    to,
    place: places(at),
  }));
  const counted = keyed.filter(({ who }, at) => keyed.findLastIndex((other) => isSameKey(other.who, who)) === at);
  const others: VisitorRoute = { ...all, who: { by: "others" } };
  const mine = keyOf(field, is.get(word), rules);
  const match = counted.find(({ who }) => who.by === "key" && who.key === mine);
  const ways = mine === undefined ? [...counted, others] : [match ?? others];
  const notes: NoteCode[] = [
    ...(field === LANGUAGE && rules.language === "whole header" ? (["whole-language"] as const) : []),
    ...(rules.unmeasured.includes(word) ? (["group-unmeasured"] as const) : []),
  ];
  const signal = (field === LANGUAGE ? rules.languageSignal : null) ?? field.keys.signal;
  return { choice: { by: "group", group: word, field, signal: signal, is: mine }, ways, notes };
}

/** The visitor's key that this version compares with the keys of the group. */
function keyOf(field: TargetSpec, is: string | null | undefined, rules: VisitRules): string | null | undefined {
  if (typeof is !== "string" || field !== LANGUAGE) return is;
  switch (rules.language) {
    case "first two letters":
      return is.length > 2 ? is.slice(0, 2).toLowerCase() : is;
    case "whole header":
      return is;
    default:
      return rules.language satisfies never;
  }
}

/** An empty entry of a rotation. */
function isEmptyEntry(target: string): boolean {
  return target === "";
}

function isSameKey(a: Who, b: Who): boolean {
  return a.by === "key" && b.by === "key" && a.key === b.key;
}

/** The texts of a list. */
function texts(value: Value): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The pairs of a map. */
function pairs(value: Value): Pair[] {
  return Array.isArray(value) ? value.filter((item): item is Pair => typeof item !== "string") : [];
}
