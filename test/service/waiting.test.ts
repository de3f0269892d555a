// The pause before a retry: its length, and its end if the run ends.

import { expect, test } from "vitest";
import type { Clock } from "../../src/domain/clock.ts";
import { UserError } from "../../src/errors.ts";
import type { Notice } from "../../src/service/transport.ts";
import { fastClock } from "../support/clock.ts";
import { connect, failure, linkRow, shown, startReplying, startServer, type Answering } from "./server.ts";
import { deadPort } from "./sockets.ts";

// Fails if a pause does not double, differs from the reported one, or has no random half: all workers would retry at the same moment.
test.each([
  [0, [0.25, 0.5, 1, 2]],
  [0.5, [0.375, 0.75, 1.5, 3]],
])("with the random number %d, the pauses are %j, as reported", async (random, pauses) => {
  const clock = { ...fastClock(100), random: () => random };
  const times: number[] = [];
  const { url } = await startServer(() => {
    times.push(clock.now());
    return { status: 500, json: {} };
  });
  const reported: number[] = [];
  const tell = (notice: Notice): void => void reported.push(notice.what === "retry" ? notice.seconds : 0);
  await failure(connect(url, { clock, tell }).client.show("link", 5));
  expect(reported).toEqual(pauses);
  for (const [at, seconds] of reported.entries())
    expect((times[at + 1] ?? 0) - (times[at] ?? 0)).toBeGreaterThanOrEqual(seconds * 1000);
});

const GET = { method: "GET", path: "/api/v1/links/5" } as const;
const PUT = { method: "PUT", path: "/api/v1/links/5", form: "url=a" } as const;
const POST = { method: "POST", path: "/api/v1/links", form: "url=a" } as const;
const STOPPED = new UserError("interrupted", "The run was interrupted.");

const reasonOf = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((cause: unknown) => cause);

/** A service that holds every response until the test releases it. */
async function startHolding(begin: (response: Parameters<Answering>[1]) => void = () => undefined) {
  const held: Parameters<Answering>[1][] = [];
  const service = await startServer((_asked, response) => {
    begin(response);
    held.push(response);
    return null;
  });
  const reached = async (): Promise<void> => {
    await expect.poll(() => held.length).toBe(1);
  };
  return { ...service, held, reached };
}

// Fails if an interrupted run waits for the rest of a response.
test("a read whose response has begun ends immediately with the reason", async () => {
  const { url, asked, reached } = await startHolding((response) => void response.write('{"data":{'));
  const stop = new AbortController();
  const reading = reasonOf(connect(url, { signal: stop.signal }).transport.send(GET));
  await reached();
  stop.abort(STOPPED);
  expect(await reading).toBe(STOPPED);
  expect(asked).toHaveLength(1);
});

// Fails if reads that linkform aborts count as lost: the message would say that the service is down.
test("many running reads end immediately, without the report of an outage", async () => {
  const { url, asked } = await startServer(() => null);
  const stop = new AbortController();
  const reported: Notice[] = [];
  const { transport } = connect(url, { signal: stop.signal, tell: (notice) => void reported.push(notice) });
  const reading = Promise.all(Array.from({ length: 10 }, () => reasonOf(transport.send(GET))));
  await expect.poll(() => asked.length).toBe(10);
  stop.abort(STOPPED);
  expect(new Set(await reading)).toEqual(new Set([STOPPED]));
  expect(reported).toEqual([]);
});

test("a write that reaches the limit after the interruption ends with the reason, without a report", async () => {
  const { url, held, reached } = await startHolding();
  const stop = new AbortController();
  const reported: Notice[] = [];
  const { transport } = connect(url, { signal: stop.signal, tell: (notice) => void reported.push(notice) });
  const writing = reasonOf(transport.send(PUT));
  await reached();
  stop.abort(STOPPED);
  for (const response of held) response.writeHead(429, { "retry-after": "30" }).end("{}");
  expect([await writing, reported]).toEqual([STOPPED, []]);
});

// Fails if a write without a response is retried although the run was interrupted, or counts as never started.
test("a write without a response after the interruption ends with its own failure", async () => {
  const { url, asked, held, reached } = await startHolding();
  const stop = new AbortController();
  const writing = failure(connect(url, { signal: stop.signal }).transport.send(PUT));
  await reached();
  stop.abort(STOPPED);
  for (const response of held) response.socket?.resetAndDestroy();
  expect(await writing).toMatchObject({ code: "unreachable", mayHaveActed: true });
  expect(asked).toHaveLength(1);
});

/** Sends the request, interrupts the run during the backoff, and returns the result. */
async function interruptedInBackoff(url: string, call: typeof GET | typeof PUT): Promise<unknown> {
  const stop = new AbortController();
  // The pause after the first attempt would take minutes.
  const clock = fastClock(1);
  const waits: number[] = [];
  const sleep: Clock["sleep"] = (ms, signal) => {
    waits.push(ms);
    return clock.sleep(ms, signal);
  };
  const { transport } = connect(url, { clock: { ...clock, random: () => 500, sleep }, signal: stop.signal });
  const ending = reasonOf(transport.send(call));
  await expect.poll(() => waits.length).toBe(1);
  stop.abort(STOPPED);
  const ended = await ending;
  expect([transport.requests, waits.length]).toEqual([1, 1]);
  return ended;
}

// Fails if an interrupted run retries, or ends with the wrong result: that a write was not started which may have worked, or that the run
// failed.
test("interrupted between two attempts, a write that may have worked ends with its own failure, anything else with the reason", async () => {
  const { url } = await startReplying({ status: 503, json: { message: "Down." } });
  expect(await interruptedInBackoff(url, PUT)).toMatchObject({ code: "server-error", status: 503, mayHaveActed: true });
  expect(await interruptedInBackoff(url, GET)).toBe(STOPPED);
  expect(await interruptedInBackoff(`http://127.0.0.1:${await deadPort()}`, PUT)).toBe(STOPPED);
});

// Fails if a time limit between two attempts hides that the first one may have worked.
test("a write that may have worked, then a rate limit that takes too long", async () => {
  let tries = 0;
  const { url } = await startServer(() =>
    tries++ === 0 ? { status: 503, json: {} } : { status: 429, headers: { "retry-after": "60" }, json: {} },
  );
  const sent = async (call: typeof GET | typeof PUT): Promise<unknown> => {
    tries = 0;
    return reasonOf(connect(url, { maxWait: 10 }).transport.send(call));
  };
  expect(await sent(PUT)).toMatchObject({ code: "server-error", status: 503, mayHaveActed: true });
  expect(await sent(GET)).toMatchObject({ name: "UserError", code: "max-wait" });
});

test("a run that was interrupted before sends nothing", async () => {
  const { url, asked } = await startReplying(shown(linkRow(5)));
  const { transport } = connect(url, { signal: AbortSignal.abort(STOPPED) });
  for (const call of [GET, PUT, POST]) expect(await reasonOf(transport.send(call))).toBe(STOPPED);
  expect([asked.length, transport.requests]).toEqual([0, 0]);
});
