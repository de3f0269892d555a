// All that a report has to say in annotations, those of a level in the order in which they matter.

import type { Plan } from "../../domain/change.ts";
import { bySafety, type Diagnostic, type Severity } from "../../domain/diagnostic.ts";
import { doneText } from "../../view/apply-result.ts";
import { completenessText, isComplete } from "../../view/completeness.ts";
import { readable } from "../../view/diagnostics.ts";
import { differences } from "../../view/drift.ts";
import { summaryText as driftSummary } from "../text/drift.ts";
import type { Setting } from "../format.ts";
import { isPlain, type ApplyReport, type Report } from "../../view/report.ts";
import { PLAIN } from "../text/screen.ts";
import { summaryText as planSummary } from "../text/plan.ts";
import { visible } from "../../domain/control-characters.ts";
import { placeWords, type Annotation, type Level } from "./annotation.ts";
import { driftAnnotation, endingAnnotations, leftAnnotations, orphanAnnotations } from "./changes.ts";

/** What is only to be known is said of the files alone: beside a plan it would be in the way. */
export function annotationsOf(report: Report, setting: Setting): Annotation[] {
  const found = (diagnostics: readonly Diagnostic[]): Annotation[] =>
    diagnostics.map((one) => diagnosticAnnotation(one, setting));
  if (isPlain(report)) return [];
  switch (report.of) {
    case "validate":
      return found(report.diagnostics);
    case "failure":
      return found(report.diagnostics.filter(isGrave));
    case "plan":
    case "held": {
      const { plan, problems } = report;
      const { safety, rest } = bySafety([...problems, ...plan.diagnostics].filter(isGrave));
      const left = orphanAnnotations(plan, setting);
      return [
        ...found(safety),
        ...endingAnnotations(plan),
        ...left,
        ...found(rest),
        ...summary(planned(plan), setting),
      ];
    }
    case "drift": {
      const { plan, problems } = report;
      const all = differences(plan);
      const graves = found([...problems, ...plan.diagnostics].filter(isGrave));
      const says = all.length === 0 ? null : driftSummary(plan, all, PLAIN.paint);
      return [...all.map((one) => driftAnnotation(one, plan)), ...graves, ...summary(says, setting)];
    }
    case "apply":
      return [
        ...found(bySafety(report.plan.diagnostics).safety),
        ...found(report.problems.filter(isGrave)),
        ...leftAnnotations(report.results, report.plan),
        ...undone(report, setting),
        ...found(bySafety(report.plan.diagnostics).rest.filter(isGrave)),
        ...summary(applied(report), setting),
      ];
    default:
      return report satisfies never;
  }
}

function isGrave({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

const LEVEL: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "notice" };

function diagnosticAnnotation(
  { code, severity, message, place, hint, also }: Diagnostic,
  setting: Setting,
): Annotation {
  const lines = [
    readable(message),
    ...(hint === null ? [] : [readable(hint)]),
    ...(also ?? []).map((aside) => `${placeWords(aside.place, setting)}: ${readable(aside.says)}`),
  ];
  return { level: LEVEL[severity], title: `linkform: ${code}`, message: lines.join("\n"), place };
}

/** By its title people know which project of a repository it is about. */
function summary(says: string | null, { project }: Setting): Annotation[] {
  return says === null ? [] : [{ level: "notice", title: `linkform: ${visible(project)}`, message: says, place: null }];
}

/** Null where there is nothing to say, or a diagnostic says it. */
function planned(plan: Plan): string | null {
  return plan.complete && plan.changes.length > 0 ? planSummary(plan, null, PLAIN.paint) : null;
}

/** A run that has done all its changes may have left something undone all the same. */
function undone(report: ApplyReport, { project }: Setting): Annotation[] {
  if (isComplete(report) || report.results.some(({ outcome }) => outcome !== "applied")) return [];
  const message = completenessText(report);
  return message === null
    ? []
    : [
        {
          level: "warning",
          title: `linkform: ${visible(project)} is not complete`,
          message: readable(message),
          place: null,
        },
      ];
}

function applied({ results }: ApplyReport): string | null {
  const done = doneText(results);
  if (done === "") return null;
  const isAll = results.every(({ outcome }) => outcome === "applied");
  return isAll ? `Done: ${done}.` : `Not all was done: ${done}.`;
}
