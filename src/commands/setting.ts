// What stands around a report: the project it is about, and the CI run that makes it.

import { stat } from "node:fs/promises";
import path from "node:path";
import { findProjectFile } from "../config/project-file.ts";
import type { Setting } from "../report/format.ts";
import { PLAIN } from "../report/screen.ts";
import type { CommonFlags, World } from "./context.ts";
import type { Sink } from "./sinks.ts";

/** What a comment of GitHub's holds: beyond it, the answer is 422. */
const MAX_LENGTH = 65_536;

/** The setting of reports in files. */
export async function settingOf(
  { cwd, env }: World,
  { config, maxLength }: CommonFlags,
  sinks: readonly Sink[],
): Promise<Setting> {
  const needsProject = sinks.some(({ format }) => format !== "text" && format !== "json");
  return {
    screen: PLAIN,
    maxLength: maxLength ?? MAX_LENGTH,
    project: needsProject ? await projectPath(cwd, config) : "",
    besides: sinks.flatMap(({ format, file }) => (file === null ? [] : [{ format, file }])),
    ...pagesOf(env),
  };
}

/** The project file from the root of its repository; where there is no repository, by its name only. */
async function projectPath(cwd: string, config: string | undefined): Promise<string> {
  const file = await findProjectFile(cwd, config).catch(() => path.resolve(cwd, config ?? "linkform.yaml"));
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    // In a second work tree it is a file.
    if ((await stat(path.join(folder, ".git")).catch(() => null)) !== null)
      return path.relative(folder, file).split(path.sep).join("/");
    if (folder === path.dirname(folder)) return path.basename(file);
  }
}

/** Pages of the run and of the files, as GitHub's and GitLab's variables tell. */
function pagesOf(env: World["env"]): Pick<Setting, "run" | "blob"> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_SHA, CI_JOB_URL, CI_PROJECT_URL, CI_COMMIT_SHA } =
    env;
  if (env["GITHUB_ACTIONS"] === "true") {
    const page = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
    return { run: `${page}/actions/runs/${GITHUB_RUN_ID}`, blob: `${page}/blob/${GITHUB_SHA}/` };
  }
  if (env["GITLAB_CI"] === "true")
    return {
      run: CI_JOB_URL ?? null,
      blob: CI_PROJECT_URL === undefined ? null : `${CI_PROJECT_URL}/-/blob/${CI_COMMIT_SHA}/`,
    };
  return { run: null, blob: null };
}
