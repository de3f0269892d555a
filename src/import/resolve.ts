// Decides which rows can be written: compares them with each other, then validates their blocks in the project.

import { textIdentity } from "../config/consistency.ts";
import type { Labels } from "../config/keys.ts";
import { append } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { showKey, type Declaration } from "../domain/project.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";
import { blockOf, sharedDomain, sharedEntries, sharedValues, type BuiltFile, type RowBlock } from "./yaml-file.ts";
import { findingsOfBlocks } from "./row-problems.ts";
import type { MappedColumn } from "./mapping.ts";
import type { ReadRow, RowProblem } from "./rows.ts";
import type { Sheet } from "./csv.ts";

/** A rejected row with all reasons. */
export interface BadRow {
  readonly read: ReadRow;
  readonly problems: readonly RowProblem[];
}

export interface ResolvedRows {
  readonly good: readonly ReadRow[];
  readonly bad: readonly BadRow[];
  /** Errors that belong to no row. */
  readonly others: readonly Diagnostic[];
  /** The file with the good rows; null if there are none. */
  readonly text: string | null;
  /** Variables for the secrets of the good rows. */
  readonly variables: readonly string[];
}

interface ResolveContext {
  readonly sheet: Sheet;
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  readonly labels: Labels;
  readonly declarations: readonly Declaration[];
  /** Relative to the project folder. */
  readonly file: string;
  /** `--skip-bad`: the other rows must be valid without the rejected ones. */
  readonly leavesOut: boolean;
  /** A new file can have `defaults` for its rows. */
  readonly isNew: boolean;
  /** The defaults for links in the file, by path. */
  readonly given: ReadonlyMap<string, { readonly value: Value }>;
  readonly newNames: () => VariableNames;
  readonly build: (shared: readonly YamlEntry[], blocks: readonly RowBlock[]) => BuiltFile;
  /** The findings of the project with this text in the file. */
  readonly check: (text: string) => Promise<readonly Diagnostic[]>;
}

/** Separates rows that can be written from rows with errors, and collects every error. */
export async function resolveRows(rows: readonly ReadRow[], context: ResolveContext): Promise<ResolvedRows> {
  const problems = new Map(rows.map((read) => [read, [...read.problems]]));
  const duplicated = new Map(duplicates(rows, context));
  for (const [read, problem] of duplicated) problems.get(read)?.push(problem);
  const goodRows = (): ReadRow[] => rows.filter((read) => problems.get(read)?.length === 0);
  const badRows = (): BadRow[] =>
    rows.flatMap((read) => {
      const own = problems.get(read) ?? [];
      return own.length === 0 ? [] : [{ read, problems: own }];
    });
  // Rows with errors are validated, too, because their blocks may have more errors.
  let candidates = rows.filter((read) => read.name !== null && !duplicated.has(read));
  while (candidates.length > 0) {
    const { built, variables } = fileOf(candidates, context);
    const findings = await context.check(built.text);
    const found = findingsOfBlocks(findings, { ...built, file: context.file }, inSheet(candidates, context));
    for (const [block, own] of found.problems) {
      const read = candidates[block];
      const known = (read && problems.get(read)) ?? [];
      append(
        known,
        own.filter((problem) => !isKnown(problem, known)),
      );
    }
    const good = goodRows();
    const isResolved = good.length === candidates.length;
    if (isResolved && found.others.length === 0)
      return { good, bad: badRows(), others: [], text: built.text, variables };
    // Validate again without the rejected rows. Errors that belong to no row stay.
    if (isResolved || !context.leavesOut)
      return { good, bad: badRows(), others: found.others, text: null, variables: [] };
    candidates = good;
  }
  return { good: [], bad: badRows(), others: [], text: null, variables: [] };
}

const EMPTY = "missing-field";

/** Whether a known error causes this one: an error in the same cell, or another missing field. */
function isKnown({ column, code }: RowProblem, known: readonly RowProblem[]): boolean {
  return known.some((one) => one.column !== null && (one.column === column || (code === EMPTY && one.code === EMPTY)));
}

function inSheet(
  good: readonly ReadRow[],
  { kind, columns, sheet }: ResolveContext,
): Parameters<typeof findingsOfBlocks>[2] {
  const nowhere = { file: sheet.file, line: 1, column: 1 };
  return {
    kind,
    columns,
    cellOf: (block, column) => {
      const target = columns[column]?.target ?? null;
      const isShown = target !== null && !(target.to === "field" && target.field.kind === "secret");
      return isShown ? (good[block]?.row.cells[column] ?? null) : null;
    },
    placeOf: (block) => {
      const row = good[block]?.row;
      return row === undefined ? nowhere : sheet.placeOf(row, null);
    },
  };
}

function fileOf(
  rows: readonly ReadRow[],
  { kind, isNew, given, labels, newNames, build }: ResolveContext,
): { readonly built: BuiltFile; readonly variables: readonly string[] } {
  const names = newNames();
  const variables: string[] = [];
  const defaultDomain = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof defaultDomain === "string" ? labels.labelOf(defaultDomain) : null;
  const own = isNew ? sharedDomain(rows) : null;
  const domain = own ?? known;
  const shared: ReadonlyMap<string, YamlContent> = isNew ? sharedValues(kind, rows) : new Map();
  const blocks = rows.map((read): RowBlock => {
    const secretNames = new Map(
      read.secrets.map((path) => [path, names.nameOf(read.name ?? "", path, read.row.number)] as const),
    );
    append(variables, secretNames.values());
    // `__proto__` cannot be a key of a plain object.
    const isShort = read.domain === domain && read.name !== "__proto__";
    const key = isShort ? (read.name ?? "") : keyOf(read);
    return { key, value: { entries: blockOf(kind, read, secretNames, shared) } };
  });
  return { built: build(sharedEntries(own === known ? null : own, shared), blocks), variables };
}

/** The key of a row: `go.example.com/spring`, or a pixel's name. */
export function keyOf({ domain, name }: Pick<ReadRow, "domain" | "name">): string {
  return domain === null ? (name ?? "") : `${domain}/${name ?? ""}`;
}

/** Rows whose key an earlier row or a file already has. */
function duplicates(
  rows: readonly ReadRow[],
  { kind, labels, sheet, declarations }: ResolveContext,
): [ReadRow, RowProblem][] {
  const first = new Map<string, { readonly key: string; readonly place: Place; readonly isRow: boolean }>(
    declarations.map((one) => [textIdentity(one, labels), { key: showKey(one), place: one.place, isRow: false }]),
  );
  return rows.flatMap((read): [ReadRow, RowProblem][] => {
    if (read.name === null) return [];
    const place = sheet.placeOf(read.row, null);
    const identity = textIdentity({ kind, domain: read.domain, name: read.name, place }, labels);
    const before = first.get(identity);
    const key = keyOf(read);
    if (before === undefined) {
      first.set(identity, { key, place, isRow: true });
      return [];
    }
    const where = showPlace(before.place);
    const message =
      key !== before.key
        ? `\`${key}\` and \`${before.key}\` (${where}) are the same ${kind}, because the service ignores case and accents.`
        : before.isRow
          ? `\`${key}\` is already in this file (${where}).`
          : `\`${key}\` is already declared (${where}).`;
    const hint = before.isRow
      ? "Keep one of the two rows."
      : "Remove this row, and make its changes in the declaration.";
    return [[read, { column: null, code: "duplicate-key", message, hint }]];
  });
}
