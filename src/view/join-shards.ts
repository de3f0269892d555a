// Joins the drift reports of all parts of an account into the report of the whole account.

import { compareText } from "../domain/place.ts";
import { PART_CODE } from "../domain/shard.ts";
import type { ProjectDocument } from "./projects.ts";
import type { ChangeDocument, DiagnosticDocument, MissingDocument, PlanDocument, ShardDocument } from "./document.ts";

/** The report of one part. */
export type ShardReport = PlanDocument & { readonly shard: ShardDocument };

export function isShard(document: ProjectDocument): document is ShardReport {
  return "shard" in document && document.shard !== undefined;
}

/** The parts cannot be joined, for this reason. */
export interface NotJoined {
  readonly problem: string;
}

/** Findings of each part that hold for the account only if every part has them. */
const HOLD_IN_ALL: ReadonlySet<string> = new Set(["tombstone-spent"]);

/** Reads the creates of a batch, in the order of its keys; null if they cannot be read. */
export type ReadCreates = (batch: ShardDocument["missing"][number]) => readonly MissingDocument[] | null;

/** Joins the parts of one account, in any order. */
export function joinShards(reports: readonly ShardReport[], readCreates: ReadCreates): PlanDocument | NotJoined {
  const parts = reports.toSorted((a, b) => a.shard.index - b.shard.index);
  const [first] = parts;
  const problem = problemOf(parts);
  if (problem !== null || first === undefined) return { problem: problem ?? "there are no parts" };
  const { seen, isTwice } = joinSeen(parts);
  const { shard: _, ...shared } = first;
  const joined = {
    ...shared,
    complete: parts.every(({ shard }) => shard.complete) && !isTwice,
    diagnostics: [...joinDiagnostics(parts), ...(isTwice ? [TWO_ROWS] : [])],
    requests: {
      read: total(parts, ({ requests }) => requests.read),
      apply: total(parts, ({ requests }) => requests.apply),
      verify: total(parts, ({ requests }) => requests.verify),
    },
  };
  const nothing = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0, unmanaged: null, origins: null };
  if (!joined.complete) return { ...joined, changes: [], withheld: [], secrets_needed: [], summary: nothing };
  const missing: MissingDocument[] = [];
  for (const { shard } of parts)
    for (const batch of shard.missing) {
      if (batch.keys.every((key) => seen.has(key))) continue;
      const creates = readCreates(batch);
      if (creates === null) return { problem: `the report of part ${shard.index} is damaged` };
      for (const [at, key] of batch.keys.entries()) {
        const create = creates[at];
        if (create !== undefined && !seen.has(key)) missing.push(create);
      }
    }
  const unreadable = parts.flatMap((part) => part.unreadable ?? []);
  return {
    ...joined,
    changes: [...parts.flatMap(({ changes }) => changes), ...missing.map(({ change }) => change)].toSorted(compare),
    withheld: parts.flatMap(({ withheld }) => withheld),
    secrets_needed: [
      ...new Set([
        ...parts.flatMap((part) => part.secrets_needed),
        ...missing.flatMap(({ secrets_needed: needed }) => needed),
      ]),
    ].toSorted(compareText),
    summary: {
      create: total(parts, ({ summary }) => summary.create) + missing.length,
      update: total(parts, ({ summary }) => summary.update),
      replace: total(parts, ({ summary }) => summary.replace),
      delete: total(parts, ({ summary }) => summary.delete),
      unchanged: total(parts, ({ summary }) => summary.unchanged),
      unmanaged: total(parts, ({ summary }) => summary.unmanaged ?? 0),
      origins: null,
    },
    ...(unreadable.length > 0 && { unreadable }),
  };
}

/** Why these are not all parts of one account at one time, of one set of files; null if they are. */
function problemOf(parts: readonly ShardReport[]): string | null {
  const [first] = parts;
  if (first === undefined) return null;
  const { count } = first.shard;
  let before: ShardDocument | undefined;
  for (const [at, { shard, service, base }] of parts.entries()) {
    if (shard.count !== count) return `one is a part of ${count}, and another a part of ${shard.count}`;
    if (shard.index > at + 1) return `part ${at + 1} of ${count} is missing`;
    if (shard.index < at + 1) return `part ${shard.index} of ${count} is there twice`;
    if (shard.files !== first.shard.files) return `parts 1 and ${shard.index} have different files`;
    if (service.base_url !== first.service.base_url) return `parts 1 and ${shard.index} are of different services`;
    if (base?.commit !== first.base?.commit) return `parts 1 and ${shard.index} have different bases`;
    // Links that were added after the end was read may have moved the border of a part without links.
    if (before?.is_end === true && shard.begins_after === shard.ends_with) continue;
    if (before !== undefined && before.ends_with !== shard.begins_after)
      return `the list of links changed between parts ${before.index} and ${shard.index}`;
    before = shard;
  }
  if (parts.length < count) return `part ${parts.length + 1} of ${count} is missing`;
  return parts.at(-1)?.shard.is_end === true ? null : "the last part does not reach the end of the list";
}

/** The keys that any part has seen, and whether two have seen the same one. */
function joinSeen(parts: readonly ShardReport[]): { readonly seen: ReadonlySet<string>; readonly isTwice: boolean } {
  const seen = new Set<string>();
  let isTwice = false;
  for (const { shard } of parts)
    for (const key of shard.seen) {
      isTwice ||= seen.has(key);
      seen.add(key);
    }
  return { seen, isTwice };
}

const TWO_ROWS: DiagnosticDocument = {
  code: "two-live-rows",
  severity: "error",
  message: "Two live links in different parts of the account match one key.",
  file: null,
  line: null,
  column: null,
  hint: "Run `linkform drift` without `--shard`. It names the links.",
};

/** Each finding once. The order is that of the files. */
function joinDiagnostics(parts: readonly ShardReport[]): DiagnosticDocument[] {
  const counts = new Map<string, { readonly finding: DiagnosticDocument; count: number }>();
  for (const { diagnostics } of parts)
    for (const finding of diagnostics) {
      const text = JSON.stringify(finding);
      const known = counts.get(text);
      if (known === undefined) counts.set(text, { finding, count: 1 });
      else known.count += 1;
    }
  return [...counts.values()]
    .filter(({ finding: { code }, count }) => code !== PART_CODE && (!HOLD_IN_ALL.has(code) || count === parts.length))
    .map(({ finding }) => finding)
    .toSorted(
      (a, b) =>
        compareText(a.file ?? "", b.file ?? "") || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
}

/** The order of changes in every report. */
function compare(a: ChangeDocument, b: ChangeDocument): number {
  return sectionOf(a) - sectionOf(b) || compareText(b.kind, a.kind) || compareText(a.key, b.key);
}

function sectionOf(change: ChangeDocument): number {
  return change.breaks_url ? 0 : change.noticed === true ? 1 : 2;
}

function total(parts: readonly ShardReport[], of: (part: ShardReport) => number): number {
  return parts.reduce((sum, part) => sum + of(part), 0);
}
