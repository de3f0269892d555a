// The formats a report can have, and which command can say which.

import type { Report, Reporting } from "../view/report.ts";
import type { Screen } from "./text/screen.ts";
import type { Place } from "../domain/place.ts";

/** Where a report is shown, and what stands around it. */
export interface RenderContext {
  readonly screen: Screen;
  /** The most characters (UTF-16 units) that a report may have where its format can be made to fit. */
  readonly maxLength: number;
  /** The project file from the root of its repository, with `/`: `marketing/linkform.yaml`. */
  readonly project: string;
  /** Other reports of the same run: the files that they are written to, as they were given. */
  readonly otherReports: readonly { readonly format: FormatName; readonly file: string }[];
  /** The page of the CI run that makes the report, and what the paths of the repository's files hang on for a web address of
   * this commit's text (it ends with `/`); null where that is not known. */
  readonly runUrl: string | null;
  readonly blobUrl: string | null;
}

/** Draws a report. It ends with a line break unless it is empty. */
export interface Format {
  readonly render: (report: Report, context: RenderContext) => string;
}

/** What each can say it in. */
export const FORMATS_OF: Readonly<Record<Reporting, readonly FormatName[]>> = {
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
export type ReportFormat = "text" | "json" | "markdown" | "html" | "github" | "gitlab" | "csv";

/** Events are written while there is no report yet: see events.ts. */
export type FormatName = ReportFormat | "ndjson";

/** The halves of the number that it begins with, and the lower one of the prime that it is multiplied by: 2^40 + 435. */
const OFFSET_BASIS = [0xcbf29ce4, 0x84222325] as const;
const PRIME = 435;
const TWO_32 = 2 ** 32;

/** Sixteen hexadecimal digits, which two texts hardly have in common. They are no proof of anything: whoever wants to, finds two. */
export function fnv1a(text: string): string {
  let [high, low]: readonly [number, number] = OFFSET_BASIS;
  for (let at = 0; at < text.length; at += 1) {
    const mixed = (low ^ text.charCodeAt(at)) >>> 0;
    const product = mixed * PRIME;
    high = (high * PRIME + Math.floor(product / TWO_32) + mixed * 2 ** 8) % TWO_32;
    low = product % TWO_32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

/** The path of a place's file from the root of the repository; null where it stands in a commit and not in the files as they are. */
export function repositoryFile({ project }: Pick<RenderContext, "project">, place: Place): string | null {
  return (place.source?.ref ?? null) === null ? repositoryPath({ project }, place) : null;
}

/** The same for a place wherever it stands. */
export function repositoryPath({ project }: Pick<RenderContext, "project">, { file }: Pick<Place, "file">): string {
  return `${project.slice(0, project.lastIndexOf("/") + 1)}${file}`;
}

const LOADERS: Readonly<Record<ReportFormat, () => Promise<Format>>> = {
  text: async (): Promise<Format> => (await import("./text/index.ts")).text,
  json: async (): Promise<Format> => (await import("./json/index.ts")).json,
  markdown: async (): Promise<Format> => (await import("./markdown/index.ts")).markdown,
  html: async (): Promise<Format> => (await import("./html/index.ts")).html,
  github: async (): Promise<Format> => (await import("./github/index.ts")).github,
  gitlab: async (): Promise<Format> => (await import("./gitlab/index.ts")).gitlab,
  csv: async (): Promise<Format> => (await import("./csv/index.ts")).csv,
};

/** Loads a format. */
export async function loadFormat(name: ReportFormat): Promise<Format> {
  return LOADERS[name]();
}
