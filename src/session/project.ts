// Finding and loading the project that a command works on, and its base.

import path from "node:path";
import { openBase, type OpenedBase } from "../config/base.ts";
import { findProjectFile } from "../config/project-file.ts";
import { loadProject, type Loaded } from "../config/load.ts";
import { ProjectFolder } from "../files/folder.ts";
import type { CommonFlags, World } from "./context.ts";
import { finishInterrupted } from "./unfinished.ts";

/** A loaded project, and where its project file is. */
export interface OpenedProject extends Loaded {
  readonly folder: string;
  /** The project file's name in it. */
  readonly file: string;
}

/**
 * Loads the project of `--config`, or the one found upwards from the working directory. `mayWrite`: finishes first what a command that was
 * killed has left half written.
 */
export async function openProject(world: World, flags: CommonFlags, mayWrite: boolean = false): Promise<OpenedProject> {
  const file = await findProjectFile(world.cwd, flags.config);
  if (mayWrite) await finishInterrupted(world, new ProjectFolder(path.dirname(file)));
  return {
    ...(await loadProject(file, world.now(), world.clock)),
    folder: path.dirname(file),
    file: path.basename(file),
  };
}

/** The same project as it was at a ref or commit. Throws a user error where that can't be read. */
export async function openBaseOf(
  world: World,
  ref: string,
  { folder, file, address }: Pick<OpenedProject, "folder" | "file" | "address">,
  flags: { readonly baseUrl?: string } = {},
): Promise<OpenedBase> {
  try {
    const present = { address: address?.value ?? null, pinned: flags.baseUrl ?? null };
    return await openBase(folder, file, ref, world.env, present);
  } catch (cause) {
    // Ctrl-C on a terminal ends git, too.
    world.signal.throwIfAborted();
    throw cause;
  }
}
