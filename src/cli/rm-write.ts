// Replaces blocks by tombstones in the texts of the files, and plans the result before it is written.

import { loadFrom } from "../config/load.ts";
import { folderSource, overlayFiles } from "../config/file-source.ts";
import { groupBy } from "../domain/collections.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import type { Edit } from "../edit/edits.ts";
import { writeAll } from "../edit/writer.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { createPlan } from "../plan/plan.ts";
import { whatIsMissing } from "../plan/reading.ts";
import type { Reader } from "../service/service.ts";
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
  const removal =
    family === undefined
      ? "Remove the block by hand."
      : `Add \`{ ${family.combination.map(([key, value]) => `${key}: ${value}`).join(", ")} }\` to \`exclude\` of the family by hand.`;
  if (tombstone === null) return removal;
  const { key, id } = tombstone;
  const value = id === null ? `[${showKey(key)}]` : `{ ${showKey(key)}: { id: ${id} } }`;
  return `${removal} To delete the live ${kind}, write \`absent: { ${kind}s: ${value} }\`.`;
}

/** What was read, and the reader for more. */
export interface LiveAccess {
  readonly state: LiveState;
  readonly reader: Reader;
}

/**
 * Loads the changed project and plans its new tombstones against what was read. Returns errors of the files and of the plan, also if
 * the plan would do anything except delete these records; `isPlanned` is false if no plan could be made.
 */
export async function problemsOf(
  { folder, file }: OpenedProject,
  changed: ReadonlyMap<string, string>,
  removals: readonly RemovedBlock[],
  access: LiveAccess | null,
  now: string,
): Promise<{ readonly problems: readonly Diagnostic[]; readonly isPlanned: boolean }> {
  const wrong = (problems: readonly Diagnostic[]): { problems: readonly Diagnostic[]; isPlanned: boolean } => ({
    problems,
    isPlanned: false,
  });
  const source = overlayFiles(folderSource(folder), changed);
  const { project, diagnostics } = await loadFrom(source, file, { now });
  if (project === null) return wrong(diagnostics.filter(({ severity }) => severity === "error"));
  const added = removals.flatMap(({ declaration: { kind }, tombstone }) =>
    tombstone === null ? [] : [{ kind, id: tombstone.id, key: showKey(tombstone.key) }],
  );
  const tombstones = project.tombstones.filter((one) =>
    added.some(({ kind, id, key }) => one.kind === kind && one.id === id && showKey(one) === key),
  );
  if (tombstones.length < added.length)
    return wrong([unexpected("the new tombstones would be read differently than intended")]);
  const named = tombstones.filter(({ id }) => id !== null);
  if (access === null || named.length === 0) return wrong([]);
  const about = onlyThese(project, named);
  const plan = createPlan(about, await withNames(about, access), now, NO_OPTIONS);
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  // Whether other links confirm the domain is decided by the next plan, which reads them.
  if (errors.some(({ code }) => code.startsWith("unconfirmed"))) return wrong([]);
  if (hasErrors(errors)) return wrong(errors);
  const wanted = new Set(named.map(({ kind, id }) => `${kind} ${id}`));
  const isJust =
    plan.changes.length === wanted.size &&
    plan.changes.every((change) => change.action === "delete" && wanted.has(`${change.kind} ${change.live.id}`));
  return {
    problems: isJust ? [] : [unexpected("a plan of the new files would not delete exactly these objects")],
    isPlanned: isJust,
  };
}

/** Adds the lists of domains and spaces if the project names one that no record has. */
async function withNames(project: Project, { state, reader }: LiveAccess): Promise<LiveState> {
  const missing = whatIsMissing({ project, base: null }, state, false);
  const [domains, spaces] = await Promise.all([
    missing.domains && state.domains === null ? reader.names("domains") : state.domains,
    missing.spaces ? reader.names("spaces") : null,
  ]);
  return { ...state, domains, spaces };
}

/** The project without declarations and with these tombstones only. Protection and scope stay. */
function onlyThese(project: Project, tombstones: Project["tombstones"]): Project {
  const policy = { ...project.policy, prune: { mode: "none", place: null } } as const;
  return { ...project, declarations: [], tombstones, policy };
}

function unexpected(what: string): Diagnostic {
  return error(
    "rm-unexpected",
    `linkform did not write the files: ${what}.`,
    null,
    "This is a bug in linkform. Please report it together with the block.",
  );
}
