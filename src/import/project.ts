// The project and the file that rows are imported into, and the text of that file.

import path from "node:path";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { isJsonFile } from "../config/json.ts";
import { loadFrom, type ReadResources, type Loaded } from "../config/load.ts";
import { Labels } from "../config/keys.ts";
import { errorsIn } from "../domain/diagnostic.ts";
import type { Declared, Project } from "../domain/project.ts";
import { compareText } from "../domain/place.ts";
import { REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { FileOutline } from "../edit/outline.ts";
import { ProjectFolder } from "../files/folder.ts";
import { entry, type TreeEntry } from "../config/yaml.ts";
import { writeEdits } from "../edit/writer.ts";
import { Refusal } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { documentFinder, newFileText, newPaths, resourceSchemaLine } from "../pull/new-blocks.ts";
import { UserError, usageError } from "../errors.ts";
import { openProject } from "../session/project.ts";
import { rowKey, type ReadRow } from "./rows.ts";

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
