// The plan and the result of an apply as JSON documents: json/schema.ts holds the schemas that describe them.

import { excerptOf } from "./redaction.ts";
import type { Outcome } from "../apply/outcome.ts";
import { recordIdOf, type Plan, type Withheld } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Declarable } from "../edit/declare.ts";
import type {
  ApplyDocument,
  ChangeDocument,
  ChangeResult,
  OutcomeDocument,
  PlanDocument,
  UndoDocument,
  ValidateDocument,
  WithheldDocument,
} from "./json/schema.ts";
import { deleteAdvice, orphanDocument, unmanagedDocument } from "./unplanned.ts";
import { brakeDocument, type FlagFor } from "./brakes.ts";
import type { Pace } from "./plan-remarks.ts";
import { changeDocument } from "./change-document.ts";
import { diagnosticDocuments, placeDocument } from "./finding-document.ts";

/** A change, with its outcome in an apply. */
export type ShownChange = ChangeDocument & Partial<OutcomeDocument>;

/** What reports are composed of: the document of any command that has all formats. */
export interface ReportDocument
  extends
    Pick<PlanDocument, "diagnostics">,
    Partial<Omit<ApplyDocument & ValidateDocument, "diagnostics" | "changes">> {
  readonly changes?: readonly ShownChange[];
}

/** A plan, and what else its report says. */
export interface PlannedReport {
  /** With its diagnostics about the files, the address and the comparison. */
  readonly plan: Plan;
  /** Tripped brakes, or the errors that stopped a run. */
  readonly problems: readonly Diagnostic[];
  readonly baseUrl: string;
  /** Where to pass an allowance. Default: this run. */
  readonly flagFor?: FlagFor;
  /** Null or left out without `--show-unmanaged`. */
  readonly unmanaged?: readonly Declarable[] | null;
  /** Null or left out if the service reports no limit. */
  readonly pace?: Pace | null;
  /** Only for an undo. */
  readonly undo?: UndoDocument | undefined;
}

/** The document of a plan with these changes. */
export function planDocument(report: PlannedReport, changes: ChangeDocument[]): PlanDocument {
  const { plan, problems, baseUrl, unmanaged = null, flagFor = "this run" } = report;
  const { base, notCompared, unreadable } = plan;
  const { nowManaged } = plan.summary;
  return {
    format_version: "1.0",
    complete: plan.complete,
    service: { base_url: baseUrl, software: plan.software },
    base: base && { ref: base.ref, commit: base.commit, implied: base.impliedDays === undefined ? undefined : true },
    changes,
    summary: summaryDocument(plan),
    brakes: plan.brakes.map((brake) => brakeDocument(brake, flagFor)),
    orphans: plan.orphans.map((orphan) => orphanDocument(orphan, plan)),
    withheld: plan.withheld.map(withheldDocument),
    unmanaged: unmanaged && unmanaged.map(unmanagedDocument),
    secrets_needed: plan.secretsNeeded.map(({ name }) => name),
    diagnostics: [
      ...diagnosticDocuments([...plan.diagnostics, ...problems]),
      ...diagnosticDocuments(plan.hiddenFindings ?? []).map((one) => ({ ...one, hidden: true as const })),
    ],
    requests: { ...plan.requests },
    to_delete: deleteAdvice(plan),
    not_compared: notCompared === null ? undefined : { links: notCompared.link, pixels: notCompared.pixel },
    now_managed:
      nowManaged === null || nowManaged.link + nowManaged.pixel === 0
        ? undefined
        : { links: nowManaged.link, pixels: nowManaged.pixel },
    unreadable:
      unreadable.length === 0
        ? undefined
        : unreadable.map(({ kind, id, key, hasKey, fields }) => ({
            kind,
            key: hasKey ? key : null,
            id,
            fields: [...fields],
          })),
  };
}

export function summaryDocument({ summary: { nowManaged, origins, ...counts } }: Plan): PlanDocument["summary"] {
  return {
    ...counts,
    now_managed: nowManaged && nowManaged.link + nowManaged.pixel,
    origins: origins && {
      declared_here: origins["declared here"],
      pending: origins.pending,
      drift: origins.drift,
      both: origins.both,
    },
  };
}

/** The number of changes by outcome. */
export function tally(
  outcomes: readonly { readonly outcome: Outcome["outcome"] }[],
): Omit<ApplyDocument["result"], "complete"> {
  const count = (outcome: Outcome["outcome"]): number => outcomes.filter((one) => one.outcome === outcome).length;
  return { applied: count("applied"), failed: count("failed"), skipped: count("skipped") };
}

/** The changes of a plan, each with its outcome. */
export function changeResults(plan: Plan, outcomes: readonly Outcome[]): ChangeResult[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  return plan.changes.map((change) => ({ ...changeDocument(change, plan), ...outcomeDocument(byChange.get(change)) }));
}

/** An outcome, as JSON shows it. A change without an outcome was skipped. */
export function outcomeDocument(one: Outcome | undefined): OutcomeDocument {
  switch (one?.outcome) {
    case undefined:
      return { outcome: "skipped", error: null };
    case "applied":
      return { outcome: "applied", error: null };
    case "skipped": {
      const why = { code: one.code, message: one.because, hint: null, path: null };
      return { outcome: "skipped", error: { ...why, ...placeDocument(one.change.source) } };
    }
    case "failed": {
      const { code, message, hint, path, place } = one.failure;
      const why = { code, message, hint, path, ...placeDocument(place), excerpt: excerptOf(place) };
      return { outcome: "failed", error: why };
    }
    default:
      return one satisfies never;
  }
}

/** The outcome of a change that is made in parts. It failed if one part failed, or if only some parts were applied. */
export function combineOutcomes(parts: readonly OutcomeDocument[]): OutcomeDocument {
  const worst =
    parts.find(({ outcome }) => outcome === "failed") ?? parts.find(({ outcome }) => outcome === "skipped") ?? parts[0];
  if (worst === undefined) return { outcome: "applied", error: null };
  const isHalfDone = worst.outcome === "skipped" && parts.some(({ outcome }) => outcome === "applied");
  return isHalfDone ? { ...worst, outcome: "failed" } : worst;
}

/** A change that a plan leaves out, as JSON shows it. */
export function withheldDocument(withheld: Withheld): WithheldDocument {
  const { change, because } = withheld;
  const waits = typeof because !== "string";
  return {
    action: change.action,
    kind: change.kind,
    key: change.key,
    id: recordIdOf(change),
    because: waits ? "waits" : because,
    waits_for: waits ? { kind: because.kind, key: because.key } : null,
  };
}
