// Refuses outputs that would replace a file of the user, before anything runs.

import path from "node:path";
import type { Command } from "commander";
import { openFolder } from "../config/checkout.ts";
import { parseGlobs } from "../config/find-files.ts";
import { trackedAt } from "../config/git.ts";
import { globsIn } from "../config/load.ts";
import { PathMatcher } from "../config/path-glob.ts";
import { findProjectFile, PROJECT_FILE, findProjectFiles } from "../config/project-files.ts";
import { visible } from "../domain/control-characters.ts";
import { UserError, usageError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { readFrom, type Location } from "../files/location.ts";
import { locateNamed, typeAt } from "../files/named.ts";
import type { World } from "../session/context.ts";

/** Throws a user error for an output that the command or the project reads, or that git tracks and linkform did not write. */
export async function checkOutputs(world: World, command: Command, outputs: readonly string[]): Promise<void> {
  const options = command.opts();
  const { cwd, env } = world;
  const inputs = [...command.args, ...textsOf(options["resources"]), ...textsOf(options["apiKeyFile"])].map((file) =>
    realPath(path.resolve(cwd, file)),
  );
  const isProjectFile = await projectFiles(world, textsOf(options["configs"] ?? options["config"]));
  const seen = new Set<string>();
  for (const file of outputs) {
    const place = locateNamed(cwd, file);
    if (typeAt(place) === "other") continue;
    const real = realPath(place.path);
    if (seen.has(real)) throw refusal(file, "another output has the same file");
    seen.add(real);
    if (inputs.includes(real)) throw refusal(file, "this command reads it");
    if (isProjectFile(real)) throw refusal(file, "the project reads files with this path");
    if (!(await isForeign(place))) continue;
    const tracked = await trackedAt(place.path, env);
    if ("unknown" in tracked)
      throw refusal(file, `it exists, and linkform cannot check whether git tracks it (${tracked.unknown})`);
    const hint = "Pass another file, or remove this one first.";
    if (tracked.files.length > 0) throw refusal(file, "git tracks it, and linkform did not write it", hint);
  }
}

/** The texts of an option that may be repeated. */
function textsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

function refusal(file: string, why: string, hint = "Pass another file."): UserError {
  return usageError("output-refused", `${visible(file)} cannot be an output: ${why}.`, { hint });
}

/** The path of a file that may not exist, without links in its folders. */
function realPath(file: string): string {
  return path.join(new ProjectFolder(path.dirname(file)).root, path.basename(file));
}

/** A test whether a project of these values of `--config` reads a file, or would if it existed. The path has no links. */
async function projectFiles(world: World, configs: readonly string[]): Promise<(file: string) => boolean> {
  // Without a project, `init` may write one here. The command itself reports a project that cannot be found.
  const found =
    configs.length === 0
      ? [await findProjectFile(world.cwd, undefined).catch(() => PROJECT_FILE)]
      : await findProjectFiles(world, configs).catch(() => []);
  const tests = found.map(async (config) => {
    const file = path.resolve(world.cwd, config);
    const folder = path.dirname(file);
    const { root } = new ProjectFolder(folder);
    const globs = await globsIn(await openFolder(folder), path.basename(file));
    const matcher = new PathMatcher(parseGlobs(globs).parsed.map(({ glob }) => glob));
    return (written: string): boolean => {
      const inside = path.relative(root, written).split(path.sep).join("/");
      return inside === path.basename(file) || (!inside.startsWith("../") && matcher.matches(inside));
    };
  });
  const all = await Promise.all(tests);
  return (written) => all.some((test) => test(written));
}

/** JSON and JSON lines, reports for GitLab, Markdown, HTML, and a list as CSV. */
const OWN_BEGINNINGS: readonly RegExp[] = [
  /^\{.{0,200}"format_version": ?"\d/s,
  /^\[(?:\]|.{0,2000}"check_name")/s,
  /^\{\s*"create": \d+,\s*"update": \d+,\s*"delete": \d+\s*\}\s*$/,
  /^<!-- linkform /,
  /^<!DOCTYPE html>.{0,3000} – linkform /s,
  /^\uFEFF?[^\n]*,created_at,updated_at,declared\b/,
];

/** Whether a file exists that does not begin as linkform's do. */
async function isForeign(place: Location): Promise<boolean> {
  if (typeAt(place) !== "file") return false;
  const text = (await readFrom(place).catch(() => "?")).toString("utf8");
  return text.trim() !== "" && !OWN_BEGINNINGS.some((beginning) => beginning.test(text));
}
