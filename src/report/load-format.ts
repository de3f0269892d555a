// Loads the code of a format when it is needed.

import type { Format, ReportFormat } from "./format.ts";
import type { Report } from "./report.ts";

const LOADERS: Readonly<Record<ReportFormat, () => Promise<Format>>> = {
  text: async (): Promise<Format> => (await import("./text/index.ts")).text,
  json: async (): Promise<Format> => (await import("./json/index.ts")).json,
  markdown: async (): Promise<Format> => (await import("./markdown/index.ts")).markdown,
  html: async (): Promise<Format> => (await import("./html/index.ts")).html,
  github: async (): Promise<Format> => (await import("./github/index.ts")).github,
  gitlab: async (): Promise<Format> => (await import("./gitlab/index.ts")).gitlab,
  csv: async (): Promise<Format> => (await import("./csv/index.ts")).csv,
};

export async function loadFormat(name: ReportFormat, report: Report): Promise<Format> {
  if (name === "text" && report.of === "run" && report.command === "validate")
    return (await import("./text/findings.ts")).validateText;
  return LOADERS[name]();
}
