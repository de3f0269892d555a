// What goes over the wire to a forge: the token to its API alone, again what failed for a moment, and nothing twice. Fails when a
// comment is doubled by a lost answer, when a job waits for longer than it may, or when somebody else gets the token.

import { describe, expect, it } from "vitest";
import { startForwardProxy } from "../service/forward-proxy.ts";
import { startServer } from "../service/server.ts";
import { StillClock } from "../support/clock.ts";
import { report, say } from "../support/commenting.ts";
import { forgeFor } from "../support/forge.ts";
import { ME, TOKEN, type ForgeRequest, type Reply } from "../support/forge-state.ts";

const FORGES = [
  { forge: "github", flags: { github: true }, name: "GitHub" },
  { forge: "gitlab", flags: { gitlab: true }, name: "GitLab" },
] as const;

const [NOW, LATER] = ["Fri, 20 Nov 2026 23:13:20 GMT", "Fri, 20 Nov 2026 23:13:29 GMT"] as const;
const BUSY: Reply = { status: 502, json: { message: "Bad gateway" } };

/** Answers so often in the place of the stand-in, to requests that are meant. */
function times(
  count: number,
  reply: Reply,
  isMeant: (request: ForgeRequest) => boolean,
): (request: ForgeRequest) => Reply | null {
  let left = count;
  return (request) => (isMeant(request) && left-- > 0 ? reply : null);
}

const isMaking = ({ method, path }: ForgeRequest): boolean => method === "POST" && path !== "/graphql";

describe.each(FORGES)("$forge", ({ forge, flags, name }) => {
  it.each([500, 502, 503, 504])("a read that is answered with %i is asked again", async (status) => {
    const there = await forgeFor({ answer: times(3, { status, json: {} }, ({ method }) => method === "GET") });
    const clock = new StillClock();
    expect((await say(report("Plan"), there.env[forge], flags, { clock })).exit).toBe(0);
    expect(clock.slept).toEqual([500, 1000, 2000]);
  });

  it("an update of the oldest comment that is answered with 502 is sent again", async () => {
    const update = times(2, BUSY, ({ method }) => method === "PATCH" || method === "PUT");
    const there = await forgeFor({ comments: [{ body: report("Old") }, { body: report("Second") }], answer: update });
    there.comments.reverse();
    expect((await say(report("New"), there.env[forge], flags, { clock: new StillClock() })).exit).toBe(0);
    expect(there.comments.map(({ body }) => body)).toEqual([report("Second"), report("New")]);
  });

  it("what goes on failing is given up, and said", async () => {
    const there = await forgeFor({ answer: () => BUSY });
    const { exit, problem } = await say(report("Plan"), there.env[forge], flags, { clock: new StillClock() });
    expect([exit, problem?.code, problem?.hint]).toEqual([
      1,
      "forge-refused",
      `This is an error at ${name}. Run the command again.`,
    ]);
    expect(problem?.message).toContain("(502): Bad gateway");
    expect(there.requests).toHaveLength(5);
  });

  // The answer to a create is lost: before another one is made, it is looked whether there is one.
  it.each([true, false])("a comment whose answer is lost is not made twice; it was made: %s", async (isMade) => {
    let lost = 0;
    const there = await forgeFor({
      answer: (request) => {
        if (!isMaking(request) || lost > 0) return null;
        lost += 1;
        if (isMade) there.comments.push({ id: 5, on: 1, author: ME, body: report("Plan") });
        return BUSY;
      },
    });
    expect((await say(report("Plan"), there.env[forge], flags, { clock: new StillClock() })).exit).toBe(0);
    expect(there.comments.map(({ body }) => body)).toEqual([report("Plan")]);
  });

  it("a comment that is deleted while it is being updated is written again", async () => {
    const there = await forgeFor({
      comments: [{ body: report("Old") }],
      answer: ({ method }) => {
        if (method === "PATCH" || method === "PUT") there.comments.length = 0;
        return null;
      },
    });
    expect((await say(report("New"), there.env[forge], flags, { clock: new StillClock() })).exit).toBe(0);
    expect(there.comments.map(({ body }) => body)).toEqual([report("New")]);
  });

  it("a comment whose answer is lost each time ends in an error, not in a loop", async () => {
    const there = await forgeFor({ answer: times(100, BUSY, isMaking) });
    const { exit } = await say(report("Plan"), there.env[forge], flags, { clock: new StillClock() });
    expect([exit, there.writes().length]).toEqual([1, 4]);
  });

  it.each<[string, Reply, number]>([
    ["429 with a word on how long", { status: 429, json: {}, headers: { "retry-after": "7" } }, 7],
    ["429 with two", { status: 429, json: {}, headers: { "retry-after": "7, 99" } }, 7],
    ["429 with a time that is over", { status: 429, json: {}, headers: { date: NOW, "retry-after": NOW } }, 1],
    ["429 with a time", { status: 429, json: {}, headers: { date: NOW, "retry-after": LATER } }, 9],
    ["429 without one", { status: 429, json: { message: "Too many" } }, 60],
  ])("is left alone for as long as it wants: %s", async (_what, reply, seconds) => {
    const there = await forgeFor({ answer: times(1, reply, isMaking) });
    const clock = new StillClock();
    const { exit, err } = await say(report("Plan"), there.env[forge], flags, { clock });
    expect([exit, clock.slept]).toEqual([0, [seconds * 1000]]);
    expect(err).toContain(`Waiting ${seconds} s for the rate limit of ${name}.\n`);
    expect(there.comments).toHaveLength(1);
  });

  it("is not waited for longer than five minutes", async () => {
    const reply = { status: 429, json: {}, headers: { "retry-after": "200" } };
    const there = await forgeFor({ answer: () => reply });
    const clock = new StillClock();
    const { exit, problem } = await say(report("Plan"), there.env[forge], flags, { clock });
    expect([exit, problem?.code, clock.slept]).toEqual([1, "forge-limit", [200_000]]);
  });

  it("nobody but its API gets the token: not where a redirect leads, nor a list", async () => {
    const other = await startServer(() => ({ json: [] }));
    const elsewhere = { location: `${other.url}/login`, link: `<${other.url}/next?page=2>; rel="next"` };
    const moved = await forgeFor({ answer: () => ({ status: 302, json: {}, headers: elsewhere }) });
    const { exit, problem } = await say(report("Plan"), moved.env[forge], flags);
    expect([exit, problem?.code]).toEqual([1, "forge-redirect"]);
    expect(problem?.message).toContain(`redirects`);
    expect(problem?.message).toContain(`to ${other.url} (302).`);

    const isList = ({ path }: ForgeRequest): boolean => /(comments|notes)\?/.test(path);
    const paged = await forgeFor({ answer: times(1, { status: 200, json: [], headers: elsewhere }, isList) });
    expect((await say(report("Plan"), paged.env[forge], flags)).exit).toBe(0);
    const lists = paged.requests.filter(isList).map(({ path }) => new URL(path, paged.url).searchParams.get("page"));
    expect(lists).toEqual([null, "2"]);
    expect(other.asked).toEqual([]);
  });

  it("the token is a header of every request, and in nothing else that is sent", async () => {
    const there = await forgeFor();
    await say(report("Plan"), there.env[forge], flags);
    for (const { headers, path, body } of there.requests) {
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
      expect(`${path} ${JSON.stringify(body)}`).not.toContain(TOKEN);
      expect(headers["user-agent"]).toBe("linkform/0.0.0-test");
    }
  });

  it("goes through a proxy, and past one that NO_PROXY excepts", async () => {
    const there = await forgeFor();
    const proxy = await startForwardProxy();
    const env = { ...there.env[forge], http_proxy: `http://127.0.0.1:${proxy.port}` };
    expect((await say(report("Plan"), env, flags)).exit).toBe(0);
    const through = proxy.asked.length;
    expect(through).toBe(there.requests.length);
    expect((await say(report("Plan"), { ...env, no_proxy: "127.0.0.1" }, flags)).exit).toBe(0);
    expect(proxy.asked).toHaveLength(through);
  });

  it("an answer that is none of its own is quoted without the token", async () => {
    const page = await startServer(() => ({ body: `<html><title>Sign in ${TOKEN}</title></html>` }));
    const addresses = { GITHUB_API_URL: page.url, CI_API_V4_URL: page.url };
    const { exit, problem } = await say(report("Plan"), { ...(await forgeFor()).env[forge], ...addresses }, flags);
    expect([exit, problem?.code]).toEqual([1, "forge-answer"]);
    expect(problem?.message).toContain(`does not have the form that ${name} uses: "Sign in (hidden)"`);
  });

  it("a report that is too long for it can be made shorter", async () => {
    const { env } = await forgeFor();
    const { exit, problem } = await say(report("x".repeat(1_000_000)), env[forge], flags);
    expect([exit, problem?.code, problem?.hint]).toEqual([
      1,
      "forge-refused",
      expect.stringContaining("--max-length N"),
    ]);
  });

  it("JSON in another form is no answer", async () => {
    const odd = await forgeFor({ answer: () => ({ status: 200, json: { hello: "world" } }) });
    const { exit, problem } = await say(report("Plan"), odd.env[forge], flags);
    expect([exit, problem?.code]).toEqual([1, "forge-answer"]);
  });

  it("nobody listens", async () => {
    const gone = await forgeFor();
    gone.close();
    const { exit, problem } = await say(report("Plan"), gone.env[forge], flags, { clock: new StillClock() });
    expect([exit, problem?.code]).toEqual([1, "forge-unreachable"]);
    expect(problem?.hint).toContain(forge === "github" ? "Check GITHUB_API_URL" : "Check CI_API_V4_URL");
  });
});

// GitHub says in three ways that it limits somebody with a 403, which else means a lack of rights.
it.each<[string, Reply["headers"], string, number]>([
  ["by the header", { "retry-after": "3" }, "Forbidden", 3],
  [
    "by the time at which it ends",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795262420" },
    "API rate limit",
    20,
  ],
  ["by its words", {}, "You have exceeded a secondary rate limit.", 60],
])("a 403 that limits, %s, is waited for", async (_what, headers, message, seconds) => {
  const limit = times(1, { status: 403, json: { message }, ...(headers === undefined ? {} : { headers }) }, isMaking);
  const github = await forgeFor({ answer: limit });
  const clock = new StillClock();
  expect((await say(report("Plan"), github.env.github, { github: true }, { clock })).exit).toBe(0);
  expect(clock.slept).toEqual([seconds * 1000]);
});
