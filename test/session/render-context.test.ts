// The context of a report. Fails if the path of the project does not start at the root of its repository, so that
// comments of two projects would look like one, or if an address contains a missing variable.

import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadRenderContext } from "../../src/session/render-context.ts";
import type { RenderContext } from "../../src/report/format.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const PROJECT = "version: 1\n";
const SINKS = [{ format: "markdown", file: "plan.md" }] as const;

async function contextIn(
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  config?: string,
): Promise<RenderContext> {
  return loadRenderContext({ cwd, env }, config === undefined ? {} : { config }, SINKS);
}

test("the project has its path from the root of its repository, in any working directory", async () => {
  const root = await temporaryFolder();
  // In a second worktree, .git is a file.
  await writeFiles(root, {
    ".git": "gitdir: /elsewhere",
    "a/b/linkform.yaml": PROJECT,
    "a/b/links/x.yaml": "",
    "a/staging.yaml": "",
  });
  expect((await contextIn(path.join(root, "a/b/links"))).project).toBe("a/b/linkform.yaml");
  expect((await contextIn(path.join(root, "a/b"), {}, "../staging.yaml")).project).toBe("a/staging.yaml");
});

test("the project has its file name without a repository, and the default name without a project", async () => {
  const root = await temporaryFolder();
  expect((await contextIn(root)).project).toBe("linkform.yaml");
  await writeFiles(root, { "a/linkform.yaml": PROJECT });
  expect((await contextIn(path.join(root, "a"))).project).toBe("linkform.yaml");
});

const GITHUB = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.example.com",
  GITHUB_REPOSITORY: "octo/links",
  GITHUB_RUN_ID: "42",
  GITHUB_SHA: "abc",
};
const GITLAB = {
  GITLAB_CI: "true",
  CI_JOB_URL: "https://gitlab.example.com/o/l/-/jobs/7",
  CI_PROJECT_URL: "https://gitlab.example.com/o/l",
  CI_COMMIT_SHA: "abc",
};

test.each([
  ["on GitLab", GITLAB, "https://gitlab.example.com/o/l/-/jobs/7", "https://gitlab.example.com/o/l/-/blob/abc/"],
  [
    "with a variable missing",
    { ...GITHUB, GITHUB_SHA: "" },
    "https://github.example.com/octo/links/actions/runs/42",
    null,
  ],
  ["with the repository missing", { ...GITHUB, GITHUB_REPOSITORY: "" }, null, null],
  ["elsewhere", { ...GITHUB, GITHUB_ACTIONS: "" }, null, null],
])("addresses of the run and the files, %s", async (_, env, runUrl, blobUrl) => {
  expect(await contextIn(await temporaryFolder(), env)).toMatchObject({ runUrl, blobUrl });
});

describe("who changed the files", () => {
  const SHA = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d";
  const EVENT = {
    ...GITHUB,
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: "event.json",
    GITHUB_SHA: "a".repeat(40),
  };
  const pullRequest = (login: unknown, sha: unknown): unknown => ({
    pull_request: { user: { login }, head: { sha } },
  });

  async function originOf(env: Readonly<Record<string, string>>, event: unknown = null): Promise<unknown> {
    const root = await temporaryFolder();
    await writeFiles(root, { "event.json": JSON.stringify(event) });
    return (await contextIn(root, env)).origin;
  }

  const commitUrl = `https://github.example.com/octo/links/commit/${SHA}`;
  test.each([
    // Not the merge commit of the test.
    ["ada", SHA, { of: "request", login: "ada", commit: SHA, commitUrl }],
    ["ada](https://evil.example.com)", SHA, { login: null, commit: SHA }],
    ["ada\n\n# Approved", SHA, { login: null, commit: SHA }],
    ["ada", `${SHA}\n`, { login: "ada", commit: null, commitUrl: null }],
    ["ada", "main", { login: "ada", commit: null, commitUrl: null }],
    [7, { toString: SHA }, { login: null, commit: null, commitUrl: null }],
  ])(
    "is the author of the pull request and its own commit, unless %j or %j does not match",
    async (login, sha, expected) => {
      expect(await originOf(EVENT, pullRequest(login, sha))).toMatchObject(expected);
    },
  );

  test("is who pushed, on GitHub and GitLab", async () => {
    const push = { ...EVENT, GITHUB_EVENT_NAME: "push" };
    expect(await originOf(push, { sender: { login: "grace" }, after: SHA })).toMatchObject({
      of: "push",
      login: "grace",
      commit: SHA,
    });
    const gitlab = {
      GITLAB_CI: "true",
      CI_PIPELINE_SOURCE: "push",
      CI_PROJECT_URL: "https://gitlab.example.com/o/l",
      CI_COMMIT_SHA: SHA,
      GITLAB_USER_LOGIN: "grace",
    };
    const url = `https://gitlab.example.com/o/l/-/commit/${SHA}`;
    expect(await originOf(gitlab)).toMatchObject({ of: "push", login: "grace", commitUrl: url });
  });

  test("is nobody for a schedule, and outside CI", async () => {
    expect(await originOf({ ...EVENT, GITHUB_EVENT_NAME: "schedule" })).toBeNull();
    expect(await originOf({})).toBeNull();
  });
});
