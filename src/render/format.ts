// The formats a report can have, and which command can say which.

import type { Report, ReportingCommand } from "../view/report.ts";
import type { Screen } from "./text/screen.ts";

/** Where a report is shown, and what stands around it. */
export interface Setting {
  readonly screen: Screen;
  /** The most characters (UTF-16 units) that a report may have where its format can be made to fit. */
  readonly maxLength: number;
  /** The project file from the root of its repository, with `/`: `marketing/linkform.yaml`. */
  readonly project: string;
  /** Other reports of the same run: the files that they are written to, as they were given. */
  readonly besides: readonly { readonly format: FormatName; readonly file: string }[];
  /** The page of the CI run that makes the report, and what the paths of the repository's files hang on for a web address of
   * this commit's text (it ends with `/`); null where that is not known. */
  readonly run: string | null;
  readonly blob: string | null;
}

/** Draws a report. It ends with a line break unless it is empty. */
export interface Format {
  readonly render: (report: Report, setting: Setting) => string;
}

/** What each can say it in. */
export const FORMATS_OF: Readonly<Record<ReportingCommand, readonly FormatName[]>> = {
  validate: ["text", "json", "markdown", "html", "github", "gitlab"],
  plan: ["text", "json", "markdown", "html", "github", "gitlab"],
  apply: ["text", "json", "ndjson", "markdown", "html", "github"],
  drift: ["text", "json", "markdown", "html", "github"],
  doctor: ["text", "json"],
  pull: ["text", "json"],
  rm: ["text", "json"],
  import: ["text", "json"],
  init: ["text", "json"],
  list: ["text", "json", "csv"],
  show: ["text", "json"],
  undo: ["text", "json"],
  explain: ["text", "json"],
};

/** What draws a report. */
export type DrawnFormat = "text" | "json" | "markdown" | "html" | "github" | "gitlab" | "csv";

/** Events are written while there is no report yet: see events.ts. */
export type FormatName = DrawnFormat | "ndjson";
