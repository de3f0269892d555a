// Where a CI job posts a report: the comments of pull or merge requests, or issues of its forge, from the variables that GitHub and GitLab set.

import { repositoryOf } from "../config/git.ts";
import { parseUrl } from "../domain/hosts.ts";
import { UserError, usageError } from "../errors.ts";
import { Api } from "../forge/api.ts";
import { gitHub } from "../forge/github.ts";
import { gitLab } from "../forge/gitlab.ts";
import type { Board } from "../forge/publish.ts";
import { readProxy } from "../http/exchange.ts";
import type { World } from "./context.ts";
import { at, readEvent } from "./render-context.ts";

export type ForgeName = "github" | "gitlab";

/** Without these, a report is posted to the pull or merge request of the job. */
export interface BoardFlags {
  readonly pullRequest?: number | string;
  readonly issue?: boolean;
  /** The pull requests that were merged since this commit; true for those of the deployed commit. */
  readonly merged?: string | true;
}

/** Calls `use` with the place for a report, or with one for each merged pull request. Throws a user error for a missing or wrong variable. */
export async function withBoards(
  world: World,
  name: ForgeName,
  { issue, pullRequest, merged }: BoardFlags,
  use: (boards: readonly Board[]) => Promise<void>,
): Promise<void> {
  const isRequest = issue !== true && merged === undefined && typeof pullRequest !== "string";
  const { api, forge, request } = await openForge(world, name, isRequest);
  try {
    if (issue === true) return await use([forge.issues()]);
    if (merged === undefined && typeof pullRequest !== "string") {
      const number = pullRequest ?? request;
      if (number === null) throw noRequest(world.env, name);
      return await use([forge.comments(number)]);
    }
    const into = variable(world.env, name === "github" ? "GITHUB_REF_NAME" : "CI_COMMIT_BRANCH");
    if (typeof pullRequest === "string") {
      if (pullRequest !== into) return await use([forge.branch(pullRequest, into)]);
      throw usageError("same-branch", `\`${pullRequest}\` is the branch of this job.`, {
        hint: "Pass the branch that the pull request comes from.",
      });
    }
    const numbers = new Set<number>();
    for (const commit of await deployedCommits(world, name, merged))
      for (const one of await forge.mergedWith(commit, into)) numbers.add(one);
    return await use([...numbers].map(forge.comments));
  } finally {
    await api.close();
  }
}

/**
 * The repository of the job, and the number of its request; null for none. On GitLab, the merge request of the job may belong to another
 * project: `isRequest` connects to that one. Throws a user error for a missing or wrong variable.
 */
async function openForge(world: World, name: ForgeName, isRequest: boolean) {
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
    const event = await readEvent(world.cwd, env);
    const [head, base] = ["head", "base"].map((side) => at(event, "pull_request", side, "repo", "full_name"));
    const number = at(event, "pull_request", "number");
    const request =
      typeof number === "number" ? number : wholeNumber(/^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "")?.[1]);
    return { api, forge: gitHub(api, repository, head !== base), request };
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
  return { api, forge: gitLab(api, project, page), request };
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
  if (token === undefined) throw new UserError("no-token", `No token found in ${names.join(" or ")}.`, { hint });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError("wrong-token", "The token contains white space or characters that cannot be part of a token.", {
      hint,
    });
  return token;
}

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
async function deployedCommits({ cwd, env }: World, name: ForgeName, base: BoardFlags["merged"]) {
  const commit = variable(env, name === "github" ? "GITHUB_SHA" : "CI_COMMIT_SHA");
  const git = typeof base === "string" ? await repositoryOf(cwd, env) : null;
  if (git === null) return [commit];
  const answer = await git.run("rev-list", "--first-parent", `--max-count=${MOST_COMMITS + 1}`, `${base}..${commit}`);
  const commits = "out" in answer ? (answer.out.match(/.+/g) ?? []) : [commit];
  if (commits.length <= MOST_COMMITS) return commits;
  const message = `More than ${MOST_COMMITS} commits were merged since the base, so linkform does not search for their pull requests.`;
  throw new UserError("too-many-commits", message, { hint: "Pass a later base, or remove --merged." });
}

function noRequest(env: World["env"], forge: ForgeName): UserError {
  if (forge === "gitlab")
    return new UserError("no-merge-request", "This job does not belong to a merge request.", {
      hint: 'Run it in a merge request pipeline (`rules: if: $CI_PIPELINE_SOURCE == "merge_request_event"`), or add --pull-request NUMBER.',
    });
  const of = env["GITHUB_EVENT_NAME"] ?? "";
  const message = `This job does not belong to a pull request${of === "" ? "" : ` (its event is ${of})`}.`;
  return new UserError("no-pull-request", message, {
    hint: "Run it on the event `pull_request`, or add --pull-request NUMBER.",
  });
}
