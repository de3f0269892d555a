// Reports as plain data, for what the renderers make of them.

import fc from "fast-check";
import type { TrippedBrake } from "../../src/domain/change.ts";
import { error, warning, type Diagnostic } from "../../src/domain/diagnostic.ts";
import { SourceText } from "../../src/domain/place.ts";
import { EXIT } from "../../src/errors.ts";
import type { RenderContext, RunReport } from "../../src/report/format.ts";
import { PLAIN } from "../../src/report/text/screen.ts";
import { changeResults, summaryDocument } from "../../src/report/document.ts";
import type { PlannedReport } from "../../src/report/document.ts";
import { failureReport } from "../../src/report/failure.ts";
import { findingsReport } from "../../src/report/finding-document.ts";
import { applyReport, driftReport, planReport as reportOf, type Ended } from "../../src/report/run-document.ts";
import { create, liveLink, livePixel, planOf, remove, replace, update } from "./plans.ts";
import type { ChangeResult } from "../../src/report/json/schema.ts";

export const CONTEXT: RenderContext = {
  screen: PLAIN,
  maxLength: 65_536,
  project: "marketing/linkform.yaml",
  runUrl: null,
  blobUrl: null,
};

/** In a run of a CI system that has pages for its runs and files. */
export const CI_CONTEXT: RenderContext = {
  ...CONTEXT,
  runUrl: "https://ci.example.com/run/1",
  blobUrl: "https://ci.example.com/blob/abc/",
};

export const ENDED: Ended = {
  run: { exit_code: EXIT.partial, verified: true, clicks_lost: 0, requests: 3, seconds: 0, waited: 0 },
  stopped: [],
  again: "linkform apply",
  look: "linkform plan",
};

export function planReport(plan: PlannedReport["plan"], more: Partial<PlannedReport> = {}): RunReport {
  return reportOf({ plan, problems: [], baseUrl: "https://short.example.com", ...more });
}

export function invalidReport(diagnostics: readonly Diagnostic[]): RunReport {
  return findingsReport({ command: "validate", valid: false, files: 1, diagnostics, listsAll: false });
}

/** A brake of deletes of links, unless another one is described. */
export function brakeOf(more: Pick<TrippedBrake, "count" | "limit"> & Partial<TrippedBrake>): TrippedBrake {
  const flag = more.count ?? 0;
  return { limits: "deletes", kind: "link", atStake: flag, setting: "30%", flag, key: "100%", changes: [], ...more };
}

type Named = Pick<ChangeResult, "action" | "key" | "outcome" | "error">;

/** What became of a change that is described only as far as it matters. */
export function resultOf(more: Named & Partial<ChangeResult>): ChangeResult {
  return {
    kind: "link",
    previous_key: null,
    id: null,
    reason: "declared",
    origin: null,
    breaks_url: false,
    takes_over: null,
    fields: [],
    source: { file: "links/a.yaml", line: 4, column: 3 },
    ...more,
  };
}

/** Texts for each place of a report that somebody else fills. */
export interface Texts {
  readonly key: string;
  readonly was: string;
  readonly before: string;
  readonly after: string;
  readonly pixel: string;
  readonly label: string;
  readonly file: string;
  readonly line: string;
  readonly message: string;
  readonly hint: string;
  readonly project: string;
}

export const textsFrom = (text: fc.Arbitrary<string>): fc.Arbitrary<Texts> =>
  fc.record({
    key: text,
    was: text,
    before: text,
    after: text,
    pixel: text,
    label: text,
    file: text,
    line: text,
    message: text,
    hint: text,
    project: text,
  });

/** Reports of each kind with these texts: validate, plan, drift, apply, held by a brake, failure. */
export function reportsOf(t: Texts): readonly [RunReport, RunReport, RunReport, RunReport, RunReport, RunReport] {
  const source = new SourceText(`${t.line}\n${t.line}`, t.file);
  const place = { file: t.file, line: 1, column: 1, length: 3, source };
  const live = liveLink(t.was, { values: { url: t.before, pixels: [t.pixel, "kept"] } });
  const fields = [
    { path: "url", before: t.before, after: t.after },
    {
      path: "targeting.country",
      before: [[t.label, t.before] as const],
      after: [[t.label, t.after] as const, [t.pixel, t.after] as const],
    },
    { path: "targeting.rotation", before: [t.before], after: [t.after, t.before] },
    { path: "pixels", before: [t.pixel, "kept"], after: ["kept"] },
  ];
  const plan = planOf(
    [
      update(live, { key: t.key, previousKey: live.key, fields, breaksUrl: true, source: place, origin: "both" }),
      create(t.key, { fields: [{ path: "title", before: undefined, after: t.after }], source: place }),
      replace(liveLink("moved", { key: t.key }), t.was),
      remove(liveLink("gone", { key: t.key }), { source: place, reason: "removed" }),
      remove(livePixel(t.pixel), { source: place, reason: "removed" }),
      // Enough to be one group.
      ...[1, 2, 3, 4, 5].map((id) =>
        update(liveLink(`${t.was}${id}`, { id }), { fields: [{ path: "title", before: t.before, after: t.after }] }),
      ),
    ],
    {
      atStake: { link: [live], pixel: [livePixel(t.pixel)] },
      base: { ref: t.label, commit: t.label },
      diagnostics: [warning("w", t.message, place, t.hint), error("e", t.message, null, t.hint)],
      orphans: [
        { live, place, successor: null },
        { live, place, successor: create(t.key, { source: place }) },
      ],
      withheld: [{ change: create(t.key, { source: place }), because: "target" }],
      secretsNeeded: [{ from: "file", name: t.label, place }],
      unknown: ["link privacy"],
    },
  );
  const document = { line: 1, column: 1, file: t.file };
  const failed = { code: "refused", message: t.message, hint: t.hint, path: "url", ...document };
  const results = changeResults(plan, []).map((one, at): ChangeResult => {
    if (at % 3 === 1) return { ...one, outcome: "applied", error: null };
    return { ...one, source: document, outcome: at % 3 === 0 ? "failed" : "skipped", error: failed };
  });
  const brakes = [brakeOf({ count: 3, limit: 1, setting: t.label, key: t.label, changes: plan.changes })];
  const run = { ...ENDED.run, verified: false, clicks_lost: 3 };
  const ended = { run, again: t.label, look: t.label, stopped: ["max-wait"] };
  const planned = { plan, problems: [error("p", t.message, place, t.hint)], baseUrl: t.label };
  return [
    invalidReport(plan.diagnostics),
    planReport(plan, { ...planned, unmanaged: [{ live, problem: t.message }] }),
    driftReport(planned),
    applyReport({ ...planned, results, ended, summary: summaryDocument(plan), not_reviewed: results.slice(0, 1) }),
    applyReport({ ...planned, plan: { ...plan, brakes }, results }),
    failureReport({ command: "plan", diagnostics: plan.diagnostics, baseUrl: t.label }),
  ];
}
