// Converts the rows of a sheet to the values of a file. Reports only what no file can express: loading checks the values.

import type { Labels } from "../config/keys.ts";
import type { FieldSpec, InstantSpec, MapSpec } from "../domain/field.ts";
import { clockOf, momentOf, type DateOrder, orderOf } from "./dates.ts";
import { blockFields, groupFields, GROUPS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { blockEntries } from "../edit/declare.ts";
import { utmPath } from "../edit/utm.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { isBlock, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import type { Sheet, SheetRow } from "./csv.ts";
import type { RowProblem } from "./row-problems.ts";
import {
  domainOf,
  keyIn,
  type SheetShortUrl,
  cellContent,
  presenceOf,
  unescapeCell,
  type CellProblem,
  separatorOf,
} from "./values.ts";
import { KEY_PATH, NOTE_PATH, OWNER_PATH, REVIEW_PATH, SECRETS_PATH } from "./targets.ts";
import { splitContents } from "./utm.ts";

/** A row in the form of files. */
export interface ReadRow {
  readonly row: SheetRow;
  /** From the row or a flag; null if neither has it, and for pixels. */
  readonly domain: string | null;
  /** The alias, or the pixel's name; null if it could not be read, which has been reported. */
  readonly name: string | null;
  /** Fields in the order of the field table, with the references from flags, then the keys that are never sent. */
  readonly block: readonly YamlEntry[];
  /** The variables for its secrets. Their values are never kept. */
  readonly variables: readonly string[];
  readonly problems: readonly RowProblem[];
}

/** The key of a row: `go.example.com/spring`, or a pixel's name. */
export function rowKey({ domain, name }: Pick<ReadRow, "domain" | "name">): string {
  return domain === null || name === "" ? (name ?? "") : `${domain}/${name ?? ""}`;
}

interface RowContext {
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  /** Values from flags for rows without their own, by path. */
  readonly given: ReadonlyMap<string, string>;
  /** The labels of domains. */
  readonly labels: Labels;
  /** Whether a domain before an alias is used: a domain of the project, or any if no flag names one. */
  readonly isOwnDomain: (domain: string) => boolean;
  readonly isPixel: (name: string) => boolean;
  /** From `--date-format`; null: the column shows it, or a date is an error. */
  readonly dateOrder: DateOrder | null;
  /** Write the UTM parameters of URLs as `utm`. */
  readonly usesUtm: boolean;
  /** The UTM values that links inherit. */
  readonly inheritedUtm: UtmValues;
  /** The time zone of dates in the files; null if the project does not state it. */
  readonly zone: string | null;
  /** Creates the variables for secrets. */
  readonly names: VariableNames;
}

/** Reads every row. The meaning of a cell can depend on other cells of its column. */
export function readRows(sheet: Sheet, context: RowContext): readonly ReadRow[] {
  const formats = new Map(
    context.columns.map((column) => [column.index, columnFormat(sheet, column, context.dateOrder)]),
  );
  return sheet.rows.map((row) => new SheetRowReader(row, context, formats).read());
}

class SheetRowReader {
  readonly #row: SheetRow;
  readonly #context: RowContext;
  readonly #formats: ReadonlyMap<number, ColumnFormat>;
  readonly #problems: RowProblem[] = [];
  readonly #values = new Map<string, YamlContent>();
  readonly #variables: string[] = [];

  constructor(row: SheetRow, context: RowContext, formats: ReadonlyMap<number, ColumnFormat>) {
    this.#row = row;
    this.#context = context;
    this.#formats = formats;
  }

  read(): ReadRow {
    const { kind, given } = this.#context;
    const { domain, name } = this.#key();
    for (const field of blockFields(kind)) {
      if (field.path === REFERENCE_FIELD.domain) continue;
      const column = columnFor(this.#context.columns, field.path);
      if (field.kind === "secret" && this.#hasSecret(field, column)) this.#putSecret(field.path, name);
      else if (field.kind === "instant") this.#readInstant(field, column);
      else if (column !== undefined) this.#readField(field, column);
      if (field.kind === "map") this.#readMembers(field);
      const flag = given.get(field.path);
      if (flag !== undefined && !this.#values.has(field.path)) this.#values.set(field.path, flag);
      if (field.required && column !== undefined && this.#cell(column) === "") this.#values.set(field.path, null);
    }
    this.#dropImplied();
    if (kind === "link") this.#readUtm();
    this.#readForPeople();
    const block = blockEntries(this.#values);
    return { row: this.#row, domain, name, block, variables: this.#variables, problems: this.#problems };
  }

  /** A group with no fields and nothing active is implied. */
  #dropImplied(): void {
    for (const [group, { active }] of Object.entries(GROUPS)) {
      const choice = groupFields(group).find(({ path }) => path === active);
      const others = groupFields(group).filter((field) => field !== choice);
      if (choice === undefined || others.some(({ path }) => this.#values.has(path))) continue;
      if (this.#values.get(choice.path) === choice.default) this.#values.delete(choice.path);
    }
  }

  /** Whether the row has this secret, in its own column or in the `secrets` column. */
  #hasSecret(field: FieldSpec, column: MappedColumn | undefined): boolean {
    const listed = this.#cellFor(SECRETS_PATH).split(/[;,\s]+/);
    const cell = column === undefined ? "" : this.#cell(column);
    const isPresence = column !== undefined && this.#formats.get(column.index)?.isPresence === true;
    return (
      listed.includes(field.path) ||
      (cell !== "" && cell.toLowerCase() !== "none" && (!isPresence || presenceOf(cell) === true))
    );
  }

  #putSecret(path: string, key: string | null): void {
    const name = this.#context.names.nameOf(key ?? "", path, this.#row.number);
    this.#variables.push(name);
    this.#values.set(path, { entries: [{ key: "env", value: name }], inline: true });
  }

  /** Domain and alias, or the pixel's name. If two columns have them, they must agree. */
  #key(): Pick<ReadRow, "domain" | "name"> {
    const { kind, columns, given, labels } = this.#context;
    const nameColumn = columnFor(columns, KEY_FIELD[kind]);
    const keyColumn = columnFor(columns, KEY_PATH);
    if (kind === "pixel") {
      const name = this.#cellFor(KEY_FIELD.pixel);
      // The only key that no file can have.
      if (name === "__proto__")
        this.#problem(nameColumn, "wrong-key", "`__proto__` cannot be a key.", "Choose another name.");
      return { domain: null, name };
    }
    const inKey = this.#keyIn(keyColumn, (domain) => labels.find(domain) !== undefined);
    const inAlias = this.#keyIn(nameColumn, () => false);
    if (inKey === null || inAlias === null) return { domain: null, name: null };
    const alias = inAlias.alias || inKey.alias;
    if (inKey.alias !== "" && inKey.alias !== alias)
      this.#problem(
        keyColumn,
        "key-conflict",
        `This ends in \`${inKey.alias}\`, but the alias is \`${alias}\`.`,
        MAP_ONE,
      );
    const stated = domainOf(this.#cellFor(REFERENCE_FIELD.domain)) || inKey.domain || inAlias.domain;
    for (const [column, found] of [[keyColumn, inKey.domain] as const, [nameColumn, inAlias.domain] as const])
      if (found !== "" && labels.labelOf(stated).toLowerCase() !== labels.labelOf(found).toLowerCase())
        this.#problem(
          column,
          "domain-conflict",
          `This starts with \`${found}\`, but the domain is \`${stated}\`.`,
          MAP_ONE,
        );
    const domain = stated || (given.get(REFERENCE_FIELD.domain) ?? null);
    return { domain: domain === null ? null : labels.labelOf(domain), name: alias };
  }

  /** The key in a cell, without the domain of another service if a flag gives the domain to use. Null if it is not valid. */
  #keyIn(column: MappedColumn | undefined, isLabel: (domain: string) => boolean): SheetShortUrl | null {
    const cell = column === undefined ? "" : this.#cell(column);
    const read = keyIn(cell, isLabel);
    if (!("problem" in read)) return this.#context.isOwnDomain(read.domain) ? read : { ...read, domain: "" };
    if (column !== undefined) this.#refuse(column, cell, read.problem);
    return null;
  }

  #readField(field: Exclude<ReturnType<typeof blockFields>[number], InstantSpec>, column: MappedColumn): void {
    const cell = this.#cell(column);
    if (cell === "") return;
    if (field.kind === "secret" && cell.toLowerCase() !== "none") return;
    const read = cellContent(field, cell, {
      separator: this.#formats.get(column.index)?.separator ?? /\n/,
      isName: (name) => this.#context.isPixel(name),
    });
    if ("problem" in read) this.#refuse(column, cell, read.problem);
    else this.#values.set(field.path, read.content);
  }

  /** Destinations of a map with one column for each key. */
  #readMembers(field: MapSpec): void {
    const own = this.#context.columns.flatMap((column) => {
      const cell = this.#cell(column);
      const { target } = column;
      return target?.to === "member" && target.field === field && cell !== "" ? [{ key: target.key, value: cell }] : [];
    });
    const known = this.#values.get(field.path);
    const before = typeof known === "object" && known !== null && isBlock(known) ? known.entries : [];
    if (own.length > 0) this.#values.set(field.path, { entries: [...before, ...own] });
  }

  #readInstant(field: InstantSpec, column: MappedColumn | undefined): void {
    const { columns, zone } = this.#context;
    const timeColumn = columnFor(columns, field.timePath);
    const cell = column === undefined ? "" : this.#cell(column);
    const clock = timeColumn === undefined ? "" : this.#cell(timeColumn);
    if (cell === "" || column === undefined) {
      if (timeColumn !== undefined && clock !== "")
        this.#problem(
          timeColumn,
          "import-value",
          "This row has a time, but no date.",
          "Add the date, or clear the cell.",
        );
      return;
    }
    if (cell.toLowerCase() === "none") {
      this.#values.set(field.path, "none");
      return;
    }
    const read = momentOf(cell, this.#formats.get(column.index)?.order ?? null, zone);
    if ("problem" in read) {
      this.#refuse(column, cell, read.problem);
      return;
    }
    const { date, time } = read.moment;
    this.#values.set(field.path, date);
    if (time !== null) this.#values.set(field.timePath, time);
    if (timeColumn === undefined || clock === "") return;
    const own = clockOf(clock);
    if (own === null)
      this.#refuse(timeColumn, clock, {
        reason: "is not a time of day",
        hint: "Write it as HH:MM, without a time zone.",
      });
    else this.#values.set(field.timePath, own);
  }

  /** UTM values from their columns and, if the project uses `utm`, from the URLs. */
  #readUtm(): void {
    const { usesUtm, inheritedUtm } = this.#context;
    const cells: UtmValues = new Map(
      UTM_KEYS.flatMap((key) => {
        const cell = this.#cellFor(utmPath(key));
        return cell === "" ? [] : [[key, cell] as const];
      }),
    );
    if (!usesUtm && cells.size === 0) return;
    const split = splitContents(this.#values, cells);
    for (const [path, content] of split.contents) this.#values.set(path, content);
    for (const [key, value] of new Map([...split.utm, ...cells]))
      if (inheritedUtm.get(key) !== value) this.#values.set(utmPath(key), value);
    // A URL that `utm` cannot express must not get the parameters of the defaults.
    if (split.isOdd && cells.size === 0 && inheritedUtm.size > 0) this.#values.set("utm", "none");
  }

  /** The keys that are never sent. */
  #readForPeople(): void {
    const owners = this.#cellFor(OWNER_PATH)
      .split(/\s*[;\n]\s*/)
      .filter((owner) => owner !== "");
    if (owners.length > 0) this.#values.set(OWNER_PATH, owners.length === 1 ? (owners[0] ?? "") : owners);
    const column = columnFor(this.#context.columns, REVIEW_PATH);
    const cell = this.#cellFor(REVIEW_PATH);
    if (column !== undefined && cell !== "") {
      const read = momentOf(cell, this.#formats.get(column.index)?.order ?? null, this.#context.zone);
      if ("problem" in read) this.#refuse(column, cell, read.problem);
      else this.#values.set(REVIEW_PATH, read.moment.date);
    }
    const note = this.#cellFor(NOTE_PATH);
    if (note !== "") this.#values.set(NOTE_PATH, note);
  }

  #cell({ index }: MappedColumn): string {
    return unescapeCell(this.#row.cells[index] ?? "");
  }

  #cellFor(path: string): string {
    const column = columnFor(this.#context.columns, path);
    return column === undefined ? "" : this.#cell(column);
  }

  #refuse(column: MappedColumn, cell: string, { reason, hint }: CellProblem): void {
    this.#problem(column, "import-value", `\`${cell}\` ${reason}.`, hint);
  }

  #problem(column: MappedColumn | undefined, code: string, message: string, hint: string | null): void {
    this.#problems.push({ column: column?.index ?? null, code, message, hint });
  }
}

const MAP_ONE = "Ignore one of the two columns: --map COLUMN=ignore.";

/** The format of the cells in a column. */
interface ColumnFormat {
  readonly separator: RegExp;
  readonly order: DateOrder | null;
  /** The cells only show whether there is a secret. */
  readonly isPresence: boolean;
}

/** `dateOrder` is null without `--date-format`. */
function columnFormat({ rows }: Sheet, { index, target }: MappedColumn, dateOrder: DateOrder | null): ColumnFormat {
  const kind = target?.to === "field" ? target.field.kind : null;
  const isDate = kind === "instant" || target?.to === "review";
  const cells =
    kind === "references" || isDate || kind === "secret"
      ? rows.flatMap((row) => (row.cells[index] === "" ? [] : (row.cells[index] ?? [])))
      : [];
  return {
    separator: separatorOf(cells),
    order: isDate ? (dateOrder ?? orderOf(cells)) : null,
    isPresence: kind === "secret" && cells.every((cell) => presenceOf(cell) !== null),
  };
}
