// The page of a plan, an apply or a drift report, and its sections other than the changes.

import type { Plan } from "../../domain/change.ts";
import { countFindings, type Diagnostic } from "../../domain/diagnostic.ts";
import { groupDiagnostics } from "../diagnostics.ts";
import { groupBy } from "../../domain/collections.ts";
import { countBy, plural, showCount } from "../counts.ts";
import type { RenderContext } from "../format.ts";
import { actionSymbol, classOf, STATUS_MARK, type SideHeads } from "./change.ts";
import { changesSection } from "./changes.ts";
import type { ChangeSection } from "../sections.ts";
import { findingCard, placeLink, type Sources } from "./finding.ts";
import { joined, markup, prose, type HtmlContent, type Markup } from "./markup.ts";
import { page, type Head } from "./page.ts";
import type { ChangeView } from "../change.ts";
import { RESULT_STATUSES } from "../apply-result.ts";
import { countKinds } from "../change-counts.ts";
import { DRIFT_STATES } from "../drift.ts";
import { maskUsers } from "../confusables.ts";
import type { Declarable } from "../../edit/declare.ts";
import type { ChangeDocument } from "../change-document.ts";
import {
  declaringSections,
  deleteAdvice,
  groupWithheld,
  problemTexts,
  renameAdvice,
  TO_DECLARE,
  USERS_HIDDEN,
  waitsForText,
} from "../unplanned.ts";

export interface PageParts {
  readonly head: Head;
  readonly plan: Plan;
  /** What blocks or stopped the run. */
  readonly problems: { readonly title: string; readonly diagnostics: readonly Diagnostic[] };
  readonly tiles: readonly Tile[];
  readonly steps?: readonly string[];
  readonly sections: readonly ChangeSection[];
  readonly heads: SideHeads;
  readonly requests: string;
  readonly remarks: readonly string[];
  /** Whether the base of the next deploy can move. */
  readonly completeness?: string | null;
  readonly extra: HtmlContent;
  readonly baseUrl: string;
}

/** The whole page, with problems first. */
export function changePage({ head, plan, problems, steps = [], ...parts }: PageParts, context: RenderContext): string {
  const { safety, errors, others } = groupDiagnostics(plan.diagnostics);
  const noun = others.some(({ severity }) => severity === "warning") ? "warning" : "note";
  const notes = [
    ...noteLink("left-out", plan.withheld.length, "change", " left out"),
    ...noteLink("orphans", plan.orphans.length, "object", " no longer declared, but still live"),
    ...noteLink("findings", countFindings(others), noun, ""),
  ];
  const body = [
    banner("safety", "Safety settings changed", safety, context),
    banner("errors", "Errors", errors, context),
    banner("problems", problems.title, problems.diagnostics, context),
    tileList(parts.tiles, notes),
    parts.completeness == null ? null : markup`<p class="completeness">${prose(parts.completeness)}</p>\n`,
    stepsSection(steps),
    parts.sections.length === 0 ? null : changesSection(parts.sections, parts.heads, context),
    orphansSection(plan, context),
    withheldSection(plan),
    parts.extra,
    findingsSection(others, noun, context),
    restSection(plan, { ...parts, of: head.of }),
  ];
  return page(head, parts.sections.length === 0 ? "about" : "changes", body, context);
}

/** Problems at the top of a page. */
export function banner(id: string, title: string, diagnostics: readonly Diagnostic[], sources: Sources): HtmlContent {
  if (diagnostics.length === 0) return null;
  const cards = diagnostics.map((one) => findingCard(one, sources));
  return section(id, title, cards, markup` class="banner"`);
}

/** More diagnostics of one code are folded. */
const MAX_UNFOLDED = 5;

function findingsSection(diagnostics: readonly Diagnostic[], noun: "warning" | "note", sources: Sources): HtmlContent {
  if (diagnostics.length === 0) return null;
  const groups = [...groupBy(diagnostics, ({ code }) => code)].map(([code, found]) => {
    const cards = found.map((one) => findingCard(one, sources));
    if (found.length <= MAX_UNFOLDED) return cards;
    const summary = markup`<b>${plural(countFindings(found), noun)}</b>: ${prose(found[0]?.message ?? "")} <span class="id">${code}</span>`;
    return markup`<details class="alike"><summary>${summary}</summary>\n${cards}</details>\n`;
  });
  return section("findings", noun === "warning" ? "Warnings" : "Notes", groups);
}

function stepsSection(steps: readonly string[]): HtmlContent {
  if (steps.length === 0) return null;
  const list = steps.map((step) => markup`<li>${prose(step)}</li>\n`);
  return section("steps", "Next steps", markup`<ol class="panel">\n${list}</ol>\n`);
}

/** A count; the class sets its color. */
export interface Tile {
  readonly symbol: string;
  readonly count: number;
  readonly label: string;
  readonly className: string;
}

export function actionTiles(changes: readonly ChangeView[]): Tile[] {
  return countKinds(changes.map(({ counted }) => counted)).map(({ action, count, planned }) => ({
    symbol: actionSymbol(action),
    count,
    label: planned,
    className: action,
  }));
}

export function resultTiles(changes: readonly ChangeView[]): Tile[] {
  const results = changes.flatMap(({ result }) => result ?? []);
  return [...countBy(results, ({ status }) => status, RESULT_STATUSES)].map(([status, count]) => ({
    symbol: STATUS_MARK[status],
    count,
    label: status,
    className: classOf(status),
  }));
}

export function driftTiles(changes: readonly ChangeView[]): Tile[] {
  const states = changes.flatMap(({ state }) => state ?? []);
  return [...countBy(states, (state) => state, DRIFT_STATES)].map(([state, count]) => ({
    symbol: "≠",
    count,
    label: state,
    className: state === "missing" ? "delete" : "update",
  }));
}

/** The counts, and links to further sections. */
function tileList(tiles: readonly Tile[], notes: readonly HtmlContent[]): HtmlContent {
  const list = tiles.map(
    ({ symbol, count, label, className }) =>
      markup`<li class="${className}"><b>${showCount(count)}</b> <span><i>${symbol}</i> ${label}</span></li>\n`,
  );
  return [
    tiles.length === 0 ? null : markup`<ul class="tiles" aria-label="Counts">\n${list}</ul>\n`,
    notes.length === 0 ? null : markup`<ul class="notes">\n${notes}</ul>\n`,
  ];
}

/** A link to a section of the page; none if the section is empty. */
function noteLink(id: string, count: number, noun: string, label: string): readonly Markup[] {
  return count === 0 ? [] : [markup`<li><a href="#${id}">${plural(count, noun)}</a>${label}</li>\n`];
}

/** A section that is labelled by its heading. */
function section(id: string, title: string, body: HtmlContent, attribute: Markup | null = null): Markup {
  return markup`<section id="${id}"${attribute} aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}</section>
`;
}

/** Orphans, with the lines that rename or delete them. */
function orphansSection(plan: Plan, sources: Sources): HtmlContent {
  if (plan.orphans.length === 0) return null;
  const list = plan.orphans.map((orphan) => {
    const { live, place } = orphan;
    const clicks = live.clicks === null ? "" : ` · ${plural(live.clicks, "click")}`;
    const rename = renameAdvice(orphan, plan.references);
    const advice = rename && [markup`<p>${prose(rename.text)}</p>`, yaml(rename.lines)];
    return markup`<li><p>${live.kind} <b class="key">${live.key}</b> <span class="facts">#${live.id}${clicks}</span></p>
<p class="src">was declared in ${placeLink(place, sources)}</p>${advice}</li>
`;
  });
  const absent = deleteAdvice(plan);
  const toDelete = absent && markup`<p>${prose(absent.text)}</p>\n${absent.lines === "" ? null : yaml(absent.lines)}`;
  return section(
    "orphans",
    "No longer declared, but still live",
    markup`<ul class="panel rows">\n${list}</ul>\n${toDelete}`,
  );
}

/** Withheld changes, by reason. */
function withheldSection({ withheld }: Plan): HtmlContent {
  if (withheld.length === 0) return null;
  const reasons = groupWithheld({ withheld }).map(({ reason, changes: those }) => {
    const list = those.map((one) => {
      const { action, kind, key } = one.change;
      return markup`<li>${action} ${kind} <b class="key">${key}</b>${waitsForText(one)}</li>\n`;
    });
    return markup`<details${those.length > MAX_OPEN_WITHHELD ? null : markup` open`}><summary>${showCount(those.length)} ${prose(reason)}</summary><ul class="list">\n${list}</ul></details>\n`;
  });
  const head = `Left out: ${plural(withheld.length, "change")}`;
  return section("left-out", head, markup`<div class="panel">${reasons}</div>\n`);
}

const MAX_OPEN_WITHHELD = 20;

/** Changes in the files that a saved plan does not contain. */
export function notReviewedSection(changes: readonly ChangeDocument[]): HtmlContent {
  if (changes.length === 0) return null;
  const list = changes.map(({ action, kind, key }) => markup`<li>${action} ${kind} <b class="key">${key}</b></li>\n`);
  return section(
    "not-reviewed",
    "Not reviewed, left for the next plan",
    markup`<ul class="panel list">\n${list}</ul>\n`,
  );
}

/** Unmanaged objects, with the lines that declare them. */
export function unmanagedSection(unmanaged: readonly Declarable[] | null): HtmlContent {
  if (unmanaged === null || unmanaged.length === 0) return null;
  const problems = problemTexts(unmanaged).map((problem) => markup`<li>${prose(problem)}</li>\n`);
  const lines = declaringSections(unmanaged);
  const sections = lines.map((text) => yaml(maskUsers(text)));
  const hidden = lines.some((text) => maskUsers(text) !== text) ? markup`<p>${prose(USERS_HIDDEN)}</p>` : null;
  return section("unmanaged", plural(unmanaged.length, "unmanaged object"), [
    problems.length === 0 ? null : markup`<ul class="panel list">\n${problems}</ul>\n`,
    sections.length === 0
      ? null
      : markup`<details><summary>Lines that declare them</summary><p>${TO_DECLARE}</p>${hidden}${sections}</details>\n`,
  ]);
}

/** Facts about the plan and its requests. */
function restSection(
  { summary, notCompared }: Plan,
  {
    of,
    baseUrl,
    requests,
    remarks,
  }: { readonly of: string; readonly baseUrl: string; readonly requests: string; readonly remarks: readonly string[] },
): Markup {
  const unmanaged = summary.unmanaged === null ? "not counted (not all links were read)" : showCount(summary.unmanaged);
  const { link = 0, pixel = 0 } = summary.nowManaged ?? {};
  const title = { plan: "About this plan", drift: "About this comparison" }[of] ?? "About this run";
  const rows: readonly (readonly [string, string])[] = [
    ["Service", baseUrl],
    ["Unchanged", showCount(summary.unchanged)],
    ...(link + pixel === 0 ? [] : [["Now managed", showCount(link + pixel)] as const]),
    notCompared === null ? ["Unmanaged", unmanaged] : ["Not compared", showCount(notCompared.link + notCompared.pixel)],
    ["Requests", requests],
  ];
  const facts = rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  const lines = remarks.map((line) => markup`<li>${prose(line)}</li>\n`);
  const list = lines.length === 0 ? null : markup`<ul class="list">\n${lines}</ul>\n`;
  return section("about", title, markup`<div class="panel"><dl class="pairs">\n${facts}</dl>${list}</div>\n`);
}

function yaml(text: string): Markup {
  return markup`<pre class="code">${joined(text.trimEnd().split("\n"), markup`\n`)}</pre>`;
}
