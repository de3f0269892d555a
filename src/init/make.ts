// All that `linkform init` writes, put together and tried in memory before any of it is written.

import { loadFrom } from "../config/load.ts";
import { overlayFiles } from "../config/file-source.ts";
import type { Live } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import type { ProjectAnswers, NewProject } from "./new-project.ts";
import type { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import type { Account, FoundAccount } from "./account.ts";
import { checkInside, ignoreEdit, newFiles, sortOut, sourceOf, type Answers, type NewFile } from "./files.ts";
import type { ProjectPlace } from "./place.ts";
import type { Brought } from "./pull.ts";

/** What is to be written. */
export interface Making {
  readonly edits: readonly NewFile[];
  /** What is there already. */
  readonly left: readonly NewFile[];
  /** What there is to say of the project as it will be: with an error among these nothing is to be written. */
  readonly problems: readonly Diagnostic[];
  /** What was brought in of what is live; null where nothing was to be. */
  readonly brought: Brought | null;
  /** Whether the files hold all that this repository owns, and prune the rest. */
  readonly isComplete: boolean;
  /** Whether only a part of what is live was to be brought in: what is on the domains and in the spaces that were chosen. */
  readonly isPart: boolean;
}

/** Makes the files; reads the account where what is live is to be among them. */
export async function makeFiles(world: World, out: Console, place: ProjectPlace, answers: Answers): Promise<Making> {
  const { edits, left } = sortOut(place, await newFiles(place, answers, false));
  const ignored = await ignoreEdit(place);
  if (ignored !== null) edits.push(ignored);
  const texts = new Map(edits.map(({ file, after }) => [file, after]));
  const source = sourceOf(place);
  const loaded = await loadFrom(overlayFiles(source, texts), place.file, { now: world.now() });
  const alone: Making = { edits, left, problems: loaded.diagnostics, brought: null, isComplete: false, isPart: false };
  const { keyed, start, project, account } = answers;
  // Files that are there are left as they are: `linkform pull` changes those, too.
  const isNew = loaded.files.every((file) => texts.has(file));
  if (hasErrors(alone.problems) || start !== "pull" || keyed === null || !isNew) return alone;

  const { bring } = await import("./pull.ts");
  const wants = project === null || account === null ? null : among(project, account);
  const brought = await bring(keyed, out, answers.baseUrl, { place, source, texts, wants });
  const more = [...brought.texts].map(([file, after]): NewFile => ({ file, before: null, after }));
  checkInside(place, more);
  const others = edits.filter(({ file }) => !brought.texts.has(file));
  const problems = [...alone.problems, ...brought.problems];
  const all = { left, brought, edits: [...others, ...more], problems, isPart: wants !== null };
  if (project === null || project.owned === null || brought.problems.length > 0) return { ...all, isComplete: false };
  const pruning = (await newFiles(place, answers, true)).find(({ file }) => file === place.file);
  const isComplete = pruning !== undefined && (await brought.isEmptyWith(pruning.after));
  return {
    ...all,
    edits: all.edits.map((edit) => (isComplete && edit.file === place.file ? pruning : edit)),
    isComplete,
  };
}

/** Which links are meant, where the files are about a part of what the account has; null: all. */
function among({ domains, spaces }: NewProject, account: Account): ((live: Live) => boolean) | null {
  const isPart = (chosen: readonly ProjectAnswers[], all: readonly FoundAccount[]): boolean =>
    all.some(({ id }) => !chosen.some((one) => one.id === id));
  const named = (chosen: readonly ProjectAnswers[]): ReadonlySet<Value | undefined> =>
    new Set(chosen.flatMap(({ label, name }) => [label, name]));
  const limits = [
    ...(isPart(domains, account.domains) ? [{ path: REFERENCE_FIELD.domain, names: named(domains) }] : []),
    // Links in no space are nobody else's.
    ...(isPart(spaces, account.spaces)
      ? [{ path: REFERENCE_FIELD.space, names: new Set([...named(spaces), null]) }]
      : []),
  ];
  return limits.length === 0 ? null : ({ values }) => limits.every(({ path, names }) => names.has(values.get(path)));
}
