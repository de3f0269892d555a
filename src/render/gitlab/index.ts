// A report in the forms that GitLab shows in a merge request: findings about the files as Code Quality, a plan as terraform's
// report.

import type { Format, Setting } from "../format.ts";
import { jsonText } from "../json/text.ts";
import { isPlainReport, type Report } from "../../view/report.ts";
import type { Diagnostic, Severity } from "../../domain/diagnostic.ts";
import { secretFinder, type SecretFinder } from "../../view/redaction.ts";
import { readable } from "../../view/diagnostics.ts";
import { digest } from "../fingerprint.ts";
import { repositoryFile } from "../repository-file.ts";
import type { Plan } from "../../domain/change.ts";

export const gitlab: Format = { render: (report, setting) => `${jsonText(contentOf(report, setting), 2)}\n` };

function contentOf(report: Report, setting: Setting): unknown {
  if (isPlainReport(report)) return codeQuality([], setting);
  switch (report.of) {
    case "validate":
      return codeQuality(report.diagnostics, setting);
    case "plan":
    case "drift":
    case "apply":
    case "held":
      return terraformReport(report.plan);
    case "failure":
      return terraformReport(null);
    default:
      return report satisfies never;
  }
}

/** A finding, with the keys that GitLab asks for (its `codeclimate.json`). */
interface CodeQualityFinding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "critical";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITY: Readonly<Record<Severity, CodeQualityFinding["severity"]>> = {
  error: "critical",
  warning: "minor",
  info: "info",
};

/** What is about no line of the files is told of the project file's first. */
export function codeQuality(
  diagnostics: readonly Diagnostic[],
  setting: Pick<Setting, "project">,
): CodeQualityFinding[] {
  const mark = fingerprinter();
  return diagnostics.map((diagnostic) => {
    const { code, severity, message, place, hint } = diagnostic;
    const file = place === null ? null : repositoryFile(setting, place);
    const path = file ?? setting.project;
    return {
      description: [message, hint].flatMap((text) => (text === null ? [] : readable(text))).join(" "),
      check_name: code,
      fingerprint: mark(diagnostic, path),
      severity: SEVERITY[severity],
      location: { path, lines: { begin: file === null ? 1 : (place?.line ?? 1) } },
    };
  });
}

/**
 * By fingerprints GitLab tells what is new in a merge request and what is mended. So these stay when other lines come or go:
 * they are made of the code, the file, the message without numbers of lines, and what stands there. Of several that are alike
 * in all of this, each has its number.
 */
function fingerprinter(): (diagnostic: Diagnostic, path: string) => string {
  const conceal = secretFinder();
  const counts = new Map<string, number>();
  return (diagnostic, path) => {
    const { code, message } = diagnostic;
    const words = [code, path, message.replaceAll(/:\d+:\d+(?!\d)/g, ""), surroundings(diagnostic, conceal)];
    const base = JSON.stringify(words);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return digest(`${base} ${count}`);
  };
}

/** As much of a line is taken before and behind the beginning of what is meant: a file may be one long line. */
const AROUND = 60;

/** What stands about a place, without what nobody may be shown: from a number of it that could be guessed. */
function surroundings({ place }: Diagnostic, conceal: SecretFinder): string {
  const { source } = place ?? {};
  if (place === null || source === undefined) return "";
  const hidden = conceal(source, place.line);
  const from = Math.max(place.column - 1 - AROUND, 0);
  const near = (source.line(place.line) ?? "").slice(from, place.column - 1 + AROUND);
  const isHidden = (at: number): boolean => hidden.some(([start, end]) => at >= start && at < end);
  return near
    .split("")
    .filter((_, at) => !isHidden(from + at))
    .join("")
    .trim();
}

interface Counts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/**
 * The counts: a replacement is one row that is stored and one that is deleted, and counts as both. Where nothing could be
 * planned the report is empty, for zeros would look like "no changes": GitLab shows one without these keys as a report that could
 * not be made (its `Terraform::Tfplan` calls that `missing_json_keys`).
 */
export function terraformReport(plan: Pick<Plan, "complete" | "summary"> | null): Counts | Record<string, never> {
  if (plan === null || !plan.complete) return {};
  const { create, update, replace, delete: deleted } = plan.summary;
  return { create: create + replace, update, delete: deleted + replace };
}
