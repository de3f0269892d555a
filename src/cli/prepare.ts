// Before a command runs, `--config` becomes one project or several, and outputs are checked.

import type { Command } from "commander";
import { baseFor, isConfigGlob } from "../config/project-files.ts";
import { usageError } from "../errors.ts";
import type { World } from "../session/context.ts";
import { projectPath } from "../session/render-context.ts";
import { PROJECT_COMMANDS } from "../report/format.ts";

/** Throws a user error for flags that are not allowed. */
export async function prepare(world: World, command: Command): Promise<void> {
  await chooseProjects(world, command);
  const { out, record, rejects, format = [] } = command.opts();
  const reports = [format]
    .flat()
    .flatMap((text: string) => (text.includes("=") ? [text.slice(text.indexOf("=") + 1)] : []));
  const outputs = [out, record, rejects, ...reports].filter((file) => typeof file === "string");
  if (outputs.length > 0) await (await import("./check-outputs.ts")).checkOutputs(world, command, outputs);
}

/** Sets `config` to the project file or `configs` to several, adds `--json` to the formats, and replaces `{project}` in `--base`. */
async function chooseProjects({ cwd }: World, command: Command): Promise<void> {
  if (command.name() === "projects") return;
  const { json, format = [], config, base } = command.opts();
  if (json === true) command.setOptionValue("format", [...format, "json"]);
  const configs: readonly string[] = config ?? [];
  const [first] = configs;
  if (configs.length > 1 || (first !== undefined && isConfigGlob(cwd, first))) {
    if (!PROJECT_COMMANDS.some((name) => name === command.name())) {
      const message = `\`${command.name()}\` works on one project, but --config names several files or is a glob.`;
      throw usageError("one-project", message, { hint: "Pass one project file with --config." });
    }
    command.setOptionValue("config", undefined);
    command.setOptionValue("configs", configs);
    return;
  }
  command.setOptionValue("config", first);
  if (typeof base === "string" && base.includes("{project}"))
    command.setOptionValue("base", baseFor(base, await projectPath(cwd, first)));
}
