// `linkform comment`: writes a report as a comment of the pull or merge request, or as an issue, or updates it there.

import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { codeOf, PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { mergeRequestNotes, projectIssues, quickAction } from "../forge/gitlab.ts";
import { firstLine, publish, type Board, type ForgeEntry, type Published } from "../forge/publish.ts";
import { visible } from "../domain/control-characters.ts";
import type { World } from "../session/context.ts";
import { Api } from "../forge/api.ts";
import { pullRequestComments, repositoryIssues } from "../forge/github.ts";
import { readProxies } from "../http/proxies.ts";

export interface CommentFlags {
  readonly github?: boolean;
  readonly gitlab?: boolean;
  /** The number of the pull or merge request. */
  readonly pullRequest?: number;
  readonly issue?: boolean;
  readonly close?: boolean;
}

interface OpenBoard {
  readonly board: Board;
  readonly close: () => Promise<void>;
}

/** The longest title of an issue, on GitHub and GitLab. */
const MAX_TITLE = 255;

/** Publishes the report in a file. Throws a user error if flags, the file or a variable of the CI is wrong. */
export async function comment(world: World, file: string, flags: CommentFlags): Promise<ExitCode> {
  const forge = checkFlags(flags);
  const { body, marker, title } = await readReport(world, file);
  const command = forge === "gitlab" ? quickAction(body) : null;
  if (command !== null)
    throw new UserError("quick-action", `GitLab would obey the line \`${visible(command.slice(0, 60))}\` of ${file}.`, {
      hint: "linkform writes no such line: give it the file as `--format markdown=FILE` wrote it.",
    });
  const { board, close } = await openBoard(world, forge, flags);
  try {
    const isClosed = flags.close === true;
    const published = await publish(
      board,
      marker,
      { title, body, isClosed },
      {
        mayAdd: !isClosed,
        pause: async (ms) => world.clock.sleep(ms),
      },
    );
    world.line.print(`${resultLines(published, flags).join("\n")}\n`);
    return EXIT.done;
  } finally {
    await close();
  }
}

function checkFlags({ github, gitlab, pullRequest, issue, close }: CommentFlags): "github" | "gitlab" {
  const wrong = (code: string, message: string, hint: string): UserError =>
    new UserError(code, message, { hint, exit: EXIT.usage });
  if (github === gitlab)
    throw wrong("which-forge", "It must be said where the comment goes.", "Add one of --github and --gitlab.");
  if (issue === true && pullRequest !== undefined)
    throw wrong("issue-or-request", "`--issue` and `--pull-request` don't go together.", "Remove one of them.");
  if (close === true && issue !== true)
    throw wrong("close-what", "`--close` closes an issue.", "Add --issue, or leave --close out.");
  return github === true ? "github" : "gitlab";
}

interface CommentReport {
  readonly body: string;
  readonly marker: string;
  /** `linkform drift: marketing/linkform.yaml`. */
  readonly title: string;
}

/** Reads a report. The marker on its first line identifies its comment in later runs. */
async function readReport({ cwd }: World, file: string): Promise<CommentReport> {
  const wrong = (code: string, message: string): UserError =>
    new UserError(code, message, {
      hint: "Name a file that `--format markdown=FILE` wrote.",
      exit: EXIT.usage,
    });
  const body = await readText(cwd, file).catch((cause: unknown) => {
    if (cause instanceof PathError) throw cause;
    throw wrong("report-unreadable", `The report ${visible(file)} can't be read (${codeOf(cause)}).`);
  });
  const marker = firstLine(body);
  const [, command, project] = /^<!-- linkform ([a-z]+) (\S+) -->$/.exec(marker) ?? [];
  if (command === undefined || project === undefined)
    throw wrong(
      "no-report",
      `${visible(file)} is no report in Markdown: its first line is not linkform's hidden marker.`,
    );
  const title = visible(`linkform ${command}: ${decoded(project)}`);
  return { body, marker, title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title };
}

async function readText(cwd: string, file: string): Promise<string> {
  return (await readFrom(locateNamed(cwd, file))).toString("utf8");
}

/** The path of the project in a marker, as it is if it cannot be decoded. */
function decoded(project: string): string {
  try {
    return decodeURIComponent(project);
  } catch {
    return project;
  }
}

function resultLines(published: Published | null, { issue, close }: CommentFlags): string[] {
  const what = issue === true ? "issue" : "comment";
  if (published === null) return ["No issue is open: nothing to close."];
  const { how, entry, others } = published;
  const done = close === true ? "closed" : how === "changed" ? "updated" : issue === true ? "opened" : "written";
  if (others.length === 0) return [`The ${what} is ${done}: ${pages([entry])}`];
  const left =
    others.length === 1 ? "Another one with the same report is" : `${others.length} others with the same report are`;
  return [`The ${what} is ${done}: ${pages([entry])}`, `${left} left alone: ${pages(others)}`];
}

function pages(entries: readonly ForgeEntry[]): string {
  return entries.map(({ id, url }) => visible(url ?? `number ${id}`)).join(", ");
}

/** Throws a user error for a missing or wrong variable. */
async function openBoard(world: World, forge: "github" | "gitlab", flags: CommentFlags): Promise<OpenBoard> {
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
  // In the pipeline of a fork, the merge request belongs to another project.
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

/** The first of these variables that is set. No message contains it. */
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

/** The event that started the run; null if it cannot be read. */
async function readEvent(cwd: string, file: string | undefined): Promise<unknown> {
  if (file === undefined || file === "") return null;
  try {
    return JSON.parse((await readFrom(locateNamed(cwd, file))).toString("utf8"));
  } catch {
    return null;
  }
}

function numberOf(event: unknown, ref: string): number | null {
  const number = at(event, "pull_request", "number");
  if (typeof number === "number") return number;
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
