// The context of a report: the project and the CI run.

import path from "node:path";
import { findProjectFile } from "../config/project-files.ts";
import { exists } from "../files/named.ts";
import type { RenderContext } from "../report/format.ts";
import { PLAIN } from "../report/text/screen.ts";
import { ciContext } from "./ci-event.ts";
import type { CommonFlags, World } from "./context.ts";
import type { Sink } from "./outputs.ts";

/** GitHub answers 422 to a longer comment. */
const MAX_LENGTH = 65_536;

export async function loadRenderContext(
  { cwd, env }: Pick<World, "cwd" | "env">,
  { config, maxLength }: CommonFlags,
  sinks: readonly Sink[],
): Promise<RenderContext> {
  const needsProject = sinks.some(({ format }) => format !== "text");
  return {
    screen: PLAIN,
    maxLength: maxLength ?? MAX_LENGTH,
    project: needsProject ? await projectPath(cwd, config) : "",
    ...(await ciContext({ cwd, env })),
  };
}

/** The project file's path in its repository. Without a repository: from `cwd` if `config` is below it, else only its name. */
export async function projectPath(cwd: string, config: string | undefined): Promise<string> {
  const file = await findProjectFile(cwd, config).catch(() => path.resolve(cwd, config ?? "linkform.yaml"));
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    // In another worktree, `.git` is a file.
    if (exists(path.join(folder, ".git"))) return path.relative(folder, file).split(path.sep).join("/");
    if (folder !== path.dirname(folder)) continue;
    const below = path.relative(cwd, file);
    const isBelow = config !== undefined && !below.startsWith("..") && !path.isAbsolute(below);
    return isBelow ? below.split(path.sep).join("/") : path.basename(file);
  }
}
