// How linkform learns the service's rate limit from responses, and how it uses their delay.

import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { secondsAtLimit } from "../../src/service/limit.ts";
import { HandClock } from "../support/clock.ts";
import { connect, linkRow, shown, startServer, type Reply } from "./server.ts";

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
  const known = [transport.limit];
  for (const _ of Array(5)) {
    await client.show("link", 1);
    known.push(transport.limit);
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
test("the reported wait is the real one", async () => {
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
  expect(transport.waited).toBe(42);
});
