// Turns the values of `--config` into the one project of a command, or the several projects of a run.

import type { Command } from "commander";
import { baseFor, findProjectFiles, isConfigGlob } from "../config/project-files.ts";
import { visible } from "../domain/control-characters.ts";
import { EXIT, UserError } from "../errors.ts";
import type { World } from "../session/context.ts";
import { projectPath } from "../session/render-context.ts";
import { PROJECT_COMMANDS } from "../report/format.ts";

/** Further files are only counted. */
const MAX_NAMED = 10;

/**
 * Sets `config` to the project file, or `configs` to the values for several projects. Replaces `{project}` in `--base`. Throws a user
 * error if a command gets several projects but works on one.
 */
export async function chooseProjects(world: Pick<World, "cwd" | "clock" | "env">, command: Command): Promise<void> {
  const { cwd } = world;
  const given: unknown = command.getOptionValue("config");
  const configs: readonly string[] = Array.isArray(given) ? given.map(String) : [];
  const [first] = configs;
  if (command.name() === "projects") {
    if (first !== undefined) command.setOptionValue("configs", configs);
    return;
  }
  if (configs.length > 1 || (first !== undefined && isConfigGlob(cwd, first))) {
    if (!PROJECT_COMMANDS.some((name) => name === command.name())) {
      const files = await findProjectFiles(world, configs);
      if (files.length > 1) throw severalProjects(command.name(), files);
      command.setOptionValue("config", files[0]);
      return;
    }
    command.setOptionValue("config", undefined);
    command.setOptionValue("configs", configs);
    return;
  }
  command.setOptionValue("config", first);
  const base: unknown = command.getOptionValue("base");
  if (typeof base === "string" && base.includes("{project}")) {
    command.setOptionValue("base", baseFor(base, await projectPath(cwd, first)));
  }
}

function severalProjects(name: string, files: readonly string[]): UserError {
  const named = files.slice(0, MAX_NAMED).map(visible);
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : "";
  return new UserError(
    "one-project",
    `\`${name}\` works on one project, but --config names several: ${named.join(", ")}${more}.`,
    {
      hint: "Pass one of these files with --config.",
      exit: EXIT.usage,
    },
  );
}
