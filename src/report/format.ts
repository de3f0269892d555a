// The formats of a report, which command has which, and what they share.

import { code, line, webAddress, type Line } from "./blocks.ts";
import type { Report } from "./report.ts";
import type { Screen } from "./text/screen.ts";
import { isOutsideProject, type Place } from "../domain/place.ts";
import type { PlaceDocument } from "./json/schema.ts";

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
  /** The full hash, and its page. */
  readonly commit: string | null;
  readonly commitUrl: string | null;
}

/** Renders a report. The text ends with a line break unless it is empty. */
export type Format = (report: Report, context: RenderContext) => string;

export const FORMATS_OF = {
  validate: ["text", "json", "markdown", "html", "github", "gitlab"],
  plan: ["text", "json", "markdown", "html", "github", "gitlab"],
  apply: ["text", "json", "ndjson", "markdown", "html", "github"],
  drift: ["text", "json", "markdown", "html", "github"],
  check: ["text", "json", "markdown", "html", "github"],
  doctor: ["text", "json"],
  pull: ["text", "json"],
  rm: ["text", "json"],
  import: ["text", "json"],
  init: ["text", "json"],
  fmt: ["text", "json"],
  list: ["text", "json", "csv"],
  show: ["text", "json"],
  undo: ["text", "json", "ndjson"],
  explain: ["text", "json"],
  merge: ["text", "json", "markdown", "html", "github", "gitlab"],
} as const satisfies Readonly<Record<string, readonly FormatName[]>>;

export type ReportingCommand = keyof typeof FORMATS_OF;

export const PROJECT_COMMANDS = ["validate", "plan", "apply", "drift", "check"] as const;
export type ProjectCommand = (typeof PROJECT_COMMANDS)[number];

export function isReportingCommand(name: string): name is ReportingCommand {
  return Object.hasOwn(FORMATS_OF, name);
}

export type ReportFormat = "text" | "json" | "markdown" | "html" | "github" | "gitlab" | "csv";

/** `ndjson` is written during the run, before there is a report. */
export type FormatName = ReportFormat | "ndjson";

/** Where the full report is: the page of the run, the command, which prints it again, or the log of an apply, which cannot be repeated. */
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

/** The web page of a line of a file of this commit; null if it is not known, or if the place is not in this commit's files. */
export function filePage(
  { file, line: number, ref }: Pick<PlaceDocument, "file" | "line" | "ref">,
  { blobUrl, project }: Pick<RenderContext, "blobUrl" | "project">,
): string | null {
  // An unpaired surrogate cannot be encoded in a URL.
  if (blobUrl === null || ref !== undefined || isOutsideProject({ file }) || /\p{Cs}/u.test(file + project))
    return null;
  const path = repositoryPath({ project }, { file });
  return `${blobUrl}${path.split("/").map(encodeURIComponent).join("/")}#L${number}`;
}
