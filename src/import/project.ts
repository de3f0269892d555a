// The project that rows are imported into: the file they go into, and what the files would say with them.

import path from "node:path";
import { folderSource, overlayFiles, type FileSource } from "../config/file-source.ts";
import { labelsOf, type Labels } from "../config/keys.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { findProjectFile } from "../config/project-file.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Declared, Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ProjectFolder } from "../files/folder.ts";
import { resourceSchemaFor, schemaLine } from "../edit/schema-line.ts";
import { grownFile, newFile, type BuiltFile, type RowBlock } from "./yaml-file.ts";
import type { YamlEntry } from "../edit/yaml-text.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { fileForSheet, isThere, namedFile } from "./target-file.ts";
import { finishInterrupted } from "../session/unfinished.ts";

export interface ImportTarget {
  readonly project: Project;
  readonly folder: string;
  /** From the project folder, with `/`. */
  readonly file: string;
  /** Null where it is a new file. */
  readonly before: string | null;
  readonly labels: Labels;
  /** Every domain that the files name, in small letters. */
  readonly domains: ReadonlySet<string>;
  /** What defaults give to its links, by path. */
  readonly given: ReadonlyMap<string, Declared>;
  readonly build: (shared: readonly YamlEntry[], blocks: readonly RowBlock[]) => BuiltFile;
  /** Every finding about the project with this text in the file. */
  readonly check: (text: string) => Promise<readonly Diagnostic[]>;
}

/** Opens the project; `problems` are mistakes that its files have already. `sheet` is empty for what is piped in. */
export async function openTarget(
  world: World,
  flags: CommonFlags & { readonly into?: string; readonly dryRun?: boolean },
  { sheet, kind }: { readonly sheet: string; readonly kind: ResourceKind },
): Promise<ImportTarget | { readonly problems: readonly Diagnostic[] }> {
  const found = await findProjectFile(world.cwd, flags.config);
  if (flags.dryRun !== true) await finishInterrupted(world, new ProjectFolder(path.dirname(found)));
  const [folder, projectFile] = [path.dirname(found), path.basename(found)];
  const source = folderSource(folder, world.clock);
  const load = (texts: ReadonlyMap<string, string>): Promise<Loaded> =>
    loadFrom(overlayFiles(source, texts), projectFile, { now: world.now() });
  const first = await load(new Map());
  const reads = { source, projectFile, globs: first.globs };
  const file = flags.into === undefined ? fileForSheet(kind, sheet, first.globs) : await namedFile(flags.into, reads);
  const before = await textOf(folder, file);
  if (before !== null && flags.into === undefined) throw isThere(file);
  // A glob that only the new file matches is no mistake any more.
  const loaded = first.project === null && before === null ? await load(new Map([[file, ""]])) : first;
  if (loaded.project === null) return { problems: loaded.diagnostics.filter((one) => hasErrors([one])) };
  const { project } = loaded;
  const head = before === null ? await headOf(source, file, loaded.files[0] ?? "") : "";
  return {
    project,
    folder,
    file,
    before,
    labels: labelsOf(project.domains),
    domains: domainsOf(project),
    given: loaded.documents.findLast((one) => one.file === file)?.linkDefaults ?? loaded.linkDefaults,
    build: (shared, blocks) =>
      before === null ? newFile(kind, { head, shared, blocks }) : grownFile(kind, { file, before, blocks }),
    check: async (text) => (await load(new Map([[file, text]]))).diagnostics,
  };
}

/** Every text by which the files mean a domain. */
function domainsOf({ domains, declarations, tombstones }: Project): ReadonlySet<string> {
  const labelled = domains.flatMap(({ label, name }) => [label, name ?? label]);
  const declared = [...declarations, ...tombstones].flatMap(({ domain }) => domain ?? []);
  return new Set([...labelled, ...declared].map((domain) => domain.toLowerCase()));
}

/** The first line of a new file. */
async function headOf(source: FileSource, file: string, projectFile: string): Promise<string> {
  const project = await source.read(projectFile);
  return schemaLine(resourceSchemaFor("text" in project ? project.text : "", file));
}

/** The text of a file of the folder; null if there is none. Throws a path error for one that a link leads out of the folder. */
async function textOf(folder: string, file: string): Promise<string | null> {
  const project = new ProjectFolder(folder);
  project.locate(file);
  const found = project.resolve(file);
  return "type" in found && found.type === "missing" && found.link === null
    ? null
    : (await project.read(file)).toString("utf8");
}
