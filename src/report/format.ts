// What the formats draw, which command has which format, and what they share.

import { code, line, webAddress, type Line } from "./blocks.ts";
import type { ReportDocument } from "./document.ts";
import type { ExplainDocument } from "./json/explain.ts";
import type { ListDocument, ShowDocument } from "./json/inspect.ts";
import type { DoctorDocument, PlaceDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import type { ProjectSection, ProjectsReport } from "./projects.ts";
import type { Screen } from "./text/screen.ts";
import { isOutsideProject, type Place } from "../domain/place.ts";

export interface RenderContext {
  readonly screen: Screen;
  /** The maximum length in UTF-16 units, for formats that can be shortened. */
  readonly maxLength: number;
  /** The project file from the root of its repository, with `/`: `marketing/linkform.yaml`. */
  readonly project: string;
  /** The page of the CI run, and the prefix (ending with `/`) of the web pages of this commit's files; null if unknown. */
  readonly runUrl: string | null;
  readonly blobUrl: string | null;
  /** Null or left out if the run belongs to no pull request and no push. */
  readonly origin?: ChangeOrigin | null;
}

/** The pull request (or merge request) or the push that a run in CI belongs to. Parts that are not known are null. */
export interface ChangeOrigin {
  readonly of: "request" | "push";
  readonly login: string | null;
  /** The full hash. */
  readonly commit: string | null;
  readonly commitUrl: string | null;
}

/** The text ends with a line break unless it is empty. */
export type Format = (report: Report, context: RenderContext) => string;

const BASIC = ["text", "json"] as const;
const PAGES = [...BASIC, "markdown", "html", "github"] as const;

export const FORMATS_OF = {
  validate: [...PAGES, "gitlab"],
  plan: [...PAGES, "gitlab"],
  apply: [...BASIC, "ndjson", "markdown", "html", "github"],
  drift: PAGES,
  check: PAGES,
  doctor: BASIC,
  pull: BASIC,
  rm: BASIC,
  import: BASIC,
  init: BASIC,
  fmt: BASIC,
  list: [...BASIC, "csv"],
  show: BASIC,
  undo: [...BASIC, "ndjson"],
  explain: BASIC,
  merge: [...PAGES, "gitlab"],
} as const;

export type ReportingCommand = keyof typeof FORMATS_OF;

export const PROJECT_COMMANDS = ["validate", "plan", "apply", "drift", "check"] as const;
export type ProjectCommand = (typeof PROJECT_COMMANDS)[number];

export function isReportingCommand(name: string): name is ReportingCommand {
  return Object.hasOwn(FORMATS_OF, name);
}

export type FormatName = (typeof FORMATS_OF)[ReportingCommand][number];

/** `ndjson` is written during the run, before there is a report. */
export type ReportFormat = Exclude<FormatName, "ndjson">;

/** The page of the run, the command, which prints the report again, or the log of an apply, which cannot be repeated. */
export function fullReport({ runUrl }: Pick<RenderContext, "runUrl">, command: string): Line {
  if (runUrl !== null && webAddress(runUrl) !== null)
    return [{ text: "the page of this run", as: "text", href: runUrl }];
  return command === "apply" ? line`the log of this run` : [code(`linkform ${command}`)];
}

export function hashOf(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export function repositoryPath({ project }: Pick<RenderContext, "project">, { file }: Pick<Place, "file">): string {
  return isOutsideProject({ file }) ? file : `${project.slice(0, project.lastIndexOf("/") + 1)}${file}`;
}

/** Null if it is not known, or if the place is not in the files of this commit. */
export function filePage(
  { file, line: number, ref }: Pick<PlaceDocument, "file" | "line" | "ref">,
  { blobUrl, project }: Pick<RenderContext, "blobUrl" | "project">,
): string | null {
  // An unpaired surrogate cannot be encoded in a URL.
  const path = repositoryPath({ project }, { file });
  if (blobUrl === null || ref !== undefined || isOutsideProject({ file }) || /\p{Cs}/u.test(path)) return null;
  return `${blobUrl}${path.split("/").map(encodeURIComponent).join("/")}#L${number}`;
}

/** A command whose failure is reported in the form of its document. */
export type FailingCommand = Exclude<ReportingCommand, "validate" | "check" | "doctor" | "merge">;

export type ReportedCommand = "validate" | "check" | FailingCommand;

/** A run in one project. A `failure` ended before it had a result. */
export interface RunReport {
  readonly of: "run" | "failure";
  readonly command: ReportedCommand;
  readonly document: ReportDocument;
}

export type Report =
  | RunReport
  | ProjectsReport
  | { readonly of: "doctor"; readonly document: DoctorDocument }
  | { readonly of: "list"; readonly document: ListDocument }
  | { readonly of: "show"; readonly document: ShowDocument }
  | { readonly of: "explain"; readonly document: ExplainDocument }
  | { readonly of: "written"; readonly document: WrittenDocument };

export type Run = Pick<ProjectSection, "project" | "report"> & Pick<RunReport, "command">;

/** `project` is that of a report about only one. */
export function runsOf(report: Report, project: string): readonly Run[] {
  if (report.of === "projects") return report.sections;
  return "command" in report ? [{ report: report.document, command: report.command, project }] : [];
}

/** If reports of its command can be merged, the document names the project and the command. */
export function namedDocument({ command: name, document }: RunReport, project: string): ReportDocument {
  const command = PROJECT_COMMANDS.find((one) => one === name);
  return command === undefined || document.undo !== undefined ? document : { ...document, project, command };
}

/** As in `Nothing was planned`. */
export const NOT_DONE: Readonly<Record<FailingCommand, string>> = {
  plan: "planned",
  apply: "applied",
  drift: "compared",
  pull: "written",
  rm: "written",
  import: "written",
  init: "written",
  fmt: "formatted",
  list: "read",
  show: "read",
  undo: "undone",
  explain: "explained",
};
