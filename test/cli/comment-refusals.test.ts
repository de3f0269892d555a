// Why a comment cannot be written is a message with a fix and an exit code: nobody has to read a stack trace in the log of a job.
// Fails if an error is reported as another one, if a request is sent that cannot be right, or if the token is shown.

import { expect, it } from "vitest";
import type { CommentFlags } from "../../src/cli/comment.ts";
import { eventFile, report, say } from "../support/commenting.ts";
import { forgeFor, type ForgeOptions } from "../support/forge.ts";
import { TOKEN } from "../support/forge-state.ts";
import { faultsOf } from "../support/leaks.ts";
import { commandIn } from "../support/command.ts";
import { temporaryFolder } from "../support/scenario.ts";

type Env = Readonly<Record<string, string>>;

const without = (env: Env, ...names: readonly string[]): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

const github = { github: true } as const;
const gitlab = { gitlab: true } as const;

const LOCKED = { status: 403, json: { message: "Unable to create comment because issue is locked." } };

interface Refusal {
  readonly of: string;
  readonly on?: "github" | "gitlab";
  readonly forge?: ForgeOptions;
  readonly body?: string;
  readonly flags?: CommentFlags;
  /** The variables of the job that are missing, and those that have another value. */
  readonly without?: readonly string[];
  readonly env?: Env;
  readonly code: string;
  readonly message?: string;
  readonly hint?: string;
  /** Whether it is refused before the first request. */
  readonly isUnasked?: boolean;
}

const RIGHTS = { forge: { rights: "read" }, code: "forge-rights" } as const;
const NO_RIGHTS = "GitHub does not allow this (Resource not accessible by integration).";
const NO_REQUEST = {
  code: "no-pull-request",
  hint: "Run it on the event `pull_request`, or add --pull-request NUMBER.",
  isUnasked: true,
} as const;

const REFUSALS: readonly Refusal[] = [
  { of: "no token", without: ["GITHUB_TOKEN"], code: "no-token", hint: "`github.token`", isUnasked: true },
  {
    of: "a token that is not taken",
    env: { GITHUB_TOKEN: "other" },
    code: "forge-token",
    message: "GitHub does not accept the token (Bad credentials).",
  },
  {
    of: "a token in two lines",
    env: { GITHUB_TOKEN: "one\nx-evil: two" },
    code: "wrong-token",
    isUnasked: true,
  },
  { of: "no right to write", ...RIGHTS, flags: { pullRequest: 1 }, message: NO_RIGHTS, hint: "`pull-requests: write`" },
  { of: "no right to open an issue", ...RIGHTS, flags: { issue: true }, message: NO_RIGHTS, hint: "`issues: write`" },
  // Fails if the message claims that the token lacks a permission.
  {
    of: "a locked conversation",
    forge: { answer: ({ path }) => (path === "/graphql" ? null : LOCKED) },
    code: "forge-rights",
    message: "GitHub does not allow this (Unable to create comment because issue is locked.).",
  },
  {
    of: "no pull request, but a push",
    ...NO_REQUEST,
    env: { GITHUB_REF: "refs/heads/main", GITHUB_EVENT_NAME: "push" },
    message: "This job does not belong to a pull request (its event is push).",
  },
  {
    of: "no pull request, and no event",
    ...NO_REQUEST,
    env: { GITHUB_REF: "", GITHUB_EVENT_PATH: "/no/such/file" },
    message: "This job does not belong to a pull request.",
  },
  {
    of: "a pull request that is not there",
    flags: { pullRequest: 404 },
    code: "forge-missing",
    message: "Pull request 404 does not exist in acme/links, or the token has no access to it.",
  },
  ...[
    { env: { GITHUB_API_URL: "api.github.com" }, code: "wrong-api-address" },
    { env: { GITHUB_API_URL: "https://me:hunter2@api.github.example" }, code: "wrong-api-address" },
    { env: { GITHUB_REPOSITORY: "acme" }, code: "wrong-repository" },
    { env: { GITHUB_REPOSITORY: "acme/../../evil" }, code: "wrong-repository" },
    { env: { GITHUB_REPOSITORY: "" }, code: "no-variable" },
  ].map((one) => ({ of: `variables that can't be: ${JSON.stringify(one.env)}`, isUnasked: true, ...one })),
  {
    of: "no token on GitLab",
    on: "gitlab",
    without: ["GITLAB_TOKEN"],
    code: "no-token",
    message: "No token found in GITLAB_TOKEN.",
    isUnasked: true,
  },
  ...[
    { without: ["CI_API_V4_URL"], code: "no-variable" },
    { without: ["CI_PROJECT_ID"], code: "no-variable" },
    { without: ["CI_MERGE_REQUEST_IID"], code: "no-merge-request" },
  ].map((one) => ({ of: `no ${one.without.join()} on GitLab`, on: "gitlab" as const, isUnasked: true, ...one })),
  {
    of: "the job's own token on GitLab",
    on: "gitlab",
    env: { GITLAB_TOKEN: "job-token" },
    code: "forge-token",
    hint: "CI_JOB_TOKEN cannot write",
  },
  {
    of: "no right to write on GitLab",
    on: "gitlab",
    ...RIGHTS,
    message: "GitLab does not allow this (403 Forbidden).",
  },
  {
    of: "a merge request that is not there",
    on: "gitlab",
    flags: { pullRequest: 404 },
    code: "forge-missing",
    message: "Merge request 404 does not exist in project 7, or the token has no access to it.",
  },
];

it.each(REFUSALS)(
  "a comment is refused with 1 for $of",
  async ({ on = "github", body = report("Plan"), code, message, hint, ...given }) => {
    const there = await forgeFor(given.forge);
    const env = { ...without(there.env[on], ...(given.without ?? [])), ...given.env };
    const { exit, problem } = await say(body, env, { ...(on === "github" ? github : gitlab), ...given.flags });
    expect([exit, problem?.code, there.comments]).toEqual([1, code, []]);
    if (message !== undefined) expect(problem?.message).toBe(message);
    if (hint !== undefined) expect(problem?.hint).toContain(hint);
    if (given.isUnasked === true) expect(there.requests).toEqual([]);
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  },
);

it("a comment is refused with 1 for a fork, whose token is read-only", async () => {
  const there = await forgeFor({ rights: "read" });
  const head = { repo: { full_name: "mallory/links" } };
  const pull_request = { number: 1, head, base: { repo: { full_name: "acme/links" } } };
  const env = { ...there.env.github, GITHUB_EVENT_PATH: await eventFile({ pull_request }) };
  const { exit, problem } = await say(report("Plan"), env, github);
  expect([exit, problem?.code, problem?.message]).toEqual([
    1,
    "forge-rights",
    "The token is read-only, because the pull request comes from a fork (Resource not accessible by integration).",
  ]);
  expect(problem?.hint).toContain("Skip the comment for forks");
});

it("GH_TOKEN is used instead of GITHUB_TOKEN", async () => {
  const there = await forgeFor();
  const env = { ...without(there.env.github, "GITHUB_TOKEN"), GH_TOKEN: TOKEN };
  expect((await say(report("Plan"), env, github)).exit).toBe(0);
});

it.each([
  [{}, report("Plan"), "which-forge"],
  [{ github: true }, "", "no-report"],
  [{ github: true }, `\n${report("Plan")}`, "no-report"],
])("wrong usage ends with 64: %j %j", async (flags, body, code) => {
  const there = await forgeFor();
  const { exit, problem } = await say(body, there.env.github, flags);
  expect([exit, problem?.code, there.requests]).toEqual([64, code, []]);
});

it("a report that cannot be read is named", async () => {
  const there = await forgeFor();
  const { exit, err } = await commandIn(
    await temporaryFolder(),
    ["comment", "nowhere.md", "--github"],
    there.env.github,
  );
  expect([exit, faultsOf(err)]).toEqual([64, []]);
  expect(err).toContain("error[report-unreadable] The report nowhere.md cannot be read (ENOENT).");
});
