// The files of a new project: their texts, where they go, and their validation before anything is written.

import path from "node:path";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { errorsIn, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists } from "../files/named.ts";
import { writeFiles } from "../files/write-files.ts";
import { CI_TEXTS, ciFiles, exampleText, projectText } from "./new-project.ts";
import type { CiValues, FoundName, LabeledName, NewProject } from "./new-project.ts";
import type { FileEdit } from "../report/text-diff.ts";
import type { Account, InitContext, Reached } from "./service.ts";
import { findSchemas, type ProjectPlace } from "./place.ts";
import { loadFrom } from "../config/load.ts";
import type { PullCriteria } from "../pull/selection.ts";
import { pullInto, readForPull, type PullResult } from "../pull/pull.ts";
import { connectTo } from "../session/session.ts";

export interface Answers extends Reached {
  /** Null if the project already exists. */
  readonly project: NewProject | null;
  readonly ci: CiValues | null;
  readonly start: "pull" | "fresh" | null;
}

const EXAMPLE = "links/example.yaml";

async function newFiles(place: ProjectPlace, { project, ci, start }: Answers): Promise<FileEdit[]> {
  const files: FileEdit[] = [];
  const add = (file: string, after: string, isCopy = false): void =>
    void files.push({ file, before: null, after, isCopy });
  if (project !== null) {
    const schemas = await findSchemas(place);
    const schema = (name: string, from: string): string | null =>
      schemas === null ? null : path.posix.relative(from, path.posix.join(schemas.folder, name));
    add(place.file, projectText(project, schema("project.schema.json", "")));
    if (start === "fresh")
      add(EXAMPLE, exampleText(project, schema("resource.schema.json", path.posix.dirname(EXAMPLE))));
    for (const [file, text] of schemas?.copies ?? []) add(file, text, true);
  }
  const up = path.posix.relative(place.repository?.prefix ?? "", "");
  for (const [file, text] of ci === null ? [] : ciFiles(CI_TEXTS, ci)) add(path.posix.join(up, file), text);
  return files;
}

/** Paths are those in the project. Workflows go to the repository, outside the project. */
export function writeIn({ folder, repository }: ProjectPlace, edits: readonly FileEdit[]): void {
  const root = new ProjectFolder(repository?.root ?? folder);
  const prefix = path.relative(root.root, new ProjectFolder(folder).root).split(path.sep).join("/");
  const moved = edits.map((edit) => ({ ...edit, file: path.posix.join(prefix, edit.file) }));
  writeFiles(root, moved);
}

interface PreparedFiles {
  readonly edits: readonly FileEdit[];
  /** These stay as they are. */
  readonly existing: readonly FileEdit[];
  /** Nothing is written if there are errors. */
  readonly problems: readonly Diagnostic[];
  /** Null without `--pull`. */
  readonly pulled: PullResult | null;
}

/** Reads the account if its live state is pulled. */
export async function prepareFiles(
  { world, out }: InitContext,
  place: ProjectPlace,
  answers: Answers,
): Promise<PreparedFiles> {
  const [edits, existing]: [FileEdit[], FileEdit[]] = [[], []];
  for (const file of await newFiles(place, answers))
    (exists(path.join(place.folder, file.file)) ? existing : edits).push(file);
  const texts = new Map(edits.map(({ file, after }) => [file, after]));
  const source = await openFolder(place.folder);
  const loaded = await loadFrom(overlayFiles(source, texts), place.file, { now: world.now() });
  const alone: PreparedFiles = { edits, existing, problems: loaded.diagnostics, pulled: null };
  const { keyed, start, project: chosen, account } = answers;
  const { project } = loaded;
  // A project with existing files is not pulled into. `linkform pull` can change these files.
  const isNew = loaded.files.every((file) => texts.has(file));
  if (hasErrors(alone.problems) || project === null || start !== "pull" || keyed === null || !isNew) return alone;

  const { reader } = await connectTo(out, project.baseUrl.value, null, keyed);
  const state = await readForPull(project, [], reader, keyed.world.secrets).finally(() => out.close());
  const names = chosen && account ? chosenCriteria(chosen, account) : { domains: [], spaces: [] };
  const pulled = await pullInto({
    source: overlayFiles(source, texts),
    loaded: { ...loaded, project },
    state,
    now: out.world.now(),
    criteria: { ...names, keys: [], aliases: [] },
    // The chosen domains can have no links yet.
    mayBeEmpty: true,
    split: null,
  });
  const more = [...pulled.texts].map(([file, after]): FileEdit => ({ file, before: null, after }));
  const others = edits.filter(({ file }) => !pulled.texts.has(file));
  const problems = [...alone.problems, ...errorsIn(pulled.diagnostics)];
  return { existing, pulled, edits: [...others, ...more], problems };
}

/** The chosen domains and spaces, as criteria of a pull. Empty lists mean all. */
function chosenCriteria({ domains, spaces }: NewProject, account: Account): Pick<PullCriteria, "domains" | "spaces"> {
  const isPart = (chosen: readonly LabeledName[], all: readonly FoundName[]): boolean =>
    all.some(({ id }) => !chosen.some((one) => one.id === id));
  const named = (chosen: readonly LabeledName[]): string[] => chosen.map(({ id, name }) => String(id ?? name));
  return {
    domains: isPart(domains, account.domains) ? named(domains) : [],
    // No other project claims links without a space.
    spaces: isPart(spaces, account.spaces) ? [...named(spaces), "none"] : [],
  };
}
