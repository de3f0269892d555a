// A report becomes one comment, or one issue, and stays one: on GitHub and on GitLab. Fails when a second one is written where there
// is one, when one is written over that is not ours, or when it goes to the wrong request.

import { describe, expect, it } from "vitest";
import { DRIFT, eventFile, MARKER, report, say } from "../support/commenting.ts";
import { forgeFor, type ForgeOptions } from "../support/forge.ts";

const FORGES = [
  {
    forge: "github",
    flags: { github: true },
    page: /^https:\/\/github\.example\/acme\/links\/pull\/1#issuecomment-\d+$/,
  },
  {
    forge: "gitlab",
    flags: { gitlab: true },
    page: /^https:\/\/gitlab\.example\/acme\/links\/-\/merge_requests\/1#note_\d+$/,
  },
] as const;
const PAGE = { CI_PROJECT_URL: "https://gitlab.example/acme/links" };

/** Comments of others, and in the midst of them ours. */
function among(...ours: readonly string[]): NonNullable<ForgeOptions["comments"]> {
  const talk = Array.from({ length: 7 }, (_, at) => ({ body: `What about ${at}?`, author: "octocat" }));
  return [...talk, ...ours.map((body) => ({ body })), ...talk];
}

describe.each(FORGES)("a comment on $forge", ({ forge, flags, page }) => {
  it("is created if there is none, and its address is printed", async () => {
    const there = await forgeFor({ comments: among(), pulls: [1, 2] });
    const { exit, err } = await say(report("Plan"), { ...PAGE, ...there.env[forge] }, flags);
    const written = there.comments.at(-1);
    expect({ exit, body: written?.body, on: written?.on }).toEqual({ exit: 0, body: report("Plan"), on: 1 });
    expect(err).toMatch(/^The comment is written: \S+\n$/);
    expect(err.trim().split(": ")[1]).toMatch(page);
  });

  it("is found on any page of the list, and updated", async () => {
    const there = await forgeFor({ comments: among(report("Old plan")), pageSize: 3 });
    const before = there.comments.map(({ id, body }) => [id, body]);
    const { exit, err } = await say(report("New plan"), there.env[forge], flags);
    expect(exit).toBe(0);
    expect(err).toMatch(/^The comment is updated: /);
    const changed = before.map(([id, body]) => [id, body === report("Old plan") ? report("New plan") : body]);
    expect(there.comments.map(({ id, body }) => [id, body])).toEqual(changed);
    expect(there.writes()).toHaveLength(1);
  });

  it("is another one for another project and another command", async () => {
    const there = await forgeFor();
    const markers = [MARKER, DRIFT, "<!-- linkform plan linkform.yaml -->"];
    for (const marker of [...markers, ...markers]) await say(report(marker, marker), there.env[forge], flags);
    expect(there.comments.map(({ body }) => body)).toEqual(markers.map((marker) => report(marker, marker)));
  });

  // Whoever may comment could write the marker, have us write the plan into their comment, and change it after the review.
  it("of somebody else is never updated, even if it starts with the marker", async () => {
    const theirs = [
      { body: report("No changes."), author: "mallory" },
      { body: `> quoted\n${report("No changes.")}`, author: "octocat" },
    ];
    const there = await forgeFor({ comments: [...theirs, { body: `Look:\n${MARKER}\n` }] });
    const { exit } = await say(report("12 deletes"), there.env[forge], flags);
    expect(exit).toBe(0);
    expect(there.comments.map(({ body }) => body)).toEqual([
      ...theirs.map(({ body }) => body),
      `Look:\n${MARKER}\n`,
      report("12 deletes"),
    ]);
  });

  it("that exists twice is updated once", async () => {
    const there = await forgeFor({ comments: among(report("One"), report("Two")) });
    expect((await say(report("New"), there.env[forge], flags)).exit).toBe(0);
    const bodies = there.comments.map(({ body }) => body);
    expect([bodies.indexOf(report("New")), bodies.indexOf(report("Two"))]).toEqual([7, 8]);
  });

  // Fails if a check without findings writes a comment, or leaves the one that it wrote before.
  it("is only updated, never written, with --close", async () => {
    const there = await forgeFor();
    const close = { ...flags, close: true };
    expect((await say(report("New"), there.env[forge], close)).err).toBe("No comment to update.\n");
    await say(report("Dead"), there.env[forge], flags);
    expect((await say(report("Alive"), there.env[forge], close)).err).toMatch(/^The comment is updated: /);
    expect(there.comments.map(({ body }) => body)).toEqual([report("Alive")]);
  });

  it("is found again though the forge ends its lines otherwise", async () => {
    const there = await forgeFor({ comments: [{ body: report("Old").replaceAll("\n", "\r\n") }] });
    await say(report("New"), there.env[forge], flags);
    expect(there.comments.map(({ body }) => body)).toEqual([report("New")]);
  });
});

describe.each(FORGES)("an issue on $forge", ({ forge, flags }) => {
  const issue = { ...flags, issue: true } as const;

  it("is opened once, updated, closed, and opened again", async () => {
    const there = await forgeFor({ issues: [{ body: report("Not ours", DRIFT), author: "mallory" }], pageSize: 1 });
    const states = (): unknown[] => there.issues.slice(1).map(({ state, body }) => [state, body]);
    const first = await say(report("Drift", DRIFT), there.env[forge], issue);
    expect(first.err).toMatch(/^The issue is opened: https:\S+\/issues\/\d+\n$/);
    expect(there.issues.at(-1)?.title).toBe("linkform drift: marketing/linkform.yaml");
    await say(report("More drift", DRIFT), there.env[forge], issue);
    expect(states()).toEqual([["open", report("More drift", DRIFT)]]);
    const closed = await say(report("No drift", DRIFT), there.env[forge], { ...issue, close: true });
    expect(closed.err).toMatch(/^The issue is closed: /);
    expect(states()).toEqual([["closed", report("No drift", DRIFT)]]);
    await say(report("Again", DRIFT), there.env[forge], issue);
    expect(states()).toEqual([
      ["closed", report("No drift", DRIFT)],
      ["open", report("Again", DRIFT)],
    ]);
    expect(there.issues[0]).toMatchObject({ state: "open", body: report("Not ours", DRIFT) });
  });

  it("is not opened to be closed", async () => {
    const there = await forgeFor();
    const { exit, err } = await say(report("No drift", DRIFT), there.env[forge], { ...issue, close: true });
    expect({ exit, err, writes: there.writes() }).toEqual({
      exit: 0,
      err: "No open issue to close.\n",
      writes: [],
    });
  });

  it("needs no request that the job is of", async () => {
    const there = await forgeFor({ pulls: [1] });
    const { GITHUB_REF: _ref, CI_MERGE_REQUEST_IID: _iid, ...env }: Record<string, string> = there.env[forge];
    expect((await say(report("Drift", DRIFT), env, issue)).exit).toBe(0);
    expect(there.issues).toHaveLength(1);
  });
});

it("the request that a job is of on GitHub is the event's, before the ref's", async () => {
  const there = await forgeFor({ pulls: [1, 5] });
  const GITHUB_EVENT_PATH = await eventFile({ pull_request: { number: 5 } });
  await say(report("Plan"), { ...there.env.github, GITHUB_EVENT_PATH }, { github: true });
  expect(there.comments.map(({ on }) => on)).toEqual([5]);
});

it("the request that a job is of on GitLab is the target's, though the pipeline is a fork's", async () => {
  const there = await forgeFor();
  const { CI_PROJECT_ID = "" } = there.env.gitlab;
  const env = { ...there.env.gitlab, CI_PROJECT_ID: "99", CI_MERGE_REQUEST_PROJECT_ID: CI_PROJECT_ID };
  expect((await say(report("Plan"), env, { gitlab: true })).exit).toBe(0);
  expect(there.comments).toHaveLength(1);
});

it("the request that a job is of on GitHub's own server is asked for where its two APIs are", async () => {
  const there = await forgeFor({
    answer: ({ path }) =>
      path === "/api/graphql" ? { status: 200, json: { data: { viewer: { login: "x" } } } } : null,
  });
  const GITHUB_API_URL = `${there.url}/api/v3/`;
  await say(report("Plan"), { ...there.env.github, GITHUB_API_URL }, { github: true });
  expect(there.requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`)).toEqual([
    "POST /api/graphql",
    "GET /api/v3/repos/acme/links/issues/1/comments",
  ]);
});

// Fails if GitLab executes a line of a report.
it.each(["/close", "/merge now", "/Approve", "\r/close\r", "/label ~x"])(
  "a line like %j is not sent to GitLab",
  async (line) => {
    const there = await forgeFor();
    const body = `${report("Plan")}\n${line}\n`;
    const { exit, problem } = await say(body, there.env.gitlab, { gitlab: true });
    expect({ exit, code: problem?.code, requests: there.requests }).toEqual({
      exit: 1,
      code: "quick-action",
      requests: [],
    });
    await say(report("Plan / close\n- /close\n /close\n//close"), there.env.gitlab, { gitlab: true });
    expect([there.comments.length, there.obeyed]).toEqual([1, []]);
  },
);
