// The report of several projects as blocks: their sums, a line for each, and the report of each in which something happens.

import { doneText } from "./run-document.ts";
import { bullets, heading, sentences, code, joinLines, line, prose, strong } from "./blocks.ts";
import type { Block, Composed, Line } from "./blocks.ts";
import type { RenderContext, Report } from "./format.ts";
import { composeLog, composeReport, headOf, visitorHead } from "./compose.ts";
import { lostText, type ComposeContext } from "./compose-changes.ts";
import { countsText } from "./counts.ts";
import { plural, showCount } from "../domain/words.ts";
import { NO_BASE, NO_CHANGES } from "./plan-remarks.ts";
import { foundText, isFailed, isQuiet, lostChanges, type ProjectSection, type ProjectsReport } from "./projects.ts";

/** The report of one project is that report. */
function composeProjects(report: ProjectsReport, context: ComposeContext): Composed {
  const { sections, command, names } = report;
  const [only, ...others] = sections;
  if (only !== undefined && others.length === 0)
    return { ...composeReport(only.report, only.command, { ...context, project: only.project }), name: names };
  const isReviewed = context.origin?.of === "request";
  const failed = sections.filter((section) => isFailed(section, isReviewed));
  const rest = sections.filter((section) => !failed.includes(section));
  const stopped = rest.flatMap(({ project, report: { brakes = [] } }) =>
    command !== "drift" && brakes.length > 0 ? [[code(project)]] : [],
  );
  const alert = [line`The brake will stop the deploy of: ${joinLines(stopped, ", ")}`];
  const [count = "", ...sums] = totals(report, failed.length);
  const head = projectsHead(report, failed.length);
  const lead = head === null ? sums : [count, ...sums];
  return {
    of: command,
    name: names,
    subject: line`${String(sections.length)} projects`,
    baseUrl: null,
    tone: failed.length > 0 ? "bad" : (head?.tone ?? "calm"),
    title: head?.title ?? line`${count}`,
    lead: lead.length === 0 ? [] : [prose(lead.join(" "))],
    blocks: [
      ...(stopped.length === 0 ? [] : [{ is: "alert" as const, lines: alert }]),
      ...bullets([...failed, ...rest].map((section) => sectionLine(section, context))),
      ...sections.flatMap((section) => (isQuiet(section) ? [] : sectionBlocks(section, context))),
    ],
  };
}

/** What the changes of all projects mean for visitors; null if it is not known for all. */
function projectsHead({ sections, command }: ProjectsReport, failures: number): ReturnType<typeof visitorHead> | null {
  const changes = sections.flatMap(({ report }) => report.changes ?? []);
  const brakes = sections.flatMap(({ report }) => report.brakes ?? []);
  const lost = sections.flatMap(lostChanges);
  if (command === "apply" && lost.length > 0) return { tone: "bad", title: line`${lostText(lost, "apply")}.` };
  if (command !== "plan" || (lost.length === 0 && failures > 0)) return null;
  return changes.length === 0 ? { tone: "good", title: line`${NO_CHANGES}.` } : visitorHead({ changes, brakes });
}

function totals({ sections, command }: ProjectsReport, failures: number): string[] {
  const all = sections.flatMap(({ report }) => report.changes ?? []);
  const changed = sections.filter(({ report }) => (report.changes ?? []).length > 0).length;
  const what = command === "drift" ? "drift" : "changes";
  const parts = [
    plural(sections.length, "project"),
    ...(["validate", "check"].includes(command) ? [] : [`${changed === 0 ? "none" : showCount(changed)} with ${what}`]),
    ...(failures === 0 ? [] : [`${showCount(failures)} failed`]),
  ];
  // The report of each project names its base.
  const lacksBase = sections.some(({ report: { base, complete } }) => complete === true && base == null);
  return [
    `${parts.join(", ")}.`,
    ...(command === "plan" && all.length > 0 ? [`Plan: ${countsText(all, false)}.`] : []),
    ...(command === "apply" && all.length > 0 ? [`${doneText(all)}.`] : []),
    ...(command === "plan" && lacksBase ? [NO_BASE] : []),
  ];
}

function sectionLine(section: ProjectSection, context: ComposeContext): Line {
  const { project, report, command } = section;
  const hidden = report.diagnostics.filter((one) => one.hidden === true).length;
  // The outcome of an incomplete report has the findings already.
  const found = report.complete === true && foundText(section) !== "" ? ` ${foundText(section)}.` : "";
  const left = hidden === 0 ? "" : ` ${plural(hidden, "finding")} in \`linkform validate\`.`;
  const { short } = headOf(report, command, { ...context, isOneOfSeveral: true });
  return line`${code(project)} · ${short}${prose(found + left)}`;
}

function sectionBlocks(section: ProjectSection, context: ComposeContext): Block[] {
  const own = { ...context, project: section.project };
  const { tone, title, lead, blocks } = composeReport(section.report, section.command, own);
  return [{ ...heading("calm", [code(section.project)]), level: 1 }, ...sentences(tone, [title, ...lead]), ...blocks];
}

/** The report for a log. With one project, the sums would repeat its report. */
export function projectsLog(report: ProjectsReport, context: ComposeContext): Block[] {
  const { sections } = report;
  const isOne = sections.length === 1;
  const failures = sections.filter((section) => isFailed(section)).length;
  const head = isOne ? null : projectsHead(report, failures);
  return [
    ...(isOne ? [] : sentences("calm", [[strong(totals(report, failures).join(" "))]])),
    ...(head?.tone === "bad" ? sentences(head.tone, [head.title]) : []),
    ...sections.flatMap((section): Block[] => {
      const { project, report: own, command } = section;
      if (!isOne && isQuiet(section)) return [{ ...heading("calm", sectionLine(section, context)), level: 1 }];
      return [
        { ...heading(isFailed(section) ? "bad" : "calm", [code(project)]), level: 1 },
        ...composeLog(own, command, { ...context, project }, true),
      ];
    }),
  ];
}

/** A report for a page or a comment; null for one that has only text and formats for programs. */
export function composePage(report: Report, render: RenderContext): Composed | null {
  const context = { ...render, isLog: false };
  if (report.of === "projects") return composeProjects(report, context);
  return "command" in report ? composeReport(report.document, report.command, context) : null;
}
