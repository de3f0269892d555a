// The sentences of an explanation: the answer, and what each step finds.

import type { Place } from "../domain/place.ts";
import type { End, NoteCode, PassedPage, VisitorRoute, VisitStep, Who } from "../domain/visit.ts";
import { TARGETS } from "../domain/table.ts";
import { shown } from "./confusables.ts";
import { capital, plural, showCount } from "./counts.ts";
import type { ExplainedSide } from "./explanation.ts";
import { visible } from "../domain/control-characters.ts";

/** A line of a table of destinations. */
export interface DestinationRow {
  readonly who: string;
  readonly to: string;
  readonly place: Place | null;
}

/** Where the visitor goes, in a sentence. */
export function answerOf({ found }: ExplainedSide, asked: string): string {
  switch (found.is) {
    case "link":
      return endText(found.visit.end);
    case "missing":
      return "No link has this alias: visitors meet a page that says so (404), or the domain's own not-found page.";
    case "deleted":
      return "The files ask for its deletion: then visitors meet a page that says so (404), or the domain's own not-found page.";
    case "renamed":
      return `The files give the link another key, ${visible(found.to)}: then this one leads nowhere.`;
    case "not declared":
      return `No file declares ${visible(asked)}.`;
    default:
      return found satisfies never;
  }
}

/** How a visit ends, in a sentence. */
export function endText(end: End): string {
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? `Visitors ${passedText(end.passed, ", and then ")}see a page that says the link has expired.`
        : `Visitors ${passedText(end.passed, ", and then ")}go to ${shown(end.to)}, because the link ${end.isEarly ? "is not active yet" : "has expired"}.`;
    case "disabled":
      return `Visitors ${passedText(end.passed, ", and then ")}see a page that says the link is disabled.`;
    case "sent on":
      return sentText(end);
    default:
      return end satisfies never;
  }
}

function sentText({ passed, pixels, ways, accepted }: Extract<End, { kind: "sent on" }>): string {
  const where = wayText(ways);
  if (accepted === null) {
    return ways.length === 0
      ? `Visitors ${passedText(passed, ", and then ")}see an error (500).`
      : `Visitors ${passedText(passed, ", and ")}go ${where}`;
  }
  const asked = `Visitors ${passedText(passed, ", and then ")}are asked whether they accept tracking by ${pixelText(pixels)}.`;
  const [way] = ways;
  if (ways.length === 1 && way?.to === accepted.to) return `${asked} Either way they go to ${shown(accepted.to)}`;
  const refused = ways.length === 0 ? "they see an error (500)." : `they go ${where}`;
  return `${asked} If they accept, they go to ${shown(accepted.to)}, and if they refuse, ${refused}`;
}

const PASSED_TEXT: Readonly<Record<PassedPage, string>> = {
  password: "are asked for a password",
  warning: "must confirm a warning",
};

/** What visitors do first, with what joins it to the rest. */
function passedText(pages: readonly PassedPage[], joint: string): string {
  return pages.length === 0 ? "" : `${pages.map((page) => PASSED_TEXT[page]).join(", ")}${joint}`;
}

function wayText(ways: readonly VisitorRoute[]): string {
  const [way] = ways;
  return ways.length === 1 && way !== undefined ? `to ${shown(way.to)}` : `to one of ${ways.length} destinations:`;
}

function pixelText(names: readonly string[]): string {
  return names.length > 3 ? plural(names.length, "pixel") : names.map(visible).join(", ");
}

/** The destinations as rows. */
export function rowsOf(ways: readonly VisitorRoute[]): DestinationRow[] {
  return ways.map(({ who, to, place }) => ({ who: whoText(who), to: shown(to), place }));
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

/** What a step finds. `time` writes a moment. */
export function sentenceOf(step: VisitStep, time: (instant: string) => string): string {
  const said = findingOf(step, time);
  return step.doubts.some(
    ({ why }) => why === "silent" || why === "kept" || why === "not returned" || why === "unreadable",
  )
    ? `Not known; taken as: ${said.charAt(0).toLowerCase()}${said.slice(1)}`
    : said;
}

function findingOf(step: VisitStep, time: (instant: string) => string): string {
  switch (step.asks) {
    case "expired":
      return expiredText(step, time);
    case "disabled":
      return step.is ? "Yes: a page says so." : "No.";
    case "password":
      return step.is ? "Yes: a page asks for it first." : "No.";
    case "warning":
      return step.is ? "Yes: a page warns of sensitive content first." : "No.";
    case "destination":
      return choiceText(step);
    case "query":
      return queryText(step);
    case "pixels":
      return step.names.length === 0
        ? "None."
        : `${step.names.map(visible).join(", ")}: a page asks whether the visitor accepts tracking.`;
    default:
      return step satisfies never;
  }
}

function queryText({ query, isRebuilt, replaced, removed, lost }: Extract<VisitStep, { asks: "query" }>): string {
  if (!isRebuilt) return `${shown(query)} has no named parameter: the destination stays as it is.`;
  const names = (all: readonly string[]): string => all.map(visible).join(", ");
  return [
    `${shown(query)} is merged into the destination.`,
    ...(replaced.length === 0 ? [] : [`It replaces ${names(replaced)}.`]),
    ...(removed.length === 0 ? [] : [`It removes ${names(removed)}.`]),
    ...(lost.length === 0 ? [] : [`The destination loses its ${lost.join(" and its ")}.`]),
  ].join(" ");
}

function expiredText(step: Extract<VisitStep, { asks: "expired" }>, time: (instant: string) => string): string {
  const { by, starts, ends, limit, clicks, over } = step;
  const where = over === null ? "a page says so" : `visitors go to ${shown(over.to)}`;
  if (by === "start" && starts !== null) return `Not active before ${time(starts.instant)}: ${where}.`;
  if (by === "date" && ends !== null) return `Yes, since ${time(ends.instant)}: ${where}.`;
  if (by === "clicks" && limit !== null)
    return `Yes, with ${plural(clicks ?? limit.clicks, "click")} of ${showCount(limit.clicks)}: ${where}.`;
  const when = [
    ...(ends === null ? [] : [`from ${time(ends.instant)} on`]),
    ...(limit === null ? [] : [`after ${plural(limit.clicks, "click")}`]),
  ];
  return when.length === 0 ? "No, and it never does." : `Not yet. ${capital(when.join(", or "))}, ${where}.`;
}

function choiceText({ choice, ways }: Extract<VisitStep, { asks: "destination" }>): string {
  const [way] = ways;
  switch (choice.by) {
    case "none":
      return choice.isIdle
        ? `The link's own destination: \`${TARGETS.active.path}\` puts none of its groups in force.`
        : "The link's own destination.";
    case "crawler":
      return "The link's own destination: crawlers get no targets.";
    case "unused":
      return "The link's own destination: this version does not follow the rotation.";
    case "hole":
      return "The rotation has an empty entry, and the service fails on every visit.";
    case "word":
      return `The group \`${visible(choice.word)}\` decides, which linkform does not know.`;
    case "group": {
      const { row, group, signal, is } = choice;
      if (row.kind === "list") {
        const turns = ways.length;
        return turns === 1
          ? "The rotation has nothing in it: the link's own destination."
          : `In turn to ${turns} destinations, the link's own last.`;
      }
      const by = `By the ${row.keys.noun}, as told by ${signal}`;
      if (ways.every(({ who }) => who.by === "others") && is === undefined)
        return `${by}, but the group is empty: the link's own destination.`;
      if (is === undefined) return `${by}; \`--${group}\` picks one.`;
      const what = is === null ? "any other" : visible(is);
      return way?.who.by === "key"
        ? `${by}: ${what} is in the group.`
        : `${by}: ${what} is not in the group, so the link's own destination.`;
    }
    default:
      return choice satisfies never;
  }
}

/** What a side's answer rests on. */
export function notesOf({ found, notes }: ExplainedSide): NoteCode[] {
  const steps = found.is === "link" ? [found, ...found.others].flatMap(({ visit }) => visit.steps) : [];
  const own = steps.flatMap((step) => (step.isReached ? step.notes : []));
  const isSent = found.is === "link" && [found, ...found.others].some(({ visit }) => isRedirected(visit.end));
  return [...new Set<NoteCode>([...notes, ...own, ...(isSent ? (["redirect"] as const) : [])])];
}

function isRedirected(end: End): boolean {
  return end.kind === "sent on" ? end.ways.length > 0 : end.kind === "expired" && end.to !== null;
}
