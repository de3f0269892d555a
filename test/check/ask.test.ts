// What `check` asks of destinations, and what it makes of their answers.

import { BlockList } from "node:net";
import { expect, it, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { fastClock } from "../support/clock.ts";
import { startForwardProxy } from "../service/forward-proxy.ts";
import { brief, KINDS, Network, redirect, status } from "./network.ts";

const clock = fastClock(200);

// Fails if an answer gets another verdict, a private address gets a request, a host gets two requests within half a second, or more than 16
// get one at once.
it("each kind of answer has its verdict", async () => {
  const network = new Network(clock);
  const expected = await network.addAll(KINDS);
  const answers = await network.ask([...expected.keys()]);
  expect(new Map([...answers].map(([url, answer]) => [url, brief(answer)]))).toEqual(expected);
  expect(network.faults).toEqual([]);
  expect(network.most).toBe(16);
});

// Fails if HEAD is not tried first, a dead destination is not asked again, or a password or a cookie is sent.
it("asks with HEAD, then with GET, and half a minute later with GET", async () => {
  const network = new Network(clock);
  const asked: unknown[] = [];
  const times: number[] = [];
  const url = await network.add((request, response) => {
    const { "user-agent": agent, cookie, authorization } = request.headers;
    asked.push([request.method, request.url, agent, cookie, authorization]);
    times.push(clock.now());
    response.writeHead(410, { "set-cookie": "a=b" }).end();
  });
  const answers = await network.ask([`${url.replace("//", "//user:secret@")}a?b#c`]);
  expect([...answers.values()].map(brief)).toEqual(["dead 410"]);
  const agent = "linkform/1.2.3 (checks the destinations of short links; docs/check.md of the package linkform)";
  expect(asked).toEqual(["HEAD", "GET", "GET"].map((method) => [method, "/a?b", agent, undefined, undefined]));
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(30_000);
});

// Fails if a host gets other requests while it asks to wait, or if it can hold up a run.
it.each([
  ["3", ["alive 200", "alive 200", "alive 200"]],
  ["121", ["unknown 429", "unknown the host asks to wait too long", "unknown the host asks to wait too long"]],
])("waits for a host that asks for %s seconds, or asks it no more", async (seconds, expected) => {
  const network = new Network(clock);
  const times: number[] = [];
  const url = await network.add((...call) => {
    times.push(clock.now());
    status(times.length === 1 ? 429 : 200, { "retry-after": seconds })(...call);
  });
  const answers = await network.ask(["a", "b", "c"].map((page) => url + page));
  expect([...answers.values()].map(brief)).toEqual(expected);
  expect((times[1] ?? Infinity) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3000);
});

// Fails if a report contains a password or a fragment of a redirect.
it("reports the addresses of redirects", async () => {
  const network = new Network(clock);
  const end = await network.add(status(200));
  const second = await network.add(redirect(`${end.replace("//", "//user:secret@")}%0A"a b?q=<c>#there`));
  const first = await network.add(redirect(second));
  const { redirects } = (await network.ask([first])).get(first) ?? expect.fail();
  expect(redirects).toEqual([second, `${end}%0A%22a%20b?q=%3Cc%3E`]);
});

// Fails if a name is looked up once for the check and once for the connection, or if only the first lookup is checked.
it("refuses a host whose address becomes private", async () => {
  const network = new Network(clock);
  const url = await network.add(status(403));
  let lookups = 0;
  const lookup: Network["lookup"] = async (host) =>
    (lookups += 1) === 1 ? network.lookup(host) : [{ address: "127.0.0.1", family: 4 }];
  const answers = await network.ask([url], { lookup });
  expect([...answers.values()].map(brief)).toEqual(["unknown private address"]);
  expect([lookups, network.requests]).toEqual([2, 1]);
});

// Fails if a machine without a network reports that all destinations are dead.
it("does not call a host dead if no host can be resolved", async () => {
  const network = new Network(clock);
  const none = Object.assign(new Error("no"), { code: "ENOTFOUND" });
  const lookup: Network["lookup"] = async (host) =>
    host === "go.test" ? [{ address: "127.0.0.1", family: 4 }] : Promise.reject(none);
  const answers = await network.ask(["https://a.test/"], { lookup, allowed: new BlockList() });
  expect([...answers.values()].map(brief)).toEqual(["unknown no host can be resolved"]);
});

// Fails if a run exceeds --max-wait, or if an answer that was not confirmed is an alarm.
it("asks nothing after the deadline", async () => {
  const network = new Network(clock);
  const url = await network.add(status(404));
  const busy = await network.add(status(429, { "retry-after": "60" }));
  const answers = await network.ask([url, busy], { deadline: clock.now() + 20_000 });
  expect([...answers.values()].map(brief)).toEqual(["unknown 404, not asked again in time", "unknown 429"]);
  const late = await network.ask([url], { deadline: clock.now() - 1 });
  expect([...late.values()].map(brief)).toEqual(["unknown not asked in time"]);
});

// Fails if Ctrl-C waits for a server, or for half a minute.
it("ends at once when it is interrupted", async () => {
  const network = new Network(clock);
  const controller = new AbortController();
  const stop = new UserError("interrupted", "The run was interrupted.");
  const url = await network.add(() => controller.abort(stop));
  const dead = await network.add(status(404));
  await expect(network.ask([dead, url, `${url}b`], { signal: controller.signal })).rejects.toBe(stop);
});

// Fails if the environment's proxy is not used, if it is asked for a private address, or if NO_PROXY allows one.
test("a proxy gets the requests", async () => {
  const network = new Network(clock);
  const proxy = await startForwardProxy(404);
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "inside.test" };
  const answers = await network.ask(["http://a.test/", "http://127.0.0.1/", "http://inside.test/"], { env });
  const isPrivate = "unknown private address";
  expect([...answers.values()].map(brief)).toEqual(["dead 404", isPrivate, isPrivate]);
  expect(proxy.asked.map(({ method, target }) => `${method} ${target}`)).toEqual(
    ["HEAD", "GET", "GET"].map((method) => `${method} http://a.test/`),
  );
  await expect(network.ask([], { env: { HTTPS_PROXY: "ftp://a" } })).rejects.toThrow(UserError);
});
