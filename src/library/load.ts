// Files -> a project, with what they said at its base.

import path from "node:path";
import { openBase, type OpenedBase } from "../config/base.ts";
import { loadProject as loadFiles } from "../config/load.ts";
import { projectFileAt } from "../config/project-file.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { showKey, type Project as Files } from "../domain/project.ts";
import { Internals } from "./internals.ts";
import type { Environment, LoadedProject, Project } from "./types.ts";

/** What a project is read with. */
export interface LoadOptions {
  /**
   * A commit, branch or tag of git, as `--base` of the command line: what the files said there. With it plans say where a
   * change comes from, and `prune: removed` works. It takes git.
   */
  readonly base?: string | undefined;
  /** Variables that git runs with, as `PATH` and `HOME`; none of linkform's are passed on. Default: none. */
  readonly env?: Environment | undefined;
}

/** What stands behind a project. */
interface ProjectInternals {
  readonly files: Files;
  readonly folder: string;
  readonly base: OpenedBase | null;
  readonly diagnostics: readonly Diagnostic[];
}

export const projects: Internals<Project, ProjectInternals> = new Internals("loadProject");

/**
 * Reads a project and checks it, without network. `file` is its project file, or a folder that holds a `linkform.yaml`; a
 * relative path begins at the working directory.
 *
 * Mistakes in the files are returned, all of them, each with file, line and column. A `UserError` is thrown where there is no
 * project file (`no-project`), or where the base can't be read (`base-missing` and others that begin with `base-`).
 *
 * ```js
 * const { project, diagnostics } = await loadProject("short-links");
 * if (project === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
 * ```
 */
export async function loadProject(file: string, options: LoadOptions = {}): Promise<LoadedProject> {
  const found = await projectFileAt(file);
  const { project: files, diagnostics, files: read } = await loadFiles(found);
  if (files === null) return { project: null, diagnostics, files: read };
  const folder = path.dirname(found);
  const name = path.basename(found);
  const base =
    options.base === undefined
      ? null
      : await openBase(folder, name, options.base, options.env ?? {}, { address: files.baseUrl.value, pinned: null });
  const shown: Project = {
    folder,
    file: name,
    baseUrl: files.baseUrl.value,
    base: base && { ref: base.ref, commit: base.commit },
    declared: files.declarations.map((one) => ({ kind: one.kind, key: showKey(one), place: one.place })),
  };
  return { project: projects.keep(shown, { files, folder, base, diagnostics }), diagnostics, files: read };
}
