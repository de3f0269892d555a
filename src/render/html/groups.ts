// The sections that changes stand in: those of the markdown report, with the same words; what is alike is folded together.

import type { Change, Plan } from "../../domain/change.ts";
import { groupBy } from "../../domain/group.ts";
import { plural } from "../../view/counts.ts";
import { countOf, differencesOf, itemsOf, resultItems, type ReportItem } from "../../view/item.ts";
import { collapsed, LEADS, sectionsOf, STATES } from "../markdown/sections.ts";
import type { ChangeResult } from "../../view/document.ts";
import type { ChangeView } from "../../view/change.ts";
import type { Card } from "./card.ts";
import { spans } from "./markdown-spans.ts";
import { markup, type HtmlContent } from "./markup.ts";

/** Cards below one heading. */
export interface CardGroup {
  /** It is bad news for visitors: it stands in red. */
  readonly isBad: boolean;
  readonly heading: string;
  /** A sentence below it, or nothing. */
  readonly lead: string;
  /** Cards that a line stands for. */
  readonly alike: readonly { readonly said: HtmlContent; readonly cards: readonly Card[] }[];
  readonly cards: readonly Card[];
}

type SimilarCards = ReturnType<typeof collapsed>["alike"];

/** Those of a plan; `stories` and `cards` are in the order of its changes. */
export function planGroups(plan: Plan, stories: readonly ChangeView[], cards: readonly Card[]): CardGroup[] {
  return grouped(itemsOf(plan, stories), cards, "plan");
}

/** Those of an apply that a brake kept from beginning. */
export function heldGroups(results: readonly ChangeResult[], plan: Plan, cards: readonly Card[]): CardGroup[] {
  return grouped(resultItems(results, plan), cards, "plan");
}

/** Those of an apply: what is left first, and of what is done what ends short URLs. */
export function resultGroups(results: readonly ChangeResult[], plan: Plan, cards: readonly Card[]): CardGroup[] {
  const items = resultItems(results, plan);
  const left = (["failed", "moved", "not begun"] as const).flatMap((how): CardGroup[] => {
    const those = cards.filter((card) => card.how === how);
    return those.length === 0
      ? []
      : [
          {
            isBad: how === "failed",
            heading: `${LEFT[how]}: ${plural(those.length, "change")}`,
            lead: "",
            alike: [],
            cards: those,
          },
        ];
  });
  const isDone = (at: number): boolean => cards[at]?.how === "applied" || cards[at]?.how === "already so";
  return [
    ...left,
    ...grouped(
      items.filter((_, at) => isDone(at)),
      cards.filter((_, at) => isDone(at)),
      "apply",
    ),
  ];
}

const LEFT = {
  failed: "Failed",
  moved: "Skipped, because it changed after it was planned",
  "not begun": "Not begun",
} as const;

/** Those of the differences between the files and live, in the order of `all`. */
export function driftGroups(all: readonly Change[], plan: Plan, cards: readonly Card[]): CardGroup[] {
  const items = differencesOf(all, plan);
  const cardOf = cardsOf(items, cards);
  const named = groupBy(items, ({ state }) => state);
  return STATES.flatMap(([state, heading]) => {
    const those = named.get(state);
    if (those === undefined) return [];
    const isWhole = state === "missing" || state === "not deleted yet" || state === "undeclared";
    const { alike, single } = collapsed(those, isWhole ? "whole" : "edits", "drift");
    const lead = LEADS[state] ?? "";
    return [
      {
        isBad: state === "missing",
        heading: plainHeading(heading(those)),
        lead,
        alike: alikeCards(alike, cardOf),
        cards: single.flatMap(cardOf),
      },
    ];
  });
}

function grouped(items: readonly ReportItem[], cards: readonly Card[], tense: "plan" | "apply"): CardGroup[] {
  const cardOf = cardsOf(items, cards);
  return sectionsOf(items, tense).map(({ name, heading, lead, alike, single }) => ({
    isBad: name === "lost",
    heading: plainHeading(heading),
    lead,
    alike: alikeCards(alike, cardOf),
    cards: single.flatMap(cardOf),
  }));
}

/** Without the sign before it, which not every system has a letter for: here it is red. */
function plainHeading(heading: string): string {
  return heading.replace(/^⛔ /, "");
}

function cardsOf(items: readonly ReportItem[], cards: readonly Card[]): (item: ReportItem) => Card | [] {
  const known = new Map(items.map((item, at) => [item, cards[at]]));
  return (item) => known.get(item) ?? [];
}

function alikeCards(alike: SimilarCards, cardOf: (item: ReportItem) => Card | []): CardGroup["alike"] {
  return alike.map(({ said, items }) => ({
    said: markup`<b>${countOf(items)}</b>: ${spans(said)}`,
    cards: items.flatMap(cardOf),
  }));
}
