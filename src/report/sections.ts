// The sections of a report: first what breaks short URLs, then what visitors notice, then the rest.

import { groupBy } from "../domain/collections.ts";
import { NOT_APPLIED, NOT_APPLIED_HEADINGS } from "./apply-result.ts";
import { mostClicksFirst, type ChangeView } from "./change.ts";
import { countBy, plural } from "./counts.ts";
import { groupByOwner, type DriftState } from "./drift.ts";
import { collapseEdits, collapseWhole } from "./similar-changes.ts";
import type { Span } from "./spans.ts";
import { commonStatement, editStatement, type Tense } from "./statement.ts";

/** Changes under one heading. Those that visitors notice are sorted by clicks. */
export interface ChangeSection<Name extends string = string> {
  readonly name: Name;
  /** Bad news for visitors, or a failure. */
  readonly isBad: boolean;
  /** Who is in charge of the changes, as the start of the heading; null if they are not grouped by owner. */
  readonly owner: string | null;
  readonly heading: string;
  /** A sentence below the heading, or empty. */
  readonly lead: string;
  /** Similar changes, with a sentence that is true for each. */
  readonly similar: readonly SimilarChanges[];
  readonly single: readonly ChangeView[];
}

export interface SimilarChanges {
  /** The family that has all of these links; null if there is none. */
  readonly family: string | null;
  readonly statement: readonly Span[];
  readonly changes: readonly ChangeView[];
}

type Heading = (changes: readonly ChangeView[]) => string;

/** How similar changes are grouped: by how they change, by their values, or not at all. */
type Similarity = "edits" | "whole" | null;

interface SectionKind {
  readonly plan: Heading;
  readonly apply: Heading;
  readonly lead?: { readonly plan: Heading; readonly apply: Heading };
  readonly isSortedByClicks: boolean;
  readonly similarity: Similarity;
}

export type PlanSection = "lost" | "gone" | "noticed" | "updated" | "new";

const SECTIONS: Readonly<Record<PlanSection, SectionKind>> = {
  lost: {
    plan: (changes) => `${shortUrls(changes)} will stop working`,
    apply: (changes) => `${shortUrls(changes)} no longer ${pick(changes, "works", "work")}`,
    lead: { plan: lostLead, apply: lostLead },
    isSortedByClicks: true,
    similarity: null,
  },
  gone: {
    plan: (changes) => `${countObjects(changes)} to delete`,
    apply: (changes) => `${countObjects(changes)} deleted`,
    isSortedByClicks: false,
    similarity: "whole",
  },
  noticed: {
    plan: (changes) => `${countObjects(changes)} ${pick(changes, "changes", "change")} for visitors`,
    apply: (changes) => `${countObjects(changes)} changed for visitors`,
    isSortedByClicks: true,
    similarity: "edits",
  },
  updated: {
    plan: (changes) => `${countObjects(changes)} to update`,
    apply: (changes) => `${countObjects(changes)} updated`,
    lead: {
      plan: (changes) => (changes.some(({ kind }) => kind === "link") ? "Visitors will not notice." : ""),
      apply: () => "",
    },
    isSortedByClicks: false,
    similarity: "edits",
  },
  new: {
    plan: (changes) => countObjects(changes, "new "),
    apply: (changes) => `${countObjects(changes)} created`,
    isSortedByClicks: false,
    similarity: "whole",
  },
};

const ORDER: readonly PlanSection[] = ["lost", "gone", "noticed", "updated", "new"];

/** The sections of a plan, or of the applied changes. */
export function planSections(changes: readonly ChangeView[], tense: "plan" | "apply"): ChangeSection<PlanSection>[] {
  const byName = groupBy(changes, sectionOf);
  const isHeld = changes.some(({ trips }) => trips);
  return ORDER.flatMap((name) => {
    const members = byName.get(name);
    if (members === undefined) return [];
    const kind = SECTIONS[name];
    const sorted = kind.isSortedByClicks ? mostClicksFirst(members) : members;
    const lead = kind.lead?.[tense](members) ?? "";
    return [
      {
        name,
        isBad: name === "lost",
        owner: null,
        heading: isHeld ? kind[tense](members).replace("will stop", "would stop") : kind[tense](members),
        lead,
        ...collapse(sorted, kind.similarity, tense),
      },
    ];
  });
}

function sectionOf({ lost, isNoticed, action }: ChangeView): PlanSection {
  if (lost !== null) return "lost";
  if (action === "create") return "new";
  if (action === "delete") return "gone";
  return isNoticed ? "noticed" : "updated";
}

/** The changes that an apply did not make, by status. */
export function notAppliedSections(changes: readonly ChangeView[]): ChangeSection[] {
  return NOT_APPLIED.flatMap((status) => {
    const single = changes.filter(({ result }) => result?.status === status);
    const heading = `${NOT_APPLIED_HEADINGS[status]} ${plural(single.length, "change")}`;
    return single.length === 0
      ? []
      : [{ name: status, isBad: status === "failed", owner: null, heading, lead: "", similar: [], single }];
  });
}

/** Missing objects come first. */
const DRIFT: readonly (readonly [DriftState, string, Similarity])[] = [
  ["missing", "missing", "whole"],
  ["changed", "changed", "edits"],
  ["not renamed yet", "not renamed yet", "edits"],
  ["not moved yet", "not moved yet", "edits"],
  ["not deleted yet", "not deleted yet", "whole"],
  ["undeclared", "live, but not declared in any file", "whole"],
];

const MISSING = "Declared in the files, but not live. A missing short URL leads nowhere.";

const DIFFERING = "Declared value → live value.";

/** The differences between the files and the live state, grouped by owner. */
export function driftSections(changes: readonly ChangeView[]): ChangeSection<DriftState>[] {
  const explained = new Set<string>();
  return groupByOwner(changes, ({ owners }) => owners).flatMap(({ heading, items }) =>
    stateSections(items, heading).map((section) => {
      if (explained.has(section.lead)) return { ...section, lead: "" };
      explained.add(section.lead);
      return section;
    }),
  );
}

function stateSections(changes: readonly ChangeView[], owner: string | null): ChangeSection<DriftState>[] {
  const byName = groupBy(changes, ({ state }) => state);
  return DRIFT.flatMap(([name, what, similarity]) => {
    const members = byName.get(name);
    if (members === undefined) return [];
    const isBad = name === "missing";
    const heading = `${countObjects(members)} ${what}`;
    const lead = isBad ? MISSING : similarity === "edits" ? DIFFERING : "";
    return [{ name, isBad, owner, heading, lead, ...collapse(members, similarity, "drift") }];
  });
}

interface Collapsed {
  readonly similar: readonly SimilarChanges[];
  readonly single: readonly ChangeView[];
}

function collapse(changes: readonly ChangeView[], by: Similarity, tense: Tense): Collapsed {
  if (by === null) return { similar: [], single: changes };
  if (by === "edits") {
    const { groups, rest } = collapseEdits(changes);
    return {
      similar: groups.map(({ description, items }) => ({
        family: familyOf(items),
        statement: editStatement(description, tense),
        changes: items,
      })),
      single: rest,
    };
  }
  const { groups, rest } = collapseWhole(changes);
  return {
    similar: groups.map(({ description, items }) => ({
      family: familyOf(items),
      statement: commonStatement(description),
      changes: items,
    })),
    single: rest,
  };
}

/** The family that all of these links are in. */
function familyOf(changes: readonly ChangeView[]): string | null {
  const [family = null, ...others] = new Set(changes.map((change) => change.family));
  return others.length === 0 ? family : null;
}

function pick(changes: readonly ChangeView[], single: string, many: string): string {
  return changes.length === 1 ? single : many;
}

function shortUrls(changes: readonly ChangeView[]): string {
  return plural(changes.length, "short URL");
}

function lostLead(changes: readonly ChangeView[]): string {
  const clicks = clicksOf(changes);
  const [it, has] = [pick(changes, "it", "them"), pick(changes, "It has", "They have")];
  const counted = clicks === "" ? "" : ` ${has} ${clicks} so far.`;
  return `QR codes, posts and emails with ${it} no longer lead to the destination.${counted}`;
}

/** `8,240 clicks`; empty if there are none or they are not known. */
export function clicksOf(changes: readonly ChangeView[]): string {
  const sum = changes.reduce((clicks, change) => clicks + (change.clicks ?? 0), 0);
  return sum === 0 ? "" : plural(sum, "click");
}

/** `200 links and 12 pixels`. */
export function countObjects(changes: readonly Pick<ChangeView, "kind">[], adjective: string = ""): string {
  const counts = countBy(changes, ({ kind }) => kind, ["link", "pixel"]);
  return [...counts].map(([kind, count]) => plural(count, `${adjective}${kind}`)).join(" and ");
}
