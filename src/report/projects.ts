// The report of several projects: their documents, sums and exit code; as blocks, a line for each, and those in which something happens.

import { plural, showCount } from "../domain/words.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { bullets, code, heading, joinLines, line, prose, sentences, strong } from "./blocks.ts";
import type { Block, Composed, Line } from "./blocks.ts";
import { composeLog, composeReport, headOf, visitorHead } from "./compose.ts";
import { isLost, lostText, type ComposeContext } from "./compose-changes.ts";
import { severityCounts, shownFindings } from "./compose-findings.ts";
import { countsText } from "./counts.ts";
import type { ReportDocument, ShownChange } from "./document.ts";
import type { ProjectCommand, RenderContext, Report } from "./format.ts";
import type { ProjectsDocument } from "./json/schema.ts";
import { NO_BASE, NO_CHANGES } from "./plan-remarks.ts";
import { doneText } from "./run-document.ts";

export interface ProjectSection extends Omit<ProjectsDocument["projects"][number], "report"> {
  readonly report: ReportDocument;
}

export interface ProjectsReport {
  readonly of: "projects";
  readonly command: ProjectCommand;
  /** Identifies the report: the values of `--config`. */
  readonly names: string;
  readonly sections: readonly ProjectSection[];
}

/** The first of these that a project ended with is the exit code of the run. */
const PRECEDENCE = ["usage", "interrupted", "partial", "error", "refused", "changes"] as const;

export function combineExits(exits: readonly ExitCode[]): ExitCode {
  return EXIT[PRECEDENCE.find((name) => exits.includes(EXIT[name])) ?? "done"];
}

export function exitOfProjects({ sections }: Pick<ProjectsReport, "sections">): ExitCode {
  return combineExits(sections.map((section) => section.exit_code));
}

/** A plan with changes counts as done, as without `--detailed-exitcode`. */
export function exitOfDocument(command: ProjectCommand, document: ReportDocument): ExitCode {
  const { changes = [], brakes = [], result, valid, complete, diagnostics } = document;
  if (command === "validate" || command === "check") return valid === true ? EXIT.done : EXIT.error;
  if (brakes.length > 0 && command !== "drift") return EXIT.refused;
  const isWrong = complete !== true || diagnostics.some(({ severity }) => severity === "error");
  if (command === "apply") {
    if (!isWrong && changes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
    return (result?.applied ?? 0) > 0 ? EXIT.partial : EXIT.error;
  }
  if (isWrong) return EXIT.error;
  return command === "drift" && changes.length > 0 ? EXIT.changes : EXIT.done;
}

export function summarize({ sections }: Pick<ProjectsReport, "sections">): ProjectsDocument["summary"] {
  const sum = (of: "create" | "update" | "replace" | "delete" | "unchanged"): number =>
    sections.reduce((total, { report }) => total + (report.summary?.[of] ?? 0), 0);
  const findings = sections.flatMap(({ report }) => report.diagnostics);
  return {
    projects: sections.length,
    failed: sections.filter((section) => isFailed(section)).length,
    create: sum("create"),
    update: sum("update"),
    replace: sum("replace"),
    delete: sum("delete"),
    unchanged: sum("unchanged"),
    breaks: sections.flatMap(lostChanges).length,
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
  };
}

/** `isReviewed`: the report is for a pull request, in which a plan that the brake stops is no failure. */
function isFailed(section: ProjectSection, isReviewed: boolean = false): boolean {
  const { exit_code: exit, command, report } = section;
  if (isReviewed && command === "plan" && (report.brakes ?? []).length > 0) return false;
  return exit !== EXIT.done && exit !== EXIT.changes;
}

function lostChanges({ report, command }: ProjectSection): readonly ShownChange[] {
  const lost = (report.changes ?? []).filter(isLost);
  return command === "apply" ? lost.filter(({ outcome }) => outcome === "applied") : lost;
}

/** Whether a section is one line: nothing changes, nothing was removed from the files, and nothing was found. */
function isQuiet(section: ProjectSection): boolean {
  const { changes = [], orphans = [] } = section.report;
  return !isFailed(section) && changes.length + orphans.length === 0 && foundText(section) === "";
}

function foundText({ report }: ProjectSection): string {
  return severityCounts(shownFindings(report));
}

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
