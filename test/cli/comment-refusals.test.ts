// What keeps a comment from being written is said in words that help, with its exit code: nobody has to read a trace in a job's log.
// Fails when a refusal is told as another one, when something is sent that can't be right, or when the token shows.

import { describe, expect, it } from "vitest";
import { eventFile, forgeFor, report, say } from "../support/commenting.ts";
import { TOKEN } from "../support/forge-state.ts";
import { faultsOf } from "../support/leaks.ts";
import { linkform } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

type Env = Readonly<Record<string, string>>;

const without = (env: Env, ...names: readonly string[]): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

describe("on GitHub", () => {
  const github = { github: true } as const;

  it("no token", async () => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), without(there.env.github, "GITHUB_TOKEN"), github);
    expect([exit, problem?.code, there.requests]).toEqual([1, "no-token", []]);
    expect(problem?.hint).toContain("`github.token`");
  });

  it("GH_TOKEN is used instead", async () => {
    const there = await forgeFor();
    const env = { ...without(there.env.github, "GITHUB_TOKEN"), GH_TOKEN: TOKEN };
    expect((await say(report("Plan"), env, github)).exit).toBe(0);
  });

  it("a token that is not taken", async () => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), { ...there.env.github, GITHUB_TOKEN: "other" }, github);
    expect([exit, problem?.code, problem?.message]).toEqual([
      1,
      "forge-token",
      "GitHub does not accept the token (Bad credentials).",
    ]);
  });

  it("a token in two lines, which would be another header", async () => {
    const there = await forgeFor();
    const env = { ...there.env.github, GITHUB_TOKEN: "one\nx-evil: two" };
    expect((await say(report("Plan"), env, github)).problem?.code).toBe("wrong-token");
    expect(there.requests).toEqual([]);
  });

  it.each([
    [
      false,
      { pullRequest: 1 },
      "The token has no write permission (Resource not accessible by integration).",
      "`pull-requests: write`",
    ],
    [
      false,
      { issue: true },
      "The token has no write permission (Resource not accessible by integration).",
      "`issues: write`",
    ],
    [
      true,
      {},
      "The token is read-only, because the pull request comes from a fork (Resource not accessible by integration).",
      "Skip the comment for forks",
    ],
  ])("no right to write; from a fork: %s; %j", async (isFork, flags, message, hint) => {
    const there = await forgeFor({ rights: "read" });
    const head = { repo: { full_name: isFork ? "mallory/links" : "acme/links" } };
    const pull_request = { number: 1, head, base: { repo: { full_name: "acme/links" } } };
    const env = { ...there.env.github, GITHUB_EVENT_PATH: await eventFile({ pull_request }) };
    const { exit, problem } = await say(report("Plan"), env, { ...github, ...flags });
    expect([exit, problem?.code, problem?.message]).toEqual([1, "forge-rights", message]);
    expect(problem?.hint).toContain(hint);
  });

  it.each([
    [
      { GITHUB_REF: "refs/heads/main", GITHUB_EVENT_NAME: "push" },
      "This job does not belong to a pull request (its event is push).",
    ],
    [{ GITHUB_REF: "", GITHUB_EVENT_PATH: "/no/such/file" }, "This job does not belong to a pull request."],
  ])("no pull request: %j", async (env, message) => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), { ...there.env.github, ...env }, github);
    expect([exit, problem?.code, problem?.message]).toEqual([1, "no-pull-request", message]);
    expect([problem?.hint, there.requests]).toEqual([
      "Run it on the event `pull_request`, or add --pull-request NUMBER.",
      [],
    ]);
  });

  it("a pull request that is not there", async () => {
    const there = await forgeFor();
    const { problem } = await say(report("Plan"), there.env.github, { ...github, pullRequest: 404 });
    expect(problem?.message).toBe("Pull request 404 does not exist in acme/links, or the token has no access to it.");
  });

  it("a conversation that is locked", async () => {
    const reply = { status: 403, json: { message: "Unable to create comment because issue is locked." } };
    const there = await forgeFor({ answer: ({ path }) => (path === "/graphql" ? null : reply) });
    const { problem } = await say(report("Plan"), there.env.github, github);
    expect([problem?.code, problem?.hint]).toEqual([
      "forge-locked",
      "Unlock the conversation and run the command again.",
    ]);
  });

  it("a report that is too long", async () => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("x".repeat(65_536)), there.env.github, github);
    expect([exit, problem?.code]).toEqual([1, "report-too-long"]);
    expect([problem?.hint, there.comments]).toEqual(["Write the report with `--max-length 65536` or less.", []]);
  });

  it.each([
    [{ GITHUB_API_URL: "api.github.com" }, "wrong-api-address"],
    [{ GITHUB_API_URL: "https://me:secret@api.github.example" }, "wrong-api-address"],
    [{ GITHUB_REPOSITORY: "acme" }, "wrong-repository"],
    [{ GITHUB_REPOSITORY: "acme/../../evil" }, "wrong-repository"],
    [{ GITHUB_REPOSITORY: "" }, "no-variable"],
  ])("variables that can't be: %j", async (env, code) => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), { ...there.env.github, ...env }, github);
    expect([exit, problem?.code, there.requests]).toEqual([1, code, []]);
    expect(JSON.stringify(problem)).not.toContain("secret");
  });
});

describe("on GitLab", () => {
  const gitlab = { gitlab: true } as const;

  it.each([
    [["GITLAB_TOKEN"], "no-token"],
    [["CI_API_V4_URL"], "no-variable"],
    [["CI_PROJECT_ID"], "no-variable"],
    [["CI_MERGE_REQUEST_IID"], "no-merge-request"],
  ])("without %j", async (names, code) => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), without(there.env.gitlab, ...names), gitlab);
    expect([exit, problem?.code, there.requests]).toEqual([1, code, []]);
  });

  it("the job's own token, which can't write", async () => {
    const there = await forgeFor();
    const { exit, problem } = await say(report("Plan"), { ...there.env.gitlab, GITLAB_TOKEN: "job-token" }, gitlab);
    expect([exit, problem?.code]).toEqual([1, "forge-token"]);
    expect(problem?.hint).toContain("CI_JOB_TOKEN cannot write");
  });

  it("no right to write", async () => {
    const there = await forgeFor({ rights: "read" });
    const { problem } = await say(report("Plan"), there.env.gitlab, gitlab);
    expect([problem?.code, problem?.message]).toEqual([
      "forge-rights",
      "The token has no write permission (403 Forbidden).",
    ]);
  });

  it("a merge request that is not there", async () => {
    const there = await forgeFor();
    const { problem } = await say(report("Plan"), there.env.gitlab, { ...gitlab, pullRequest: 404 });
    expect(problem?.message).toBe("Merge request 404 does not exist in project 7, or the token has no access to it.");
  });

  it("a report that is too long", async () => {
    const there = await forgeFor();
    const { problem } = await say(report("x".repeat(1_000_000)), there.env.gitlab, gitlab);
    expect([problem?.code, there.comments]).toEqual(["report-too-long", []]);
  });
});

describe("wrong usage ends with 64", () => {
  it.each([
    [{}, report("Plan"), "which-forge"],
    [{ github: true, gitlab: true }, report("Plan"), "which-forge"],
    [{ github: true, issue: true, pullRequest: 1 }, report("Plan"), "issue-or-request"],
    [{ github: true, close: true }, report("Plan"), "close-what"],
    [{ github: true }, "", "no-report"],
    [{ github: true }, "# A text\n", "no-report"],
    [{ github: true }, `\n${report("Plan")}`, "no-report"],
    [{ github: true }, "<!-- linkform plan -->\n", "no-report"],
    [{ github: true }, "{}", "no-report"],
  ])("%j %j", async (flags, body, code) => {
    const there = await forgeFor();
    const { exit, problem } = await say(body, there.env.github, flags);
    expect([exit, problem?.code, there.requests]).toEqual([64, code, []]);
  });
});

// Fails when the program itself, as it is installed, ends otherwise than its parts say, or prints what only programmers know.
describe("the program", () => {
  it.each<[readonly string[], Env, number, string]>([
    [["comment"], {}, 64, "error[missing-argument] Missing argument: FILE"],
    [
      ["comment", "nowhere.md", "--github"],
      {},
      64,
      "error[report-unreadable] The report nowhere.md cannot be read (ENOENT).",
    ],
    [["comment", "report.md"], {}, 64, "error[which-forge] Choose where to post the comment."],
    [
      ["comment", "report.md", "--github"],
      { GITHUB_TOKEN: "" },
      1,
      "error[no-token] No token found. Neither GITHUB_TOKEN nor GH_TOKEN is set.",
    ],
    [
      ["comment", "report.md", "--github", "--pull-request", "0"],
      {},
      64,
      "error[wrong-value] `--pull-request` cannot be `0`.",
    ],
    [
      ["comment", "report.md", "--github", "--pull-request", "9"],
      {},
      1,
      "error[forge-missing] Pull request 9 does not exist in acme/links",
    ],
    [
      ["comment", "report.md", "--github"],
      { GITHUB_TOKEN: "wrong" },
      1,
      "error[forge-token] GitHub does not accept the token (Bad credentials).",
    ],
    [
      ["comment", "report.md", "--github"],
      {},
      0,
      "The comment is written: https://github.example/acme/links/pull/1#issuecomment-",
    ],
  ])("%j with %j ends with %i", async (args, env, exit, says) => {
    const there = await forgeFor();
    const folder = await temporaryFolder();
    await writeFiles(folder, { "report.md": report("Plan") });
    const ran = await linkform(folder, args, { ...there.env.github, ...env });
    expect({ exit: ran.exit, out: ran.out }).toEqual({ exit, out: "" });
    expect(ran.err).toContain(says);
    expect(faultsOf(ran.err)).toEqual([]);
    expect(ran.err).not.toContain(TOKEN);
  });
});
