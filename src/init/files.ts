// The files of a new project: where they go, their texts, and their validation before anything is written.

import path from "node:path";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { type GitRepository, lineOf, repositoryOf } from "../config/git.ts";
import { loadFrom } from "../config/load.ts";
import { PROJECT_FILE } from "../config/project-files.ts";
import { type Diagnostic, errorsIn, hasErrors } from "../domain/diagnostic.ts";
import { usageError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists, typeAt } from "../files/named.ts";
import { writeFiles } from "../files/write-files.ts";
import { type PullResult, pullInto, readForPull } from "../pull/pull.ts";
import type { PullCriteria } from "../pull/selection.ts";
import type { FileEdit } from "../report/run-document.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { ownSchemas, readOwnSchema, schemaName } from "../session/own-schemas.ts";
import { connectTo } from "../session/session.ts";
import {
  CI_TEXTS,
  type CiValues,
  type FoundName,
  type LabeledName,
  type NewProject,
  ciFiles,
  exampleText,
  projectText,
} from "./new-project.ts";
import type { Account, InitContext, Reached } from "./service.ts";

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

export interface ProjectPlace {
  readonly folder: string;
  readonly file: string;
  readonly exists: boolean;
  readonly repository: RepositoryPlace | null;
}

interface RepositoryPlace {
  readonly root: string;
  /** The project folder relative to the root, with `/`; empty for the root. */
  readonly prefix: string;
  readonly branch: string;
  /** Guessed from the address of `origin`. */
  readonly host: "github" | "gitlab" | null;
}

/** Throws a user error if the path cannot be a project file. */
export async function findPlace({ cwd, env }: World, { config }: CommonFlags): Promise<ProjectPlace> {
  const target = path.resolve(cwd, config ?? PROJECT_FILE);
  // Without symbolic links, so that the parent folders are the real ones.
  const { root: folder } = new ProjectFolder(path.dirname(target));
  const file = path.basename(target);
  const place = path.join(folder, file);
  if (typeAt({ path: place, shown: file, isConfined: true }) === "folder")
    throw usageError("no-project", `${config ?? file} is a folder, not a project file.`, {
      hint: `Pass a file: --config ${path.join(config ?? file, PROJECT_FILE)}`,
    });
  if (!/\.ya?ml$/.test(file))
    throw usageError("wrong-config", `${file} is not a name for a project file, which is a YAML file.`, {
      hint: `Name it ${file.replace(/\.[^.]*$/, "") || "linkform"}.yaml.`,
    });
  return { folder, file, exists: exists(place), repository: await findRepository(folder, env) };
}

/** Git only runs in a folder that exists. */
async function findRepository(folder: string, env: World["env"]): Promise<RepositoryPlace | null> {
  let base = folder;
  while (!exists(base) && base !== path.dirname(base)) base = path.dirname(base);
  const git = await repositoryOf(base, env);
  if (git === null || (await lineOf(git, "rev-parse", "--git-dir")) === null) return null;
  const { root } = git;
  const prefix = path.relative(root, folder).split(path.sep).join("/");
  const address = (await lineOf(git, "remote", "get-url", "origin")) ?? "";
  const host = /github/i.test(address) ? "github" : /gitlab/i.test(address) ? "gitlab" : null;
  return { root, prefix, branch: await mainBranch(git), host };
}

/** The default branch of `origin`, else `main` or `master`, else the current branch. */
async function mainBranch(git: GitRepository): Promise<string> {
  const remote = await lineOf(git, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  if (remote !== null) return remote.replace(/^origin\//, "");
  const usual = ["--format=%(refname:lstrip=2)", "refs/heads/main", "refs/heads/master"];
  const current = ["symbolic-ref", "--quiet", "--short", "HEAD"];
  return (await lineOf(git, "for-each-ref", "--count=1", ...usual)) ?? (await lineOf(git, ...current)) ?? "main";
}

interface Schemas {
  /** Relative to the project folder, with `/`. */
  readonly folder: string;
  /** Files to write, by name; none if the schemas are in an installed package. */
  readonly copies: readonly (readonly [file: string, text: string])[];
}

/** Of the package in this repository, else copies: any other installation has another path on each machine. */
async function findSchemas({ folder, repository }: ProjectPlace): Promise<Schemas | null> {
  const root = repository?.root ?? folder;
  for (let at = folder; ; at = path.dirname(at)) {
    const installed = path.join(at, "node_modules/linkform/schemas");
    if (exists(path.join(installed, schemaName("project"))))
      return { folder: path.relative(folder, installed).split(path.sep).join("/"), copies: [] };
    if (at === root || at === path.dirname(at)) break;
  }
  if (ownSchemas() === null) return null;
  const folderOfCopies = ".linkform/schemas";
  const kinds = ["project", "resource"] as const;
  const copies = kinds.map(
    async (kind) => [`${folderOfCopies}/${schemaName(kind)}`, await readOwnSchema(kind)] as const,
  );
  return { folder: folderOfCopies, copies: await Promise.all(copies) };
}
