// Converts the rows of a sheet to the values of a file. Reports only what no file can express: loading checks the values.

import type { Labels } from "../config/keys.ts";
import type { FieldSpec, InstantSpec, MapSpec, SecretSpec } from "../domain/field.ts";
import { blockFields, groupFields, GROUPS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { blockEntries } from "../edit/declare.ts";
import { utmPath } from "../edit/utm.ts";
import type { VariableNames } from "../edit/variable-names.ts";
import { isBlock, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import type { Sheet, SheetRow } from "./csv.ts";
import { clockOf, momentOf, orderOf, type DateAndTime, type DateOrder } from "./dates.ts";
import type { MappedColumn } from "./mapping.ts";
import { rowProblem, type RowProblem } from "./row-problems.ts";
import { KEY_PATH, NOTE_PATH, OWNER_PATH, REVIEW_PATH, SECRETS_PATH } from "./targets.ts";
import { splitContents } from "./utm.ts";
import {
  cellContent,
  domainOf,
  hasSecret,
  isPresenceIn,
  keyIn,
  NONE,
  separatorOf,
  unescapeCell,
  type CellProblem,
  type SheetShortUrl,
} from "./values.ts";

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
  /** Loading the row adds more. */
  readonly problems: RowProblem[];
}

/** The key of a row: `go.example.com/spring`, or a pixel's name. */
export function rowKey({ domain, name }: Pick<ReadRow, "domain" | "name">): string {
  return domain === null || name === "" ? (name ?? "") : `${domain}/${name ?? ""}`;
}

interface RowContext {
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  /** Values for rows without their own, by path. */
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
  const columns = new Map(
    context.columns.flatMap((column) =>
      column.target === null ? [] : [[column.target.path, readColumn(sheet, column, context.dateOrder)] as const],
    ),
  );
  return sheet.rows.map((row) => new SheetRowReader(sheet, row, context, columns).read());
}

/** A mapped column with the format of its cells. */
interface ReadColumn extends MappedColumn {
  readonly separator: string;
  readonly order: DateOrder | null;
  /** The cells only show whether there is a secret. */
  readonly isPresence: boolean;
}

/** `dateOrder` is null without `--date-format`. */
function readColumn({ rows }: Sheet, column: MappedColumn, dateOrder: DateOrder | null): ReadColumn {
  const { index, target } = column;
  const kind = target?.to === "field" ? target.field.kind : null;
  const isDate = kind === "instant" || target?.to === "review";
  const cells = kind === "references" || isDate ? rows.map((row) => row.cells[index] ?? "") : [];
  return {
    ...column,
    separator: separatorOf(cells),
    order: dateOrder ?? orderOf(cells),
    isPresence: kind === "secret" && isPresenceIn(rows, index),
  };
}

class SheetRowReader {
  readonly #sheet: Sheet;
  readonly #row: SheetRow;
  readonly #context: RowContext;
  /** By the path of their target. */
  readonly #columns: ReadonlyMap<string, ReadColumn>;
  readonly #problems: RowProblem[] = [];
  readonly #values = new Map<string, YamlContent>();
  readonly #variables: string[] = [];

  constructor(sheet: Sheet, row: SheetRow, context: RowContext, columns: ReadonlyMap<string, ReadColumn>) {
    this.#sheet = sheet;
    this.#row = row;
    this.#context = context;
    this.#columns = columns;
  }

  read(): ReadRow {
    const { kind } = this.#context;
    const { domain, name } = this.#key();
    for (const field of blockFields(kind)) {
      if (field.path === REFERENCE_FIELD.domain) continue;
      if (field.kind === "secret") this.#readSecret(field, name);
      else if (field.kind === "instant") this.#readInstant(field);
      else this.#readField(field);
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

  /** A secret is in its own column, or its path is in the `secrets` column. Only a variable for it is written, or `none`. */
  #readSecret({ path }: SecretSpec, key: string | null): void {
    const cell = this.#cell(path);
    const isListed = this.#cell(SECRETS_PATH)
      .split(/[;,\s]+/)
      .includes(path);
    if (isListed || hasSecret(cell, this.#columns.get(path)?.isPresence === true)) {
      const name = this.#context.names.nameOf(key ?? "", path, this.#row.number);
      this.#variables.push(name);
      this.#values.set(path, { entries: [{ key: "env", value: name }], inline: true });
    } else if (cell.toLowerCase() === NONE) this.#values.set(path, NONE);
  }

  /** Domain and alias, or the pixel's name. If two columns have them, they must agree. */
  #key(): Pick<ReadRow, "domain" | "name"> {
    const { kind, given, labels } = this.#context;
    if (kind === "pixel") {
      const name = this.#cell(KEY_FIELD.pixel);
      // The only key that no file can have.
      if (name === "__proto__")
        this.#problem(KEY_FIELD.pixel, "wrong-key", "`__proto__` cannot be a key.", "Choose another name.");
      return { domain: null, name };
    }
    const inKey = this.#keyIn(KEY_PATH, (domain) => labels.find(domain) !== undefined);
    const inAlias = this.#keyIn(KEY_FIELD.link, () => false);
    if (inKey === null || inAlias === null) return { domain: null, name: null };
    const alias = inAlias.alias || inKey.alias;
    if (inKey.alias !== "" && inKey.alias !== alias)
      this.#conflict(KEY_PATH, "key-conflict", `This ends in \`${inKey.alias}\`, but the alias is \`${alias}\`.`);
    const stated = domainOf(this.#cell(REFERENCE_FIELD.domain)) || inKey.domain || inAlias.domain;
    for (const [path, found] of [[KEY_PATH, inKey.domain] as const, [KEY_FIELD.link, inAlias.domain] as const])
      if (found !== "" && labels.labelOf(stated).toLowerCase() !== labels.labelOf(found).toLowerCase())
        this.#conflict(path, "domain-conflict", `This starts with \`${found}\`, but the domain is \`${stated}\`.`);
    const domain = stated || (given.get(REFERENCE_FIELD.domain) ?? null);
    return { domain: domain === null ? null : labels.labelOf(domain), name: alias };
  }

  /** The key in a cell, without the domain of another service if a flag gives the domain to use. Null if it is not valid. */
  #keyIn(path: string, isLabel: (domain: string) => boolean): SheetShortUrl | null {
    const read = keyIn(this.#cell(path), isLabel);
    if ("problem" in read) return this.#refuse(path, read.problem);
    return this.#context.isOwnDomain(read.domain) ? read : { ...read, domain: "" };
  }

  #readField(field: Exclude<FieldSpec, InstantSpec | SecretSpec>): void {
    const { path } = field;
    const column = this.#columns.get(path);
    const cell = this.#cell(path) || (this.#context.given.get(path) ?? "");
    if (cell !== "") {
      const format = { separator: column?.separator ?? ",", isName: this.#context.isPixel };
      const read = cellContent(field, cell, format);
      if ("problem" in read) this.#refuse(path, read.problem);
      else this.#values.set(path, read.content);
    } else if (field.required && column !== undefined) this.#values.set(path, null);
    if (field.kind === "map") this.#readMembers(field);
  }

  /** Destinations of a map with one column for each key. */
  #readMembers(field: MapSpec): void {
    const own = [...this.#columns.values()].flatMap(({ target }) => {
      const value = target?.to === "member" && target.field === field ? this.#cell(target.path) : "";
      return target?.to === "member" && value !== "" ? [{ key: target.key, value }] : [];
    });
    const known = this.#values.get(field.path);
    const before = typeof known === "object" && known !== null && isBlock(known) ? known.entries : [];
    if (own.length > 0) this.#values.set(field.path, { entries: [...before, ...own] });
  }

  #readInstant({ path, timePath }: InstantSpec): void {
    const [cell, clock] = [this.#cell(path), this.#cell(timePath)];
    if (cell === "" && clock !== "")
      this.#problem(timePath, "import-value", "This row has a time, but no date.", "Add the date, or clear the cell.");
    if (cell.toLowerCase() === NONE) this.#values.set(path, NONE);
    const moment = cell === "" || cell.toLowerCase() === NONE ? null : this.#moment(path);
    if (moment === null) return;
    this.#values.set(path, moment.date);
    const time = clock === "" ? moment.time : clockOf(clock);
    if (time !== null) this.#values.set(timePath, time);
    else if (clock !== "")
      this.#refuse(timePath, { reason: "is not a time of day", hint: "Write it as HH:MM, without a time zone." });
  }

  /** The date in a cell, and its time; null if it is not valid. */
  #moment(path: string): DateAndTime | null {
    const read = momentOf(this.#cell(path), this.#columns.get(path)?.order ?? null, this.#context.zone);
    return "problem" in read ? this.#refuse(path, read.problem) : read.moment;
  }

  /** UTM values from their columns and, if the project uses `utm`, from the URLs. */
  #readUtm(): void {
    const { usesUtm, inheritedUtm } = this.#context;
    const all = UTM_KEYS.map((key) => [key, this.#cell(utmPath(key))] as const);
    const cells: UtmValues = new Map(all.filter(([, cell]) => cell !== ""));
    if (!usesUtm && cells.size === 0) return;
    const split = splitContents(this.#values, cells);
    for (const [path, content] of split.contents) this.#values.set(path, content);
    for (const [key, value] of new Map([...split.utm, ...cells]))
      if (inheritedUtm.get(key) !== value) this.#values.set(utmPath(key), value);
    // A URL that `utm` cannot express must not get the parameters of the defaults.
    if (split.isOdd && cells.size === 0 && inheritedUtm.size > 0) this.#values.set("utm", NONE);
  }

  /** The keys that are never sent. */
  #readForPeople(): void {
    const all = this.#cell(OWNER_PATH).split(/\s*[;\n]\s*/);
    const owners = all.filter((owner) => owner !== "");
    if (owners.length > 0) this.#values.set(OWNER_PATH, owners.length === 1 ? (owners[0] ?? "") : owners);
    const review = this.#cell(REVIEW_PATH) === "" ? null : this.#moment(REVIEW_PATH);
    if (review !== null) this.#values.set(REVIEW_PATH, review.date);
    const note = this.#cell(NOTE_PATH);
    if (note !== "") this.#values.set(NOTE_PATH, note);
  }

  /** The text in the column of a path; empty without one. */
  #cell(path: string): string {
    const column = this.#columns.get(path);
    return column === undefined ? "" : unescapeCell(this.#row.cells[column.index] ?? "");
  }

  #refuse(path: string, { reason, hint }: CellProblem): null {
    this.#problem(path, "import-value", `\`${this.#cell(path)}\` ${reason}.`, hint);
    return null;
  }

  #conflict(path: string, code: string, message: string): void {
    this.#problem(path, code, message, "Ignore one of the two columns: --map COLUMN=ignore.");
  }

  #problem(path: string, code: string, message: string, hint: string | null): void {
    const column = this.#columns.get(path)?.index ?? null;
    this.#problems.push(rowProblem(this.#sheet, this.#row, column, { code, message, hint }));
  }
}
