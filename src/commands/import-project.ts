// The project that rows are imported into: the file they go into, and what the files would say with them.

import { lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { folderSource } from "../config/folder.ts";
import { labelsOf, type Labels } from "../config/labels.ts";
import { loadFrom, readGlobs } from "../config/load.ts";
import { overlaid } from "../config/overlay.ts";
import { findProjectFile } from "../config/project-file.ts";
import type { FileSource } from "../config/source.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { newFile, type BuiltFile } from "../edit/import/yaml-file.ts";
import { EXIT, UserError } from "../errors.ts";
import type { Entry } from "../report/yaml.ts";
import type { CommonFlags, World } from "./context.ts";
import { chooseFile, schemaLine } from "./import-file.ts";

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
  readonly build: (shared: readonly Entry[], blocks: readonly Entry[]) => BuiltFile;
  /** Every finding about the project with this text in the file. */
  readonly check: (text: string) => Promise<readonly Diagnostic[]>;
}

/** Opens the project; `problems` are mistakes that its files have already. */
export async function openTarget(
  world: World,
  flags: CommonFlags & { readonly into?: string },
  { sheet, kind }: { readonly sheet: string; readonly kind: ResourceKind },
): Promise<ImportTarget | { readonly problems: readonly Diagnostic[] }> {
  const projectFile = await findProjectFile(world.cwd, flags.config);
  const [folder, name] = [path.dirname(projectFile), path.basename(projectFile)];
  const source = folderSource(folder);
  const globs = await readGlobs(source, name);
  const { file, before } = await chooseFile(
    source,
    { file: name, globs },
    { into: flags.into, sheet, before: (one) => textOf(folder, one) },
  );
  // A glob that names the new file's folder alone matches nothing yet.
  const base = before === null ? overlaid(source, new Map([[file, ""]])) : source;
  const loaded = await loadFrom(base, name, { now: world.now() });
  if (loaded.project === null) return { problems: loaded.diagnostics.filter((one) => hasErrors([one])) };
  const { project } = loaded;
  const labels = labelsOf(project.domains);
  const head = before === null ? await headOf(source, file, loaded.files) : "";
  return {
    project,
    folder,
    file,
    before,
    labels,
    domains: domainsOf(project),
    build: (shared, blocks) => newFile(kind, { head, shared, blocks }),
    check: async (text) => {
      const next = await loadFrom(overlaid(source, new Map([[file, text]])), name, { now: world.now() });
      return next.diagnostics;
    },
  };
}

/** Every text by which the files mean a domain. */
function domainsOf({ domains, declarations, tombstones }: Project): ReadonlySet<string> {
  const labelled = domains.flatMap(({ label, name }) => [label, name ?? label]);
  const declared = [...declarations, ...tombstones].flatMap(({ domain }) => domain ?? []);
  return new Set([...labelled, ...declared].map((domain) => domain.toLowerCase()));
}

async function headOf(source: FileSource, file: string, files: readonly string[]): Promise<string> {
  // The first is the project file, which has a schema of its own.
  const others = files.slice(1).filter((one) => one !== file);
  const read = await Promise.all(
    others.slice(0, 20).map(async (one) => {
      const content = await source.read(one);
      return { file: one, text: "text" in content ? content.text : "" };
    }),
  );
  return schemaLine(file, read);
}

/** The text of a file of the folder; null where there is none. Nothing is written where a link leads out of the folder. */
async function textOf(folder: string, file: string): Promise<string | null> {
  const target = path.join(folder, file);
  if ((await lstat(target).catch(() => null)) !== null) return readFile(target, "utf8");
  let above = path.dirname(target);
  while ((await lstat(above).catch(() => null)) === null) above = path.dirname(above);
  const relative = path.relative(await realpath(folder), await realpath(above));
  if (relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    throw new UserError("wrong-into", `${file} lies behind a link that leads out of the project folder.`, {
      hint: "Name a file below the project file: --into links/new.yaml.",
      exit: EXIT.usage,
    });
  return null;
}
