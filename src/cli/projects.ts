// `linkform projects`: lists the projects of a repository, or those that differ from a commit. It never connects to a service.

import { visible } from "../domain/control-characters.ts";
import { UserError, type ExitCode, usageError } from "../errors.ts";
import { compareFiles } from "../config/base.ts";
import { NOT_CHECKED_OUT } from "../config/checkout.ts";
import { appliedTag, baseFor, findProjectFiles, projectName, projectsBelow } from "../config/project-files.ts";
import { jsonText } from "../report/json/text.ts";
import type { World } from "../session/context.ts";
import { printOnly } from "../session/outputs.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import { projectPath } from "../session/render-context.ts";

export interface ProjectsListFlags {
  readonly config?: readonly string[];
  readonly changed?: boolean;
  readonly base?: string;
  readonly format?: "text" | "json";
  readonly json?: boolean;
}

/** A project, as JSON shows it. `changed` is null without a base. */
interface ListedProject {
  readonly config: string;
  readonly name: string;
  readonly tag: string;
  readonly base_url: string | null;
  readonly changed: boolean | null;
}

export async function projects(world: World, flags: ProjectsListFlags): Promise<ExitCode> {
  const { changed = false, base } = flags;
  if (changed && base === undefined)
    throw usageError("no-base", "`--changed` needs a commit to compare with.", {
      hint: "Add --base, such as --base origin/main.",
    });
  const files = flags.config === undefined ? await projectsBelow(world) : await findProjectFiles(world, flags.config);
  const all: ListedProject[] = [];
  // One after the other: each project may be large.
  for (const config of files) {
    const opened = await openProject(world, { config });
    const file = await projectPath(world.cwd, config);
    const missing = base === undefined ? undefined : opened.diagnostics.find(({ code }) => code === NOT_CHECKED_OUT);
    if (missing !== undefined)
      throw new UserError(missing.code, `${visible(config)}: ${missing.message}`, { hint: missing.hint ?? "" });
    const isChanged = base === undefined ? null : await differsFrom(world, baseFor(base, file), opened, base);
    const names = { name: projectName(file), tag: appliedTag(file) };
    all.push({ config, ...names, base_url: opened.address?.value ?? null, changed: isChanged });
  }
  const listed = changed ? all.filter((one) => one.changed === true) : all;
  const text =
    flags.json === true || flags.format === "json"
      ? `${jsonText({ format_version: "1.0", projects: listed }, 2)}\n`
      : listed.map(({ config }) => `${visible(config)}\n`).join("");
  return printOnly(world, text);
}

/** Whether a file of the project differs from the base. A project whose own tag does not exist yet is new, so it differs. */
async function differsFrom(world: World, ref: string, opened: OpenedProject, written: string): Promise<boolean> {
  try {
    return (await compareFiles(opened, ref, world.env)).differing.length > 0;
  } catch (cause) {
    if (cause instanceof UserError && cause.code === "base-missing" && written.includes("{project}")) return true;
    throw cause;
  }
}
