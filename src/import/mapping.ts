// Which column of a sheet means what: as a person says, as it is called, as its values look.

import { UserError, EXIT } from "../errors.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import type { ResourceKind } from "../domain/table.ts";
import { guessTargets } from "./guess.ts";
import { numbered, type Sheet } from "./sheet.ts";
import { isReportedOnly, targetAt, targetsOf, squashed, type Target } from "./targets.ts";

/** A column of the sheet, and what it means. */
export interface MappedColumn {
  readonly index: number;
  readonly name: string;
  /** Null where it is left out. */
  readonly target: Target | null;
  /** Why: a flag says so, its name or its values do. Of a column that is left out: a flag, its name, or nobody knows it. */
  readonly because: "flag" | "name" | "values" | "unknown";
}

/** What a person says of columns. */
export interface MappingFlags {
  /** As `Long URL=url`. */
  readonly map: readonly string[];
  /** Names of columns. */
  readonly ignore: readonly string[];
  /** The domain of links whose row says none. */
  readonly domain: string | null;
}

/** What the columns of a sheet mean. Throws a user error for flags that name what is not there. */
export function mapColumns(
  sheet: Sheet,
  kind: ResourceKind,
  flags: MappingFlags,
  domains: ReadonlySet<string>,
): readonly MappedColumn[] {
  const said = new Map<number, Target | null>();
  for (const text of flags.map) {
    const { index, target } = readMap(text, sheet, kind);
    const isTaken = [...said].some(([other, rival]) => other !== index && rival?.path === target.path);
    if (isTaken) throw wrongFlag("map", `Two columns can't both be \`${target.path}\`.`, "Map one of them.");
    said.set(index, target);
  }
  for (const name of flags.ignore) said.set(columnAt(name, sheet, "ignore"), null);
  const guessed = guessTargets(sheet, kind, { said, domains, domain: flags.domain });
  return sheet.columns.map((name, index): MappedColumn => {
    const given = said.get(index);
    if (given !== undefined) return { index, name, target: given, because: "flag" };
    const guess = guessed.get(index);
    if (guess !== undefined) return { index, name, ...guess };
    return { index, name, target: null, because: isReportedOnly(name) ? "name" : "unknown" };
  });
}

/** The column that means this; undefined where none does. */
export function columnFor(columns: readonly MappedColumn[], path: string): MappedColumn | undefined {
  return columns.find(({ target }) => target?.path === path);
}

/** Names may hold the sign themselves: what stands behind the last one is the field. */
function readMap(text: string, sheet: Sheet, kind: ResourceKind): { index: number; target: Target } {
  const at = text.lastIndexOf("=");
  const field = text.slice(at + 1).trim();
  if (at <= 0 || field === "")
    throw wrongFlag("map", `\`--map ${text}\` names no column and field.`, 'Write it as --map "Long URL=url".');
  const target = targetAt(kind, field);
  if (target !== undefined) return { index: columnAt(text.slice(0, at), sheet, "map"), target };
  const paths = targetsOf(kind).map(({ path }) => path);
  const meant = nearestOrLonger(field, paths);
  const hint = meant === null ? `Fields: ${paths.join(", ")}.` : `Did you mean \`${meant}\`?`;
  throw wrongFlag("map", `A ${kind} has no field \`${field}\`.`, hint);
}

/** The index of a column that is named by its name or by its number, as `#3`. */
function columnAt(written: string, { columns, file }: Sheet, flag: "map" | "ignore"): number {
  const name = written.trim();
  const exact = indexesOf(columns, (one) => one === name);
  const alike = exact.length > 0 ? exact : indexesOf(columns, (one) => squashed(one) === squashed(name));
  const [first, second] = alike;
  if (second !== undefined && first !== undefined)
    throw wrongFlag(
      flag,
      `${alike.length} columns of ${file} are called \`${name}\`.`,
      `Name it by its number: ${alike.map(numbered).join(" or ")}.`,
    );
  if (first !== undefined) return first;
  const [, number] = /^#([1-9]\d*)$/.exec(name) ?? [];
  if (number !== undefined && Number(number) <= columns.length) return Number(number) - 1;
  const meant = nearestOrLonger(name, columns);
  throw wrongFlag(
    flag,
    `${file} has no column \`${name}\`.`,
    meant === null ? `Its columns: ${columns.join(", ")}.` : `Did you mean \`${meant}\`?`,
  );
}

function indexesOf(names: readonly string[], fits: (name: string) => boolean): number[] {
  return names.flatMap((name, index) => (fits(name) ? [index] : []));
}

function wrongFlag(flag: string, message: string, hint: string): UserError {
  return new UserError(`wrong-${flag}`, message, { hint, exit: EXIT.usage });
}
