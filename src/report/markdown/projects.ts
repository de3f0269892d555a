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
} from "../projects.ts";
import { shorten } from "../spans.ts";
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
  const isReviewed = context.origin?.of === "request";
  const { totals, breaks } = totalsText(report, isReviewed);
  const hasFailed = (section: ProjectSection): boolean => isFailed(section, isReviewed);
  const failed = sections.filter(hasFailed);
  const others = sections.filter((section) => !hasFailed(section));
  const braked = others.filter(({ document }) => (document.brakes ?? []).length > 0);
  const list = (all: readonly ProjectSection[], max: number): string =>
    listItems(all, max, (section) => lineOf(section, hasFailed(section)));
  return [
    fixed(
      `${markerOf(command, names)}\n## linkform ${command}: ${sections.length === 1 ? "1 project" : `${sections.length} projects`}\n\n`,
    ),
    fixed(`${breaksText(breaks, command === "plan" && failed.length === 0)}**${prose(totals)}**\n\n`),
    ...originBlock(context, command === "plan" && braked.length === 0),
    ...namedAlert("Failed", failed),
    ...namedAlert("The brake will stop the deploy of", braked),
    shrinking(
      [LIST, () => `${list([...failed, ...others], Infinity)}\n`],
      [LIST + 1, () => `${list([...failed, ...others], MAX_LISTED)}\n`],
    ),
    ...sections.flatMap((section) => (isQuiet(section) ? [] : sectionBlocks(section, context))),
  ];
}

function namedAlert(what: string, sections: readonly ProjectSection[]): ReportBlock[] {
  if (sections.length === 0) return [];
  const names = sections.slice(0, MAX_LISTED).map((one) => code(shorten(one.project, MAX_PATH)));
  return [alertBlock(`**${what}: ${names.join(", ")}${sections.length > MAX_LISTED ? ", …" : ""}**`, [])];
}

/** What stops working in all projects, which approvers read first. */
function breaksText(breaks: string | null, isKnown: boolean): string {
  if (breaks !== null) return `⛔ **${prose(breaks)}**\n\n`;
  return isKnown ? "✅ **Nothing breaks:** every short URL keeps working.\n\n" : "";
}

function lineOf(section: ProjectSection, hasFailed: boolean): string {
  const mark = hasFailed ? "❌ " : "";
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
