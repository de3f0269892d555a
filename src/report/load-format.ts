// Loads the code of a format when it is needed.

import type { Format, ReportFormat, Report } from "./format.ts";

const LOADERS: Readonly<Record<ReportFormat, () => Promise<Format>>> = {
  text: async () => (await import("./text/index.ts")).text,
  json: async () => (await import("./json/index.ts")).json,
  markdown: async () => (await import("./markdown/index.ts")).markdown,
  html: async () => (await import("./html/index.ts")).html,
  github: async () => (await import("./github/index.ts")).github,
  gitlab: async () => (await import("./gitlab/index.ts")).gitlab,
  csv: async () => (await import("./csv/index.ts")).csv,
};

export async function loadFormat(name: ReportFormat, report: Report): Promise<Format> {
  if (name === "text" && report.of === "run" && report.command === "validate")
    return (await import("./text/findings.ts")).validateText;
  return LOADERS[name]();
}
