// A project that has no files yet, or not all that its globs name: a pull is what makes them.

import { folderSource, overlayFiles } from "../config/file-source.ts";
import { loadFrom } from "../config/load.ts";
import { FileNames } from "./file-names.ts";
import { UserError } from "../errors.ts";
import type { World } from "../session/context.ts";
import type { OpenedProject } from "../session/project.ts";

/** Loads a project once more, if all that is wrong with it are globs that match no file, as if each of them did. */
export async function openedForPull(world: World, opened: OpenedProject): Promise<OpenedProject> {
  const errors = opened.diagnostics.filter(({ severity }) => severity === "error");
  if (opened.project !== null || errors.some(({ code }) => code !== "no-such-files")) return opened;
  const empty = new Map(opened.globs.flatMap((glob) => newPathOf(glob, opened.files).map((file) => [file, ""])));
  const loaded = await loadFrom(overlayFiles(folderSource(opened.folder, world.clock), empty), opened.file, {
    now: world.now(),
  });
  return { ...opened, ...loaded, files: loaded.files.filter((file) => !empty.has(file)) };
}

function newPathOf(glob: string, files: readonly string[]): string[] {
  try {
    return [new FileNames([glob], files).pathFor("link", "links", "links")];
  } catch (cause) {
    // It names one file, which no new row goes into.
    if (cause instanceof UserError) return [];
    throw cause;
  }
}
