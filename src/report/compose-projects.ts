// The report of several projects as blocks: their sums, a line for each, and the report of each in which something happens.

import { bullets, heading, sentences } from "./blocks.ts";
import type { Block, Composed, Line } from "./blocks.ts";
import type { RenderContext } from "./format.ts";
import { commandOfRun, runDocument } from "./json/index.ts";
import { isRunReport, type Report } from "./report.ts";
import { composeLog, composeReport } from "./compose.ts";
import type { ComposeContext } from "./compose-changes.ts";
import { isFailed, isQuiet, outcomeWords, totalsText, type ProjectSection, type ProjectsReport } from "./projects.ts";
import { code, joinLines, line, prose, strong } from "./spans.ts";

/** Projects that an alert names. */
const MAX_LISTED = 20;

/** The report of one project is that report. */
function composeProjects(report: ProjectsReport, context: ComposeContext): Composed {
  const { sections, command, names } = report;
  const [only, ...others] = sections;
  if (only !== undefined && others.length === 0)
    return { ...composeReport(only.document, only.command, { ...context, project: only.project }), name: names };
  const isReviewed = context.origin?.of === "request";
  const { totals, breaks } = totalsText(report, isReviewed);
  const hasFailed = (section: ProjectSection): boolean => isFailed(section, isReviewed);
  const failed = sections.filter(hasFailed);
  const rest = sections.filter((section) => !hasFailed(section));
  const braked = command === "drift" ? [] : rest.filter(({ document }) => (document.brakes ?? []).length > 0);
  const isSafe = breaks === null && command === "plan" && failed.length === 0;
  return {
    of: command,
    name: names,
    subject: line`${String(sections.length)} projects`,
    baseUrl: null,
    again: command === "apply" ? null : command,
    tone: failed.length > 0 || breaks !== null ? "bad" : isSafe ? "good" : "calm",
    title:
      breaks === null
        ? line`${isSafe ? "Nothing breaks: every short URL keeps working." : `${sections.length} projects.`}`
        : prose(breaks),
    lead: [prose(totals)],
    blocks: [
      ...alert("Failed", failed),
      ...alert("The brake will stop the deploy of", braked),
      ...bullets([...failed, ...rest].map(sectionLine), 9),
      ...sections.flatMap((section) => (isQuiet(section) ? [] : sectionBlocks(section, context))),
    ],
  };
}

function alert(what: string, sections: readonly ProjectSection[]): Block[] {
  if (sections.length === 0) return [];
  const names = sections.slice(0, MAX_LISTED).map(({ project }) => [code(project)]);
  const more = sections.length > MAX_LISTED ? ", …" : "";
  return [{ is: "alert", lines: [line`${what}: ${joinLines(names, ", ")}${more}`] }];
}

function sectionLine(section: ProjectSection): Line {
  return line`${code(section.project)}: ${prose(outcomeWords(section))}`;
}

function sectionBlocks(section: ProjectSection, context: ComposeContext): Block[] {
  const own = { ...context, project: section.project };
  const { tone, title, lead, blocks } = composeReport(section.document, section.command, own);
  return [{ ...heading("calm", sectionLine(section)), level: 1 }, ...sentences(tone, [title, ...lead]), ...blocks];
}

/** The same for a log. */
export function projectsLog(report: ProjectsReport, context: ComposeContext): Block[] {
  const { totals, breaks } = totalsText(report);
  return [
    ...sentences("calm", [[strong(totals)]]),
    ...(breaks === null ? [] : sentences("bad", [prose(breaks)])),
    ...report.sections.flatMap((section): Block[] => [
      { ...heading(isFailed(section) ? "bad" : "calm", sectionLine(section)), level: 1 },
      ...(isQuiet(section)
        ? []
        : composeLog(section.document, section.command, { ...context, project: section.project }, true)),
    ]),
  ];
}

/** A report for a page or a comment; null for one that has only text and formats for programs. */
export function composePage(
  report: Report,
  { project, runUrl, blobUrl, origin = null }: RenderContext,
): Composed | null {
  const context = { project, runUrl, blobUrl, origin, isLog: false, isVerbose: true };
  if (report.of === "projects") return composeProjects(report, context);
  return isRunReport(report) ? composeReport(runDocument(report), commandOfRun(report), context) : null;
}
