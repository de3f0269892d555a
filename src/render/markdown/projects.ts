// The report of several projects in Markdown: totals, a list of the projects, and a section for each that is not one line.

import type { RenderContext } from "../format.ts";
import {
  isFailed,
  isQuiet,
  outcomeWords,
  sectionDiagnostics,
  totalsText,
  viewSection,
  type ProjectSection,
  type ProjectsReport,
} from "../../view/projects.ts";
import { shorten } from "../../view/spans.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, markerOf, shrinking, type ReportBlock } from "./fit.ts";
import { code, listItems, prose } from "./inline.ts";
import { originBlock } from "./origin.ts";
import { changeBlocks, driftBlocks } from "./sections.ts";

const MAX_PATH = 80;

/** Projects that the shortest form of the list names. */
const MAX_LISTED = 20;

/** Lists shrink after the sections. */
const LIST = 136;
const HEADING = 135;

export function projectsBlocks(report: ProjectsReport, context: RenderContext): ReportBlock[] {
  const { sections, command, names } = report;
  const { totals, breaks } = totalsText(report);
  const failed = sections.filter(isFailed);
  const others = sections.filter((section) => !isFailed(section));
  const list = (all: readonly ProjectSection[], max: number): string => listItems(all, max, lineOf);
  return [
    fixed(
      `${markerOf(command, names)}\n## linkform ${command}: ${sections.length === 1 ? "1 project" : `${sections.length} projects`}\n\n`,
    ),
    fixed(`${breaksText(breaks, command === "plan" && failed.length === 0)}**${prose(totals)}**\n\n`),
    ...originBlock(context, command === "plan"),
    ...(failed.length === 0
      ? []
      : [
          alertBlock(
            `**Failed: ${failed
              .slice(0, MAX_LISTED)
              .map((one) => code(shorten(one.project, MAX_PATH)))
              .join(", ")}${failed.length > MAX_LISTED ? ", …" : ""}**`,
            [],
          ),
        ]),
    shrinking(
      [LIST, () => `${list([...failed, ...others], Infinity)}\n`],
      [LIST + 1, () => `${list([...failed, ...others], MAX_LISTED)}\n`],
    ),
    ...sections.flatMap((section) => (isQuiet(section) ? [] : sectionBlocks(section, context))),
  ];
}

/** What stops working in all projects, which approvers read first. */
function breaksText(breaks: string | null, isKnown: boolean): string {
  if (breaks !== null) return `⛔ **${prose(breaks)}**\n\n`;
  return isKnown ? "✅ **Nothing breaks:** every short URL keeps working.\n\n" : "";
}

function lineOf(section: ProjectSection): string {
  const mark = isFailed(section) ? "❌ " : "";
  return `- ${mark}${code(shorten(section.project, MAX_PATH))}: ${prose(outcomeWords(section))}\n`;
}

function sectionBlocks(section: ProjectSection, context: RenderContext): ReportBlock[] {
  const own = { ...context, project: section.project };
  const changes = viewSection(section);
  const diagnostics = sectionDiagnostics(section);
  return [
    shrinking([HEADING, () => `## ${code(shorten(section.project, MAX_PATH))}: ${prose(outcomeWords(section))}\n\n`]),
    ...safetyBlock(diagnostics, own),
    ...errorsBlock(diagnostics, own),
    ...(section.command === "drift"
      ? driftBlocks(changes, own)
      : changeBlocks(changes, section.command === "apply" ? "apply" : "plan", own)),
    ...failedBlock(section),
    ...warningsBlock(diagnostics, own),
  ];
}

/** The changes of an apply that were not made. */
function failedBlock({ document }: ProjectSection): ReportBlock[] {
  const failed = (document.changes ?? []).filter(({ outcome = "applied" }) => outcome !== "applied");
  if (failed.length === 0) return [];
  const text = (max: number): string =>
    `### ⛔ Not applied\n\n${listItems(failed, max, ({ key, outcome = "skipped", error }) => `- ${code(key)}: ${outcome}${error === null || error === undefined ? "" : `. ${prose(error.message)}`}\n`)}`;
  return [shrinking([74, () => text(Infinity)], [120, () => text(10)], [130, () => text(3)])];
}
