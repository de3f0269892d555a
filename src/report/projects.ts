// The report of several projects: a section for each of them, made from its JSON document.

import { EXIT, type ExitCode } from "../errors.ts";
import { plural, showCount } from "./counts.ts";
import { shownFindings } from "./compose.ts";
import { severityCounts } from "./compose-findings.ts";
import { countsText, NO_BASE, showBase } from "./plan-remarks.ts";
import type { ReportDocument } from "./document.ts";
import type { ChangeDocument, ProjectsDocument } from "./json/schema.ts";

/** The commands that can run for several projects. */
export const PROJECT_COMMANDS = ["validate", "plan", "apply", "drift"] as const;
export type ProjectCommand = (typeof PROJECT_COMMANDS)[number];

/** One project of the report. */
export interface ProjectSection {
  /** The project file from the root of the repository. */
  readonly project: string;
  readonly name: string;
  readonly command: ProjectCommand;
  readonly exitCode: ExitCode;
  readonly document: ReportDocument;
}

export interface ProjectsReport {
  readonly of: "projects";
  readonly command: ProjectCommand;
  /** Identifies the report: the values of `--config`. */
  readonly names: string;
  readonly sections: readonly ProjectSection[];
}

/** The first of these that a project ended with is the exit code of the run. */
const PRECEDENCE: readonly ExitCode[] = [
  EXIT.usage,
  EXIT.interrupted,
  EXIT.partial,
  EXIT.error,
  EXIT.refused,
  EXIT.changes,
];

/** One exit code for several projects. */
export function combineExits(exits: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((exit) => exits.includes(exit)) ?? EXIT.done;
}

export function exitOfProjects({ sections }: Pick<ProjectsReport, "sections">): ExitCode {
  return combineExits(sections.map(({ exitCode }) => exitCode));
}

/** The exit code that a document belongs to. A plan counts as done, with or without changes, as without `--detailed-exitcode`. */
export function exitOfDocument(command: ProjectCommand, document: ReportDocument): ExitCode {
  const { changes = [], brakes = [], result, valid, diagnostics } = document;
  const isWrong = diagnostics.some(({ severity }) => severity === "error");
  if (command === "validate") return valid === true ? EXIT.done : EXIT.error;
  if (brakes.length > 0 && command !== "drift") return EXIT.refused;
  if (command === "apply") {
    const hasFailed = isWrong || document.complete !== true || changes.some(({ outcome }) => outcome !== "applied");
    if (!hasFailed) return EXIT.done;
    return (result?.applied ?? 0) > 0 ? EXIT.partial : EXIT.error;
  }
  if (isWrong || document.complete !== true) return EXIT.error;
  return command === "drift" && changes.length > 0 ? EXIT.changes : EXIT.done;
}

export function summarize({ sections }: Pick<ProjectsReport, "sections">): ProjectsDocument["summary"] {
  const count = (of: (section: ProjectSection) => number): number =>
    sections.reduce((sum, section) => sum + of(section), 0);
  const findings = (severity: string): number =>
    count(({ document }) => document.diagnostics.filter((one) => one.severity === severity).length);
  return {
    projects: sections.length,
    failed: sections.filter((section) => isFailed(section)).length,
    create: count(({ document }) => document.summary?.create ?? 0),
    update: count(({ document }) => document.summary?.update ?? 0),
    replace: count(({ document }) => document.summary?.replace ?? 0),
    delete: count(({ document }) => document.summary?.delete ?? 0),
    unchanged: count(({ document }) => document.summary?.unchanged ?? 0),
    breaks: count((section) => lostChanges(section).length),
    errors: findings("error"),
    warnings: findings("warning"),
  };
}

/** `isReviewed`: the report is for a pull request, in which a plan that the brake stops is no failure. */
export function isFailed({ exitCode, command, document }: ProjectSection, isReviewed: boolean = false): boolean {
  if (isReviewed && command === "plan" && (document.brakes ?? []).length > 0) return false;
  return exitCode !== EXIT.done && exitCode !== EXIT.changes;
}

/** The changes that end a short URL. */
function lostChanges({ document, command }: ProjectSection): readonly ChangeDocument[] {
  if (command === "drift") return [];
  const changes = (document.changes ?? []).filter((change) => change.breaks_url);
  return command === "apply" ? changes.filter(({ outcome }) => outcome === "applied") : changes;
}

/** Whether a section is one line: nothing changes, nothing was removed from the files, and nothing was found. */
export function isQuiet(section: ProjectSection): boolean {
  const { changes = [], orphans = [] } = section.document;
  return !isFailed(section) && changes.length + orphans.length === 0 && errorsAndWarnings(section) === "";
}

/** The brake has its own words. */
function errorsAndWarnings(section: ProjectSection): string {
  return severityCounts(shownFindings(section.document));
}

const NOTHING: Readonly<Record<ProjectCommand, string>> = {
  validate: "valid",
  plan: "no changes",
  apply: "no changes",
  drift: "no drift",
};

const NOT_COMPLETE: Readonly<Record<Exclude<ProjectCommand, "validate">, string>> = {
  plan: "not planned",
  apply: "not applied",
  drift: "not compared",
};

/** What happens in one project, in a few words: `2 to create, 1 to delete, 1 warning`. */
export function outcomeWords(section: ProjectSection): string {
  const { document, command } = section;
  const { changes = [], result, brakes = [] } = document;
  const found = errorsAndWarnings(section);
  const main = ((): string => {
    if (command === "validate") return document.valid === true ? "valid" : "not valid";
    if (document.complete !== true) return NOT_COMPLETE[command];
    if (brakes.length > 0 && command !== "drift") return "stopped by the brake";
    if (changes.length === 0) return NOTHING[command];
    if (command === "drift") return plural(changes.length, "difference");
    return command === "apply" && result !== undefined ? resultCounts([section], showCount) : countsText(changes);
  })();
  const managed = document.summary?.now_managed ?? 0;
  const taken = managed === 0 ? "" : `${showCount(managed)} now managed`;
  const hidden = document.diagnostics.filter((one) => one.hidden === true).length;
  const left = hidden === 0 ? "" : `${plural(hidden, "finding")} in \`linkform validate\``;
  return [main, taken, found, left].filter((words) => words !== "").join(", ");
}

/** The first sentences: how many projects there are, what they change, and what breaks. */
export function totalsText(
  report: ProjectsReport,
  isReviewed: boolean = false,
): { readonly totals: string; readonly breaks: string | null } {
  const { sections, command } = report;
  const all = sections.flatMap(({ document }) => document.changes ?? []);
  const changed = sections.filter((section) => (section.document.changes ?? []).length > 0).length;
  const failures = sections.filter((section) => isFailed(section, isReviewed)).length;
  const parts = [
    plural(sections.length, "project"),
    ...(command === "validate"
      ? []
      : [`${plural(changed, "project")} with ${command === "drift" ? "drift" : "changes"}`]),
    ...(failures === 0 ? [] : [`${plural(failures, "project")} failed`]),
  ];
  const planned = command === "plan" && all.length > 0 ? ` Plan: ${countsText(all)}.` : "";
  const made = command === "apply" ? resultCounts(sections, (count) => plural(count, "change")) : "";
  const results = made === "" ? "" : ` ${made}.`;
  const lost = sections.flatMap(lostChanges);
  const clicks = lost.reduce((total, change) => total + (change.clicks ?? 0), 0);
  const counted = clicks === 0 ? "" : ` (${plural(clicks, "click")})`;
  const isHeld = sections.some(({ document }) => (document.brakes ?? []).length > 0);
  const lostWord = command === "apply" ? "stopped working" : `${isHeld ? "would" : "will"} stop working`;
  const breaks = lost.length === 0 ? null : `${plural(lost.length, "short URL")} ${lostWord}${counted}.`;
  return {
    totals: `${parts.join(", ")}.${planned}${results}${basesText(report)}`,
    breaks: command === "validate" ? null : breaks,
  };
}

/** The commits that the projects are compared with; more than one is only counted. */
function basesText({ sections, command }: ProjectsReport): string {
  const planned = sections.filter(({ document }) => document.complete === true);
  if (command !== "plan" || planned.length === 0) return "";
  const bases = new Set(planned.map(({ document }) => document.base && showBase(document.base)));
  const none = bases.delete(null)
    ? ` ${bases.size === 0 ? NO_BASE : "Some projects have no base: their removed links are not detected."}`
    : "";
  const [only, ...others] = bases;
  const named = only == null ? "" : others.length === 0 ? ` Base: ${only}.` : ` The projects have ${bases.size} bases.`;
  return `${named}${none}`;
}

/** `2 applied, 1 failed`: the changes of these projects by their outcome, without zeros. */
function resultCounts(sections: readonly ProjectSection[], show: (count: number) => string): string {
  const parts = (["applied", "failed", "skipped"] as const).flatMap((what) => {
    const count = sections.reduce((sum, { document }) => sum + (document.result?.[what] ?? 0), 0);
    return count === 0 ? [] : [`${show(count)} ${what}`];
  });
  return parts.join(", ");
}
