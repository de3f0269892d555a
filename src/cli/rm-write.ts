// Blocks become tombstones in the texts of the files, and the files as they would be are loaded and planned.

import { loadFrom } from "../config/load.ts";
import { folderSource } from "../config/folder.ts";
import { overlaid } from "../config/overlay.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { showKey, type Declaration, type Project, type WrittenKey } from "../domain/project.ts";
import { EditedFiles } from "../edit/files.ts";
import { createPlan, NO_OPTIONS } from "../plan/plan.ts";
import { whatIsMissing } from "../plan/reading.ts";
import type { Reader } from "../service/service.ts";
import type { OpenedProject } from "../session/project.ts";

/** What becomes of a block. */
export interface RemovedBlock {
  readonly declaration: Declaration;
  /** The tombstone that takes its place; null where none does. */
  readonly tombstone: { readonly key: WrittenKey; readonly id: number | null } | null;
}

/** The texts of the files that change, with the blocks taken out. */
export function withoutBlocks(
  texts: ReadonlyMap<string, string>,
  removals: readonly RemovedBlock[],
): ReadonlyMap<string, string> {
  const files = new EditedFiles(texts);
  for (const { declaration, tombstone } of removals) {
    const { kind, place } = declaration;
    const file = files.at(place);
    if (tombstone === null) file.remove(place);
    else file.bury(place, kind, showKey(tombstone.key), tombstone.id);
  }
  return files.changed();
}

/** What was read, and a way to ask for more; null where nobody is asked. */
export interface Asking {
  readonly state: LiveState;
  readonly reader: Reader;
}

/**
 * Loads the project as it would be, and plans its new tombstones against what was read. Returns what is wrong: with the files, with
 * what the plan says, or because it would do anything else than delete just these rows; and whether a plan could be made.
 */
export async function problemsOf(
  { folder, file }: OpenedProject,
  changed: ReadonlyMap<string, string>,
  removals: readonly RemovedBlock[],
  asking: Asking | null,
  now: string,
): Promise<{ readonly problems: readonly Diagnostic[]; readonly isPlanned: boolean }> {
  const wrong = (problems: readonly Diagnostic[]): { problems: readonly Diagnostic[]; isPlanned: boolean } => ({
    problems,
    isPlanned: false,
  });
  const source = overlaid(folderSource(folder), changed);
  const { project, diagnostics } = await loadFrom(source, file, { now });
  if (project === null) return wrong(diagnostics.filter(({ severity }) => severity === "error"));
  const buried = removals.flatMap(({ declaration: { kind }, tombstone }) =>
    tombstone === null ? [] : [{ kind, id: tombstone.id, key: showKey(tombstone.key) }],
  );
  const tombstones = project.tombstones.filter((one) =>
    buried.some(({ kind, id, key }) => one.kind === kind && one.id === id && showKey(one) === key),
  );
  if (tombstones.length < buried.length)
    return wrong([unexpected("the tombstones would not be read as they were written")]);
  const named = tombstones.filter(({ id }) => id !== null);
  if (asking === null || named.length === 0) return wrong([]);
  const about = onlyThese(project, named);
  const plan = createPlan(about, await withNames(about, asking), now, NO_OPTIONS);
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  // A domain that only other links confirm is for the real plan to judge, which reads them.
  if (errors.some(({ code }) => code.startsWith("unconfirmed"))) return wrong([]);
  if (hasErrors(errors)) return wrong(errors);
  const wanted = new Set(named.map(({ kind, id }) => `${kind} ${id}`));
  const isJust =
    plan.changes.length === wanted.size &&
    plan.changes.every((change) => change.action === "delete" && wanted.has(`${change.kind} ${change.live.id}`));
  return { problems: isJust ? [] : [unexpected("a plan would not delete just these rows")], isPlanned: isJust };
}

/** What was read, with the lists of domains and spaces where the project names some that no row does. */
async function withNames(project: Project, { state, reader }: Asking): Promise<LiveState> {
  const missing = whatIsMissing({ project, base: null }, state, false);
  const [domains, spaces] = await Promise.all([
    missing.domains && state.domains === null ? reader.names("domains") : state.domains,
    missing.spaces ? reader.names("spaces") : null,
  ]);
  return { ...state, domains, spaces };
}

/** The project as far as these tombstones go, with what it protects and its scope. */
function onlyThese(project: Project, tombstones: Project["tombstones"]): Project {
  const policy = { ...project.policy, prune: { mode: "none", place: null } } as const;
  return { ...project, declarations: [], tombstones, policy };
}

function unexpected(what: string): Diagnostic {
  return error(
    "rm-unexpected",
    `With the files as they would be, ${what}.`,
    null,
    "Please report this, with the block.",
  );
}
