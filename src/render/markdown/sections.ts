// The sections of a report on changes: first what ends short URLs, then what visitors notice, then all else.

import { groupBy } from "../../domain/group.ts";
import { collapseEdits, collapseWhole } from "../../view/similar-changes.ts";
import { plural } from "../../view/counts.ts";
import type { State } from "../../view/drift.ts";
import type { Setting } from "../format.ts";
import { clicksOf, sectionBlock, type SimilarChanges, type MarkdownSection } from "./section.ts";
import type { ReportBlock } from "./fit.ts";
import { countOf, type ReportItem } from "../../view/item.ts";
import { commonText, statementText, type Tense } from "./statement.ts";
import { changedCells, detailsText, goneCells, leftCells, lostCells, newCells, noticedCells } from "./change.ts";

type HeadingText = (items: readonly ReportItem[]) => string;

/** A section: its words, by whether things are to be done or done. */
interface Kind {
  readonly plan: HeadingText;
  readonly apply: HeadingText;
  readonly lead: Readonly<Record<"plan" | "apply", HeadingText>>;
  readonly columns: readonly string[];
  readonly cells: MarkdownSection["cells"];
  readonly hasClicks: boolean;
  /** Whether many are told in a line: by what becomes of them, or by what they have. */
  readonly alike: "edits" | "whole" | null;
  readonly weight: number;
}

type Name = "lost" | "gone" | "noticed" | "updated" | "new";

const nothing: HeadingText = () => "";
const said = (plan: HeadingText, apply: HeadingText = plan): Kind["lead"] => ({ plan, apply });

/** In the order in which they stand. */
const KINDS: Readonly<Record<Name, Kind>> = {
  lost: {
    plan: (items) => `⛔ ${shortUrls(items)} ${one(items, "stops", "stop")} working as before`,
    apply: (items) => `⛔ ${shortUrls(items)} no longer ${one(items, "works", "work")} as before`,
    lead: said(
      (items) =>
        `Printed codes, posts and mails with ${one(items, "it", "them")} no longer lead where they did${followed(items)}.`,
    ),
    columns: ["Short URL", "What happens"],
    cells: lostCells,
    hasClicks: true,
    alike: null,
    weight: 39,
  },
  gone: {
    plan: (items) => `${countOf(items)} to delete`,
    apply: (items) => `${countOf(items)} deleted`,
    lead: said(nothing),
    columns: ["What", "Why"],
    cells: goneCells,
    hasClicks: false,
    alike: "whole",
    weight: 24,
  },
  noticed: {
    plan: (items) => `${countOf(items)} ${one(items, "changes", "change")} for visitors`,
    apply: (items) => `${countOf(items)} changed for visitors`,
    lead: said(nothing),
    columns: ["What", "Change"],
    cells: noticedCells,
    hasClicks: true,
    alike: "edits",
    weight: 23,
  },
  updated: {
    plan: (items) => `${countOf(items)} to update`,
    apply: (items) => `${countOf(items)} updated`,
    lead: said((items) => (items.some(({ kind }) => kind === "link") ? "Visitors do not notice." : ""), nothing),
    columns: ["What", "Change"],
    cells: changedCells,
    hasClicks: false,
    alike: "edits",
    weight: 12,
  },
  new: {
    plan: (items) => countOf(items, "new "),
    apply: (items) => `${countOf(items)} created`,
    lead: said(nothing),
    columns: ["What", "Leads to"],
    cells: newCells,
    hasClicks: false,
    alike: "whole",
    weight: 1,
  },
};

const ORDER: readonly Name[] = ["lost", "gone", "noticed", "updated", "new"];

/** A section before it is drawn: formats draw it in their own way. What it says of alike changes is markdown. */
export interface ReportSection extends Pick<MarkdownSection, "heading" | "lead" | "alike" | "single"> {
  readonly name: Name;
}

/** The sections of a plan or an apply that have changes. */
export function sectionsOf(items: readonly ReportItem[], tense: "plan" | "apply"): ReportSection[] {
  const named = groupBy(items, nameOf);
  return ORDER.flatMap((name) => {
    const those = named.get(name);
    if (those === undefined) return [];
    const kind = KINDS[name];
    const sorted = kind.hasClicks ? those.toSorted((a, b) => (b.clicks ?? 0) - (a.clicks ?? 0)) : those;
    const [heading, lead] = [kind[tense](those), kind.lead[tense](those)];
    return [{ name, heading, lead, ...collapsed(sorted, kind.alike, tense) }];
  });
}

/** The changes of a plan or an apply. */
export function changeBlocks(items: readonly ReportItem[], tense: "plan" | "apply", setting: Setting): ReportBlock[] {
  return sectionsOf(items, tense).flatMap((told) =>
    sectionBlock({ ...KINDS[told.name], ...told, details: detailsText(setting) }),
  );
}

function nameOf({ lost, isNoticed, action }: ReportItem): Name {
  if (lost !== null) return "lost";
  if (action === "create") return "new";
  if (action === "delete") return "gone";
  return isNoticed ? "noticed" : "updated";
}

/** What ends short URLs is never told by a line for many. */
export function collapsed(
  items: readonly ReportItem[],
  by: Kind["alike"],
  tense: Tense,
): Pick<MarkdownSection, "alike" | "single"> {
  if (by === null) return { alike: [], single: items };
  if (by === "edits") {
    const { groups, rest } = collapseEdits(items);
    return {
      alike: groups.map((group): SimilarChanges => ({ said: statementText(group.said, tense), items: group.items })),
      single: rest,
    };
  }
  const { groups, rest } = collapseWhole(items);
  return {
    alike: groups.map((group): SimilarChanges => ({ said: commonText(group.said), items: group.items })),
    single: rest,
  };
}

function one(items: readonly ReportItem[], single: string, many: string): string {
  return items.length === 1 ? single : many;
}

function shortUrls(items: readonly ReportItem[]): string {
  return plural(items.length, "short URL");
}

function followed(items: readonly ReportItem[]): string {
  const clicks = clicksOf(items);
  return clicks === ""
    ? ""
    : `; ${one(items, "it was", "they were")} followed ${clicks === "1 click" ? "once" : `${clicks.replace(" clicks", "")} times`} so far`;
}

/** Drift, by how live differs: what is missing matters most. */
export const STATES: readonly (readonly [State, HeadingText])[] = [
  ["missing", (items) => `⛔ ${countOf(items)} missing`],
  ["changed", (items) => `${countOf(items)} changed`],
  ["not renamed yet", (items) => `${countOf(items)} not renamed yet`],
  ["not moved yet", (items) => `${countOf(items)} not moved yet`],
  ["not deleted yet", (items) => `${countOf(items)} not deleted yet`],
  ["undeclared", (items) => `${countOf(items)} live, and in no file`],
];

/** What is said below a heading. */
export const LEADS: Partial<Readonly<Record<State, string>>> = {
  missing: "In the files, and not live: whoever follows such a short URL gets nowhere.",
};

/** The differences between the files and live. */
export function driftBlocks(items: readonly ReportItem[], setting: Setting): ReportBlock[] {
  const named = groupBy(items, ({ state }) => state);
  return STATES.flatMap(([state, heading], at) => {
    const those = named.get(state) ?? [];
    const isThere = state === "missing";
    const isGone = state === "not deleted yet" || state === "undeclared";
    return sectionBlock({
      ...collapsed(those, isThere || isGone ? "whole" : "edits", "drift"),
      heading: heading(those),
      lead: LEADS[state] ?? "",
      details: detailsText(setting),
      hasClicks: !isThere,
      columns: ["What", isThere || isGone ? "Leads to" : "Declared → live"],
      cells: isThere ? newCells : isGone ? leftCells : noticedCells,
      weight: 30 - at,
    });
  });
}
