// The changes of a report, in sections, below the filter.

import type { Plan } from "../../domain/change.ts";
import { showPlace, type Place } from "../../domain/place.ts";
import type { SourceText } from "../../domain/source-text.ts";
import { plural } from "../diagnostics-text.ts";
import { STATES } from "../drift.ts";
import type { Card, How } from "./card.ts";
import { changeCard, type Heads } from "./change.ts";
import { FileNumbers, filterForm, optionsOf, type Facet } from "./filter.ts";
import { markup, type Markup } from "./markup.ts";
import type { Sources } from "./source.ts";

/** Cards below one heading; without a heading where there is nothing to tell them from. */
export interface Group {
  readonly heading: string;
  readonly cards: readonly Card[];
}

/** What visitors will notice, and the rest. */
export function byNotice(cards: readonly Card[]): Group[] {
  const noticed = cards.filter((card) => card.isNoticed);
  const others = cards.filter((card) => !card.isNoticed);
  return [
    { heading: "What visitors will notice", cards: noticed },
    { heading: noticed.length === 0 ? "" : "Everything else", cards: others },
  ];
}

/** By what became of them, what is left first. */
export function byOutcome(cards: readonly Card[]): Group[] {
  const of = (...hows: readonly Card["how"][]): readonly Card[] => cards.filter(({ how }) => hows.includes(how));
  return [
    { heading: "Failed", cards: of("failed") },
    { heading: "Left, because it would be another change now", cards: of("moved") },
    { heading: "Not begun", cards: of("not begun") },
    { heading: "Done", cards: of("applied", "already so") },
  ];
}

/** The filter and the cards. */
export function changesSection(groups: readonly Group[], heads: Heads, plan: Plan, sources: Sources): Markup {
  const files = new FileNumbers();
  const drawing = { heads, sources, fileNumber: (file: string) => files.count(file), placeOf: placesIn(plan) };
  const cards = groups.flatMap((group) => group.cards);
  const lists = groups
    .filter((group) => group.cards.length > 0)
    .map(({ heading, cards: those }) => {
      const head = markup`<h2 class="group${heading === "" ? " hidden" : ""}">${heading === "" ? "Changes" : heading} <span>${plural(those.length, "change")}</span></h2>\n`;
      return markup`<div data-group>\n${head}${those.map((card) => changeCard(card, drawing))}</div>\n`;
    });
  return markup`<section id="changes" aria-label="Changes">
${cards.length < LEAST ? null : filterForm("changes", cards.length, facetsOf(cards, files))}${lists}</section>
`;
}

/** Fewer are seen at a glance. */
const LEAST = 4;

const OUTCOMES: readonly How[] = ["failed", "moved", "not begun", "applied", "already so"];
const ACTIONS: readonly string[] = ["create", "update", "replace", "delete", ...STATES];

function facetsOf(cards: readonly Card[], files: FileNumbers): Facet[] {
  return [
    { name: "outcome", title: "Outcome", options: optionsOf(cards, OUTCOMES, ({ how }) => how ?? "") },
    { name: "action", title: "Action", options: optionsOf(cards, ACTIONS, ({ verb }) => verb) },
    { name: "kind", title: "Kind", options: optionsOf(cards, ["link", "pixel"], ({ kind }) => kind) },
    {
      name: "visitors",
      title: "Visitors notice",
      options: optionsOf(cards, ["yes", "no"], ({ isNoticed }) => (isNoticed ? "yes" : "no")),
    },
    { name: "file", title: "File", options: files.options(), isLong: true },
  ];
}

/** Gives a place that only has its numbers its length, and the text it stands in, where these are at hand. */
function placesIn({ changes }: Plan): (place: Place) => Place {
  const texts = new Map<string, SourceText>();
  const known = new Map<string, Place>();
  const keep = (place: Place): void => {
    if (place.source === undefined || place.source.ref !== null) return;
    texts.set(place.file, place.source);
    known.set(showPlace(place), place);
  };
  for (const change of changes) {
    keep(change.source);
    if (change.action !== "delete") for (const { place } of change.desired.said.values()) keep(place);
  }
  return (place) => {
    const source = texts.get(place.file);
    return place.source !== undefined || source === undefined
      ? place
      : (known.get(showPlace(place)) ?? { ...place, source });
  };
}
