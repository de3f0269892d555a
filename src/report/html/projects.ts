// The page of several projects: totals, and a section for each project.

import { showPlace } from "../../domain/place.ts";
import { visible } from "../../domain/control-characters.ts";
import { SYMBOL, type ChangeView } from "../change.ts";
import {
  isFailed,
  outcomeWords,
  sectionDiagnostics,
  totalsText,
  viewSection,
  type ProjectSection,
  type ProjectsReport,
} from "../projects.ts";
import { diffSpans, NO_LIMITS, valueSpans } from "../value-spans.ts";
import type { RenderContext } from "../format.ts";
import { findingCard } from "./finding.ts";
import { joined, markup, prose, spans, type HtmlContent } from "./markup.ts";
import { page } from "./page.ts";

export function projectsPage(report: ProjectsReport, context: RenderContext): string {
  const { sections, command } = report;
  const isReviewed = context.origin?.of === "request";
  const { totals, breaks } = totalsText(report, isReviewed);
  const title = `${sections.length} ${sections.length === 1 ? "project" : "projects"}`;
  const tone = sections.some((section) => isFailed(section, isReviewed)) ? "bad" : breaks === null ? "calm" : "warn";
  const lead = [totals, ...(breaks === null ? [] : [` ${breaks}`])];
  const body = sections.map((section, at) => sectionMarkup(section, at, context));
  return page({ of: command, title, lead, tone, baseUrl: null }, "project-1", body, {
    ...context,
    project: report.names,
  });
}

function sectionMarkup(section: ProjectSection, at: number, context: RenderContext): HtmlContent {
  const sources = { ...context, project: section.project };
  const findings = sectionDiagnostics(section).map((one) => findingCard(one, sources));
  return markup`<section id="project-${at + 1}">
<h2>${section.project}: ${outcomeWords(section)}</h2>
${findings}${viewSection(section).map(changeMarkup)}</section>
`;
}

function changeMarkup(change: ChangeView): HtmlContent {
  const { action, kind, key, previousKey, url, ending, remark, words, isWhole, place, result } = change;
  const notes = [
    ...(previousKey === null ? [] : [`was ${previousKey}`]),
    ...(url === null ? [] : [url]),
    ...(ending === null ? [] : [ending]),
    ...(remark === null ? [] : [remark]),
    ...(result === null ? [] : [result.status]),
    ...(result === null || result.error === null ? [] : [visible(result.error.message)]),
    visible(showPlace(place)),
  ];
  const fields = words.map((word) => {
    const value = isWhole
      ? spans(valueSpans(word.after, NO_LIMITS))
      : joined(
          diffSpans(kind, word, NO_LIMITS).map((line) => spans(line)),
          ", ",
        );
    return markup`<li><code>${word.path}</code>: ${value}</li>`;
  });
  return markup`<article class="card">
<h3>${SYMBOL[action]} ${action} ${kind} <code>${key}</code></h3>
${notes.map((note) => markup`<p>${prose(note)}</p>`)}
<ul>${fields}</ul>
</article>
`;
}
