// The context of a report: the project, and the CI run with its event. A pull request can choose parts of the event, so every text is
// checked by its pattern.

import path from "node:path";
import { findProjectFile } from "../config/project-files.ts";
import { isObject } from "../domain/json.ts";
import { readFrom } from "../files/location.ts";
import { exists, locateNamed } from "../files/named.ts";
import type { FlagFor } from "../report/brakes.ts";
import type { ChangeOrigin, RenderContext } from "../report/format.ts";
import { PLAIN } from "../report/text/screen.ts";
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
    ...(await ciContext(cwd, env)),
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

const LOGIN = /^\w[\w.-]{0,254}(?:\[bot\])?$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The event of GitHub; null if it cannot be read. */
export async function readEvent(cwd: string, env: World["env"]): Promise<unknown> {
  const file = env["GITHUB_EVENT_PATH"] ?? "";
  if (file === "") return null;
  try {
    return JSON.parse((await readFrom(locateNamed(cwd, file))).toString("utf8"));
  } catch {
    return null;
  }
}

/** A value of the event by the names of the objects around it. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((one, name) => (isObject(one) ? one[name] : undefined), value);
}

/** Where to pass an allowance: in CI, in a manual deploy; elsewhere, in this command. */
export function brakeRun(env: World["env"]): FlagFor {
  if (env["GITHUB_ACTIONS"] === "true") return "github";
  return env["GITLAB_CI"] === "true" ? "gitlab" : "this run";
}

/** `origin`, who changed the files in which commit, is null except for a pull request, a merge request and a push. */
async function ciContext(cwd: string, env: World["env"]) {
  if (env["GITHUB_ACTIONS"] === "true") {
    const page = joined(env["GITHUB_SERVER_URL"], "/", env["GITHUB_REPOSITORY"]);
    return {
      runUrl: joined(page, "/actions/runs/", env["GITHUB_RUN_ID"]),
      blobUrl: joined(page, "/blob/", env["GITHUB_SHA"], "/"),
      origin: githubOrigin(env, await readEvent(cwd, env), joined(page, "/commit/")),
    };
  }
  if (env["GITLAB_CI"] !== "true") return { runUrl: null, blobUrl: null, origin: null };
  const page = env["CI_PROJECT_URL"];
  return {
    runUrl: joined(env["CI_JOB_URL"]),
    blobUrl: joined(page, "/-/blob/", env["CI_COMMIT_SHA"], "/"),
    origin: gitlabOrigin(env, joined(page, "/-/commit/")),
  };
}

function joined(...parts: readonly (string | null | undefined)[]): string | null {
  return parts.every(Boolean) ? parts.join("") : null;
}

function githubOrigin(env: World["env"], event: unknown, prefix: string | null): ChangeOrigin | null {
  const name = env["GITHUB_EVENT_NAME"];
  if (name === "pull_request" || name === "pull_request_target") {
    // A merge commit that GitHub makes for the test is in no history, so GITHUB_SHA does not help here.
    const [login, commit] = [at(event, "pull_request", "user", "login"), at(event, "pull_request", "head", "sha")];
    return origin("request", login, commit, prefix);
  }
  if (name === "merge_group") return origin("request", null, at(event, "merge_group", "head_sha"), prefix);
  if (name !== "push") return null;
  return origin("push", at(event, "sender", "login"), at(event, "after") ?? env["GITHUB_SHA"], prefix);
}

function gitlabOrigin(env: World["env"], prefix: string | null): ChangeOrigin | null {
  const source = env["CI_PIPELINE_SOURCE"];
  // A pipeline of merged results runs on a commit that is in no history.
  const commit = env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"];
  if (source !== "merge_request_event" && source !== "push") return null;
  return origin(source === "push" ? "push" : "request", env["GITLAB_USER_LOGIN"], commit, prefix);
}

function origin(of: ChangeOrigin["of"], login: unknown, commit: unknown, prefix: string | null): ChangeOrigin {
  const isCommit = typeof commit === "string" && COMMIT.test(commit);
  return {
    of,
    login: typeof login === "string" && LOGIN.test(login) ? login : null,
    commit: isCommit ? commit : null,
    commitUrl: isCommit && prefix !== null ? `${prefix}${commit}` : null,
  };
}
