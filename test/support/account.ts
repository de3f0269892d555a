// A project, as commands load it before they plan.

import { openFolder } from "../../src/config/checkout.ts";
import { overlayFiles } from "../../src/config/file-source.ts";
import { loadFrom, type Loaded } from "../../src/config/load.ts";
import type { Project } from "../../src/domain/project.ts";

export type LoadedProject = Loaded & { readonly project: Project };

/** The required lines of a project. Other text starts on line 3. */
const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";

/** Loads a project with this text in its only file. It must have no errors. */
export async function loadWith(text: string): Promise<LoadedProject> {
  // The file is not on disk.
  const source = overlayFiles(await openFolder(import.meta.dirname), new Map([["linkform.yaml", HEAD + text]]));
  const loaded = await loadFrom(source, "linkform.yaml");
  if (loaded.project === null) throw new Error(JSON.stringify(loaded.diagnostics, null, 1));
  return { ...loaded, project: loaded.project };
}
