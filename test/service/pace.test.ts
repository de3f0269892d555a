// Requests keep within the service's rate limit: no request fails because of it, few are refused, and none waits without need.

import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { readLimit, secondsAtLimit } from "../../src/service/limit.ts";
import { fastClock, HandClock } from "../support/clock.ts";
import { connect, JUST_READ, linkRow, type Reply, showAll, shown, startReplying, startServer } from "./server.ts";

/** Fast enough for short tests, slow enough that 60 requests end within a window. */
const SPEED = 20;
const WINDOW = 20_000;

const DATE = { date: "Fri, 20 Nov 2026 23:13:20 GMT" };
const EPOCH = Date.parse(DATE.date) / 1000;

// Fails if an invalid header counts as "now", or if a hostile one stops the run for a year.
test.each<[string | undefined, string | undefined, number]>([
  ["57", undefined, 57],
  [" 57 ", undefined, 57],
  ["0", undefined, 1],
  ["99999999999999999999", undefined, 3600],
  ["Fri, 20 Nov 2026 23:13:50 GMT", undefined, 30],
  ["Fri, 20 Nov 2026 23:13:00 GMT", undefined, 1],
  ["Sat, 20 Nov 2027 23:13:00 GMT", undefined, 3600],
  ["Whenever GMT", undefined, 60],
  ["soon", undefined, 60],
  ["1.5", undefined, 60],
  ["-5", undefined, 60],
  ["", undefined, 60],
  [undefined, undefined, 60],
  ["7", `${EPOCH + 17}`, 7],
  [undefined, `${EPOCH + 17}`, 17],
  [undefined, `${EPOCH - 1}`, 60],
  // Seconds from now, in place of a time.
  [undefined, "17", 60],
  [undefined, `${EPOCH + 86_400}`, 60],
  // Two of them, one from a proxy.
  ["7, 99", undefined, 7],
])("Retry-After %j and Reset %j are a wait of %i s", (after, reset, seconds) => {
  const headers = new Map(Object.entries({ ...DATE, "retry-after": after, "x-ratelimit-reset": reset }));
  expect(readLimit(429, (name) => headers.get(name) ?? null, EPOCH * 1000).wait).toBe(seconds);
});

// Fails if linkform does not wait after a 429 that still has requests remaining: those of another limit.
test("linkform waits after a 429, and sends the request again", async () => {
  let refusals = 0;
  const headers = { ...DATE, "x-ratelimit-reset": `${EPOCH + 17}`, "x-ratelimit-remaining": "29" };
  const { url, asked } = await startServer(() =>
    refusals++ === 0 ? { status: 429, headers, body: "<h1>Too Many Requests</h1>" } : shown(linkRow(1)),
  );
  const { client, waits } = connect(url, { clock: fastClock(500) });
  expect((await client.show("link", 1))?.id).toBe(1);
  expect([waits, asked.length]).toEqual([[17], 2]);
});

// Fails if a 429 counts as an attempt, or prevents the retry of a store. It had no effect.
test("a store that gets a 429 seven times is sent until it is accepted", async () => {
  let refusals = 0;
  const { url, asked } = await startServer(() =>
    refusals++ < 7 ? refusal(1) : { status: 201, json: { data: { id: 5 } } },
  );
  expect(await connect(url).client.store("link", "url=a")).toBe(5);
  expect(asked).toHaveLength(8);
});

/** A service with five requests per window that reports the start of the next one, and the times of its requests. */
async function startForetelling(clock: Clock): Promise<{ url: string; times: number[]; refused: () => number }> {
  const times: number[] = [];
  let [count, reset, refused] = [0, 0, 0];
  const { url } = await startServer(() => {
    const now = clock.now();
    times.push(now);
    if (now >= reset) [count, reset] = [0, now + WINDOW];
    count += 1;
    if (count > 5) refused += 1;
    const said = { date: new Date(now).toUTCString(), "x-ratelimit-reset": String(Math.ceil(reset / 1000)) };
    const headers = { ...said, "x-ratelimit-limit": "5", "x-ratelimit-remaining": String(Math.max(5 - count, 0)) };
    return count > 5 ? { status: 429, headers, json: {} } : { ...shown(linkRow(1)), headers };
  });
  return { url, times, refused: () => refused };
}

// Fails if a reported limit is exceeded.
test("linkform waits after Remaining: 0 with a Reset, and nothing is refused", async () => {
  const clock = fastClock(SPEED);
  const { url, times, refused } = await startForetelling(clock);
  const connected = connect(url, { clock });
  await showAll(connected, 12, 4);
  expect([times.length, refused(), connected.waits.length]).toEqual([12, 0, 2]);
  const [first = 0, , , , , sixth = 0, , , , , eleventh = 0] = times;
  expect(sixth - first).toBeGreaterThanOrEqual(WINDOW);
  expect(eleventh - sixth).toBeGreaterThanOrEqual(WINDOW);
});

// Fails if requests are slowed down without a reported limit. The service responds after twelve arrived, so fewer would hang.
test.each<[string, Reply["headers"]]>([
  ["no header", {}],
  ["plenty left", { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999" }],
  ["an invalid number", { "x-ratelimit-remaining": "lots" }],
  ["just enough left, before what a proxy allows", { "x-ratelimit-remaining": ["12", "0"] }],
])("responses with %s: requests are sent in parallel", async (_what, headers) => {
  const held: ServerResponse[] = [];
  const { url } = await startServer((_asked, response) => {
    held.push(response);
    if (held.length < 12) return null;
    for (const one of held.splice(0)) one.writeHead(200, { ...headers }).end(JSON.stringify(shown(linkRow(1)).json));
    return null;
  });
  const connected = connect(url);
  await showAll(connected, 36, 12);
  expect([connected.client.requests, connected.waits]).toEqual([36, []]);
});

// Fails if Node warns of a leak because many requests listen for the end of the run.
test("forty requests at once, and forty that wait, cause no warning", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  process.on("warning", keep);
  onTestFinished(() => void process.off("warning", keep));
  const { url, asked } = await startServer(() => (asked.length <= 40 ? refusal(5) : shown(linkRow(1))));
  await showAll(connect(url, { signal: new AbortController().signal }), 80, 40);
  expect(warnings).toEqual([]);
});

// Fails if several requests test a service that refuses all, or if all wait for a signal that never comes.
test("no requests left, and no time of the reset: one request at a time", async () => {
  let [underWay, most] = [0, 0];
  const { url } = await startServer((_asked, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    // Other requests would arrive within the next turns.
    setImmediate(() =>
      setImmediate(() => {
        underWay -= 1;
        response.writeHead(200, { "x-ratelimit-remaining": "0" }).end(JSON.stringify(shown(linkRow(1)).json));
      }),
    );
    return null;
  });
  const connected = connect(url);
  await showAll(connected, 1, 1);
  await showAll(connected, 30, 12);
  expect([most, connected.waits]).toEqual([1, []]);
});

/** A refusal for this number of seconds. */
function refusal(seconds: number): Reply {
  return { status: 429, headers: { "retry-after": `${seconds}` }, json: { message: "Too Many Attempts." } };
}

const reasonOf = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((cause: unknown) => cause);

// Fails if a run waits longer than allowed, fails earlier, or leaves some workers waiting.
test.each([
  [0, 0, ""],
  [29, 0, ""],
  [30, 1, ", after 30 s of waiting"],
  [89, 2, ", after 60 s of waiting"],
])("with a limit of %i s, linkform waits for a service that asks for 30 s %i times", async (maxWait, times, after) => {
  const { url, asked } = await startReplying(refusal(30));
  const { client, waits } = connect(url, { clock: fastClock(500), maxWait });
  const reasons = await Promise.all([1, 2, 3, 4].map((id) => reasonOf(client.show("link", id))));
  expect(new Set(reasons).size).toBe(1);
  const [reason] = reasons;
  expect(reason).toBeInstanceOf(UserError);
  expect(reason).toMatchObject({
    code: "max-wait",
    exit: 1,
    message: `The service asks to wait 30 s (rate limit)${after}. This exceeds --max-wait ${maxWait}.`,
  });
  expect(waits).toEqual(Array(times).fill(30));
  expect(asked.length).toBe(4 + times);
  // Later requests fail as well, and nothing more is sent.
  expect(await reasonOf(client.show("link", 5))).toBe(reason);
  expect(asked.length).toBe(4 + times);
});

// Fails if an interrupted run keeps waiting, for up to an hour, or sends another request.
test("an aborted run stops waiting with the reason", async () => {
  const { url, asked } = await startReplying(refusal(3000));
  const stop = new AbortController();
  const { client, waits } = connect(url, { signal: stop.signal });
  const reading = Promise.all([1, 2, 3].map((id) => reasonOf(client.show("link", id))));
  await expect.poll(() => waits).toEqual([3000]);
  await expect.poll(() => asked).toHaveLength(3);
  const reason = new UserError("interrupted", "Stopped.");
  stop.abort(reason);
  expect(await reading).toEqual([reason, reason, reason]);
  expect(await reasonOf(client.update("link", 1, "url=a", ...JUST_READ))).toBe(reason);
  expect(asked).toHaveLength(3);
});

// Fails if the limit is not that of the last response, is forgotten when a response lacks it, or is made up.
test("the limit is that of the last response", async () => {
  const said: Reply["headers"][] = [
    {},
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59" },
    { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "7" },
    {},
    { "x-ratelimit-limit": "0" },
  ];
  const { url } = await startServer(() => ({ ...shown(linkRow(1)), headers: said.shift() ?? {} }));
  const { client, transport } = connect(url);
  const known = [transport.pace.limit];
  for (const _ of Array(5)) {
    await client.show("link", 1);
    known.push(transport.pace.limit);
  }
  expect(known).toEqual([
    null,
    null,
    { perMinute: 60, left: 59 },
    { perMinute: 120, left: 7 },
    { perMinute: 120, left: null },
    null,
  ]);
});

// Fails if the rest of this window is not used first, or if a started window is not counted.
test.each([
  [0, { perMinute: 60, left: 0 }, 0],
  [59, { perMinute: 60, left: 59 }, 0],
  [60, { perMinute: 60, left: 59 }, 60],
  [119, { perMinute: 60, left: 59 }, 60],
  [120, { perMinute: 60, left: 59 }, 120],
  [60, { perMinute: 60, left: null }, 0],
  [61, { perMinute: 60, left: null }, 60],
])("%i requests at %o take about %i s", (requests, limit, seconds) => {
  expect(secondsAtLimit(requests, limit)).toBe(seconds);
});

// Fails if an interrupted wait counts in full.
test("the reported wait is the actual one", async () => {
  const { url } = await startServer(() => ({ status: 429, headers: { "retry-after": "30" }, json: {} }));
  const [clock, stop] = [new HandClock(), new AbortController()];
  const { client, transport, waits } = connect(url, { clock, signal: stop.signal });
  const reading = client.show("link", 1).catch((cause: unknown) => cause);
  await expect.poll(() => waits).toEqual([30]);
  await clock.pass(30_000);
  await expect.poll(() => waits).toEqual([30, 30]);
  await clock.pass(12_000);
  stop.abort(new UserError("interrupted", "Stopped."));
  expect(await reading).toBeInstanceOf(UserError);
  expect(transport.pace.waited).toBe(42);
});
