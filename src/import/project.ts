// The project and the file that rows are imported into.

import path from "node:path";
import { findIn, folderSource, overlayFiles, type FileSource } from "../config/file-source.ts";
import { isJsonFile } from "../config/json.ts";
import { labelsOf, type Labels } from "../config/keys.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Declared, Project } from "../domain/project.ts";
import { compareText, showPlace } from "../domain/place.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import { FileOutline } from "../edit/outline.ts";
import { ProjectFolder } from "../files/folder.ts";
import { resourceSchemaFor, schemaLine } from "../edit/schema-line.ts";
import { entry, type TreeEntry, type TreeNode } from "../config/yaml.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { FileNames } from "../pull/file-names.ts";
import { UserError, usageError } from "../errors.ts";
import { openProject } from "../session/project.ts";

export interface ImportTarget {
  readonly project: Project;
  readonly folder: string;
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  /** Null for a new file. */
  readonly before: string | null;
  readonly labels: Labels;
  /** Every domain that the files name, in lower case. */
  readonly domains: ReadonlySet<string>;
  /** The defaults for links in the file, by path. */
  readonly given: ReadonlyMap<string, Declared>;
  /** The lines above everything else in a new file. */
  readonly head: string;
  /** `defaults` and `unspecified` of the document that the rows go to. */
  readonly inherited: readonly TreeEntry[];
  /** The project with these rows. */
  readonly load: (rows: ResourceRows) => Promise<Loaded>;
  /** The project with this text in the file. */
  readonly loadText: (text: string) => Promise<Loaded>;
}

/** Rows as resources, and the name of their sheet. */
interface ResourceRows {
  readonly name: string;
  readonly documents: readonly TreeNode[];
}

/** Opens the project. `problems` are the errors that its files already have. `sheet` is empty for standard input. */
export async function openTarget(
  world: World,
  flags: CommonFlags & { readonly into?: string },
  { sheet, kind }: { readonly sheet: string; readonly kind: ResourceKind },
): Promise<ImportTarget | { readonly problems: readonly Diagnostic[] }> {
  const first = await openProject(world, flags);
  const { folder, file: projectFile } = first;
  const source = folderSource(folder, world);
  const load = (texts: ReadonlyMap<string, string>, ...rows: readonly ResourceRows[]): Promise<Loaded> =>
    loadFrom(overlayFiles(source, texts), projectFile, { now: world.now() }, rows);
  const reads = { source, projectFile, globs: first.globs };
  const file = flags.into === undefined ? fileForSheet(kind, sheet, first.globs) : await namedFile(flags.into, reads);
  const before = await fileText(folder, file);
  if (before !== null && flags.into === undefined) throw isThere(file);
  // The new file may be the only one that a glob matches.
  const empty = new Map(before === null ? [[file, ""]] : []);
  const loaded = first.project === null && before === null ? await load(empty) : first;
  if (loaded.project === null) return { problems: loaded.diagnostics.filter((one) => hasErrors([one])) };
  const { project } = loaded;
  const text = (before ?? "").replace(/^\uFEFF/, "");
  const root = new FileOutline(text, file).documentFor(SECTION[kind])?.root;
  const isRoot = ({ place }: Loaded["documents"][number]): boolean =>
    root !== undefined && showPlace(place) === showPlace(root.place);
  const schema = resourceSchemaFor(first.texts.get(projectFile) ?? "", file);
  return {
    project,
    folder,
    file,
    before,
    labels: labelsOf(project.domains),
    domains: domainsOf(project),
    given: loaded.documents.find(isRoot)?.linkDefaults ?? loaded.linkDefaults,
    head: schemaLine(schema),
    inherited: ["defaults", "unspecified"].flatMap((key) => entry(root, key) ?? []),
    load: (rows) => load(empty, rows),
    loadText: (written) => load(new Map([[file, written]])),
  };
}

/** The declarations without their places, to compare what was checked with what is written. */
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

/** The labels and names of all domains in the files. */
function domainsOf({ domains, declarations, tombstones }: Project): ReadonlySet<string> {
  const labelled = domains.flatMap(({ label, name }) => [label, name ?? label]);
  const declared = [...declarations, ...tombstones].flatMap(({ domain }) => domain ?? []);
  return new Set([...labelled, ...declared].map((domain) => domain.toLowerCase()));
}

/** The text of a file; null if it does not exist. Throws a path error for a link that leads out of the folder. */
async function fileText(folder: string, file: string): Promise<string | null> {
  const project = new ProjectFolder(folder);
  project.locate(file);
  const found = project.resolve(file);
  if (!("type" in found) || found.type !== "missing") return (await project.read(file)).toString("utf8");
  if (found.link !== file) return null;
  throw wrong(`${file} is a symbolic link to a file that does not exist.`, "Remove the link, or choose another file.");
}

/** The name of the new file for standard input. */
const NAMELESS = "imported";

interface Reads {
  readonly source: FileSource;
  readonly projectFile: string;
  readonly globs: readonly string[];
}

/** The path in `--into`, relative to the project folder and with `/`. Throws a user error if the project would not read it. */
async function namedFile(into: string, { source, projectFile, globs }: Reads): Promise<string> {
  const file = path.posix.normalize(into.replaceAll("\\", "/"));
  if (path.isAbsolute(into) || file === ".." || file.startsWith("../"))
    throw wrong(
      `${into} is outside the project folder.`,
      "Choose a file in the project folder: --into links/new.yaml.",
    );
  if (isJsonFile(file)) throw wrong("The rows are written as YAML, not JSON.", "Choose a file such as links/new.yaml.");
  const found = globs.map((pattern) => ({ pattern, place: null }));
  const { files } = await findIn(overlayFiles(source, new Map([[file, ""]])), projectFile, found);
  if (file === projectFile || files.includes(file)) return file;
  const folder = path.posix.dirname(file);
  const listed = globs.map((glob) => `\`${glob}\``).join(", ");
  const glob = folder === "." ? file : `${folder}/**/*.yaml`;
  throw wrong(
    `The project does not read ${file}, because it does not match \`files\` (${listed}).`,
    `Choose a file that matches, or add \`${glob}\` to \`files\` in ${projectFile}.`,
  );
}

/** A new file with the name of the sheet. Throws a user error if no glob matches a new file. */
function fileForSheet(kind: ResourceKind, sheet: string, globs: readonly string[]): string {
  const name = sheet === "" ? NAMELESS : path.basename(sheet).replace(/\.[a-z]{1,4}$/i, "");
  return new FileNames(globs, []).pathFor(kind, name, NAMELESS);
}

function isThere(file: string): UserError {
  const other = path.posix.join(path.posix.dirname(file), "NAME.yaml");
  return wrong(
    `${file} already exists.`,
    `To add the rows to this file, pass --into ${file}. To create another file, pass --into ${other}.`,
  );
}

function wrong(message: string, hint: string): UserError {
  return usageError("wrong-into", message, hint);
}
