// The project that rows are imported into: its file, which rows it accepts, and the new text of the file.

import { Refusal } from "../config/located-error.ts";
import path from "node:path";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { isJsonFile } from "../config/json.ts";
import { Labels } from "../config/keys.ts";
import { type Loaded, type ReadResources, loadFrom } from "../config/load.ts";
import { type TreeEntry, type TreeNode, entry, mapNode } from "../config/yaml.ts";
import { type Diagnostic, errorsIn } from "../domain/diagnostic.ts";
import { type Place, compareText, showPlace } from "../domain/place.ts";
import type { Declared, Project } from "../domain/project.ts";
import { isAboutSending } from "../domain/rules.ts";
import { DESTINATION_FIELD, KEY_FIELD, REFERENCE_FIELD, type ResourceKind, SECTION } from "../domain/table.ts";
import { FileOutline, documentFinder } from "../edit/outline.ts";
import { writeEdits } from "../edit/writer.ts";
import { type YamlContent, isBlock } from "../edit/yaml-text.ts";
import { UserError, usageError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { newFileText, newPaths, resourceSchemaLine } from "../pull/new-files.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { openProject } from "../session/project.ts";
import { KEY_PATH, type MappedColumn, type MappedSheet, columnFor, isSecretTarget } from "./columns.ts";
import { type Sheet, rowProblem } from "./csv.ts";
import { type ReadRow, rowKey } from "./rows.ts";

export interface ImportTarget {
  readonly project: Project;
  readonly folder: ProjectFolder;
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  /** Null for a new file. */
  readonly before: string | null;
  /** The defaults for links in the file, by path. */
  readonly given: ReadonlyMap<string, Declared>;
  /** The first lines of a new file. */
  readonly head: string;
  /** `defaults` and `unspecified` of the document that the rows go to. */
  readonly inherited: readonly TreeEntry[];
  /** The project with this text in the file, and with rows as resources. */
  readonly load: (text: string, ...rows: readonly ReadResources[]) => Promise<Loaded>;
}

/** Opens the project. Throws a refusal if its files have errors. `sheet` is empty for standard input. */
export async function openTarget(
  world: World,
  flags: CommonFlags & { readonly into?: string },
  { sheet, kind }: { readonly sheet: string; readonly kind: ResourceKind },
): Promise<ImportTarget> {
  const first = await openProject(world, flags);
  const { file: projectFile, globs } = first;
  const source = await openFolder(first.folder, world);
  const folder = new ProjectFolder(first.folder);
  const load = (name: string, text: string, ...rows: readonly ReadResources[]): Promise<Loaded> =>
    loadFrom(overlayFiles(source, new Map([[name, text]])), projectFile, { now: world.now() }, rows);
  const name = sheet === "" ? "imported" : path.basename(sheet).replace(/\.[a-z]{1,4}$/i, "");
  const named = flags.into === undefined ? newPaths(globs, [])(kind, name) : pathInProject(flags.into);
  folder.locate(named);
  const found = folder.resolve(named);
  const isNew = "type" in found && found.type === "missing";
  const hint = "Remove the link, or choose another file.";
  if (isNew && found.link === named) throw wrong(`${named} is a symbolic link to a file that does not exist.`, hint);
  if (!isNew && flags.into === undefined) {
    const other = path.posix.join(path.posix.dirname(named), "NAME.yaml");
    const advice = `To add the rows to this file, pass --into ${named}. To create another file, pass --into ${other}.`;
    throw wrong(`${named} already exists.`, advice);
  }
  // The new file may be the only one that a glob matches.
  const isReloaded = isNew && (flags.into !== undefined || first.project === null);
  const loaded = isReloaded ? await load(named, "") : first;
  const file = flags.into === undefined ? named : nameInProject(named, loaded, folder, projectFile);
  const before = isNew ? null : (await folder.read(file)).toString("utf8");
  if (loaded.project === null) throw new Refusal(errorsIn(loaded.diagnostics));
  const root = new FileOutline(before ?? "", file).documentFor(SECTION[kind])?.root;
  const document = root && documentFinder(loaded.documents)(root.place);
  return {
    project: loaded.project,
    folder,
    file,
    before,
    given: document?.linkDefaults ?? loaded.linkDefaults,
    head: resourceSchemaLine(first.texts.get(projectFile) ?? "", file),
    inherited: ["defaults", "unspecified"].flatMap((key) => entry(root, key) ?? []),
    load: (written, ...rows) => load(file, written, ...rows),
  };
}

/** The declarations without their places, to compare what is checked with what is written. */
export function declaredBy({ declarations }: Loaded): string {
  const isPlace = (value: object): boolean => "file" in value && "line" in value;
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof Map) return [...value].toSorted(([a], [b]) => compareText(String(a), String(b)));
    return typeof value === "object" && value !== null && isPlace(value) ? true : value;
  };
  return declarations
    .map((one) => JSON.stringify(one, plain))
    .toSorted()
    .join("\n");
}

/** The text of the file with these rows. */
export function fileWith(
  kind: ResourceKind,
  { file, head, before, given, project }: ImportTarget,
  rows: readonly ReadRow[],
): string {
  const inherited = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof inherited === "string" ? new Labels(project.domains).labelOf(inherited) : null;
  const blocks = rows.map((read) => ({
    key: read.domain === known ? (read.name ?? "") : rowKey(read),
    value: { entries: read.block },
  }));
  if (before === null) return newFileText(kind, head, blocks);
  const { text, leftAlone } = writeEdits(before, file, [(into) => blocks.forEach((one) => into.add(kind, one, null))]);
  const [reason] = leftAlone.values();
  if (reason === undefined) return text;
  throw wrong(`linkform cannot add blocks to ${file}, because ${reason}.`, "Choose another file with --into.");
}

/** The path in `--into`, relative to the project folder and with `/`. */
function pathInProject(into: string): string {
  const file = path.posix.normalize(into.replaceAll("\\", "/"));
  if (!path.isAbsolute(into) && file !== ".." && !file.startsWith("../")) return file;
  throw wrong(`${into} is outside the project folder.`, "Choose a file in the project folder: --into links/new.yaml.");
}

/** The name under which the project reads a file: it may be a link. Throws a user error if it does not read it as YAML. */
function nameInProject(file: string, { files, globs }: Loaded, folder: ProjectFolder, projectFile: string): string {
  const realOf = (name: string): string => {
    const found = folder.resolve(name);
    return "path" in found ? found.path.join("/") : name;
  };
  const known = files.find((one) => realOf(one) === realOf(file));
  if (isJsonFile(known ?? file))
    throw wrong("The rows are written as YAML, not JSON.", "Choose a file such as links/new.yaml.");
  if (known !== undefined) return known;
  const parent = path.posix.dirname(file);
  const listed = globs.map((glob) => `\`${glob}\``).join(", ");
  const glob = parent === "." ? file : `${parent}/**/*.yaml`;
  const message = `The project does not read ${file}, because it does not match \`files\` (${listed}).`;
  if (path.posix.extname(file) === "")
    throw wrong(message, `Choose a file, such as ${path.posix.join(file, "new.yaml")}.`);
  throw wrong(message, `Choose a file that matches, or add \`${glob}\` to \`files\` in ${projectFile}.`);
}

function wrong(message: string, hint: string): UserError {
  return usageError("wrong-into", message, { hint });
}

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
      const placeOf = (field: string): Place => {
        const column = columnOf(field, kind, columns, read);
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

function nodeOf(content: YamlContent, field: string, placeOf: (field: string) => Place): TreeNode {
  const place = placeOf(field);
  if (content === null || typeof content !== "object")
    return { type: "scalar", text: content === null ? "" : String(content), value: content, place, broken: false };
  if (!isBlock(content)) return { type: "list", items: content.map((item) => nodeOf(item, field, placeOf)), place };
  const entries = content.entries.map(({ key, value }) => {
    const inner = field === "" ? key : `${field}.${key}`;
    return { key, keyPlace: placeOf(inner), value: nodeOf(value, inner, placeOf) };
  });
  return mapNode(entries, place);
}

/** The column of a field such as `expiration.date`, of one above or below it, or of the key. */
function columnOf(
  field: string,
  kind: ResourceKind,
  columns: readonly MappedColumn[],
  { row }: ReadRow,
): MappedColumn | undefined {
  const isUtm = /^utm(?:\.|$)/.test(field);
  // UTM values without a cell come from the URL.
  const mapped = isUtm ? columns.filter(({ index }) => row.cells[index] !== "") : columns;
  for (let above = field; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf(".")))) {
    const column = columnFor(mapped, above);
    if (column !== undefined) return column;
  }
  const below = field === "" ? undefined : mapped.find(({ target }) => target?.path.startsWith(`${field}.`) === true);
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
