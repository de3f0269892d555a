// Finding and loading the project that a command works on.

import path from "node:path";
import { findProjectFile } from "../config/project-file.ts";
import { loadProject, type Loaded } from "../config/load.ts";
import type { CommonFlags, World } from "./context.ts";

/** Loads the project of `--config`, or the one found upwards from the working directory. */
export async function openProject(world: World, flags: CommonFlags): Promise<Loaded & { readonly folder: string }> {
  const file = await findProjectFile(world.cwd, flags.config);
  return { ...(await loadProject(file)), folder: path.dirname(file) };
}
