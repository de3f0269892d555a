// `linkform validate --fix`: makes the fixes that have exactly one right answer.

import { folderSource, overlayFiles } from "../config/file-source.ts";
import { loadFrom, type Loaded } from "../config/load.ts";
import { limitDiagnostics, mergeIdentical } from "../domain/diagnostic.ts";
import { applyFixes } from "../edit/fixes.ts";
import { UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles } from "../files/write-files.ts";
import type { World } from "../session/context.ts";
import { readTexts, type OpenedProject } from "../session/project.ts";
import type { ValidateReport } from "../view/report.ts";

/** A fix can uncover the next mistake in the same value. */
const MAX_ROUNDS = 5;

export interface FixedProject {
  /** The project with the fixes. */
  readonly opened: OpenedProject;
  readonly fixes: NonNullable<ValidateReport["fixes"]>;
}

/** Fixes these files of a project, and loads it again. Without `isWritten`, the fixes stay in memory. */
export async function fixProject(
  { now, clock, env }: Pick<World, "now" | "clock" | "env">,
  opened: OpenedProject,
  files: ReadonlySet<string>,
  isWritten: boolean,
): Promise<FixedProject> {
  const source = folderSource(opened.folder, { clock, env });
  const load = (changed: ReadonlyMap<string, string>): Promise<Loaded> =>
    loadFrom(overlayFiles(source, changed), opened.file, { now: now() }, opened.resources);
  // Read first: if somebody changes a file from here on, nothing is written.
  const before = await readTexts({ folder: opened.folder, files: [...files].filter((file) => opened.texts.has(file)) });
  const changed = new Map<string, string>();
  let loaded = await load(changed);
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const texts = new Map([...loaded.texts].filter(([file]) => files.has(file)));
    const fixed = applyFixes(texts, loaded.diagnostics);
    if (fixed.count === 0) break;
    for (const [file, text] of fixed.texts) changed.set(file, text);
    count += fixed.count;
    loaded = await load(changed);
  }
  const edits = [...changed].map(([file, text]) => {
    const old = before.get(file) ?? "";
    return { file, before: old, after: old.startsWith("\uFEFF") ? `\uFEFF${text}` : text };
  });
  const problem =
    isWritten && edits.length > 0
      ? await writeFiles(
          new ProjectFolder(opened.folder),
          new Map(edits.map(({ file, after }) => [file, after])),
          new Map(edits.map((edit) => [edit.file, edit.before])),
        )
      : null;
  if (problem !== null)
    throw new UserError(problem.code, problem.message, problem.hint === null ? {} : { hint: problem.hint });
  const diagnostics = limitDiagnostics(mergeIdentical(loaded.diagnostics));
  return { opened: { ...opened, ...loaded, diagnostics }, fixes: { isWritten, count, edits } };
}
