// Replaces blocks by tombstones in the texts of the files, and loads the result before it is written.

import { loadFrom } from "../config/load.ts";
import { folderSource, overlayFiles } from "../config/file-source.ts";
import { groupBy } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { showKey, type Declaration, type WrittenKey } from "../domain/project.ts";
import type { Edit } from "../edit/edits.ts";
import { writeAll } from "../edit/writer.ts";
import type { OpenedProject } from "../session/project.ts";

export interface RemovedBlock {
  readonly declaration: Declaration;
  /** Null if no tombstone replaces the block. */
  readonly tombstone: { readonly key: WrittenKey; readonly id: number | null } | null;
}

/** The new texts of the files that change. A block that cannot be removed is a problem. */
export function withoutBlocks(
  texts: ReadonlyMap<string, string>,
  removals: readonly RemovedBlock[],
): { readonly changed: ReadonlyMap<string, string>; readonly problems: readonly Diagnostic[] } {
  const edits = removals.map((removal) => ({ removal, edit: editOf(removal) }));
  const byFile = groupBy(edits, ({ removal }) => removal.declaration.place.file);
  const { changed, leftAlone } = writeAll(
    texts,
    new Map([...byFile].map(([file, own]) => [file, own.map(({ edit }) => edit)])),
  );
  const problems = edits.flatMap(({ removal: { declaration, tombstone }, edit }) => {
    const reason = leftAlone.get(edit);
    if (reason === undefined) return [];
    const message = `linkform does not edit \`${showKey(declaration)}\`, because ${reason}.`;
    return [error("left-alone", message, declaration.place, byHand(declaration, tombstone))];
  });
  return { changed, problems };
}

function editOf({ declaration: { kind, place, family }, tombstone }: RemovedBlock): Edit {
  const removal: Edit[number] =
    family === undefined
      ? { step: "remove", at: place }
      : { step: "exclude", at: place, combination: family.combination };
  if (tombstone === null) return [removal];
  const { key, id } = tombstone;
  const takesComments = family === undefined;
  return [removal, { step: "tombstone", beside: place, kind, key: showKey(key), id, takesComments }];
}

function byHand({ kind, family }: Declaration, tombstone: RemovedBlock["tombstone"]): string {
  const removal = family === undefined ? "Remove it by hand." : "Add it to `exclude` of its family by hand.";
  if (tombstone === null) return removal;
  const { key, id } = tombstone;
  const value = id === null ? `[${showKey(key)}]` : `{ ${showKey(key)}: { id: ${id} } }`;
  return `${removal} To delete the live ${kind}, write \`absent: { ${kind}s: ${value} }\`.`;
}

/**
 * The problems of the changed project: the errors of its files, and an error if a new tombstone would be read differently. Whether a
 * plan can delete the objects is left to the next plan.
 */
export async function problemsOf(
  { folder, file }: OpenedProject,
  changed: ReadonlyMap<string, string>,
  removals: readonly RemovedBlock[],
  now: string,
): Promise<readonly Diagnostic[]> {
  const source = overlayFiles(folderSource(folder), changed);
  const { project, diagnostics } = await loadFrom(source, file, { now });
  if (project === null) return diagnostics.filter(({ severity }) => severity === "error");
  const isRead = ({ declaration: { kind }, tombstone }: RemovedBlock): boolean =>
    tombstone === null ||
    project.tombstones.some(
      (one) => one.kind === kind && one.id === tombstone.id && showKey(one) === showKey(tombstone.key),
    );
  if (removals.every(isRead)) return [];
  const hint = "This is a bug in linkform. Please report it together with the block.";
  return [error("rm-unexpected", "linkform did not write the files: a new tombstone would be lost.", null, hint)];
}
