// The pause before a retry: its length, and its end if the run ends.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../../src/domain/clock.ts";
import { UserError } from "../../src/errors.ts";
import { backoff } from "../../src/service/retry.ts";
import type { Notice } from "../../src/service/transport.ts";
import { fastClock } from "../support/clock.ts";
import { connect, failure, linkRow, shown, startReplying, startServer, type Answering } from "./server.ts";
import { deadPort } from "./sockets.ts";

// Fails if all workers retry at the same moment, or if the fourth pause is as short as the first.
test("pauses double from half a second, and half of each is random", () => {
  const chance = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), chance, chance, (tries, one, other) => {
      const most = 500 * 2 ** (tries - 1);
      expect(backoff(tries, one)).toBeGreaterThanOrEqual(most / 2);
      expect(backoff(tries, one)).toBeLessThan(most);
      expect(backoff(tries + 1, one)).toBe(2 * backoff(tries, one));
      expect(Math.sign(backoff(tries, one) - backoff(tries, other))).toBe(Math.sign(one - other));
    }),
  );
});

// Fails if the reported pauses differ from the real ones, or have no random part.
test("every pause is as long as reported", async () => {
  const clock = { ...fastClock(100), random: () => 0.5 };
  const times: number[] = [];
  const { url } = await startServer(() => {
    times.push(clock.now());
    return { status: 500, json: {} };
  });
  const told: number[] = [];
  const tell = (notice: Notice): void => void told.push(notice.what === "retry" ? notice.seconds : 0);
  await failure(connect(url, { clock, tell }).client.show("link", 5));
  expect(told).toEqual([0.375, 0.75, 1.5, 3]);
  for (const [at, seconds] of told.entries())
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

// Fails if an interrupted run waits for reads.
test.each([
  ["before its answer", (): void => undefined],
  ["in the middle of it", (response: Parameters<Answering>[1]): void => void response.write('{"data":{')],
])("a running read ends immediately with the reason, %s", async (_when, begin) => {
  const { url, asked, reached } = await startHolding(begin);
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
  const told: Notice[] = [];
  const { transport } = connect(url, { signal: stop.signal, tell: (notice) => void told.push(notice) });
  const reading = Promise.all(Array.from({ length: 10 }, () => reasonOf(transport.send(GET))));
  await expect.poll(() => asked.length).toBe(10);
  stop.abort(STOPPED);
  expect(new Set(await reading)).toEqual(new Set([STOPPED]));
  expect(told).toEqual([]);
});

test("a write that reaches the limit after the interruption ends with the reason, without a report", async () => {
  const { url, held, reached } = await startHolding();
  const stop = new AbortController();
  const told: Notice[] = [];
  const { transport } = connect(url, { signal: stop.signal, tell: (notice) => void told.push(notice) });
  const writing = reasonOf(transport.send(PUT));
  await reached();
  stop.abort(STOPPED);
  for (const response of held) response.writeHead(429, { "retry-after": "30" }).end("{}");
  expect([await writing, told]).toEqual([STOPPED, []]);
});

// Fails if a write is aborted: nobody would know whether it worked.
test.each([PUT, POST])("a running $method is completed", async (call) => {
  const { url, held, reached } = await startHolding();
  const stop = new AbortController();
  const writing = connect(url, { signal: stop.signal }).transport.send(call);
  await reached();
  stop.abort(STOPPED);
  for (const response of held) response.end(JSON.stringify(shown(linkRow(5)).json));
  expect((await writing).json).toMatchObject({ status: 200 });
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
test("interrupted between two attempts, a write that may have worked ends with its own failure", async () => {
  const { url } = await startReplying({ status: 503, json: { message: "Down." } });
  expect(await interruptedInBackoff(url, PUT)).toMatchObject({ code: "server-error", status: 503, mayHaveActed: true });
});

test("interrupted between two attempts, a read ends with the reason", async () => {
  const { url } = await startReplying({ status: 503, json: { message: "Down." } });
  expect(await interruptedInBackoff(url, GET)).toBe(STOPPED);
});

test("interrupted between two attempts, a write that was never sent ends with the reason", async () => {
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
