// What is shown of one change, whichever report tells it.

import type { Change, Plan } from "../../domain/change.ts";
import type { Place } from "../../domain/place.ts";
import { tellApart } from "../../view/confusables.ts";
import { plural } from "../../view/counts.ts";
import { showInstant, stateOf } from "../../view/drift.ts";
import { originText } from "../../view/origins.ts";
import type { ErrorDocument, ChangeResult } from "../../view/document.ts";
import { viewChange, SYMBOL, type ChangeView, type ChangeContext } from "../../view/change.ts";
import { visible } from "../../domain/control-characters.ts";
import { wordChanges, type WordChange } from "../../view/values.ts";
import { changeRows, valueRows, type SideRow } from "./sides.ts";

/** What became of a change. */
export type How = "applied" | "already so" | "failed" | "moved" | "not begun";

export interface Card extends Pick<
  ChangeView,
  "action" | "kind" | "key" | "ending" | "because" | "origin" | "isNoticed"
> {
  /** The action, or of a drift the state; `what`: with its kind. */
  readonly verb: string;
  readonly symbol: string;
  readonly what: string;
  /** The class that colours it. */
  readonly look: string;
  /** Short remarks beside the key. What is much is made when it is drawn: all of it at once would be a lot to hold. */
  readonly facts: () => readonly string[];
  readonly rows: () => readonly SideRow[];
  /** Of a value that stands alone there is one side only. */
  readonly isWhole: boolean;
  readonly clicks: number | null;
  readonly place: Place;
  /** The lines that ask for it, that of its key first. */
  readonly lines: () => readonly Place[];
  readonly trips: boolean;
  /** Null where nothing was to be done yet. */
  readonly how: How | null;
  readonly error: ErrorDocument | null;
}

const MOST_LINES = 4;

/** What stands for an action; a minus is easier to see than a hyphen. */
export function signOf(action: Change["action"]): string {
  return action === "delete" ? "−" : SYMBOL[action];
}

/** A change that is to be made. */
export function cardOf(
  change: Change,
  plan: ChangeContext,
  trips: boolean,
  story: ChangeView = viewChange(change, plan),
): Card {
  const { action, kind, key, ending, because, origin, isNoticed, words, isWhole, place } = story;
  // One by one: spread, and with more behind it, such an object takes ten times as long to make.
  return {
    action,
    kind,
    key,
    ending,
    because,
    origin,
    isNoticed,
    symbol: signOf(action),
    verb: action,
    what: `${action} ${kind}`,
    look: action,
    facts: () => factsOf(story, change),
    rows: () => rowsOf(kind, words, isWhole),
    isWhole,
    place,
    clicks: clicksOf(change),
    lines: () => linesOf(change),
    trips,
    how: null,
    error: null,
  };
}

/** A change of an apply; `change`: what was run of it, where that is known. */
export function resultCard(result: ChangeResult, change: Change | undefined, plan: ChangeContext, place: Place): Card {
  const outcome = { how: howOf(result), error: result.error };
  // What was reviewed is told, be it that less of it was left to do.
  const rows = (): SideRow[] => rowsOf(result.kind, result.fields, result.action === "create");
  if (change !== undefined) {
    const card = cardOf(change, plan, false);
    // The headings tell of outcomes: who meets it is said here.
    const facts = (): readonly string[] => (card.isNoticed ? [...card.facts(), "visitors notice"] : card.facts());
    return { ...card, facts, rows: result.action === "update" ? rows : card.rows, ...outcome };
  }
  const [was, key] =
    result.previous_key === null ? [null, visible(result.key)] : tellApart(result.previous_key, result.key);
  return {
    action: result.action,
    kind: result.kind,
    symbol: signOf(result.action),
    verb: result.action,
    what: `${result.action} ${result.kind}`,
    look: result.action,
    key,
    facts: () => [...(was === null ? [] : [`was ${was}`]), ...(result.id === null ? [] : [`#${result.id}`])],
    ending: null,
    because: null,
    origin: result.origin === null ? null : originText(result.origin),
    isNoticed: result.breaks_url,
    rows,
    isWhole: result.action === "create" || result.action === "delete",
    clicks: null,
    place,
    lines: () => [place],
    trips: false,
    ...outcome,
  };
}

/** How live differs from what is declared: the sides are those of what is, not of what would be done. */
export function driftCard(change: Change, plan: Plan): Card {
  const card = cardOf(change, plan, false);
  const isChange = change.action === "update" || change.action === "replace";
  const words = change.fields
    .flatMap((field) => wordChanges(change.kind, field, plan.zones, false))
    .map(({ path, before, after }) => ({ path, before: after, after: before }));
  const still = change.previousKey === null ? [] : [`still ${visible(change.previousKey)}`];
  const updatedAt = isChange ? change.live.updatedAt : null;
  return {
    ...card,
    symbol: "≠",
    verb: stateOf(change),
    what: `${change.kind} ${stateOf(change)}`,
    look: change.action === "create" ? "delete" : "update",
    facts: () => [
      ...still,
      ...card.facts().filter((fact) => !fact.startsWith("was ")),
      ...(updatedAt === null ? [] : [`last changed at the service ${showInstant(updatedAt)}`]),
    ],
    // A sentence of what would be done is none of what is.
    ending: null,
    rows: isChange ? (): SideRow[] => rowsOf(change.kind, words, false) : card.rows,
    origin: null,
  };
}

function rowsOf(kind: Change["kind"], words: readonly WordChange[], isWhole: boolean): SideRow[] {
  return words.flatMap((word) => (isWhole ? valueRows(word) : changeRows(kind, word)));
}

function factsOf({ was, id, url }: ChangeView, change: Change): string[] {
  const clicks = clicksOf(change);
  return [
    ...(was === null ? [] : [`was ${was}`]),
    ...(url === null ? [] : [url]),
    ...(clicks === null ? [] : [plural(clicks, "click")]),
    ...(id === null ? [] : [`#${id}`]),
  ];
}

function clicksOf(change: Change): number | null {
  return change.action === "create" ? null : change.live.clicks;
}

/** Where its key stands, and in the same file what changes. */
function linesOf(change: Change): Place[] {
  const { source } = change;
  if (change.action === "delete" || change.action === "create") return [source];
  const { declared } = change.desired;
  const places = change.fields.flatMap(({ path }) => {
    const place = declared.get(path)?.place;
    return place !== undefined && place.source === source.source && place.line !== source.line ? [place] : [];
  });
  const byLine = new Map(places.map((place) => [place.line, place]));
  return [source, ...[...byLine.values()].toSorted((a, b) => a.line - b.line)].slice(0, MOST_LINES);
}

function howOf({ outcome, error, already_so }: ChangeResult): How {
  if (outcome === "applied") return already_so === true ? "already so" : "applied";
  return outcome === "failed" ? "failed" : error?.code === "moved" ? "moved" : "not begun";
}
