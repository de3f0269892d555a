// Where the visitor of a short URL is sent, and why (docs/service.md, "What a visitor sees"):
//
//     gates: expired, disabled, password, warning     in the order of the service's version
//        │   expired: the expiration URL or a page; disabled: a page; password and warning: a page that the visitor can pass
//     destination: from the active targeting group, else the link's own
//        │
//     pixels? ─ some ─→ a page that asks for consent; visitors who accept go to the link's own destination
//        │ none, or refused
//     a redirect that browsers do not cache

import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import type { Place } from "../domain/place.ts";
import { SOFTWARE, type Software } from "../domain/software.ts";
import { CLICK_LIMIT, DESTINATION, DISABLED, EXPIRATION_DATE, EXPIRATION_URL, FIELDS } from "../domain/table.ts";
import { LANGUAGE, PASSWORD, PIXELS, SENSITIVE, START_DATE, TARGETS, type TargetSpec } from "../domain/table.ts";
import { pairsOf, textsOf } from "../domain/value.ts";
import { NOTES, VISIT_RULES, type Gate, type NoteCode, type VisitRules } from "../domain/visit.ts";
import { inexpressibleIn, wireOf } from "../domain/wire.ts";
import { placeDocument } from "../report/finding-document.ts";
import { shown } from "../report/values.ts";
import { capital, timeText } from "../report/counts.ts";
import { plural, showCount } from "../domain/words.ts";
import type { ExplainDocument, SideDocument, VisitDocument } from "../report/json/explain.ts";
import type { Fact, Facts } from "./facts.ts";

export type Visitor = NonNullable<ExplainDocument["visitor"]>;

type Route = VisitDocument["goes_to"][number];

/** A question that a visit depends on, and what the link answers. */
interface Step {
  readonly asks: SideDocument["steps"][number]["asks"];
  readonly says: string;
  /** The line of the files that decides, if any. */
  readonly place: Place | null;
  readonly notes?: readonly NoteCode[];
  readonly facts: readonly Fact[];
}

interface GateStep extends Step {
  readonly asks: Gate;
  readonly isHeld: boolean;
  /** Where visitors go instead of to a page, and why. */
  readonly over?: { readonly route: Route; readonly because: string };
}

interface DestinationStep extends Step {
  /** Empty where the service fails. */
  readonly routes: readonly Route[];
  readonly own: Route;
}

interface Visit {
  readonly version: Software;
  /** Steps after the one that ends the visit are explained as if they were reached. */
  readonly steps: readonly Step[];
  readonly reached: readonly Step[];
  readonly answer: VisitDocument;
}

export interface VisitContext {
  readonly visitor: Visitor;
  readonly zone: string;
  readonly version: Software | null;
}

export type LinkVisits = VisitDocument &
  Pick<SideDocument, "by_version" | "steps" | "unknown" | "unknown_says" | "notes">;

/** If the version is unknown: in the oldest one that has the link's fields, and in all if they differ. `notes` are about the link. */
export function explainVisits(facts: Facts, context: VisitContext, notes: readonly NoteCode[] = []): LinkVisits {
  const asked = context.version === null ? SOFTWARE : [context.version];
  const known = FIELDS.link.map(facts.of).filter(({ unknown: why }) => why === null);
  const values = new Map(known.map(({ path, value }) => [path, value]));
  const able = asked.filter((one) => inexpressibleIn(one, "link", values).length === 0);
  const visits = (able.length === 0 ? asked : able).map((one) => visit(facts, context, one));
  const [first] = visits;
  if (first === undefined) throw new Error("no version was asked for");
  const groups = groupBy(visits, ({ answer }) => answerKey(answer));
  const differing = groups.size < 2 ? [] : [...groups.values()].flat();
  const used = new Map(first.reached.flatMap((step) => step.facts).map((fact) => [fact.path, fact]));
  const unknown = [...used.values()].flatMap(({ path, unknown: why }) => (why === null ? [] : [{ path, why }]));
  const codes = new Set([...notes, ...visits.flatMap(({ reached }) => reached).flatMap((step) => step.notes ?? [])]);
  return {
    ...first.answer,
    by_version: differing.map((one) => ({ version: one.version, ...one.answer })),
    steps: first.steps.map((step) => ({
      asks: step.asks,
      reached: first.reached.includes(step),
      says: assumed(step),
      basis: basisOf(step.notes ?? []),
      source: sourceOf(step.place),
    })),
    unknown,
    unknown_says: unknown.length === 0 ? [] : [assumedText(unknown)],
    notes: [...codes].map((code) => ({ code, ...NOTES[code] })),
  };
}

/** Equal if visitors get the same, from any line of the files. */
function answerKey({ says: _says, ...answer }: VisitDocument): string {
  return JSON.stringify(answer, (key, value: unknown) => (key === "source" ? null : value));
}

function assumedText(unknown: SideDocument["unknown"]): string {
  const paths = unknown.map(({ path }) => `\`${path}\``).join(", ");
  const isOfFiles = unknown.some(({ why }) => why === "silent" || why === "kept");
  const why = isOfFiles
    ? "Where the files set no value, an apply can keep the live one. Pass `--live` to see the link in the account."
    : "The service does not return a value that linkform can read.";
  return `This answer assumes the default of ${paths}. ${why}`;
}

/** Why a step may be wrong; null if it follows from the link and from facts that are certain. */
function basisOf(notes: readonly NoteCode[]): SideDocument["steps"][number]["basis"] {
  return (["unknown", "doubtful"] as const).find((basis) => notes.some((code) => NOTES[code].basis === basis)) ?? null;
}

function visit(facts: Facts, { visitor, zone }: VisitContext, version: Software): Visit {
  const rules = VISIT_RULES[version];
  const gates = rules.gates.map((gate) =>
    gate === "expired" ? expiryStep(facts, visitor, version, zone) : flagStep(gate, facts),
  );
  const stop = gates.find(({ asks, isHeld }) => isHeld && !isPassedPage(asks));
  const before = stop === undefined ? gates : gates.slice(0, gates.indexOf(stop));
  const passed = before.flatMap(({ asks, isHeld }) => (isHeld && isPassedPage(asks) ? [asks] : []));
  const destination = destinationStep(facts, visitor, rules);
  const { names, step: pixels } = pixelStep(facts);
  const steps = [...gates, destination, pixels];
  if (stop === undefined) return { version, steps, reached: steps, answer: sentOn(passed, destination, names) };
  return { version, steps, reached: [...before, stop], answer: stopped(passed, stop) };
}

type PassedPage = Extract<Gate, "password" | "warning">;

const PASSED: Readonly<Record<PassedPage, string>> = {
  password: "are asked for a password",
  warning: "must confirm a warning",
};

function isPassedPage(gate: Gate): gate is PassedPage {
  return gate in PASSED;
}

function visitorsText(pages: readonly PassedPage[], joint: string): string {
  return pages.length === 0 ? "Visitors" : `Visitors ${pages.map((page) => PASSED[page]).join(", ")}, ${joint}`;
}

export const NOWHERE = { pixels: [], goes_to: [], after_consent: null };

function stopped(passed: readonly PassedPage[], { asks, over }: GateStep): VisitDocument {
  const visitors = visitorsText(passed, "and then");
  if (over === undefined) {
    const says = `${visitors} see a page that says the link ${asks === "disabled" ? "is disabled" : "has expired"}.`;
    return { ...NOWHERE, says, status: 200, pages: [...passed, asks] };
  }
  const says = `${visitors} go to ${shown(over.route.url)}, because the link ${over.because}.`;
  return { ...NOWHERE, says, status: passed.length > 0 ? 200 : 301, pages: [...passed], goes_to: [over.route] };
}

function sentOn(passed: readonly PassedPage[], to: DestinationStep, pixels: readonly string[]): VisitDocument {
  const { routes, own } = to;
  const [only] = routes;
  const [isAsked, fails] = [pixels.length > 0, only === undefined];
  const answer: Omit<VisitDocument, "says"> = {
    status: passed.length > 0 || isAsked ? 200 : fails ? 500 : 301,
    pages: [...passed, ...(isAsked ? ["pixels" as const] : []), ...(fails ? ["error" as const] : [])],
    pixels: [...pixels],
    goes_to: [...routes],
    after_consent: isAsked ? { url: own.url, source: own.source } : null,
  };
  const where = routes.length === 1 ? `to ${shown(only?.url ?? "")}` : `to one of ${routes.length} destinations:`;
  const refused = fails ? "see an error (500)." : `go ${where}`;
  if (!isAsked) return { says: `${visitorsText(passed, fails ? "and then" : "and")} ${refused}`, ...answer };
  const names = pixels.length > 3 ? plural(pixels.length, "pixel") : pixels.map(visible).join(", ");
  const asked = `${visitorsText(passed, "and then")} are asked whether they accept tracking by ${names}.`;
  const accepted = `they go to ${shown(own.url)}`;
  const isSame = routes.length === 1 && only?.url === own.url;
  const then = isSame ? `Either way, ${accepted}` : `If they accept, ${accepted}, and if they refuse, they ${refused}`;
  return { says: `${asked} ${then}`, ...answer };
}

/** Says so if a field that the step depends on is unknown. */
function assumed({ says, facts }: Step): string {
  const isAssumed = facts.some(({ unknown }) => unknown !== null);
  return isAssumed ? `Unknown, assumed: ${says.charAt(0).toLowerCase()}${says.slice(1)}` : says;
}

const FLAGS = {
  disabled: { field: DISABLED, says: "Yes: visitors see a page that says so." },
  password: { field: PASSWORD, says: "Yes: a page asks for the password first." },
  warning: { field: SENSITIVE, says: "Yes: a page warns of sensitive content first." },
} as const;

function flagStep(asks: Exclude<Gate, "expired">, facts: Facts): GateStep {
  const fact = facts.of(FLAGS[asks].field);
  const isHeld = fact.value === true;
  return { asks, isHeld, says: isHeld ? FLAGS[asks].says : "No.", place: fact.place, facts: [fact] };
}

function expiryStep(facts: Facts, { at }: Visitor, software: Software, zone: string): GateStep {
  const [date, count, url] = [facts.of(EXPIRATION_DATE), facts.of(CLICK_LIMIT), facts.of(EXPIRATION_URL)];
  const start = wireOf(START_DATE, software) === null ? null : facts.of(START_DATE);
  const textOf = (fact: Fact | null): string | null => (typeof fact?.value === "string" ? fact.value : null);
  const [starts, ends, to] = [textOf(start), textOf(date), textOf(url)];
  const limit = typeof count.value === "number" ? count.value : null;
  const { clicks } = facts;
  const isEarly = starts !== null && at < starts;
  const isPast = ends !== null && ends <= at;
  const isUsedUp = limit !== null && clicks !== null && clicks >= limit;
  const isHeld = isEarly || isPast || isUsedUp;

  const where = to === null ? "visitors see a page that says so" : `visitors go to ${shown(to)}`;
  const time = (instant: string): string => timeText(instant, zone);
  const until = [
    ...(ends === null ? [] : [`from ${time(ends)} on`]),
    ...(limit === null ? [] : [`after ${plural(limit, "click")}`]),
  ].join(", or ");
  const says = isEarly
    ? `Not active before ${time(starts)}: ${where}.`
    : isPast
      ? `Yes, since ${time(ends)}: ${where}.`
      : isUsedUp
        ? `Yes, after ${showCount(clicks)} of ${plural(limit, "click")}: ${where}.`
        : until === ""
          ? "No, it never expires."
          : `Not yet. ${capital(until)}, ${where}.`;

  return {
    asks: "expired",
    isHeld,
    says,
    place: isEarly ? (start?.place ?? null) : isUsedUp && !isPast ? count.place : (date.place ?? count.place),
    // If the link has expired, unknown dates do not matter, but its expiration URL does.
    facts: isHeld ? [url] : [...(start === null ? [] : [start]), date, count],
    ...(to !== null && {
      over: { route: routeTo({ by: "all" }, to, url.place), because: isEarly ? "is not active yet" : "has expired" },
    }),
  };
}

function pixelStep(facts: Facts): { readonly names: readonly string[]; readonly step: Step } {
  const fact = facts.of(PIXELS);
  const names = textsOf(fact.value);
  const listed = names.map(visible).join(", ");
  const says = names.length === 0 ? "None." : `${listed}: a page asks whether the visitor accepts tracking.`;
  return { names, step: { asks: "pixels", says, place: fact.place, facts: [fact] } };
}

type Chosen = Pick<DestinationStep, "says" | "routes" | "notes">;

function destinationStep(facts: Facts, visitor: Visitor, rules: VisitRules): DestinationStep {
  const active = facts.of(TARGETS.active);
  const url = facts.of(DESTINATION);
  const own = routeTo({ by: "all" }, String(url.value ?? ""), url.place);
  const word = String(active.value);
  const field = TARGETS.byWord.get(word);
  const group = field && facts.of(field);
  const all = [active, ...(group === undefined ? [] : [group]), url];
  return { asks: "destination", own, ...chosen(), place: active.place ?? url.place, facts: all };

  function chosen(): Chosen {
    if (word === TARGETS.active.default) return { says: "The link's `url`.", routes: [own] };
    if (visitor.crawler) return { says: "The link's `url`, because crawlers are not targeted.", routes: [own] };
    if (field === undefined || group === undefined) {
      const unknown = `The active group is \`${visible(word)}\`, which linkform does not know.`;
      return { says: unknown, routes: [own], notes: ["other-word"] };
    }
    return field.kind === "list" ? rotate(group, own, rules) : target(word, field, group, own, visitor, rules);
  }
}

/** The destinations of a rotation in turn, the link's own last. */
function rotate(group: Fact, own: Route, rules: VisitRules): Chosen {
  const targets = textsOf(group.value);
  if (targets.includes(""))
    return { says: "The rotation has an empty entry, so the service fails on every visit.", routes: [] };
  const turns = targets.length + 1;
  const entries = targets.map((to, at) => routeTo({ by: "all" }, to, placeOf(group, at)));
  const routes = [...entries, own].map((route, at): Route => ({ ...route, who: { by: "turn", turn: at + 1, turns } }));
  if (turns === 1) return { says: "The link's `url`, because the rotation is empty.", routes };
  if (rules.rotation === "entries in turn")
    return { says: `${turns} destinations in turn, the link's \`url\` last.`, routes, notes: ["whose-turn"] };
  const says = "The link's `url`, because this version ignores the rotation.";
  return { says, routes: [own], notes: ["rotation-unused"] };
}

/** The destination of this visitor in a group with keys; all of its destinations if the visitor's key is not given. */
function target(
  word: string,
  field: Exclude<TargetSpec, { kind: "list" }>,
  group: Fact,
  own: Route,
  { is }: Visitor,
  rules: VisitRules,
): Chosen {
  // The last of several entries with a key counts.
  const byKey = new Map<string, Route>();
  for (const [at, [key, to]] of pairsOf(group.value).entries()) {
    byKey.delete(key);
    byKey.set(key, routeTo({ by: "key", key }, to, placeOf(group, at)));
  }
  const others: Route = { ...own, who: { by: "others" } };
  const isWhole = field === LANGUAGE && rules.language === "whole header";
  const given = is[word];
  const isCut = field === LANGUAGE && !isWhole && typeof given === "string" && given.length > 2;
  const mine = isCut ? given.slice(0, 2).toLowerCase() : given;
  const match = typeof mine === "string" ? byKey.get(mine) : undefined;
  const signal = isWhole ? "the visitor's whole `Accept-Language`" : field.keys.signal;
  const name = mine === null ? "any other" : visible(mine ?? "");
  const says =
    mine === undefined
      ? byKey.size === 0
        ? ". The group is empty, so visitors go to the link's `url`."
        : `. Pass \`--${word}\` to choose one.`
      : match !== undefined
        ? `: ${name} is in the group.`
        : `: ${name} is not in the group, so visitors go to the link's \`url\`.`;
  return {
    says: `By the ${field.keys.noun}, from ${signal}${says}`,
    routes: mine === undefined ? [...byKey.values(), others] : [match ?? others],
    notes: [
      ...(isWhole ? (["whole-language"] as const) : []),
      ...(rules.unmeasured.includes(word) ? (["group-unmeasured"] as const) : []),
    ],
  };
}

function routeTo(who: Route["who"], url: string, place: Place | null): Route {
  return { who, url, source: sourceOf(place) };
}

export function sourceOf(place: Place | null): Route["source"] {
  return place && placeDocument(place);
}

function placeOf({ parts, place }: Fact, at: number): Place | null {
  return parts[at] ?? place;
}
