// `linkform comment`: writes a report as a comment of the pull or merge request, or as an issue, or updates it there.

import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { codeOf, PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { mergeRequestNotes, projectIssues, quickAction } from "../forge/gitlab.ts";
import { firstLine, publish, type Board, type ForgeEntry, type Published } from "../forge/publish.ts";
import { visible } from "../domain/control-characters.ts";
import { at, readEvent } from "../session/ci-event.ts";
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
    throw new UserError(
      "quick-action",
      `${file} contains the line \`${visible(command.slice(0, 60))}\`, which GitLab would run as a quick action.`,
      {
        hint: "linkform never writes such a line. Use the file exactly as `--format markdown=FILE` wrote it.",
      },
    );
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
    throw wrong("which-forge", "Choose where to post the comment.", "Add either --github or --gitlab.");
  if (issue === true && pullRequest !== undefined)
    throw wrong("issue-or-request", "`--issue` and `--pull-request` cannot be used together.", "Remove one of them.");
  if (close === true && issue !== true)
    throw wrong("close-what", "`--close` works only with `--issue`.", "Add --issue, or remove --close.");
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
      hint: "Use a file that `--format markdown=FILE` wrote.",
      exit: EXIT.usage,
    });
  const body = await readText(cwd, file).catch((cause: unknown) => {
    if (cause instanceof PathError) throw cause;
    throw wrong("report-unreadable", `The report ${visible(file)} cannot be read (${codeOf(cause)}).`);
  });
  const marker = firstLine(body);
  const [, command, project] = /^<!-- linkform ([a-z]+) (\S+) -->$/.exec(marker) ?? [];
  if (command === undefined || project === undefined)
    throw wrong(
      "no-report",
      `${visible(file)} is not a Markdown report of linkform. Its first line is not linkform's hidden marker.`,
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
  if (published === null) return ["No open issue to close."];
  const { how, entry, others } = published;
  const done = close === true ? "closed" : how === "changed" ? "updated" : issue === true ? "opened" : "written";
  if (others.length === 0) return [`The ${what} is ${done}: ${pages([entry])}`];
  const left =
    others.length === 1
      ? "Another comment with the same report was"
      : `${others.length} others with the same report were`;
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
    "Set GITHUB_TOKEN in the step's `env` to `github.token` or to a secret.",
  );
  const name = variable(env, "GITHUB_REPOSITORY");
  if (!/^[\w.-]+\/[\w.-]+$/.test(name))
    throw new UserError("wrong-repository", "GITHUB_REPOSITORY is not the name of a repository.", {
      hint: "Write it as owner/name. GitHub sets it in every job.",
    });
  const event = await readEvent(world);
  const repository = { name, isFromFork: isFromFork(event) };
  const number = pullRequest ?? numberOf(event, env["GITHUB_REF"] ?? "");
  if (issue !== true && number === null) {
    const of = env["GITHUB_EVENT_NAME"] ?? "";
    throw new UserError(
      "no-pull-request",
      `This job does not belong to a pull request${of === "" ? "" : ` (its event is ${of})`}.`,
      {
        hint: "Run it on the event `pull_request`, or add --pull-request NUMBER.",
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
    "Set GITLAB_TOKEN to a project, group or personal access token with the scope `api`. CI_JOB_TOKEN cannot write comments.",
  );
  // In the pipeline of a fork, the merge request belongs to another project.
  const of = env["CI_MERGE_REQUEST_PROJECT_ID"] ?? "";
  const isHere = issue === true || of === "";
  const project = isHere ? variable(env, "CI_PROJECT_ID") : of;
  const page = env[isHere ? "CI_PROJECT_URL" : "CI_MERGE_REQUEST_PROJECT_URL"] ?? null;
  const iid = pullRequest ?? wholeNumber(env["CI_MERGE_REQUEST_IID"]);
  if (issue !== true && iid === null)
    throw new UserError("no-merge-request", "This job does not belong to a merge request.", {
      hint: 'Run it in a merge request pipeline (`rules: if: $CI_PIPELINE_SOURCE == "merge_request_event"`), or add --pull-request NUMBER.',
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
    proxies: readProxies(address, world.env),
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

function variable(env: World["env"], name: string): string {
  const value = env[name] ?? "";
  if (value !== "") return value;
  throw new UserError("no-variable", `${name} is not set.`, {
    hint: "CI systems set it in every job. Outside CI, set it yourself.",
  });
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

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
