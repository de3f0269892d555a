// The events of an apply as JSON documents, one per line, written while it runs.

import type { Failure, Outcome } from "../../apply/outcome.ts";
import type { Change, Plan } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { ExitCode } from "../../errors.ts";
import { isComplete } from "../apply-result.ts";
import { changeDocument } from "../change-document.ts";
import { diagnosticDocuments, NOTHING_APPLIED, outcomeDocument, tally, combineOutcomes } from "../document.ts";
import { jsonText } from "../json/text.ts";
import type { ApplyReport, FailureReport } from "../report.ts";
import * as z from "zod";
import {
  actionSchema,
  diagnosticSchema,
  failureSchema,
  kindSchema,
  resultSchema,
  planSchema,
  type RunDocument,
  type WithoutTime,
  type ChangeDocument,
  type ChangeResult,
  type OutcomeDocument,
} from "../json/schema.ts";

const time = { at: z.string().describe("When it happened, in UTC.") };

const numberedChange = {
  change: z.int().min(1).describe("The number of the change in the plan. All events of a change have the same number."),
  action: actionSchema,
  kind: kindSchema,
  key: z.string().describe("domain/alias, or the pixel's name."),
  id: z.int().nullable().describe("The id at the service; null before it is created."),
};

const outcomeFields = {
  outcome: z.enum(["applied", "failed", "skipped"]),
  error: failureSchema.nullable(),
  already_so: z.boolean().optional().describe("Only for a saved plan: the change was already live before this run."),
};

/** The events of `apply --format ndjson`. A minor version can add events. */
export const eventSchema = z.discriminatedUnion("event", [
  z
    .object({
      ...time,
      event: z.literal("started"),
      format_version: z.literal("1.0"),
      linkform: z.string(),
      base_url: z.string().nullable().describe("The service; null if the run ends before it is known."),
    })
    .describe("The first line of every run."),
  z
    .object({
      ...time,
      event: z.literal("read"),
      links: z.int(),
      pixels: z.int(),
      pages: z.int().describe("The number of list pages that were read."),
      requests: z.int(),
    })
    .describe("The needed part of the account was read."),
  z
    .object({
      ...time,
      event: z.literal("planned"),
      changes: z.int().describe("The number of changes. Each ends with change_done or change_skipped."),
      summary: planSchema.shape.summary,
      requests: z.object({ apply: z.int(), verify: z.int() }).describe("The approximate number of requests."),
    })
    .describe("The plan was made."),
  z.object({ ...time, event: z.literal("change_started"), ...numberedChange }),
  z
    .object({ ...time, event: z.literal("change_done"), ...numberedChange, ...outcomeFields })
    .describe(
      "The result of a change that was started. If verification shows a different result, there is a second event. The last one counts.",
    ),
  z
    .object({ ...time, event: z.literal("change_skipped"), ...numberedChange, ...outcomeFields })
    .describe("A change that was not started. `error` has the reason, or `already_so` is true."),
  z
    .object({ ...time, event: z.literal("waiting"), why: z.enum(["limit", "outage"]), seconds: z.number() })
    .describe("No request is sent for this time, because of the rate limit or because the service does not respond."),
  z
    .object({
      ...time,
      event: z.literal("verified"),
      changes: z.int().describe("The number of verified changes."),
      not_as_declared: z.int().describe("The number of them that do not match the files. These failed."),
    })
    .describe("The changed objects were read again."),
  z
    .object({
      ...time,
      event: z.literal("finished"),
      exit: z.literal([0, 1, 2, 3, 4, 64, 130]).describe("The exit code of the program."),
      result: resultSchema,
      verified: z.boolean().describe("The changed objects were read again."),
      requests: z.int(),
      seconds: z.number(),
      waited: z.number().describe("Seconds of waiting for the rate limit."),
      receipt: z.string().nullable().describe("The file that `linkform undo` needs; null if none was written."),
      diagnostics: z.array(diagnosticSchema),
    })
    .describe("The last line of every run. If it is missing, the run was killed, or the lines could not be written."),
]);

type Numbered = z.infer<z.ZodObject<typeof numberedChange>>;

/** An event without its time. */
export type EventDocument = WithoutTime<z.infer<typeof eventSchema>>;

/** The line of an event, with its line break. */
export function eventLine(at: string, event: EventDocument): string {
  return `${jsonText({ at, ...event }, 0)}\n`;
}

export function startedEvent(linkform: string, baseUrl: string | null): EventDocument {
  return { event: "started", format_version: "1.0", linkform, base_url: baseUrl };
}

/** A numbered change. `parts`: the changes that it consists of. `left`: its outcome if this run does not start it. */
export interface NumberedChange {
  readonly document: Numbered;
  readonly parts: readonly Change[];
  readonly left: OutcomeDocument | null;
}

export function numbered(plan: Plan): NumberedChange[] {
  return plan.changes.map((change, at) => ({
    document: numberedDocument(changeDocument(change, plan), at),
    parts: [change],
    left: null,
  }));
}

export function numberedDocument({ action, kind, key, id }: ChangeDocument, at: number): Numbered {
  return { change: at + 1, action, kind, key, id };
}

export function outcomeOnly(results: ChangeResult | undefined): OutcomeDocument {
  if (results === undefined) return outcomeDocument(undefined);
  const { outcome, error, already_so } = results;
  return { outcome, error, ...(already_so === true && { already_so }) };
}

/** Turns the progress of changes into events. */
export class ChangeEvents {
  readonly #results: readonly NumberedChange[];
  readonly #byPart = new Map<Change, NumberedChange>();
  readonly #outcomes = new Map<Change, Outcome>();
  readonly #started = new Set<NumberedChange>();
  readonly #ended = new Set<NumberedChange>();

  constructor(results: readonly NumberedChange[]) {
    this.#results = results;
    for (const one of results) for (const part of one.parts) this.#byPart.set(part, one);
  }

  /** The events of changes that this run does not start. */
  left(): EventDocument[] {
    return this.#results.flatMap((one) => (one.left === null ? [] : this.#skip(one, one.left)));
  }

  begin(change: Change): EventDocument[] {
    const one = this.#byPart.get(change);
    if (one === undefined || this.#started.has(one)) return [];
    this.#started.add(one);
    return [{ event: "change_started", ...one.document }];
  }

  /** An outcome, which can be reported again. A change with several parts ends when all of them have. */
  end(outcome: Outcome): EventDocument[] {
    this.#outcomes.set(outcome.change, outcome);
    const one = this.#byPart.get(outcome.change);
    const outcomes = one?.parts.map((part) => this.#outcomes.get(part)) ?? [];
    if (one === undefined || outcomes.includes(undefined)) return [];
    const document = combineOutcomes(outcomes.map(outcomeDocument));
    if (!this.#started.has(one)) return this.#skip(one, document);
    this.#ended.add(one);
    return [{ event: "change_done", ...one.document, id: idOf(outcomes) ?? one.document.id, ...document }];
  }

  /** The events of changes that have not ended when the run ends. */
  rest(results: readonly ChangeResult[]): EventDocument[] {
    return this.#results.flatMap((one, at) => (this.#ended.has(one) ? [] : this.#skip(one, outcomeOnly(results[at]))));
  }

  #skip(one: NumberedChange, document: OutcomeDocument): EventDocument[] {
    this.#ended.add(one);
    return [{ event: "change_skipped", ...one.document, ...document }];
  }
}

/** The id of the live object, or of the deleted one. */
function idOf(outcomes: readonly (Outcome | undefined)[]): number | null {
  const applied = outcomes.flatMap((one) => (one?.outcome === "applied" ? [one] : []));
  const kept = applied.find(({ change }) => change.action !== "delete") ?? applied[0];
  return kept?.id ?? null;
}

/** Failures that only verification can find. */
const UNVERIFIED: ReadonlySet<string> = new Set(["not-as-declared", "changed-meanwhile", "not-verified"]);

/** The number of changes that verification did not confirm. */
export function notAsDeclared(outcomes: readonly Outcome[]): number {
  const failures: Failure[] = outcomes.flatMap((one) => (one.outcome === "failed" ? [one.failure] : []));
  return failures.filter(({ code }) => UNVERIFIED.has(code)).length;
}

/** The last event. */
export function finishedEvent(
  report: ApplyReport | FailureReport,
  exit: ExitCode,
  { requests, seconds, waited }: Pick<RunDocument, "requests" | "seconds" | "waited">,
): EventDocument {
  const result =
    report.of === "failure" ? NOTHING_APPLIED.result : { ...tally(report.results), complete: isComplete(report) };
  const verified = report.of === "apply" && report.ended?.run.verified === true;
  const diagnostics = diagnosticDocuments(diagnosticsOf(report));
  const rounded = { seconds: toMilliseconds(seconds), waited: toMilliseconds(waited) };
  const receipt = (report.of === "apply" ? report.receipt : null) ?? null;
  return { event: "finished", exit, result, verified, requests, ...rounded, receipt, diagnostics };
}

function diagnosticsOf(report: ApplyReport | FailureReport): readonly Diagnostic[] {
  if (report.of === "failure") return report.diagnostics;
  return [...report.plan.diagnostics, ...(report.plan.hiddenFindings ?? []), ...report.problems];
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
