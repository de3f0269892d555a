// The report of several projects as text.

import { visible } from "../../domain/control-characters.ts";
import {
  isFailed,
  isQuiet,
  outcomeWords,
  sectionDiagnostics,
  totalsText,
  viewSection,
  type ProjectSection,
  type ProjectsReport,
} from "../projects.ts";
import { changeText } from "./change.ts";
import { diagnosticsText } from "./diagnostics.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

export function projectsText(report: ProjectsReport, screen: Screen): string {
  const { paint, columns } = screen;
  const { totals, breaks } = totalsText(report);
  const first = [
    paint.bold(wrap(totals, columns, 0)),
    ...(breaks === null ? [] : [paint.red(wrap(breaks, columns, 0))]),
  ];
  return `${first.join("\n")}\n\n${report.sections.map((section) => sectionText(section, screen)).join("")}`;
}

function sectionText(section: ProjectSection, screen: Screen): string {
  const { paint } = screen;
  const words = outcomeWords(section);
  const outcome = isFailed(section) ? paint.red(words) : words;
  const head = `${paint.bold(visible(section.project))}: ${outcome}\n`;
  if (isQuiet(section)) return head;
  const found = sectionDiagnostics(section);
  const diagnostics = found.length === 0 ? "" : `${diagnosticsText(found, screen)}\n`;
  const changes = viewSection(section).map((change) => {
    const { result } = change;
    const failed = result?.error ?? null;
    const why = failed === null ? "" : `    ${paint.red("!")} ${wrap(visible(failed.message), screen.columns, 6)}\n`;
    const status = result === null ? "" : `    ${paint.dim(result.status)}\n`;
    return `${changeText(change, screen)}${status}${why}\n`;
  });
  return `${head}\n${changes.join("")}${diagnostics}`;
}
