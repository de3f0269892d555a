// When `check` sends requests. The tests move the clock.

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readReply } from "../../src/check/reply.ts";
import { Schedule } from "../../src/check/schedule.ts";
import { HandClock } from "../support/clock.ts";

const OK = readReply(200, () => null, 0);

function start(deadline: number | null = null) {
  const clock = new HandClock();
  const schedule = new Schedule({ clock, signal: new AbortController().signal, deadline });
  const sent: string[] = [];
  const begun = clock.now();
  /** A request that takes 100 ms, and whose replies ask to wait. */
  const send = (host: string, waits: readonly number[] = []) => {
    const left = [...waits];
    return schedule.send(host, async () => {
      sent.push(`${host} ${clock.now() - begun}`);
      await clock.sleep(100);
      return { ...OK, wait: left.shift() ?? 0 };
    });
  };
  const pass = async (ms: number) => {
    await setImmediate();
    await clock.pass(ms);
  };
  return { pass, sent, send };
}

// Fails if two requests to a host overlap, or if the half second starts before the first one ends.
test("a host gets one request at a time, with half a second between", async () => {
  const { pass, sent, send } = start();
  const all = Promise.all([send("a"), send("a"), send("b"), send("a")]);
  await pass(5000);
  await all;
  expect(sent).toEqual(["a 0", "b 0", "a 600", "a 1200"]);
});

// Fails if a waiting host occupies one of the 16 places.
test("16 hosts get requests at once", async () => {
  const { pass, sent, send } = start();
  const hosts = Array.from({ length: 40 }, (_, at) => `${at}`);
  const all = Promise.all([...hosts, ...hosts].map((host) => send(host)));
  await pass(50);
  expect(sent).toHaveLength(16);
  await pass(100);
  expect(sent).toHaveLength(32);
  await pass(100_000);
  await all;
  expect(sent).toHaveLength(80);
});

// Fails if others are sent to the host while it asks to wait, or if it can hold up a run for longer.
test("a host that asks to wait is asked again, but not for ever", async () => {
  const { pass, sent, send } = start();
  const all = Promise.all([
    send("a", [3000]),
    send("a", [120_000]),
    send("b", [120_001]),
    send("b"),
    send("c", [1, 1, 1, 1]),
  ]);
  await pass(1_000_000);
  expect((await all).map(({ reason, wait }) => `${reason} ${wait}`)).toEqual([
    "200 0",
    "200 0",
    "200 120001",
    "the host asks to wait too long 0",
    "200 1",
  ]);
  expect(sent.filter((one) => one.startsWith("a"))).toEqual(["a 0", "a 3100", "a 3700", "a 123800"]);
  expect(sent.filter((one) => !one.startsWith("a"))).toEqual(["b 0", "c 0", "c 600", "c 1200", "c 1800"]);
});

// Fails if a date is compared with this machine's clock, which may be wrong.
test.each([
  [429, { "retry-after": "7" }, 7000],
  [503, { "retry-after": "Thu, 26 Nov 2026 12:00:09 GMT", date: "Thu, 26 Nov 2026 12:00:00 GMT" }, 9000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 4000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [429, { "retry-after": "soon" }, 0],
  [429, {}, 0],
  [200, { "retry-after": "7" }, 0],
])("%i with %j asks to wait for %i ms", (status, headers: Readonly<Record<string, string>>, wait) => {
  expect(readReply(status, (name) => headers[name] ?? null, 1000).wait).toBe(wait);
});
