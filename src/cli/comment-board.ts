// Which board a comment goes to, as flags and CI's variables say, and with which token.

import { UserError } from "../errors.ts";
import { readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { Api } from "../forge/api.ts";
import { pullRequestComments, repositoryIssues } from "../forge/github.ts";
import { mergeRequestNotes, projectIssues } from "../forge/gitlab.ts";
import type { Board } from "../forge/publish.ts";
import { readProxies } from "../http/proxies.ts";
import type { World } from "../session/context.ts";

export interface CommentFlags {
  readonly github?: boolean;
  readonly gitlab?: boolean;
  /** The number of the pull or merge request. */
  readonly pullRequest?: number;
  readonly issue?: boolean;
  readonly close?: boolean;
}

export interface OpenBoard {
  readonly board: Board;
  readonly close: () => Promise<void>;
}

/** The board; throws a user error for whatever is missing to reach it. */
export async function openBoard(world: World, forge: "github" | "gitlab", flags: CommentFlags): Promise<OpenBoard> {
  return forge === "github" ? openGitHub(world, flags) : openGitLab(world, flags);
}

async function openGitHub(world: World, { pullRequest, issue }: CommentFlags): Promise<OpenBoard> {
  const { env } = world;
  const token = tokenOf(
    env,
    ["GITHUB_TOKEN", "GH_TOKEN"],
    "Set GITHUB_TOKEN in the step's `env`: to `github.token`, or to a secret.",
  );
  const name = variable(env, "GITHUB_REPOSITORY");
  if (!/^[\w.-]+\/[\w.-]+$/.test(name))
    throw new UserError("wrong-repository", "GITHUB_REPOSITORY names no repository.", {
      hint: "Write it as owner/name; GitHub sets it in every job.",
    });
  const event = await readEvent(world.cwd, env["GITHUB_EVENT_PATH"]);
  const repository = { name, isFromFork: isFromFork(event) };
  const number = pullRequest ?? numberOf(event, env["GITHUB_REF"] ?? "");
  if (issue !== true && number === null) {
    const of = env["GITHUB_EVENT_NAME"] ?? "";
    throw new UserError(
      "no-pull-request",
      `This run is of no pull request${of === "" ? "" : ` (its event is ${of})`}.`,
      {
        hint: "Run it on the event `pull_request`, or name one with --pull-request.",
      },
    );
  }
  const api = apiOf(world, "GitHub", "GITHUB_API_URL", env["GITHUB_API_URL"] ?? "https://api.github.com", token);
  const board =
    issue === true || number === null
      ? repositoryIssues(api, repository)
      : pullRequestComments(api, repository, number);
  return { board, close: async () => api.close() };
}

async function openGitLab(world: World, { pullRequest, issue }: CommentFlags): Promise<OpenBoard> {
  const { env } = world;
  const token = tokenOf(
    env,
    ["GITLAB_TOKEN"],
    "Set GITLAB_TOKEN to a project, group or personal access token with the scope `api`: CI_JOB_TOKEN can't write notes.",
  );
  // In a pipeline of a fork the merge request is another project's.
  const of = env["CI_MERGE_REQUEST_PROJECT_ID"] ?? "";
  const isHere = issue === true || of === "";
  const project = isHere ? variable(env, "CI_PROJECT_ID") : of;
  const page = env[isHere ? "CI_PROJECT_URL" : "CI_MERGE_REQUEST_PROJECT_URL"] ?? null;
  const iid = pullRequest ?? wholeNumber(env["CI_MERGE_REQUEST_IID"]);
  if (issue !== true && iid === null)
    throw new UserError("no-merge-request", "This job is of no merge request.", {
      hint: 'Run it in a merge request pipeline (`rules: if: $CI_PIPELINE_SOURCE == "merge_request_event"`), or name one with --pull-request.',
    });
  const api = apiOf(world, "GitLab", "CI_API_V4_URL", variable(env, "CI_API_V4_URL"), token);
  const board =
    issue === true || iid === null ? projectIssues(api, project) : mergeRequestNotes(api, project, iid, page);
  return { board, close: async () => api.close() };
}

function apiOf(world: World, forge: "GitHub" | "GitLab", from: string, written: string, token: string): Api {
  const address = written.replace(/\/+$/, "");
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isAddress || url.search !== "" || url.hash !== "")
    throw new UserError("wrong-api-address", `${from} is not the address of an API.`, {
      hint: `Write it as ${forge === "GitHub" ? "https://api.github.com" : "https://gitlab.example.com/api/v4"}.`,
    });
  return new Api({
    address,
    variable: from,
    forge,
    token,
    version: world.version,
    clock: world.clock,
    proxies: readProxies(address, world.env),
    onWait: (seconds) => world.line.print(`${forge} limits how much it is asked: waiting for ${seconds} s.\n`),
  });
}

/** The first of these variables that is set. It is in no message. */
function tokenOf(env: World["env"], names: readonly string[], hint: string): string {
  const token = names.map((name) => (env[name] ?? "").trim()).find((text) => text !== "");
  if (token === undefined)
    throw new UserError("no-token", `There is no token: ${names.join(" and ")} are not set.`, { hint });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError("wrong-token", "The token holds white space or characters that no token has.", { hint });
  return token;
}

function variable(env: World["env"], name: string): string {
  const value = env[name] ?? "";
  if (value !== "") return value;
  throw new UserError("no-variable", `${name} is not set.`, {
    hint: "CI sets it in every job; elsewhere, set it by hand.",
  });
}

/** The event that the run is of; null where there is none that can be read. */
async function readEvent(cwd: string, file: string | undefined): Promise<unknown> {
  if (file === undefined || file === "") return null;
  try {
    return JSON.parse((await readFrom(locateNamed(cwd, file))).toString("utf8"));
  } catch {
    return null;
  }
}

function numberOf(event: unknown, ref: string): number | null {
  const told = at(event, "pull_request", "number");
  if (typeof told === "number") return told;
  return wholeNumber(/^refs\/pull\/(\d+)\//.exec(ref)?.[1]);
}

function isFromFork(event: unknown): boolean {
  const [head, base] = ["head", "base"].map((side) => at(event, "pull_request", side, "repo", "full_name"));
  return head !== base;
}

function at(value: unknown, ...names: readonly string[]): unknown {
  const [name, ...more] = names;
  if (name === undefined) return value;
  const entries = typeof value === "object" && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;
  return at(entries?.get(name), ...more);
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
