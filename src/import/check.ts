// Decides which rows can be written: loads them with the project, each as the tree of a resource file with places in the sheet.

import type { Loaded } from "../config/load.ts";
import { mapNode, type TreeNode } from "../config/yaml.ts";
import { errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { isAboutSending } from "../domain/rules.ts";
import { DESTINATION_FIELD, KEY_FIELD, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { isBlock, type YamlContent } from "../edit/yaml-text.ts";
import { rowProblem, type Sheet } from "./csv.ts";
import { columnFor, isSecretTarget, KEY_PATH, type MappedColumn, type MappedSheet } from "./columns.ts";
import type { ImportTarget } from "./project.ts";
import { rowKey, type ReadRow } from "./rows.ts";

export interface CheckedRows {
  readonly good: readonly ReadRow[];
  readonly bad: readonly ReadRow[];
  /** Errors that belong to no row. */
  readonly others: readonly Diagnostic[];
  /** The project with the good rows; with all rows if they are not left out. */
  readonly loaded: Loaded;
}

/** Without a column, the row as a whole. */
interface Cell {
  readonly read: ReadRow;
  readonly column: MappedColumn | undefined;
}

/**
 * Separates rows that can be written from rows with errors, and adds the errors of loading to their rows. `leavesOut` (`--skip-bad`): the
 * other rows must be valid without the rejected ones.
 */
export async function checkRows(
  rows: readonly ReadRow[],
  { sheet, kind, columns }: MappedSheet,
  target: ImportTarget,
  leavesOut: boolean,
): Promise<CheckedRows> {
  // Rows with errors are loaded, too, because they may have more errors.
  let candidates = rows.filter(({ name }) => name !== null);
  for (;;) {
    const cells = new Map<string, Cell>();
    const documents = candidates.map((read) => {
      const placeOf = (path: string): Place => {
        const column = columnOf(path, kind, columns, read);
        const place = sheet.placeOf(read.row, column?.index ?? null);
        cells.set(showPlace(place), { read, column });
        return place;
      };
      const keyPlace = placeOf("");
      const block = { key: rowKey(read), keyPlace, value: nodeOf({ entries: read.block }, "", placeOf) };
      const section = { key: SECTION[kind], keyPlace, value: mapNode([block], keyPlace) };
      return mapNode([...target.inherited, section], keyPlace);
    });
    const loaded = await target.load(target.before ?? "", { name: sheet.file, documents });
    const errors = errorsIn(loaded.diagnostics);
    // A pulled link in another file does not stop the import.
    const others = errors.filter((one) => !addToRow(one, cells, sheet) && !isAboutSending(one));
    const good = rows.filter(({ problems }) => problems.length === 0);
    if (good.length === candidates.length || !leavesOut)
      return { good, bad: rows.filter(({ problems }) => problems.length > 0), others, loaded };
    candidates = good;
  }
}

function nodeOf(content: YamlContent, path: string, placeOf: (path: string) => Place): TreeNode {
  const place = placeOf(path);
  if (content === null || typeof content !== "object")
    return { type: "scalar", text: content === null ? "" : String(content), value: content, place, broken: false };
  if (!isBlock(content)) return { type: "list", items: content.map((item) => nodeOf(item, path, placeOf)), place };
  const entries = content.entries.map(({ key, value }) => {
    const inner = path === "" ? key : `${path}.${key}`;
    return { key, keyPlace: placeOf(inner), value: nodeOf(value, inner, placeOf) };
  });
  return mapNode(entries, place);
}

/** The column of a path, of one above or below it, or of the key. */
function columnOf(
  path: string,
  kind: ResourceKind,
  columns: readonly MappedColumn[],
  { row }: ReadRow,
): MappedColumn | undefined {
  const isUtm = /^utm(?:\.|$)/.test(path);
  // UTM values without a cell come from the URL.
  const mapped = isUtm ? columns.filter(({ index }) => row.cells[index] !== "") : columns;
  for (let above = path; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf(".")))) {
    const column = columnFor(mapped, above);
    if (column !== undefined) return column;
  }
  const below = path === "" ? undefined : mapped.find(({ target }) => target?.path.startsWith(`${path}.`) === true);
  const others = [...(isUtm ? [DESTINATION_FIELD] : []), KEY_FIELD[kind], KEY_PATH, REFERENCE_FIELD.domain];
  return below ?? others.map((one) => columnFor(columns, one)).find((column) => column !== undefined);
}

/** Adds an error to the row that it is about, and returns whether there is one. The second place of a duplicate may be in a file. */
function addToRow({ place, also = [], ...rest }: Diagnostic, cells: ReadonlyMap<string, Cell>, sheet: Sheet): boolean {
  const places = [place, ...also.map((one) => one.place)].flatMap((one) => (one === null ? [] : [showPlace(one)]));
  const own = places.find((one) => cells.has(one)) ?? "";
  const cell = cells.get(own);
  if (cell === undefined) return false;
  const { read, column } = cell;
  // The message names the other place of a duplicate.
  const written = rest.message.replace(own, () => places[0] ?? own);
  const message = withCell(written, shownText(cell));
  // A cell has only the value, not the field.
  const hint = rest.hint?.replace(/^Write `[a-z_]+: ([^`]*)`\.$/, "Write `$1`.") ?? null;
  read.problems.push(rowProblem(sheet, read.row, column?.index ?? null, { code: rest.code, message, hint }));
  return true;
}

/** Empty if it must not be shown. */
function shownText({ read, column }: Cell): string {
  if (column === undefined || column.target?.path === KEY_PATH || isSecretTarget(column.target)) return "";
  return read.row.cells[column.index] ?? "";
}

/** The message with the content of the cell in place of the field at its start. */
function withCell(message: string, cell: string): string {
  if (cell === "") return message;
  const [, rest] = /^`[^`]+` ((?:must|cannot) .*)$/s.exec(message) ?? [];
  if (rest !== undefined) return `\`${cell}\` ${rest}`;
  return message.includes(cell) ? message : `\`${cell}\`: ${message}`;
}
