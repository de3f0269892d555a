// The parts of a page about changes, in the order in which people need them.

import type { Plan } from "../../domain/change.ts";
import { bySafety, type Diagnostic } from "../../domain/diagnostic.ts";
import { groupBy } from "../../domain/group.ts";
import { secretFinder } from "../../view/redaction.ts";
import { plural } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import { orphansSection, restSection, section, withheldSection } from "./about.ts";
import type { Heads } from "./change.ts";
import { changesSection } from "./changes.ts";
import type { ChangeSection } from "../../view/sections.ts";
import { findingCard } from "./finding.ts";
import { markup, prose, type HtmlContent } from "./markup.ts";
import { page, type Head } from "./page.ts";
import type { Sources } from "./source.ts";
import { note, tileList, type Tile } from "./tiles.ts";

export interface PageParts {
  readonly head: Head;
  readonly plan: Plan;
  /** What stands in the way, or stopped a run. */
  readonly problems: { readonly title: string; readonly those: readonly Diagnostic[] };
  readonly tiles: readonly Tile[];
  /** What to do now. */
  readonly steps?: readonly string[];
  readonly sections: readonly ChangeSection[];
  readonly heads: Heads;
  /** The requests that it takes. */
  readonly takes: string;
  /** What can't be relied on, and what is needed: sentences. */
  readonly remarks: readonly string[];
  /** What a run has left undone, or where the base is now. */
  readonly line?: string | null;
  /** Sections of this report only. */
  readonly more: HtmlContent;
  readonly baseUrl: string;
}

/** The whole page. What is wrong stands first, what it rests on last. */
export function assemble({ head, plan, problems, steps = [], ...parts }: PageParts, setting: Setting): string {
  const sources = { setting, conceal: secretFinder() };
  const { safety, rest } = bySafety(plan.diagnostics);
  const errors = rest.filter(({ severity }) => severity === "error");
  const others = rest.filter(({ severity }) => severity !== "error");
  const noun = others.some(({ severity }) => severity === "warning") ? "warning" : "note";
  const notes = [
    ...note("left-out", plan.withheld.length, "change", " left out"),
    ...note("orphans", plan.orphans.length, "object", " no longer declared, still live"),
    ...note("findings", others.length, noun, ""),
  ];
  const body = [
    banner("safety", "Safety settings changed", safety, sources),
    banner("errors", "Errors", errors, sources),
    banner("problems", problems.title, problems.those, sources),
    tileList(parts.tiles, notes),
    parts.line == null ? null : markup`<p class="completeness">${prose(parts.line)}</p>\n`,
    stepsSection(steps),
    parts.sections.length === 0 ? null : changesSection(parts.sections, parts.heads, plan, sources),
    orphansSection(plan, sources),
    withheldSection(plan),
    parts.more,
    findingsSection(others, noun, sources),
    restSection(plan, parts),
  ];
  return page(head, parts.sections.length === 0 ? "about" : "changes", body, setting);
}

/** What is wrong, first and loud; nothing where nothing is. */
export function banner(id: string, title: string, those: readonly Diagnostic[], sources: Sources): HtmlContent {
  if (those.length === 0) return null;
  return markup`<section id="${id}" class="banner" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${those.map((one) => findingCard(one, sources, null))}</section>
`;
}

/** More of one code than these are folded: many lines with the same mistake. */
const MOST_OPEN = 5;

function findingsSection(those: readonly Diagnostic[], noun: "warning" | "note", sources: Sources): HtmlContent {
  if (those.length === 0) return null;
  const groups = [...groupBy(those, ({ code }) => code)].map(([code, found]) => {
    const cards = found.map((one) => findingCard(one, sources, null));
    if (found.length <= MOST_OPEN) return cards;
    const said = markup`<b>${plural(found.length, noun)}</b>: ${prose(found[0]?.message ?? "")} <span class="id">${code}</span>`;
    return markup`<details class="alike"><summary>${said}</summary>\n${cards}</details>\n`;
  });
  return section("findings", noun === "warning" ? "Warnings" : "Notes", groups);
}

function stepsSection(steps: readonly string[]): HtmlContent {
  if (steps.length === 0) return null;
  const list = steps.map((step) => markup`<li>${prose(step)}</li>\n`);
  return section("steps", "What to do", markup`<ol class="panel">\n${list}</ol>\n`);
}
