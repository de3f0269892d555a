// A row of a sheet -> the block that a file holds for it, or every reason why there is none.

import type { InstantSpec, MapSpec } from "../domain/field.ts";
import { clockOf, momentOf, withZonedClock, type DateOrder } from "./dates.ts";
import { blockFields, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { YamlContent } from "../edit/yaml-text.ts";
import { isBlock } from "../edit/fresh.ts";
import { habitOf, type Habit } from "./conventions.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { domainOf, keyIn, shortUrlOf } from "./short-url.ts";
import { KEY_PATH, NOTE_PATH, SECRETS_PATH } from "./targets.ts";
import { cellContent, hasSeconds, presenceOf, unguarded, type CellProblem, type LeftOutCell } from "./values.ts";

/** What is wrong with a row: in which column, by its index; null where it is the row as a whole. */
export interface RowProblem {
  readonly column: number | null;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** What a row says, in the words of the files. */
export interface ReadRow {
  readonly row: SheetRow;
  /** As the row and the flags say; null where neither does, and for pixels. */
  readonly domain: string | null;
  /** The alias, or the pixel's name; null where the row has none. */
  readonly name: string | null;
  /** By path, in the order of the field table; references that flags give are among them. */
  readonly values: ReadonlyMap<string, YamlContent>;
  /** Secrets that the row has. They are not in `values`: what stands in the cells goes nowhere. */
  readonly secrets: readonly string[];
  readonly note: string | null;
  readonly problems: readonly RowProblem[];
  /** What its cells have that no file can have, by the field's path. */
  readonly left: ReadonlyMap<string, LeftOutCell>;
}

/** What rows are read with. */
export interface RowContext {
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  /** What flags give to rows that don't say it, by the field's path. */
  readonly given: ReadonlyMap<string, string>;
  /** The label of a domain, by label, name or id; the text itself where it has none. */
  readonly labelOf: (domain: string) => string;
  /** Whether a domain before an alias is meant: one of ours, or any where no flag says another. */
  readonly isMeant: (domain: string) => boolean;
  /** Whether a pixel of this name is declared. */
  readonly isPixel: (name: string) => boolean;
  /** The order of numbers in dates; null: the column shows it, or it is an error. */
  readonly dateOrder: DateOrder | null;
  /** The zone that dates in the files mean; null where the project does not say. */
  readonly zone: string | null;
}

/** Every row of a sheet. What a cell means can depend on the other cells of its column. */
export function readRows(sheet: Sheet, context: RowContext): readonly ReadRow[] {
  const habits = new Map(context.columns.map((column) => [column.index, habitOf(sheet, column, context.dateOrder)]));
  return sheet.rows.map((row) => new SheetRowReader(row, context, habits).read());
}

class SheetRowReader {
  readonly #row: SheetRow;
  readonly #context: RowContext;
  readonly #habits: ReadonlyMap<number, Habit>;
  readonly #problems: RowProblem[] = [];
  readonly #values = new Map<string, YamlContent>();
  readonly #secrets: string[] = [];
  readonly #left = new Map<string, LeftOutCell>();

  constructor(row: SheetRow, context: RowContext, habits: ReadonlyMap<number, Habit>) {
    this.#row = row;
    this.#context = context;
    this.#habits = habits;
  }

  read(): ReadRow {
    const { kind, given } = this.#context;
    const { domain, name } = this.#key();
    for (const row of blockFields(kind)) {
      if (row.path === REFERENCE_FIELD.domain) continue;
      const column = columnFor(this.#context.columns, row.path);
      if (row.kind === "secret" && this.#isAmongSecrets(row.path)) this.#secrets.push(row.path);
      else if (row.kind === "instant") this.#readInstant(row, column);
      else if (column !== undefined) this.#readField(row, column);
      if (row.kind === "map") this.#readMembers(row);
      const flag = given.get(row.path);
      if (flag !== undefined && !this.#values.has(row.path)) this.#values.set(row.path, flag);
      if (row.required && column !== undefined && this.#cell(column) === "")
        this.#problem(
          column,
          "missing-field",
          `This cell is empty, and every ${kind} has \`${row.path}\`.`,
          "Fill it.",
        );
    }
    const note = this.#cellFor(NOTE_PATH);
    const told = { values: this.#values, secrets: this.#secrets, problems: this.#problems, left: this.#left };
    return { row: this.#row, domain, name, note: note === "" ? null : note, ...told };
  }

  /** Whether the column that names the secrets of a link names this one. */
  #isAmongSecrets(path: string): boolean {
    return this.#cellFor(SECRETS_PATH)
      .split(/[;,\s]+/)
      .includes(path);
  }

  /** Domain and alias, or the pixel's name: from one column or two, which must agree. */
  #key(): Pick<ReadRow, "domain" | "name"> {
    const { kind, columns, given, labelOf } = this.#context;
    const nameColumn = columnFor(columns, KEY_FIELD[kind]);
    const keyColumn = columnFor(columns, KEY_PATH);
    const own = this.#cellFor(KEY_FIELD[kind]);
    const inAlias = keyIn(own);
    if (kind === "pixel") {
      if (own === "") this.#noName(nameColumn);
      return { domain: null, name: own === "" ? null : own };
    }
    const whole = keyIn(this.#cellFor(KEY_PATH));
    const alias = (own === "" ? whole : inAlias).alias || null;
    if (alias === null) this.#noName(nameColumn ?? keyColumn);
    if (whole.alias !== "" && alias !== null && whole.alias !== alias)
      this.#problem(
        keyColumn,
        "key-conflict",
        `This ends in \`${whole.alias}\`, and the alias is \`${alias}\`.`,
        MAP_ONE,
      );
    const before = shortUrlOf(own) === null || this.#context.isMeant(inAlias.domain) ? inAlias.domain : "";
    const said = domainOf(this.#cellFor(REFERENCE_FIELD.domain)) || whole.domain || before;
    for (const [column, found] of [[keyColumn, whole.domain] as const, [nameColumn, before] as const])
      if (found !== "" && labelOf(said).toLowerCase() !== labelOf(found).toLowerCase())
        this.#problem(
          column,
          "domain-conflict",
          `This begins with \`${found}\`, and the domain is \`${said}\`.`,
          MAP_ONE,
        );
    const domain = said || (given.get(REFERENCE_FIELD.domain) ?? null);
    return { domain: domain === null ? null : labelOf(domain), name: alias };
  }

  #noName(column: MappedColumn | undefined): void {
    const { kind } = this.#context;
    const what = kind === "link" ? "alias" : "name";
    const message = `This row has no ${what}.`;
    const hint =
      kind === "link"
        ? "Give it one: what the service makes up would be in no file."
        : "Give it one: links name their pixels by it.";
    this.#problem(column, "missing-key", message, hint);
  }

  #readField(row: Exclude<ReturnType<typeof blockFields>[number], InstantSpec>, column: MappedColumn): void {
    const cell = this.#cell(column);
    if (cell === "") return;
    const habit = this.#habits.get(column.index);
    if (row.kind === "secret" && cell.toLowerCase() !== "none") {
      if (habit?.isPresence !== true || presenceOf(cell) === true) this.#secrets.push(row.path);
      return;
    }
    const read = cellContent(row, cell, {
      separator: habit?.separator ?? /\n/,
      isName: (name) => this.#context.isPixel(name),
    });
    if ("problem" in read) this.#refuse(column, cell, read.problem);
    else {
      this.#values.set(row.path, read.content);
      if (read.left !== undefined) this.#left.set(row.path, read.left);
    }
  }

  /** Destinations that have columns of their own. */
  #readMembers(row: MapSpec): void {
    const own = this.#context.columns.flatMap((column) => {
      const cell = this.#cell(column);
      const { target } = column;
      return target?.to === "member" && target.row === row && cell !== "" ? [{ key: target.key, value: cell }] : [];
    });
    const known = this.#values.get(row.path);
    const before = typeof known === "object" && known !== null && isBlock(known) ? known.entries : [];
    if (own.length > 0) this.#values.set(row.path, { entries: [...before, ...own] });
  }

  #readInstant(row: InstantSpec, column: MappedColumn | undefined): void {
    const { columns, zone } = this.#context;
    const timeColumn = columnFor(columns, row.timePath);
    const cell = column === undefined ? "" : this.#cell(column);
    const clock = timeColumn === undefined ? "" : this.#cell(timeColumn);
    if (cell === "" || column === undefined) {
      if (timeColumn !== undefined && clock !== "")
        this.#problem(
          timeColumn,
          "import-value",
          "This row has a time, and no date.",
          "Add the date, or empty the cell.",
        );
      return;
    }
    if (cell.toLowerCase() === "none") {
      this.#values.set(row.path, "none");
      return;
    }
    const zoned = withZonedClock(cell, clock);
    const read = momentOf(zoned ?? cell, this.#habits.get(column.index)?.order ?? null, zone);
    if ("problem" in read) {
      this.#refuse(column, zoned ?? cell, read.problem);
      return;
    }
    if (hasSeconds(cell) || hasSeconds(clock)) this.#left.set(row.timePath, "seconds");
    const { date, time } = read.moment;
    this.#values.set(row.path, date);
    if (time !== null) this.#values.set(row.timePath, time);
    if (timeColumn === undefined || clock === "" || zoned !== null) return;
    const own = clockOf(clock);
    if (own === null) this.#refuse(timeColumn, clock, { says: "is no time of day", hint: "Write it as HH:MM." });
    else this.#values.set(row.timePath, own);
  }

  #cell({ index }: MappedColumn): string {
    return unguarded(this.#row.cells[index] ?? "");
  }

  #cellFor(path: string): string {
    const column = columnFor(this.#context.columns, path);
    return column === undefined ? "" : this.#cell(column);
  }

  #refuse(column: MappedColumn, cell: string, { says, hint }: CellProblem): void {
    this.#problem(column, "import-value", `\`${cell}\` ${says}.`, hint);
  }

  #problem(column: MappedColumn | undefined, code: string, message: string, hint: string | null): void {
    this.#problems.push({ column: column?.index ?? null, code, message, hint });
  }
}

const MAP_ONE = "Leave one of the two columns out with --ignore.";
