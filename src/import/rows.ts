// Converts the rows of a sheet to the values of a file. Reports only what no file can express: loading checks the values.

import { Labels } from "../config/keys.ts";
import { isPairs } from "../config/utm.ts";
import { fold } from "../domain/fold.ts";
import type { Declared, Project } from "../domain/project.ts";
import { blockFields, groupFields, GROUPS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { UTM_KEYS, utmParametersIn, type UtmValues } from "../domain/utm.ts";
import type { Pair, Value } from "../domain/value.ts";
import { blockEntries } from "../edit/declare.ts";
import { addressesIn, inheritedUtm, usesUtm, utmForm, utmPath, type UtmForm } from "../edit/utm.ts";
import { VariableNames } from "../edit/file-values.ts";
import { isBlock, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import { KEY_PATH, type MappedSheet, type Target } from "./columns.ts";
import { rowProblem, type RowProblem, type Sheet, type SheetRow } from "./csv.ts";
import { cellContent, clockOf, domainOf, hasSecret, isPresenceIn, keyIn, momentOf, NONE } from "./values.ts";
import { orderOf, separatorOf, unescapeCell, type CellProblem, type DateOrder, type SheetShortUrl } from "./values.ts";

export interface ReadRow {
  readonly row: SheetRow;
  /** From the row or a flag; null if neither has it, and for pixels. */
  readonly domain: string | null;
  /** The alias, or the pixel's name; null if it could not be read, which has been reported. */
  readonly name: string | null;
  /** Fields in the order of the field table, with the references from flags, then the keys that are never sent. */
  readonly block: readonly YamlEntry[];
  /** For its secrets, whose values are never kept. */
  readonly variables: readonly string[];
  /** Loading the row adds more. */
  readonly problems: RowProblem[];
}

/** The key of a row: `go.example.com/spring`, or a pixel's name. */
export function rowKey({ domain, name }: Pick<ReadRow, "domain" | "name">): string {
  return domain === null || name === "" ? (name ?? "") : `${domain}/${name ?? ""}`;
}

interface RowContext {
  /** Values for rows without their own, by path. */
  readonly given: ReadonlyMap<string, string>;
  /** With `--domain`, other domains before an alias are used only if the project has them. */
  readonly hasDomainFlag: boolean;
  /** Null without `--date-format`: the column shows it, or a date is an error. */
  readonly dateOrder: DateOrder | null;
  readonly project: Project;
  readonly defaults: ReadonlyMap<string, Declared>;
}

interface ReadColumn {
  readonly index: number;
  readonly target: Target;
  readonly separator: string;
  readonly order: DateOrder | null;
  /** Whether cells only show whether there is a secret. */
  readonly isPresence: boolean;
}

/** Reads every row. The meaning of a cell can depend on other cells of its column. */
export function readRows(mapped: MappedSheet, context: RowContext): readonly ReadRow[] {
  const { sheet, kind } = mapped;
  const { given, hasDomainFlag, dateOrder, project, defaults } = context;
  const labels = new Labels(project.domains);
  const ownDomains = domainsOf(project);
  const pixels = new Set(project.declarations.flatMap((one) => (one.kind === "pixel" ? [fold(one.name)] : [])));
  const names = new VariableNames(project.declarations);
  const inherited = inheritedUtm(new Map([...defaults].map(([key, { value }]) => [key, value])));
  const splitsUrls = usesUtm(project) || inherited.size > 0;
  const columns = new Map(
    mapped.columns.flatMap(({ index, target }) =>
      target === null ? [] : [[target.path, readColumn(sheet, index, target, dateOrder)] as const],
    ),
  );
  return sheet.rows.map(readRow);

  function readRow(row: SheetRow): ReadRow {
    const problems: RowProblem[] = [];
    const values = new Map<string, YamlContent>();
    const variables: string[] = [];
    const { domain, name } = readKey();
    readFields();
    dropImplied(values);
    if (kind === "link") readUtm();
    readUnsent();
    return { row, domain, name, block: blockEntries(values), variables, problems };

    /** Empty without a column. */
    function cellAt(path: string): string {
      const column = columns.get(path);
      return column === undefined ? "" : unescapeCell(row.cells[column.index] ?? "");
    }

    function report(path: string, code: string, message: string, hint: string | null): null {
      problems.push(rowProblem(sheet, row, columns.get(path)?.index ?? null, { code, message, hint }));
      return null;
    }

    function refuse(path: string, { reason, hint }: CellProblem): null {
      return report(path, "import-value", `\`${cellAt(path)}\` ${reason}.`, hint);
    }

    function conflict(path: string, code: string, message: string): void {
      report(path, code, message, "Ignore one of the two columns: --map COLUMN=ignore.");
    }

    /** Domain and alias, or the pixel's name. If two columns have them, they must agree. */
    function readKey(): Pick<ReadRow, "domain" | "name"> {
      if (kind === "pixel") return { domain: null, name: cellAt(KEY_FIELD.pixel) };
      const inKey = keyAt(KEY_PATH, (text) => labels.find(text) !== undefined);
      const inAlias = keyAt(KEY_FIELD.link, () => false);
      if (inKey === null || inAlias === null) return { domain: null, name: null };
      const alias = inAlias.alias || inKey.alias;
      if (inKey.alias !== "" && inKey.alias !== alias)
        conflict(KEY_PATH, "key-conflict", `This ends in \`${inKey.alias}\`, but the alias is \`${alias}\`.`);
      const stated = domainOf(cellAt(REFERENCE_FIELD.domain)) || inKey.domain || inAlias.domain;
      for (const [path, found] of [[KEY_PATH, inKey.domain] as const, [KEY_FIELD.link, inAlias.domain] as const])
        if (found !== "" && labels.labelOf(stated).toLowerCase() !== labels.labelOf(found).toLowerCase())
          conflict(path, "domain-conflict", `This starts with \`${found}\`, but the domain is \`${stated}\`.`);
      const used = stated || given.get(REFERENCE_FIELD.domain);
      return { domain: used === undefined ? null : labels.labelOf(used), name: alias };
    }

    /** The key in a cell, without the domain of another service if a flag gives the domain to use. Null if it is not valid. */
    function keyAt(path: string, isLabel: (text: string) => boolean): SheetShortUrl | null {
      const read = keyIn(cellAt(path), isLabel);
      if ("problem" in read) return refuse(path, read.problem);
      return !hasDomainFlag || ownDomains.has(read.domain.toLowerCase()) ? read : { ...read, domain: "" };
    }

    function readFields(): void {
      for (const field of blockFields(kind)) {
        const { path } = field;
        if (path === REFERENCE_FIELD.domain) continue;
        if (field.kind === "secret") readSecret(path);
        else if (field.kind === "instant") readInstant(path, field.timePath);
        else {
          const column = columns.get(path);
          const cell = cellAt(path) || (given.get(path) ?? "");
          if (cell !== "") {
            const isName = (text: string): boolean => pixels.has(fold(text));
            const read = cellContent(field, cell, { separator: column?.separator ?? ",", isName });
            if ("problem" in read) refuse(path, read.problem);
            else values.set(path, read.content);
          } else if (field.required && column !== undefined) values.set(path, null);
          if (field.kind === "map") readMembers(path);
        }
      }
    }

    /** A secret is in its own column, or its path is in the `secrets` column. Only a variable for it is written, or `none`. */
    function readSecret(path: string): void {
      const cell = cellAt(path);
      const listed = cellAt("secrets").split(/[;,\s]+/);
      if (listed.includes(path) || hasSecret(cell, columns.get(path)?.isPresence === true)) {
        const variable = names.nameOf(name ?? "", path, row.number);
        variables.push(variable);
        values.set(path, { entries: [{ key: "env", value: variable }], inline: true });
      } else if (cell.toLowerCase() === NONE) values.set(path, NONE);
    }

    /** A map with one column for each key. */
    function readMembers(path: string): void {
      const own = [...columns.values()].flatMap(({ target: { path: full, field, member } }) => {
        const value = member !== null && field?.path === path ? cellAt(full) : "";
        return member === null || value === "" ? [] : [{ key: member, value }];
      });
      const known = values.get(path);
      const before = isBlock(known) ? known.entries : [];
      if (own.length > 0) values.set(path, { entries: [...before, ...own] });
    }

    function readInstant(path: string, timePath: string): void {
      const [cell, clock] = [cellAt(path), cellAt(timePath)];
      if (cell === "" && clock !== "")
        report(timePath, "import-value", "This row has a time, but no date.", "Add the date, or clear the cell.");
      const isNone = cell.toLowerCase() === NONE;
      if (isNone) values.set(path, NONE);
      const moment = cell === "" || isNone ? null : momentAt(path);
      if (moment === null) return;
      values.set(path, moment.date);
      const time = clock === "" ? moment.time : clockOf(clock);
      if (time !== null) values.set(timePath, time);
      else if (clock !== "")
        refuse(timePath, { reason: "is not a time of day", hint: "Write it as HH:MM, without a time zone." });
    }

    /** Null if the cell is not valid. */
    function momentAt(path: string) {
      const read = momentOf(cellAt(path), columns.get(path)?.order ?? null, project.zone);
      return "problem" in read ? refuse(path, read.problem) : read.moment;
    }

    /** UTM values from their columns and, if the project uses `utm`, from the URLs. */
    function readUtm(): void {
      const all = UTM_KEYS.map((key) => [key, cellAt(utmPath(key))] as const);
      const cells: UtmValues = new Map(all.filter(([, cell]) => cell !== ""));
      if (!splitsUrls && cells.size === 0) return;
      const split = splitUrls(values, cells);
      for (const [path, value] of split?.addresses ?? []) values.set(path, contentOf(value));
      for (const [key, value] of new Map([...(split?.utm ?? []), ...cells]))
        if (inherited.get(key) !== value) values.set(utmPath(key), value);
      // A URL that `utm` cannot express must not get the parameters of the defaults.
      if (split === null && cells.size === 0 && inherited.size > 0) values.set("utm", NONE);
    }

    function readUnsent(): void {
      const all = cellAt("owner").split(/\s*[;\n]\s*/);
      const [owner, ...others] = all.filter((one) => one !== "");
      if (owner !== undefined) values.set("owner", others.length === 0 ? owner : [owner, ...others]);
      const review = cellAt("review_by") === "" ? null : momentAt("review_by");
      if (review !== null) values.set("review_by", review.date);
      const note = cellAt("note");
      if (note !== "") values.set("note", note);
    }
  }
}

function readColumn({ rows }: Sheet, index: number, target: Target, dateOrder: DateOrder | null): ReadColumn {
  const kind = target.field?.kind;
  const isRead = kind === "references" || kind === "instant" || target.path === "review_by";
  const cells = isRead ? rows.map((row) => row.cells[index] ?? "") : [];
  const isPresence = kind === "secret" && isPresenceIn(rows, index);
  return { index, target, separator: separatorOf(cells), order: dateOrder ?? orderOf(cells), isPresence };
}

/** The labels and names of all domains in the files, in lower case. */
function domainsOf({ domains, declarations, tombstones }: Project): ReadonlySet<string> {
  const labelled = domains.flatMap(({ label, name }) => [label, name ?? label]);
  const declared = [...declarations, ...tombstones].flatMap(({ domain }) => domain ?? []);
  return new Set([...labelled, ...declared].map((domain) => domain.toLowerCase()));
}

/** A group with no fields and nothing active is implied. */
function dropImplied(values: Map<string, YamlContent>): void {
  for (const [group, { active }] of Object.entries(GROUPS)) {
    const choice = groupFields(group).find(({ path }) => path === active);
    const others = groupFields(group).filter((field) => field !== choice);
    if (choice === undefined || others.some(({ path }) => values.has(path))) continue;
    if (values.get(choice.path) === choice.default) values.delete(choice.path);
  }
}

/**
 * The UTM values of the URLs of a row, and the URLs without them. Null if a URL would keep a parameter: `utm` cannot express it, such as in
 * another order, or its column has another value, which is reported.
 */
function splitUrls(values: ReadonlyMap<string, YamlContent>, cells: UtmValues): UtmForm | null {
  const form = utmForm({ get: (path) => valueOf(values.get(path)) }, new Map(), () => undefined);
  const isAsInCells = [...form.utm].every(([key, value]) => (cells.get(key) ?? value) === value);
  const isSplit = [...form.addresses.values()].flatMap(addressesIn).every((url) => utmParametersIn(url).length === 0);
  return isAsInCells && isSplit ? form : null;
}

/** In the form of plans. */
function valueOf(content: YamlContent | undefined): Value | undefined {
  if (!isBlock(content)) return content;
  return content.entries.map(({ key, value }): Pair => [key, typeof value === "string" ? value : ""]);
}

/** In the form of files. */
function contentOf(value: Value): YamlContent {
  return isPairs(value) ? { entries: value.map(([key, url]) => ({ key, value: url })) } : value;
}
