// The rate limits of the address and of the account (docs/service.md, "Rate limit").
import { expect, test } from "vitest";
import { send, start } from "./client.ts";

const START = Date.parse("2026-11-20T23:00:00Z");
const RESET = String(START / 1000 + 60);

interface Limited {
  readonly url: string;
  /** Sets the time to this number of milliseconds after the start. */
  readonly at: (ms: number) => void;
  /** Status, limit, remaining, Retry-After and reset of the answer to a list. */
  readonly call: (localAddress?: string, key?: string) => Promise<unknown[]>;
}

async function startLimited(rateLimit: number): Promise<Limited> {
  let passed = 0;
  const { sandbox } = await start({ rateLimit, now: () => new Date(START + passed) });
  return {
    url: sandbox.url,
    at: (ms) => void (passed = ms),
    call: async (localAddress = "127.0.0.1", key = sandbox.apiKey) => {
      const sent = { accept: "application/json", authorization: `Bearer ${key}` };
      const { status, headers } = await send(sandbox.url, "/api/v1/links", { headers: sent, localAddress });
      const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "retry-after", "x-ratelimit-reset"];
      return [status, ...names.map((name) => headers[name])];
    },
  };
}

// Fails if a request over the limit passes, if its headers do not say how long to wait, or if the window slides.
test("an address has a limited number of requests in each window", async () => {
  const { at, call } = await startLimited(2);
  expect(await call()).toEqual([200, "2", "1", undefined, undefined]);
  at(20_500);
  expect(await call()).toEqual([200, "2", "0", undefined, undefined]);
  expect(await call()).toEqual([429, "2", "0", "40", RESET]);
  at(59_999);
  expect((await call())[0]).toBe(429);
  at(60_000);
  expect(await call()).toEqual([200, "2", "1", undefined, undefined]);
});

// Fails if a wrong key is not counted, or if unknown paths are.
test("failed authentication counts, unknown paths do not", async () => {
  const { url, call } = await startLimited(2);
  await send(url, "/nothing");
  expect(await call("127.0.0.1", "wrong")).toEqual([401, "2", "1", undefined, undefined]);
  expect((await call("127.0.0.1", "other"))[0]).toBe(401);
  expect((await call())[0]).toBe(429);
});

// Fails if the account has no separate limit, or if Remaining is for it: a 429 can have some remaining.
test("the account's limit is twice that, and its 429 still has requests remaining", async () => {
  const { call } = await startLimited(4);
  for (const end of [1, 1, 1, 2, 2, 2, 3, 3]) expect((await call(`127.0.0.${end}`))[0]).toBe(200);
  expect(await call("127.0.0.3")).toEqual([429, "4", "1", "60", RESET]);
  expect(await call("127.0.0.4", "wrong")).toEqual([401, "4", "3", undefined, undefined]);
});
