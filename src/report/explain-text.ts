// The sentences of an explanation: the answer, what each step finds, and what is not known.

import type { Place } from "../domain/place.ts";
import {
  NOTES,
  type Basis,
  type Doubt,
  type End,
  type NoteCode,
  type PassedPage,
  type VisitorRoute,
  type VisitStep,
  type Who,
} from "../domain/visit.ts";
import { fieldAt } from "../domain/table.ts";
import { shown } from "./confusables.ts";
import { capital, listText, plural, showCount } from "./counts.ts";
import { differingVersions, type ExplainedSide } from "./explanation.ts";
import { visible } from "../domain/control-characters.ts";
import { wallTimeOf } from "../domain/zone.ts";
import { wireOf } from "../domain/wire.ts";

export interface DestinationRow {
  readonly who: string;
  readonly to: string;
  readonly place: Place | null;
}

export function answerText({ found }: ExplainedSide): string {
  switch (found.is) {
    case "link":
      return endText(found.visit.end);
    case "missing":
      return "No link has this alias. Visitors see a 404 page, or the domain's not-found page.";
    case "deleted":
      return "The files delete this link. After that, visitors see a 404 page, or the domain's not-found page.";
    case "renamed":
      return `The files rename this link to ${visible(found.to)}. After that, this short URL leads nowhere.`;
    default:
      return found satisfies never;
  }
}

export function endText(end: End): string {
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? `Visitors ${pagesText(end.passed, ", and then ")}see a page that says the link has expired.`
        : `Visitors ${pagesText(end.passed, ", and then ")}go to ${shown(end.to)}, because the link ${end.isEarly ? "is not active yet" : "has expired"}.`;
    case "disabled":
      return `Visitors ${pagesText(end.passed, ", and then ")}see a page that says the link is disabled.`;
    case "sent on":
      return redirectText(end);
    default:
      return end satisfies never;
  }
}

function redirectText({ passed, pixels, ways: routes, accepted }: Extract<End, { kind: "sent on" }>): string {
  const where = routeText(routes);
  if (accepted === null) {
    return routes.length === 0
      ? `Visitors ${pagesText(passed, ", and then ")}see an error (500).`
      : `Visitors ${pagesText(passed, ", and ")}go ${where}`;
  }
  const asked = `Visitors ${pagesText(passed, ", and then ")}are asked whether they accept tracking by ${pixelText(pixels)}.`;
  const [route] = routes;
  if (routes.length === 1 && route?.to === accepted.to) return `${asked} Either way, they go to ${shown(accepted.to)}`;
  const refused = routes.length === 0 ? "they see an error (500)." : `they go ${where}`;
  return `${asked} If they accept, they go to ${shown(accepted.to)}, and if they refuse, ${refused}`;
}

const PASSED_TEXT: Readonly<Record<PassedPage, string>> = {
  password: "are asked for a password",
  warning: "must confirm a warning",
};

/** What visitors do first, followed by `joint`. */
function pagesText(pages: readonly PassedPage[], joint: string): string {
  return pages.length === 0 ? "" : `${pages.map((page) => PASSED_TEXT[page]).join(", ")}${joint}`;
}

function routeText(routes: readonly VisitorRoute[]): string {
  const [route] = routes;
  return routes.length === 1 && route !== undefined
    ? `to ${shown(route.to)}`
    : `to one of ${routes.length} destinations:`;
}

function pixelText(names: readonly string[]): string {
  return names.length > 3 ? plural(names.length, "pixel") : names.map(visible).join(", ");
}

export function destinationRows(routes: readonly VisitorRoute[]): DestinationRow[] {
  return routes.map(({ who, to, place }) => ({ who: whoText(who), to: shown(to), place }));
}

function whoText(who: Who): string {
  switch (who.by) {
    case "all":
      return "all";
    case "key":
      return visible(who.key);
    case "others":
      return "all others";
    case "turn":
      return `${who.turn} of ${who.turns}`;
    default:
      return who satisfies never;
  }
}

/** What a step finds, with times of a zone. */
export function stepText(step: VisitStep, zone: string): string {
  const finding = findingText(step, (instant) => timeText(instant, zone));
  return step.doubts.some(
    ({ why }) => why === "silent" || why === "kept" || why === "not returned" || why === "unreadable",
  )
    ? `Unknown, assumed: ${finding.charAt(0).toLowerCase()}${finding.slice(1)}`
    : finding;
}

function findingText(step: VisitStep, time: (instant: string) => string): string {
  switch (step.asks) {
    case "expired":
      return expiredText(step, time);
    case "disabled":
      return step.is ? "Yes: visitors see a page that says so." : "No.";
    case "password":
      return step.is ? "Yes: a page asks for the password first." : "No.";
    case "warning":
      return step.is ? "Yes: a page warns of sensitive content first." : "No.";
    case "destination":
      return destinationText(step);
    case "pixels":
      return step.names.length === 0
        ? "None."
        : `${step.names.map(visible).join(", ")}: a page asks whether the visitor accepts tracking.`;
    default:
      return step satisfies never;
  }
}

function expiredText(step: Extract<VisitStep, { asks: "expired" }>, time: (instant: string) => string): string {
  const { by, starts, ends, limit, clicks, over } = step;
  const where = over === null ? "visitors see a page that says so" : `visitors go to ${shown(over.to)}`;
  if (by === "start" && starts !== null) return `Not active before ${time(starts.instant)}: ${where}.`;
  if (by === "date" && ends !== null) return `Yes, since ${time(ends.instant)}: ${where}.`;
  if (by === "clicks" && limit !== null)
    return `Yes, after ${showCount(clicks ?? limit.clicks)} of ${plural(limit.clicks, "click")}: ${where}.`;
  const when = [
    ...(ends === null ? [] : [`from ${time(ends.instant)} on`]),
    ...(limit === null ? [] : [`after ${plural(limit.clicks, "click")}`]),
  ];
  return when.length === 0 ? "No, it never expires." : `Not yet. ${capital(when.join(", or "))}, ${where}.`;
}

function destinationText({ choice, ways }: Extract<VisitStep, { asks: "destination" }>): string {
  const [way] = ways;
  switch (choice.by) {
    case "none":
      return "The link's `url`.";
    case "crawler":
      return "The link's `url`, because crawlers are not targeted.";
    case "unused":
      return "The link's `url`, because this version ignores the rotation.";
    case "hole":
      return "The rotation has an empty entry, so the service fails on every visit.";
    case "word":
      return `The active group is \`${visible(choice.word)}\`, which linkform does not know.`;
    case "group": {
      const { field, group, signal, is } = choice;
      if (field.kind === "list") {
        const turns = ways.length;
        return turns === 1
          ? "The link's `url`, because the rotation is empty."
          : `${turns} destinations in turn, the link's \`url\` last.`;
      }
      const by = `By the ${field.keys.noun}, from ${signal}`;
      if (ways.every(({ who }) => who.by === "others") && is === undefined)
        return `${by}. The group is empty, so visitors go to the link's \`url\`.`;
      if (is === undefined) return `${by}. Pass \`--${group}\` to choose one.`;
      const what = is === null ? "any other" : visible(is);
      return way?.who.by === "key"
        ? `${by}: ${what} is in the group.`
        : `${by}: ${what} is not in the group, so visitors go to the link's \`url\`.`;
    }
    default:
      return choice satisfies never;
  }
}

/** Why the answer of a step may be wrong; null if it follows from the link and from facts that are certain. */
export function stepBasis({ notes }: VisitStep): Basis | null {
  return (["unknown", "doubtful"] as const).find((basis) => notes.some((code) => NOTES[code].basis === basis)) ?? null;
}

export function timeText(instant: string, zone: string): string {
  return `${wallTimeOf(instant, zone).replace("T", " ")} (${zone})`;
}

export function noteCodes({ found, notes }: ExplainedSide): NoteCode[] {
  const steps = found.is === "link" ? [found, ...found.others].flatMap(({ visit }) => visit.steps) : [];
  return [...new Set([...notes, ...steps.flatMap((step) => (step.isReached ? step.notes : []))])];
}

/**
 * What is not known about the steps that the visit reached. Other versions count only if their outcomes differ, and only for fields
 * that they have.
 */
export function doubtsOf({ found }: ExplainedSide): readonly Doubt[] {
  if (found.is !== "link") return [];
  const differing = differingVersions(found);
  const doubts = (differing.length === 0 ? [found] : differing)
    .flatMap(({ visit }) => visit.steps)
    .flatMap((step) => (step.isReached ? step.doubts : []))
    .filter(({ path }) => {
      const field = fieldAt("link", path);
      return field === undefined || wireOf(field, found.version) !== null;
    });
  return [...new Map(doubts.map((doubt) => [`${doubt.path} ${doubt.why}`, doubt])).values()];
}

/** The doubts in sentences, one for each kind. */
export function doubtTexts(side: ExplainedSide): string[] {
  const doubts = doubtsOf(side);
  const pathsOf = (why: Doubt["why"]): string[] => [
    ...new Set(doubts.filter((one) => one.why === why).map(({ path }) => path)),
  ];
  const named = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");
  const [silent, kept, missing] = [pathsOf("silent"), pathsOf("kept"), pathsOf("not returned")];
  const unreadable = pathsOf("unreadable");
  const states = [...new Set(silent.flatMap((path) => fieldAt("link", path)?.opens?.state ?? []))];
  return [
    ...(states.length === 0
      ? []
      : [
          `The files do not say whether the link ${listText(states, "or")}, so an apply keeps the live state. This answer assumes the default. Pass \`--live\` to see the link in the account.`,
        ]),
    ...(kept.length === 0
      ? []
      : [
          `\`unspecified: keep\` keeps the live value of ${named(kept)}, which no file shows. This answer assumes the default. Pass \`--live\` to see the link in the account.`,
        ]),
    ...(missing.length === 0
      ? []
      : [`The service does not return ${named(missing)}. This answer assumes the default.`]),
    ...(unreadable.length === 0
      ? []
      : [`linkform cannot read ${named(unreadable)} in the response of the service. This answer assumes the default.`]),
    ...(pathsOf("clicks").length === 0
      ? []
      : [
          "The files do not contain the number of clicks. This answer assumes fewer clicks than the limit. Pass `--clicks N` to try another number.",
        ]),
    ...(pathsOf("zone").length === 0
      ? []
      : [
          "The files do not set a time zone, and the answer depends on it. This answer assumes UTC. Set `service.account_timezone`.",
        ]),
  ];
}
