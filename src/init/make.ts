// Prepares and validates all files of `linkform init` in memory.

import { loadFrom } from "../config/load.ts";
import { overlayFiles } from "../config/file-source.ts";
import type { Live } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import type { LabeledName, NewProject } from "./new-project.ts";
import type { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import type { Account, FoundName } from "./service.ts";
import { checkInside, ignoreEdit, newFiles, separateExisting, sourceOf, type Answers, type NewFile } from "./files.ts";
import type { ProjectPlace } from "./place.ts";
import type { PulledProject } from "./pull.ts";

interface PreparedFiles {
  readonly edits: readonly NewFile[];
  /** Existing files, which stay as they are. */
  readonly existing: readonly NewFile[];
  /** Findings of the new project. Nothing is written if there are errors. */
  readonly problems: readonly Diagnostic[];
  /** The pulled state; null without `--pull`. */
  readonly pulled: PulledProject | null;
  /** Whether the files contain everything that this repository owns, and prune the rest. */
  readonly isComplete: boolean;
  /** Whether only the chosen domains and spaces were pulled. */
  readonly isPart: boolean;
}

/** Prepares the files. Reads the account if its live state is pulled. */
export async function prepareFiles(
  world: World,
  out: Console,
  place: ProjectPlace,
  answers: Answers,
): Promise<PreparedFiles> {
  const { edits, existing } = separateExisting(place, await newFiles(place, answers, false));
  const ignored = await ignoreEdit(place);
  if (ignored !== null) edits.push(ignored);
  const texts = new Map(edits.map(({ file, after }) => [file, after]));
  const source = sourceOf(place);
  const loaded = await loadFrom(overlayFiles(source, texts), place.file, { now: world.now() });
  const alone: PreparedFiles = {
    edits,
    existing,
    problems: loaded.diagnostics,
    pulled: null,
    isComplete: false,
    isPart: false,
  };
  const { keyed, start, project, account } = answers;
  // A project with existing files is not pulled into. `linkform pull` can change these files.
  const isNew = loaded.files.every((file) => texts.has(file));
  if (hasErrors(alone.problems) || start !== "pull" || keyed === null || !isNew) return alone;

  const { pullNewProject } = await import("./pull.ts");
  const wants = project === null || account === null ? null : selectChosen(project, account);
  const pulled = await pullNewProject(keyed, out, answers.baseUrl, { place, source, texts, wants });
  const more = [...pulled.texts].map(([file, after]): NewFile => ({ file, before: null, after }));
  checkInside(place, more);
  const others = edits.filter(({ file }) => !pulled.texts.has(file));
  const problems = [...alone.problems, ...pulled.problems];
  const all = { existing, pulled, edits: [...others, ...more], problems, isPart: wants !== null };
  if (project === null || project.owned === null || pulled.problems.length > 0) return { ...all, isComplete: false };
  const pruning = (await newFiles(place, answers, true)).find(({ file }) => file === place.file);
  const isComplete = pruning !== undefined && (await pulled.isEmptyWith(pruning.after));
  return {
    ...all,
    edits: all.edits.map((edit) => (isComplete && edit.file === place.file ? pruning : edit)),
    isComplete,
  };
}

/** Selects the links of the chosen domains and spaces; null for all. */
function selectChosen({ domains, spaces }: NewProject, account: Account): ((live: Live) => boolean) | null {
  const isPart = (chosen: readonly LabeledName[], all: readonly FoundName[]): boolean =>
    all.some(({ id }) => !chosen.some((one) => one.id === id));
  const named = (chosen: readonly LabeledName[]): ReadonlySet<Value | undefined> =>
    new Set(chosen.flatMap(({ label, name }) => [label, name]));
  const limits = [
    ...(isPart(domains, account.domains) ? [{ path: REFERENCE_FIELD.domain, names: named(domains) }] : []),
    // No other project claims links without a space.
    ...(isPart(spaces, account.spaces)
      ? [{ path: REFERENCE_FIELD.space, names: new Set([...named(spaces), null]) }]
      : []),
  ];
  return limits.length === 0 ? null : ({ values }) => limits.every(({ path, names }) => names.has(values.get(path)));
}
