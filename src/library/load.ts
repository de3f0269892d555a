// `loadProject`: loads the files of a project, and of its base.

import path from "node:path";
import { openBase, type OpenedBase } from "../config/base.ts";
import { loadProject as loadFiles } from "../config/load.ts";
import { projectFileAt } from "../config/project-files.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { showKey, type Project as Files } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import type { Environment, LoadedProject, Project } from "./types.ts";

/** Options of `loadProject`. */
export interface LoadOptions {
  /**
   * A git commit, branch or tag to compare the files with, as with `--base` on the command line. Plans then show where each change
   * comes from, and `prune: removed` works. It needs git.
   */
  readonly base?: string | undefined;
  /** Environment variables for git, such as `PATH` and `HOME`. Variables of linkform are not passed on. Default: none. */
  readonly env?: Environment | undefined;
}

/**
 * The internal data of the objects that the library returns. Callers cannot create such an object, or change a plan before it is applied.
 */
export class Internals<Shown extends object, Inner> {
  readonly #maker: string;
  readonly #inner = new WeakMap<Shown, Inner>();

  /** `maker` is the function that returns these objects; messages name it. */
  constructor(maker: string) {
    this.#maker = maker;
  }

  keep(shown: Shown, inner: Inner): Shown {
    this.#inner.set(shown, inner);
    return shown;
  }

  /** Throws a user error for another object, such as a copy. */
  of(shown: Shown): Inner {
    const inner = this.#inner.get(shown);
    if (inner !== undefined) return inner;
    throw new UserError("not-made-here", `This object was not returned by ${this.#maker}.`, {
      hint: `Pass the object that ${this.#maker} returns, and not a copy or an object of another process.`,
    });
  }
}

export interface ProjectInternals {
  readonly files: Files;
  readonly folder: string;
  readonly base: OpenedBase | null;
  readonly diagnostics: readonly Diagnostic[];
}

export const projects: Internals<Project, ProjectInternals> = new Internals("loadProject");

/**
 * Loads a project and validates it, without network access. `file` is the project file, or a folder with a `linkform.yaml`. A relative
 * path is relative to the working directory.
 *
 * All mistakes in the files are returned as diagnostics, each with file, line and column. It throws a `UserError` if there is no project
 * file (`no-project`), or if the base cannot be read (`base-missing` and other codes that start with `base-`).
 *
 * ```js
 * const { project, diagnostics } = await loadProject("short-links");
 * if (project === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
 * ```
 */
export async function loadProject(file: string, options: LoadOptions = {}): Promise<LoadedProject> {
  const found = await projectFileAt(file);
  const { env = {}, base: ref } = options;
  const { project: files, diagnostics, files: read } = await loadFiles(found, null, { env });
  if (files === null) return { project: null, diagnostics, files: read };
  const [folder, name, baseUrl] = [path.dirname(found), path.basename(found), files.baseUrl.value];
  const base = ref === undefined ? null : await openBase({ folder, file: name, addresses: [baseUrl] }, ref, env);
  if (base !== null && base.problem !== null) throw base.problem;
  const shown: Project = {
    folder,
    file: name,
    baseUrl,
    base: base && { ref: base.ref, commit: base.commit },
    declared: files.declarations.map((one) => ({ kind: one.kind, key: showKey(one), place: one.place })),
  };
  return { project: projects.keep(shown, { files, folder, base, diagnostics }), diagnostics, files: read };
}
