// The project that a command works on: its files and its base.

import { Refusal } from "../config/located-error.ts";
import path from "node:path";
import { openBase, type OpenedBase, type WantedBase } from "../config/base.ts";
import { checkBaseUrl, loadProject, type GeneratedResources, type Loaded } from "../config/load.ts";
import type { ServiceFlags } from "./connect.ts";
import type { CommonFlags, World } from "./context.ts";
import { UserError, usageError } from "../errors.ts";
import { lineOf, repositoryOf } from "../config/git.ts";
import { findProjectFile, appliedTag } from "../config/project-files.ts";
import type { Base } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { visible } from "../domain/control-characters.ts";
import type { Project } from "../domain/project.ts";
import { readResources, type ResourceFlags } from "./resources.ts";
import { hideSecretFiles } from "./secrets.ts";

export interface OpenedProject extends Loaded {
  readonly folder: string;
  readonly file: string;
  readonly resources: readonly GeneratedResources[];
  /** The addresses of the service in the file and in `--base-url`. */
  readonly addresses: readonly string[];
}

/** Loads the project of `--config`, or the nearest project from the working directory upwards. `saved` replaces the input of `--resources`. */
export async function openProject(
  world: World,
  flags: CommonFlags & ResourceFlags & Pick<ServiceFlags, "baseUrl">,
  saved?: readonly GeneratedResources[],
): Promise<OpenedProject> {
  const file = await findProjectFile(world.cwd, flags.config);
  const folder = path.dirname(file);
  const { resources, problems } =
    saved === undefined ? await readResources(world, folder, flags) : { resources: saved, problems: [] };
  const loaded = await loadProject(file, world.now(), world, resources);
  await hideSecretFiles(world, folder, loaded.declarations);
  const flagged = flags.baseUrl === undefined ? null : checkBaseUrl(flags.baseUrl, null).baseUrl;
  const addresses = [loaded.address?.value, flagged].flatMap((address) => address ?? []);
  const opened = { ...loaded, folder, file: path.basename(file), resources, addresses };
  if (problems.length === 0) return opened;
  return { ...opened, project: null, declarations: [], diagnostics: [...problems, ...loaded.diagnostics] };
}

export type ValidProject = OpenedProject & { readonly project: Project };

export function requireValid(opened: OpenedProject): ValidProject {
  const { project } = opened;
  if (project === null) throw new Refusal(opened.diagnostics);
  return { ...opened, project };
}

/** The paths of these files in the project; null for all. Throws a user error for a file that the project does not read. */
export function chosenFiles(
  names: readonly string[],
  { folder, file, files, globs }: OpenedProject,
  cwd: string,
): ReadonlySet<string> | null {
  if (names.length === 0) return null;
  const chosen = names.map((name) => {
    const inProject = path.relative(folder, path.resolve(cwd, name)).replaceAll(path.sep, "/");
    if (files.includes(inProject)) return inProject;
    throw usageError("not-in-project", `\`${visible(name)}\` is not a file of this project.`, {
      hint: `${file} reads ${globs.map((glob) => `\`${glob}\``).join(", ")}. To choose another project file, use --config FILE.`,
    });
  });
  return new Set(chosen);
}

const DAY = 86_400_000;

/**
 * Opens the wanted base, or without one the tag of the last applied commit. Throws a user error if it cannot be read. Of the tag, this is a
 * warning, unless `isPlanned` and its settings cannot be read: protection at the base counts.
 */
export async function openBaseOf(
  { env, now }: World,
  opened: OpenedProject,
  wanted: WantedBase | null,
  isPlanned: boolean,
): Promise<{ readonly base: OpenedBase | null; readonly problems: readonly Diagnostic[] }> {
  const implied = wanted === null ? await impliedBase(opened, env, now()) : null;
  const named = wanted ?? implied;
  if (named === null) return { base: null, problems: [] };
  try {
    return { base: await openBase(opened, named, env, now()), problems: [] };
  } catch (cause) {
    if (implied === null || !(cause instanceof UserError) || (isPlanned && cause.code === "base-invalid")) throw cause;
    const message = `The tag \`${implied.ref}\` is not used as the base. ${cause.message}`;
    return { base: null, problems: [warning("base-unusable", message, null, cause.hint)] };
  }
}

/** The base without `--base`: the tag of the last applied commit; null if the repository has none. */
async function impliedBase(
  { folder, file }: OpenedProject,
  env: World["env"],
  now: string,
): Promise<Required<Base> | null> {
  const git = await repositoryOf(folder, env);
  if (git === null) return null;
  const ref = appliedTag(`${git.prefix}${file}`);
  const line = await lineOf(git, "rev-list", "--max-count=1", "--timestamp", `refs/tags/${ref}`, "--");
  const [, seconds, commit] = /^(\d+) ([0-9a-f]{40,64})$/.exec(line ?? "") ?? [];
  if (seconds === undefined || commit === undefined) return null;
  return { ref, commit, impliedDays: Math.max(Math.floor((Date.parse(now) - Number(seconds) * 1000) / DAY), 0) };
}
