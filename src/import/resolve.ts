// Which rows of a sheet can stand in a file: held against each other, then, as blocks, against the project.

import { textIdentity } from "../config/rules.ts";
import type { Labels } from "../config/labels.ts";
import { append } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { showKey, type Declaration } from "../domain/project.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";
import { blockOf } from "./block.ts";
import { findingsOfBlocks } from "./findings.ts";
import type { MappedColumn } from "./mapping.ts";
import type { ReadRow, RowProblem } from "./rows.ts";
import type { Sheet } from "./sheet.ts";
import { sharedDomain, sharedEntries, sharedValues, type BuiltFile, type RowBlock } from "./yaml-file.ts";

/** A row that can't be taken, and every reason. */
export interface BadRow {
  readonly read: ReadRow;
  readonly problems: readonly RowProblem[];
}

/** What became of the rows. */
export interface ResolvedRows {
  readonly good: readonly ReadRow[];
  readonly bad: readonly BadRow[];
  /** Errors that no row is to blame for. */
  readonly others: readonly Diagnostic[];
  /** The file with the good rows; null where there are none. */
  readonly text: string | null;
  /** Variables for the secrets that the good rows have. */
  readonly variables: readonly string[];
}

/** What rows are settled with. */
export interface ResolveContext {
  readonly sheet: Sheet;
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  readonly labels: Labels;
  /** What the files declare already. */
  readonly declarations: readonly Declaration[];
  /** The file they go into, from the project folder. */
  readonly file: string;
  /** Rows that are bad are left out, so that the rest must be good without them. */
  readonly leavesOut: boolean;
  /** Whether the file is a new one, which can have defaults for all of its rows. */
  readonly isNew: boolean;
  /** What defaults give to the links of the file without saying more, by path. */
  readonly given: ReadonlyMap<string, { readonly value: Value }>;
  readonly newNames: () => VariableNames;
  /** The file with these blocks in it. */
  readonly build: (shared: readonly YamlEntry[], blocks: readonly RowBlock[]) => BuiltFile;
  /** Every finding about the project as it would be with this text. */
  readonly check: (text: string) => Promise<readonly Diagnostic[]>;
}

/** Sorts the rows into those that can be written and those that can't, of which everything is told that is wrong. */
export async function resolveRows(rows: readonly ReadRow[], context: ResolveContext): Promise<ResolvedRows> {
  const problems = new Map(rows.map((read) => [read, [...read.problems]]));
  const doubled = new Map(doubles(rows, context));
  for (const [read, problem] of doubled) problems.get(read)?.push(problem);
  const goodRows = (): ReadRow[] => rows.filter((read) => problems.get(read)?.length === 0);
  const badRows = (): BadRow[] =>
    rows.flatMap((read) => {
      const own = problems.get(read) ?? [];
      return own.length === 0 ? [] : [{ read, problems: own }];
    });
  // A row with one mistake may have others, which only its block shows.
  let tried = rows.filter((read) => read.name !== null && !doubled.has(read));
  while (tried.length > 0) {
    const { built, variables } = fileOf(tried, context);
    const findings = await context.check(built.text);
    const found = findingsOfBlocks(findings, { ...built, file: context.file }, inSheet(tried, context));
    for (const [block, own] of found.problems) {
      const read = tried[block];
      const known = (read && problems.get(read)) ?? [];
      append(
        known,
        own.filter((problem) => !isKnown(problem, known)),
      );
    }
    const good = goodRows();
    const isSettled = good.length === tried.length;
    if (isSettled && found.others.length === 0)
      return { good, bad: badRows(), others: [], text: built.text, variables };
    // Without the bad rows the rest may be good; what no row is to blame for stays.
    if (isSettled || !context.leavesOut)
      return { good, bad: badRows(), others: found.others, text: null, variables: [] };
    tried = good;
  }
  return { good: [], bad: badRows(), others: [], text: null, variables: [] };
}

const EMPTY = "missing-field";

/** Whether a mistake follows from one that is told already: of the same cell, or of a cell that is empty. */
function isKnown({ column, code }: RowProblem, known: readonly RowProblem[]): boolean {
  return known.some((one) => one.column !== null && (one.column === column || (code === EMPTY && one.code === EMPTY)));
}

/** The good rows as the places and cells that findings about their blocks are told with. */
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
      const isShown = target !== null && !(target.to === "field" && target.row.kind === "secret");
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
  const usual = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof usual === "string" ? labels.labelOf(usual) : null;
  const own = isNew ? sharedDomain(rows) : null;
  const domain = own ?? known;
  const shared: ReadonlyMap<string, YamlContent> = isNew ? sharedValues(kind, rows) : new Map();
  const blocks = rows.map((read): RowBlock => {
    const made = new Map(
      read.secrets.map((path) => [path, names.nameOf(read.name ?? "", path, read.row.number)] as const),
    );
    append(variables, made.values());
    const key = read.domain === domain ? (read.name ?? "") : keyOf(read);
    return { key, value: { entries: blockOf(kind, read, made, shared) } };
  });
  return { built: build(sharedEntries(own === known ? null : own, shared), blocks), variables };
}

/** The key of a row as people write it. */
export function keyOf({ domain, name }: Pick<ReadRow, "domain" | "name">): string {
  return domain === null ? (name ?? "") : `${domain}/${name ?? ""}`;
}

/** Rows that name what an earlier row has named, or a file declares. */
function doubles(
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
        ? `\`${key}\` and \`${before.key}\` (${where}) are the same ${kind} to the service, which folds case and accents.`
        : before.isRow
          ? `\`${key}\` stands in this sheet already (${where}).`
          : `\`${key}\` is declared already (${where}).`;
    const hint = before.isRow ? "Keep one of the two rows." : "Leave this row out; what it changes, change there.";
    return [[read, { column: null, code: "duplicate-key", message, hint }]];
  });
}
