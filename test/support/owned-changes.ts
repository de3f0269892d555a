// Expectations on a plan and on the account after it, for any input: for single changes and records.

import { expect } from "vitest";
import type { State } from "../../src/sandbox/index.ts";
import { type Files, identityOf } from "./owned.ts";
import { keyOfRecord, type Row, type Rules } from "./owned-rules.ts";
import type { ChangeDocument, PlanDocument } from "../../src/report/json/schema.ts";

interface Sides {
  readonly before: State;
  readonly after: State;
}

function rowsOf({ links, pixels }: State): Row[] {
  return [...links, ...pixels];
}

/** The record of a change in this state. */
function rowOf({ kind, id }: Pick<ChangeDocument, "kind" | "id">, { links, pixels }: State): Row | undefined {
  const rows: readonly Row[] = kind === "link" ? links : pixels;
  return rows.find((row) => row.id === id);
}

/** The files have the reason for each deletion. Catches a prune mode that deletes too much. */
export function expectReasons(changes: readonly ChangeDocument[], before: State, rules: Rules, now: Files): void {
  for (const one of changes) {
    const row = rowOf(one, before);
    if (row === undefined || (one.action !== "delete" && one.action !== "replace")) continue;
    const said = {
      key: one.key,
      tombstone: rules.isTombstoned(row),
      moved: rules.isRenamed(row),
      removed: now.prune === "removed" && rules.isNamedAtBase(row) && !rules.isDeclared(row) && !rules.isRenamed(row),
      undeclared: now.prune === "scope" && rules.isIn(row) && !rules.isDeclared(row) && !rules.isRenamed(row),
    };
    if (one.reason !== "tombstone" && one.reason !== "moved" && one.reason !== "removed" && one.reason !== "undeclared")
      throw new Error(`${one.reason} is no reason to delete`);
    expect({ ...said, reason: one.reason }).toMatchObject({ [one.reason]: true });
  }
}

/** The records that only pruning deletes, and must delete. */
export function prunable(before: State, rules: Rules, { prune }: Files): Row[] {
  if (prune === "none") return [];
  return rowsOf(before).filter(
    (row) =>
      rules.isIn(row) &&
      !rules.isDeclared(row) &&
      !rules.isRenamed(row) &&
      !rules.isTombstoned(row) &&
      (prune === "scope" || (rules.isPlainlyAtBase(row) && isAlone(row, before))),
  );
}

function isAlone(row: Row, before: State): boolean {
  return rowsOf(before).every(
    (other) => other === row || identityOf(keyOfRecord(other)) !== identityOf(keyOfRecord(row)),
  );
}

/** Records without a change are identical in every column, and all changed ones are in scope. */
export function expectUntouched(changes: readonly ChangeDocument[], { before, after }: Sides, rules: Rules): void {
  const touched = new Set(changes.map(({ kind, id }) => `${kind} ${id}`));
  for (const row of rowsOf(before)) {
    const { kind } = keyOfRecord(row);
    if (touched.has(`${kind} ${row.id}`)) expect({ row, isIn: rules.isIn(row) }).toEqual({ row, isIn: true });
    else expect(rowOf({ kind, id: row.id }, after)).toEqual(row);
  }
  const known = new Set(rowsOf(before).map((row) => `${keyOfRecord(row).kind} ${row.id}`));
  const made = rowsOf(after).filter((row) => !known.has(`${keyOfRecord(row).kind} ${row.id}`));
  for (const row of made) expect({ row, isIn: rules.isIn(row) }).toEqual({ row, isIn: true });
  const promised = changes.filter(({ action }) => action === "create" || action === "replace");
  expect(made.map((row) => rules.shown(row)).toSorted()).toEqual(promised.map(({ key }) => key).toSorted());
}

/** The columns of fields; the other fields of these tests have columns of the same name. */
const COLUMNS: Readonly<Record<string, string>> = { "targeting.active": "target_type" };

/** An updated record keeps its id and clicks and differs only in the planned fields. A deleted one is gone. */
export function expectMade(changes: readonly ChangeDocument[], { before, after }: Sides, rules: Rules): void {
  for (const one of changes) {
    const [old, row] = [rowOf(one, before), rowOf(one, after)];
    if (one.action === "create") continue;
    if (old === undefined) throw new Error(`${one.key} has no row`);
    if (one.action !== "update") {
      expect({ key: one.key, row }).toEqual({ key: one.key, row: undefined });
      continue;
    }
    if (row === undefined) throw new Error(`${one.key} is gone`);
    expect(rules.shown(row)).toBe(one.key);
    const columns = new Set(one.fields.map(({ path }) => COLUMNS[path] ?? path));
    const plain = (state: Row): object =>
      Object.fromEntries(
        Object.entries(state).filter(([column]) => !columns.has(column) && !["updated_at", "title"].includes(column)),
      );
    expect(plain(row)).toEqual(plain(old));
  }
}

/** A protected link keeps its record, its key and its state. */
export function expectProtected({ before, after }: Sides, rules: Rules): number {
  const all = before.links.filter((row) => rules.isProtected(row));
  for (const row of all) {
    const now = after.links.find(({ id }) => id === row.id);
    expect({ row, now: now && identityOf(keyOfRecord(now)) }).toEqual({ row, now: identityOf(keyOfRecord(row)) });
    expect(now?.disabled ?? 1).toBeLessThanOrEqual(row.disabled);
  }
  return all.length;
}

/** The content of a plan without ids, places and spellings. */
export function gist({ changes, complete, withheld, brakes, diagnostics, summary, orphans }: PlanDocument): object {
  return {
    complete,
    summary,
    changes: changes.map(({ id: _id, source: _source, ...rest }) => rest),
    withheld: withheld.map(({ id: _id, ...rest }) => rest),
    orphans: orphans.map(({ key, renamed_from_for }) => `${key} ${renamed_from_for ?? ""}`).toSorted(),
    brakes: brakes.map(({ changes: counted, ...rest }) => ({ ...rest, changes: counted.toSorted() })),
    diagnostics: diagnostics.map(({ code }) => code).toSorted(),
  };
}
