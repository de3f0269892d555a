// The connection of a CI job to its forge, from the variables that GitHub and GitLab set.

import { parseUrl } from "../domain/hosts.ts";
import { repositoryOf } from "../config/git.ts";
import { UserError } from "../errors.ts";
import { Api } from "../forge/api.ts";
import type { Forge } from "../forge/forge.ts";
import { gitHub } from "../forge/github.ts";
import { gitLab } from "../forge/gitlab.ts";
import { readProxy } from "../http/proxies.ts";
import { at, readEvent } from "./ci-event.ts";
import type { World } from "./context.ts";

export type ForgeName = "github" | "gitlab";

/** A repository on GitHub or a project on GitLab. */
export interface OpenForge {
  readonly forge: Forge;
  /** The number of the request that the job belongs to; null for none. */
  readonly request: number | null;
  readonly close: () => Promise<void>;
}

/**
 * Connects to the repository of the job. On GitLab, the merge request of the job may belong to another project: `isRequest` connects to
 * that one. Throws a user error for a missing or wrong variable.
 */
export async function openForge(world: World, name: ForgeName, isRequest: boolean): Promise<OpenForge> {
  const { env } = world;
  if (name === "github") {
    const token = tokenOf(
      env,
      ["GITHUB_TOKEN", "GH_TOKEN"],
      "Set GITHUB_TOKEN in the step's `env` to `github.token` or to a secret.",
    );
    const repository = variable(env, "GITHUB_REPOSITORY");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
      throw new UserError("wrong-repository", "GITHUB_REPOSITORY is not the name of a repository.", {
        hint: "Write it as owner/name. GitHub sets it in every job.",
      });
    const address = env["GITHUB_API_URL"] ?? "https://api.github.com";
    const api = apiOf(world, "GitHub", "GITHUB_API_URL", address, token);
    const event = await readEvent(world);
    const [head, base] = ["head", "base"].map((side) => at(event, "pull_request", side, "repo", "full_name"));
    const number = at(event, "pull_request", "number");
    const request =
      typeof number === "number" ? number : wholeNumber(/^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "")?.[1]);
    return { forge: gitHub(api, repository, head !== base), request, close: async () => api.close() };
  }
  const token = tokenOf(
    env,
    ["GITLAB_TOKEN"],
    "Set GITLAB_TOKEN to a project, group or personal access token with the scope `api`. CI_JOB_TOKEN cannot write comments.",
  );
  const target = isRequest ? (env["CI_MERGE_REQUEST_PROJECT_ID"] ?? "") : "";
  const project = target === "" ? variable(env, "CI_PROJECT_ID") : target;
  const page = env[target === "" ? "CI_PROJECT_URL" : "CI_MERGE_REQUEST_PROJECT_URL"] ?? null;
  const api = apiOf(world, "GitLab", "CI_API_V4_URL", variable(env, "CI_API_V4_URL"), token);
  const request = wholeNumber(env["CI_MERGE_REQUEST_IID"]);
  return { forge: gitLab(api, project, page), request, close: async () => api.close() };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function apiOf(world: World, forge: "GitHub" | "GitLab", from: string, written: string, token: string): Api {
  const address = written.replace(/\/+$/, "");
  const url = parseUrl(address);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isAddress || url.search !== "" || url.hash !== "")
    throw new UserError("wrong-api-address", `${from} is not a valid API address.`, {
      hint: `Set it to an address such as ${forge === "GitHub" ? "https://api.github.com" : "https://gitlab.example.com/api/v4"}.`,
    });
  return new Api({
    address,
    variable: from,
    forge,
    token,
    version: world.version,
    clock: world.clock,
    proxy: readProxy(address, world.env),
    onWait: (seconds) => world.line.print(`Waiting ${seconds} s for the rate limit of ${forge}.\n`),
  });
}

/** The first of these variables that is set. No message contains it. */
function tokenOf(env: World["env"], names: readonly string[], hint: string): string {
  const token = names.map((name) => (env[name] ?? "").trim()).find((text) => text !== "");
  if (token === undefined)
    throw new UserError("no-token", `No token found. Neither ${names.join(" nor ")} is set.`, { hint });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError("wrong-token", "The token contains white space or characters that cannot be part of a token.", {
      hint,
    });
  return token;
}

/** A variable that CI sets. Throws a user error if it is missing. */
function variable(env: World["env"], name: string): string {
  const value = env[name] ?? "";
  if (value !== "") return value;
  throw new UserError("no-variable", `${name} is not set.`, {
    hint: "CI systems set it in every job. Outside CI, set it yourself.",
  });
}

/** Each commit costs a request. A deploy with more is not an ordinary merge. */
const MOST_COMMITS = 50;

/**
 * The commits of the first parents since the base up to the deployed commit, the newest first; without a base, only the deployed commit.
 * Throws a user error if there are too many.
 */
export async function deployedCommits(
  { cwd, env }: World,
  name: ForgeName,
  base: string | null,
): Promise<readonly string[]> {
  const variableName = name === "github" ? "GITHUB_SHA" : "CI_COMMIT_SHA";
  const commit = variable(env, variableName);
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit))
    throw new UserError("wrong-commit", `${variableName} is not the full name of a commit.`, {
      hint: "CI systems set it in every job.",
    });
  const git = base === null ? null : await repositoryOf(cwd, env);
  if (git === null) return [commit];
  const answer = await git.run("rev-list", "--first-parent", `--max-count=${MOST_COMMITS + 1}`, `${base}..${commit}`);
  const commits = "out" in answer ? answer.out.split("\n").filter((line) => line !== "") : [commit];
  if (commits.length <= MOST_COMMITS) return commits;
  throw new UserError(
    "too-many-commits",
    `More than ${MOST_COMMITS} commits were merged since the base, so linkform does not search for their pull requests.`,
    { hint: "Pass a later base, or remove --merged." },
  );
}

/** The branch that the job deploys. Throws a user error if CI does not set it. */
export function deployedBranch(env: World["env"], name: ForgeName): string {
  return variable(env, name === "github" ? "GITHUB_REF_NAME" : "CI_COMMIT_BRANCH");
}
