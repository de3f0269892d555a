// What stands behind the changes: what is left out, what nobody declares any more, what is unmanaged, and on what it rests.

import type { Plan } from "../../domain/change.ts";
import { maskUsers } from "../../view/confusables.ts";
import type { Declarable } from "../../edit/declare.ts";
import { plural, showCount } from "../../view/counts.ts";
import type { ChangeDocument } from "../../view/document.ts";
import {
  declaringSections,
  groupWithheld,
  orphanLines,
  problemTexts,
  successorText,
  TO_DECLARE,
  tombstones,
  USERS_HIDDEN,
  waitsForText,
} from "../../view/unplanned.ts";
import { joined, markup, prose, type HtmlContent, type Markup } from "./markup.ts";
import { placeLink, type Sources } from "./source.ts";

/** A section with a heading that is told by its id. */
export function section(id: string, title: string, body: HtmlContent): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}</section>
`;
}

/** What is declared no longer and stays live, with what to write; null where there is none. */
export function orphansSection({ orphans, references }: Plan, sources: Sources): HtmlContent {
  if (orphans.length === 0) return null;
  const list = orphans.map((orphan) => {
    const { live, place, successor } = orphan;
    const clicks = live.clicks === null ? "" : ` · ${plural(live.clicks, "click")}`;
    const advice = successorText(orphan);
    const lines = successor === null ? null : yaml(orphanLines(orphan, references));
    return markup`<li><p>${live.kind} <b class="key">${live.key}</b> <span class="facts">#${live.id}${clicks}</span></p>
<p class="src">was declared in ${placeLink(place, sources)}</p>${advice === null ? null : markup`<p>${prose(advice)}</p>`}${lines}</li>
`;
  });
  const absent = tombstones(orphans, references);
  const others = orphans.some(({ successor }) => successor !== null) ? "the others" : "them";
  const toDelete = absent === "" ? null : markup`<p>To delete ${others}:</p>\n${yaml(absent)}`;
  return section(
    "orphans",
    "No longer declared, still live",
    markup`<ul class="panel rows">\n${list}</ul>\n${toDelete}`,
  );
}

/** What the files ask for and the plan leaves out, by why; null where it is whole. */
export function withheldSection({ withheld }: Plan): HtmlContent {
  if (withheld.length === 0) return null;
  const reasons = groupWithheld({ withheld }).map(({ reason, changes: those }) => {
    const list = those.map((one) => {
      const { action, kind, key } = one.change;
      return markup`<li>${action} ${kind} <b class="key">${key}</b>${waitsForText(one)}</li>\n`;
    });
    return markup`<details${those.length > MOST_OPEN ? null : markup` open`}><summary>${showCount(those.length)} ${prose(reason)}</summary><ul class="list">\n${list}</ul></details>\n`;
  });
  const head = `Left out: ${plural(withheld.length, "change")}`;
  return section("left-out", head, markup`<div class="panel">${reasons}</div>\n`);
}

const MOST_OPEN = 20;

/** What the files ask for now and a saved plan does not hold; null where there is nothing. */
export function notReviewedSection(changes: readonly ChangeDocument[]): HtmlContent {
  if (changes.length === 0) return null;
  const list = changes.map(({ action, kind, key }) => markup`<li>${action} ${kind} <b class="key">${key}</b></li>\n`);
  return section(
    "not-reviewed",
    "Not reviewed, so left for the next plan",
    markup`<ul class="panel list">\n${list}</ul>\n`,
  );
}

/** What is live and in no file, with the lines that would declare it. */
export function unmanagedSection(unmanaged: readonly Declarable[] | null): HtmlContent {
  if (unmanaged === null || unmanaged.length === 0) return null;
  const problems = problemTexts(unmanaged).map((problem) => markup`<li>${prose(problem)}</li>\n`);
  const lines = declaringSections(unmanaged);
  const sections = lines.map((text) => yaml(maskUsers(text)));
  const hidden = lines.some((text) => maskUsers(text) !== text) ? markup`<p>${prose(USERS_HIDDEN)}</p>` : null;
  return section("unmanaged", `Unmanaged: ${showCount(unmanaged.length)} live, but in no file`, [
    problems.length === 0 ? null : markup`<ul class="panel list">\n${problems}</ul>\n`,
    sections.length === 0
      ? null
      : markup`<details><summary>Lines that would declare them</summary><p>${TO_DECLARE}</p>${hidden}${sections}</details>\n`,
  ]);
}

/** On what the plan rests and what it takes. */
export function restSection(
  { summary }: Plan,
  {
    baseUrl,
    takes,
    remarks,
  }: { readonly baseUrl: string; readonly takes: string; readonly remarks: readonly string[] },
): Markup {
  const unmanaged = summary.unmanaged === null ? "not counted (not all links were read)" : showCount(summary.unmanaged);
  const rows: readonly (readonly [string, string])[] = [
    ["Service", baseUrl],
    ["As declared", `${showCount(summary.unchanged)} unchanged`],
    ["In no file", unmanaged],
    ["Requests", takes],
  ];
  const facts = rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  const lines = remarks.map((line) => markup`<li>${prose(line)}</li>\n`);
  const list = lines.length === 0 ? null : markup`<ul class="list">\n${lines}</ul>\n`;
  return section(
    "about",
    "What this rests on",
    markup`<div class="panel"><dl class="pairs">\n${facts}</dl>${list}</div>\n`,
  );
}

/** Lines to paste. */
function yaml(text: string): Markup {
  return markup`<pre class="code">${joined(text.trimEnd().split("\n"), markup`\n`)}</pre>`;
}
