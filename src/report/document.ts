// The plan and the result of an apply as JSON documents: json/schema.ts holds the schemas that describe them.

import type { Failure, Outcome } from "../apply/outcome.ts";
import {
  recordIdOf,
  type Base,
  type Counted,
  type Origin,
  type Orphan,
  type Plan,
  type Summary,
  type TrippedBrake,
  type UnreadableLive,
  type Withheld,
} from "../domain/change.ts";
import { splitFirst, type Diagnostic, type RelatedPlace, type Severity } from "../domain/diagnostic.ts";
import type { Action } from "../domain/project.ts";
import type { ApplyDocument } from "./json/schema.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Software } from "../domain/software.ts";
import type { ProjectCommand } from "./projects.ts";
import type { Declarable } from "../edit/declare.ts";
import {
  deleteAdvice,
  orphanLines,
  renameAdvice,
  unmanagedDocuments,
  withheldReason,
  type UnmanagedDocument,
} from "./unplanned.ts";
import type { SourceLine } from "./blocks.ts";
import { BRAKE_FLAG, brakeParts, type FlagFor } from "./brakes.ts";
import {
  changeDocument,
  placeDocument,
  type ChangeDocument,
  type ChangeResult,
  type ErrorDocument,
  type OutcomeDocument,
  type PlaceDocument,
} from "./change-document.ts";
import { excerptOf } from "./redaction.ts";

/** A finding, as JSON shows it. */
export interface DiagnosticDocument {
  code: string;
  severity: Severity;
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  /** The column after its last character, on the same line; null if only the start is known. */
  end_column?: number | null;
  hint: string | null;
  /** Only for a position in the files of another commit, which is not one in the current files. */
  source?: PlaceDocument;
  /** The line of its position without secrets; left out if it is not available. */
  excerpt?: SourceLine[];
  /** Other positions that the message names. */
  also?: RelatedDocument[];
  /** The number of places of the finding before it that are left out. */
  more?: number;
  /** A finding about the files that plans and applies leave to `validate`: the base has it, too, or there is no base. */
  hidden?: true;
}

/** Another position of a finding, and what it is: `first here`. */
export interface RelatedDocument extends PlaceDocument {
  says: string;
  excerpt?: SourceLine[];
}

/** A live object that linkform cannot read, as JSON shows it. */
export interface UnreadableDocument {
  kind: ResourceKind;
  key: string | null;
  id: number;
  fields: UnreadableFieldDocument[];
}

/** A field that linkform cannot read. `returned` is its name in the service's answer, `seen` describes its value. */
export interface UnreadableFieldDocument {
  path: string;
  returned: string;
  seen: string;
}

/** What `plan --format json` prints. */
export interface PlanDocument {
  format_version: "1.0";
  complete: boolean;
  service: { base_url: string | null; software: Software | null };
  base: { ref: string; commit: string; implied?: true } | null;
  changes: ChangeDocument[];
  summary: {
    create: number;
    update: number;
    replace: number;
    delete: number;
    unchanged: number;
    unmanaged: number | null;
    now_managed: number | null;
    origins: OriginsDocument | null;
  };
  brakes: BrakeDocument[];
  orphans: OrphanDocument[];
  /** How to delete the orphans that were not renamed; left out if there are none. */
  to_delete?: PasteDocument;
  withheld: WithheldDocument[];
  /** Only with `--changed`. */
  not_compared?: { links: number; pixels: number };
  unmanaged: UnmanagedDocument[] | null;
  /** The unchanged objects that the base does not declare; only if there are any. */
  now_managed?: { links: number; pixels: number };
  /** Only if there are any. */
  unreadable?: UnreadableDocument[];
  secrets_needed: string[];
  diagnostics: DiagnosticDocument[];
  requests: { read: number; apply: number; verify: number };
  /** How long the changes take at the service's limit; only for a plan, and if the service reports a limit. */
  pace?: PaceDocument;
  /** What else there is to know about this run, in sentences; `details` is what most people need not know. Only in reports. */
  remarks?: string[];
  details?: string[];
  /** The project file and the command; only in reports. */
  project?: string;
  command?: ProjectCommand;
}

/** What reports are composed of: the document of any command that has all formats. */
export interface ReportDocument
  extends Pick<PlanDocument, "diagnostics">, Partial<Omit<ApplyDocument, "diagnostics" | "changes">> {
  readonly changes?: readonly (ChangeDocument & Partial<OutcomeDocument>)[];
  /** Only for `validate`. */
  readonly valid?: boolean;
  readonly files?: number;
}

/** A sentence, and lines of YAML to paste below it; empty if there are none. */
export interface PasteDocument {
  text: string;
  lines: string;
}

/** The rate limit of the service, and how long the changes take at it. */
export interface PaceDocument {
  per_minute: number;
  seconds: number;
}

/** The number of changes by outcome, and whether everything that the files ask for is live now. */
export interface ResultDocument {
  applied: number;
  failed: number;
  skipped: number;
  complete: boolean;
}

/** A diagnostic as JSON shows it. A place in a commit is not a place in the current files. */
export function diagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const { code, severity, message, place, hint, also, more } = diagnostic;
  const isInCommit = (place?.source?.ref ?? null) !== null;
  const at = isInCommit ? null : place;
  const [line, column] = [at?.line ?? null, at?.column ?? null];
  const end_column = at?.length === undefined ? null : at.column + at.length;
  const excerpt = place === null ? [] : excerptOf([place], true);
  return {
    code,
    severity,
    message,
    file: at?.file ?? null,
    line,
    column,
    end_column,
    hint,
    ...(place !== null && isInCommit && { source: placeDocument(place) }),
    ...(excerpt.length > 0 && { excerpt }),
    ...(also !== undefined && { also: also.map(relatedDocument) }),
    ...(more !== undefined && { more }),
  };
}

function relatedDocument({ place, says }: RelatedPlace): RelatedDocument {
  const excerpt = excerptOf([place], true);
  return { ...placeDocument(place), says, ...(excerpt.length > 0 && { excerpt }) };
}

/** Findings as JSON shows them: one for each place. */
export function diagnosticDocuments(diagnostics: readonly Diagnostic[]): DiagnosticDocument[] {
  return splitFirst(diagnostics).map(diagnosticDocument);
}

/** The document of a plan. `unmanaged` is null unless the list was requested. */
export function planDocument(
  plan: Plan,
  baseUrl: string,
  changes: ChangeDocument[],
  unmanaged: readonly Declarable[] | null = null,
  flagFor: FlagFor = "this run",
): PlanDocument {
  const toDelete = deleteAdvice(plan);
  return {
    ...emptyPlanDocument(baseUrl, plan.diagnostics),
    diagnostics: [
      ...diagnosticDocuments(plan.diagnostics),
      ...diagnosticDocuments(plan.hiddenFindings ?? []).map((one) => ({ ...one, hidden: true as const })),
    ],
    complete: plan.complete,
    service: { base_url: baseUrl, software: plan.software },
    base: baseDocument(plan.base),
    changes,
    summary: summaryDocument(plan),
    brakes: plan.brakes.map((brake) => brakeDocument(brake, flagFor)),
    orphans: plan.orphans.map((orphan) => orphanDocument(orphan, plan)),
    ...(toDelete !== null && { to_delete: toDelete }),
    withheld: plan.withheld.map(withheldDocument),
    ...(plan.notCompared !== null && {
      not_compared: { links: plan.notCompared.link, pixels: plan.notCompared.pixel },
    }),
    ...managedDocument(plan),
    unmanaged: unmanaged && unmanagedDocuments(unmanaged),
    ...(plan.unreadable.length > 0 && { unreadable: plan.unreadable.map(unreadableDocument) }),
    secrets_needed: plan.secretsNeeded.map(({ name }) => name),
    requests: { ...plan.requests },
  };
}

function managedDocument({ summary: { nowManaged: managed } }: Plan): Pick<PlanDocument, "now_managed"> {
  if (managed === null || managed.link + managed.pixel === 0) return {};
  return { now_managed: { links: managed.link, pixels: managed.pixel } };
}

function unreadableDocument({ live: { kind, id }, key, fields }: UnreadableLive): UnreadableDocument {
  return { kind, key, id, fields: fields.map((field) => ({ ...field })) };
}

export function summaryDocument({ summary: { nowManaged, origins, ...counts } }: Plan): PlanDocument["summary"] {
  const now_managed = nowManaged && nowManaged.link + nowManaged.pixel;
  return { ...counts, now_managed, origins: originsDocument(origins) };
}

/** The document of a failed plan. Its diagnostics have the reason. */
export function emptyPlanDocument(baseUrl: string | null, diagnostics: readonly Diagnostic[]): PlanDocument {
  return {
    format_version: "1.0",
    complete: false,
    service: { base_url: baseUrl, software: null },
    base: null,
    changes: [],
    summary: {
      create: 0,
      update: 0,
      replace: 0,
      delete: 0,
      unchanged: 0,
      unmanaged: null,
      now_managed: null,
      origins: null,
    },
    brakes: [],
    orphans: [],
    withheld: [],
    unmanaged: null,
    secrets_needed: [],
    diagnostics: diagnosticDocuments(diagnostics),
    requests: { read: 0, apply: 0, verify: 0 },
  };
}

/** The part of an apply document that is the same for every apply that failed before the first change. */
export const NOTHING_APPLIED: { readonly result: ResultDocument; readonly receipt: null } = {
  result: { applied: 0, failed: 0, skipped: 0, complete: false },
  receipt: null,
};

/** The number of changes by outcome. */
export function tally(outcomes: readonly { readonly outcome: Outcome["outcome"] }[]): Omit<ResultDocument, "complete"> {
  const count = (outcome: Outcome["outcome"]): number => outcomes.filter((one) => one.outcome === outcome).length;
  return { applied: count("applied"), failed: count("failed"), skipped: count("skipped") };
}

/** The changes of a plan, each with its outcome. */
export function changeResults(plan: Plan, outcomes: readonly Outcome[]): ChangeResult[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  return plan.changes.map((change) => ({ ...changeDocument(change, plan), ...outcomeDocument(byChange.get(change)) }));
}

/** An outcome, as JSON shows it. A change without an outcome was skipped. */
export function outcomeDocument(outcome: Outcome | undefined): OutcomeDocument {
  switch (outcome?.outcome) {
    case "applied":
      return { outcome: "applied", error: null };
    case "failed":
      return { outcome: "failed", error: failureDocument(outcome.failure) };
    case "skipped":
    case undefined:
      return { outcome: "skipped", error: outcome === undefined ? null : skipDocument(outcome) };
    default:
      return outcome satisfies never;
  }
}

function failureDocument({ code, message, hint, path, place }: Failure): ErrorDocument {
  const excerpt = excerptOf([place], true);
  return { code, message, hint, path, ...placeDocument(place), ...(excerpt.length > 0 && { excerpt }) };
}

function skipDocument({ change, code, because }: Extract<Outcome, { outcome: "skipped" }>): ErrorDocument {
  return { code, message: because, hint: null, path: null, ...placeDocument(change.source) };
}

/** The outcome of a change that is made in parts. It failed if one part failed, or if only some parts were applied. */
export function combineOutcomes(parts: readonly OutcomeDocument[]): OutcomeDocument {
  const worst =
    parts.find(({ outcome }) => outcome === "failed") ?? parts.find(({ outcome }) => outcome === "skipped") ?? parts[0];
  if (worst === undefined) return { outcome: "applied", error: null };
  const isHalfDone = worst.outcome === "skipped" && parts.some(({ outcome }) => outcome === "applied");
  return isHalfDone ? { ...worst, outcome: "failed" } : worst;
}

/** The number of changes by origin. */
export interface OriginsDocument {
  declared_here: number;
  pending: number;
  drift: number;
  both: number;
}

/** A limit that is exceeded, as JSON shows it. */
export interface BrakeDocument {
  limits: Counted;
  kind: ResourceKind;
  count: number | null;
  limit: number;
  at_stake: number;
  setting: string;
  allow: { flag: string; value: number; key: string | null };
  /** What was found, how to allow it, and the line of the project file that does; null if only the flag does. */
  message: string;
  advice: string;
  write: string | null;
  projects?: number;
  changes: string[];
}

/** An object that was declared at the base, is no longer declared, and is still live. */
export interface OrphanDocument {
  kind: ResourceKind;
  key: string;
  id: number;
  clicks: number | null;
  source: PlaceDocument;
  paste: string;
  renamed_from_for: string | null;
  /** Why it may have been renamed, and what to do; left out without `renamed_from_for`. */
  advice?: string;
}

/** A change that the plan leaves out. */
export interface WithheldDocument {
  action: Action;
  kind: ResourceKind;
  key: string;
  id: number | null;
  because: "target" | "exclude" | "allow" | "waits";
  waits_for: { kind: ResourceKind; key: string } | null;
}

export function baseDocument(base: Base | null): PlanDocument["base"] {
  return base && { ref: base.ref, commit: base.commit, ...(base.impliedDays !== undefined && { implied: true }) };
}

function originsDocument(origins: Summary["origins"]): OriginsDocument | null {
  if (origins === null) return null;
  const count = (origin: Origin): number => origins[origin];
  return {
    declared_here: count("declared here"),
    pending: count("pending"),
    drift: count("drift"),
    both: count("both"),
  };
}

function brakeDocument(brake: TrippedBrake, flagFor: FlagFor): BrakeDocument {
  const { found, advice, key: write } = brakeParts(brake, flagFor);
  const { limits, kind, count, limit, atStake, setting, flag, key, projects, changes } = brake;
  return {
    limits,
    kind,
    count,
    limit,
    at_stake: atStake,
    setting,
    allow: { flag: BRAKE_FLAG[limits], value: flag, key },
    message: found.join(" "),
    advice,
    write,
    ...(projects !== undefined && { projects }),
    changes: changes.map((change) => change.key),
  };
}

function orphanDocument(orphan: Orphan, { references }: Pick<Plan, "references">): OrphanDocument {
  const { live, place, successor } = orphan;
  const advice = renameAdvice(orphan);
  return {
    kind: live.kind,
    key: live.key,
    id: live.id,
    clicks: live.clicks,
    source: placeDocument(place),
    paste: orphanLines(orphan, references),
    renamed_from_for: successor?.key ?? null,
    ...(advice !== null && { advice }),
  };
}

/** A change that a plan leaves out, as JSON shows it. */
export function withheldDocument(withheld: Withheld): WithheldDocument {
  const { change, because } = withheld;
  return {
    action: change.action,
    kind: change.kind,
    key: change.key,
    id: recordIdOf(change),
    because: withheldReason(withheld),
    waits_for: typeof because === "string" ? null : { kind: because.kind, key: because.key },
  };
}
