// The plan and the result of an apply as JSON documents. Their schemas are in json/schema.ts.

import { excerptOf } from "./redaction.ts";
import type { Outcome } from "../apply/outcome.ts";
import { endingOf, isNoticed, recordIdOf } from "../domain/change.ts";
import type { Base, Change, Create, Delete, FieldChange, Live, Plan, Withheld } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { CLICK_LIMIT, EXPIRATION_URL, FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Values } from "../domain/value.ts";
import type { Declarable } from "../edit/declare.ts";
import type { ApplyDocument, ChangeDocument, ChangeResult, OutcomeDocument } from "./json/schema.ts";
import type { PlanDocument, UndoDocument, ValidateDocument, WithheldDocument } from "./json/schema.ts";
import { brakeDocument, type FlagFor } from "./brakes.ts";
import { plural } from "../domain/words.ts";
import { diagnosticDocuments, placeDocument } from "./finding-document.ts";
import type { Pace } from "./plan-remarks.ts";
import { deleteAdvice, orphanDocument, unmanagedDocument } from "./unplanned.ts";
import { wordChanges, type WordChange } from "./values.ts";

export type ShownChange = ChangeDocument & Partial<OutcomeDocument>;

/** The document of any command that has all formats. */
export interface ReportDocument
  extends
    Pick<PlanDocument, "diagnostics">,
    Partial<Omit<ApplyDocument & ValidateDocument, "diagnostics" | "changes">> {
  readonly changes?: readonly ShownChange[];
}

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
  readonly undo?: UndoDocument | undefined;
}

export function planDocument(report: PlannedReport, changes: ChangeDocument[]): PlanDocument {
  const { plan, problems, baseUrl, unmanaged, flagFor = "this run" } = report;
  const { base, notCompared } = plan;
  const { nowManaged } = plan.summary;
  const unreadable = plan.unreadable.map(({ kind, id, key, hasKey, fields }) => {
    return { kind, key: hasKey ? key : null, id, fields: [...fields] };
  });
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
    unmanaged: unmanaged?.map(unmanagedDocument) ?? null,
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
    unreadable: unreadable.length === 0 ? undefined : unreadable,
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

export function changeResults(plan: Plan, outcomes: readonly Outcome[]): ChangeResult[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  const documents = [...reportedChanges(plan)];
  return documents.map(([change, document]) => ({ ...document, ...outcomeDocument(byChange.get(change)) }));
}

/** A change without an outcome was skipped. */
export function outcomeDocument(one: Outcome | undefined): OutcomeDocument {
  switch (one?.outcome) {
    case undefined:
    case "applied":
      return { outcome: one?.outcome ?? "skipped", error: null };
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

/** A change that is made in parts failed if one part failed, or if only some parts were applied. */
export function combineOutcomes(parts: readonly OutcomeDocument[]): OutcomeDocument {
  const part = (of: OutcomeDocument["outcome"]): OutcomeDocument | undefined =>
    parts.find(({ outcome }) => outcome === of);
  const [applied, skipped] = [part("applied"), part("skipped")];
  const partly = skipped && applied && { ...skipped, outcome: "failed" as const };
  return part("failed") ?? partly ?? skipped ?? applied ?? { outcome: "applied", error: null };
}

export function withheldDocument({ change, because }: Withheld): WithheldDocument {
  const { action, kind, key } = change;
  const about = { action, kind, key, id: recordIdOf(change) };
  if (typeof because === "string") return { ...about, because, waits_for: null };
  return { ...about, because: "waits", waits_for: { kind: because.kind, key: because.key } };
}

/** As saved plans and events have it. */
export function changeDocument(change: Change, { zones }: Pick<Plan, "zones">): ChangeDocument {
  const { action, kind, key, reason, origin } = change;
  const family = change.action === "delete" ? undefined : change.desired.family;
  const wordsOf = (fields: readonly FieldChange[], isNew: boolean): WordChange[] =>
    fields.flatMap((field) => wordChanges(kind, field, zones, isNew));
  return {
    action,
    kind,
    key,
    previous_key: change.previousKey,
    id: recordIdOf(change),
    reason,
    origin,
    breaks_url: change.breaksUrl,
    takes_over: change.takesOver,
    fields: wordsOf(change.fields, action === "create"),
    stored: change.action === "replace" ? wordsOf(change.stored, true) : undefined,
    source: placeDocument(change.source),
    family: family && { pattern: family.pattern, combination: Object.fromEntries(family.combination) },
  };
}

export function reportedChanges(plan: Plan): ReadonlyMap<Change, ChangeDocument> {
  const tripping = new Set(plan.brakes.flatMap(({ changes }) => changes));
  return new Map(plan.changes.map((change) => [change, reportedChange(change, plan, tripping.has(change))]));
}

/** With what people read of it. `trips`: it is one of the changes that exceed a limit. */
export function reportedChange(change: Change, plan: Plan, trips: boolean = false): ChangeDocument {
  const live = change.action === "create" ? null : change.live;
  // A deleted object is in no file.
  const owners = change.action === "delete" ? [] : change.desired.owners;
  return {
    ...changeDocument(change, plan),
    short_url: typedUrl(change, plan),
    lost_url: change.breaksUrl && live !== null ? liveUrl(live, plan) : undefined,
    clicks: live?.clicks ?? undefined,
    ending: endingText(change, plan),
    because: change.action === "delete" ? reasonOf(change.reason, plan.base) : undefined,
    lost: change.action === "delete" ? lostFields(change, plan) : undefined,
    noticed: isNoticed(change),
    owner: owners.length > 0 ? [...owners] : undefined,
    trips: trips || undefined,
  };
}

/** In the order of the output. */
export const DRIFT_STATES = [
  "missing",
  "changed",
  "not renamed yet",
  "not moved yet",
  "not deleted yet",
  "undeclared",
] as const;

/** Changes that `allow` withholds are differences, too. */
export function differences({ changes, withheld }: Plan): Change[] {
  return [...changes, ...withheld.map(({ change }) => change)];
}

function driftState({ action, reason }: Change): (typeof DRIFT_STATES)[number] {
  if (action === "create") return "missing";
  if (action === "update") return reason === "renamed" ? "not renamed yet" : "changed";
  if (action === "replace") return "not moved yet";
  return reason === "undeclared" ? "undeclared" : "not deleted yet";
}

/** It is not going to be applied, so nothing ends. */
export function reportedDifference(change: Change, plan: Plan): ChangeDocument {
  const updatedAt = change.action === "update" || change.action === "replace" ? change.live.updatedAt : null;
  return {
    ...reportedChange(change, plan),
    ending: undefined,
    lost_url: undefined,
    drift: driftState(change),
    changed_at: updatedAt ?? undefined,
  };
}

/** The domain's host name is in place of its label in the files. */
export function shortUrl(key: string, values: Values, hosts: Plan["hosts"]): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const alias = values.get(KEY_FIELD.link);
  const host = typeof domain === "string" ? hosts.get(domain) : undefined;
  return host === undefined || typeof alias !== "string" ? key : `${host}/${alias}`;
}

function liveUrl({ key, values }: Live, { hosts }: Plan): string {
  return visible(shortUrl(key, values, hosts));
}

function typedUrl(change: Change, { hosts }: Plan): string | undefined {
  const values = change.action === "delete" ? change.live.values : change.desired.values;
  const url = shortUrl(change.key, values, hosts);
  return url === change.key ? undefined : visible(url);
}

function endingText(change: Change, plan: Plan): string | undefined {
  if (!change.breaksUrl || change.action === "create") return undefined;
  const { clicks } = change.live;
  const counted = clicks === null ? "clicks" : plural(clicks, "click");
  const old = liveUrl(change.live, plan);
  if (change.action === "delete") return `${old} stops working.${clicks === null ? "" : ` It has ${counted}.`}`;
  if (change.action === "replace")
    return `${old} is deleted after ${visible(change.key)} is created. Its id and its ${counted} are lost.`;
  const kept = clicks === null || clicks === 0 ? "" : ` Its ${counted} ${clicks === 1 ? "is" : "are"} kept.`;
  return `${old} ${updateEnding(change)}${kept}`;
}

function updateEnding(change: Exclude<Change, Create>): string {
  if (endingOf(change) !== "expire") return "stops working.";
  const { fields, live } = change;
  const changed = new Map(fields.map(({ path, after }) => [path, after]));
  const isCertain = live.clicks !== null || typeof changed.get(CLICK_LIMIT.path) !== "number";
  const over = changed.has(EXPIRATION_URL.path)
    ? changed.get(EXPIRATION_URL.path)
    : live.values.get(EXPIRATION_URL.path);
  const then =
    typeof over === "string"
      ? `Visitors go to ${visible(over)} instead.`
      : "Visitors see a page that says that the link has expired.";
  return isCertain ? `expires. ${then}` : `may expire, because the service does not report its clicks. ${then}`;
}

function reasonOf(reason: Delete["reason"], base: Base | null): string | undefined {
  if (reason === "undeclared") return "It is in scope, but no file declares it.";
  if (reason === "moved") return "The link that replaces it is already live.";
  if (reason === "tombstone") return undefined;
  return `It was removed from the files${base === null ? "" : ` since \`${visible(base.ref)}\``}.`;
}

function lostFields({ kind, live }: Delete, { zones }: Plan): NonNullable<ChangeDocument["lost"]> {
  const words = FIELDS[kind].flatMap(({ path, required }) => {
    const after = required ? live.values.get(path) : undefined;
    return after === undefined ? [] : wordChanges(kind, { path, before: undefined, after }, zones, true);
  });
  return words.map(({ path, after: value }) => ({ path, value }));
}
