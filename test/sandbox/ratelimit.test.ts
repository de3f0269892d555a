// The rate limits of the address and of the account (docs/service.md, "Rate limit").
import { afterEach, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type Answer, send } from "./client.ts";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const START = Date.parse("2026-11-20T23:00:00Z");
let clock = START;

async function start(rateLimit: number): Promise<void> {
  clock = START;
  sandbox = await startSandbox({ rateLimit, now: () => new Date(clock) });
}

function call(localAddress = "127.0.0.1", key: string = sandbox.apiKey): Promise<Answer> {
  const headers = { accept: "application/json", authorization: `Bearer ${key}` };
  return send(sandbox.url, "/api/v1/links", { headers, localAddress });
}

const limits = ({ status, headers }: Answer): unknown[] => [
  status,
  headers["x-ratelimit-limit"],
  headers["x-ratelimit-remaining"],
  headers["retry-after"],
  headers["x-ratelimit-reset"],
];

// Fails if a request over the limit passes, if its headers do not say how long to wait, or if the window slides.
test("an address has a limited number of requests in each window", async () => {
  await start(2);
  expect(limits(await call())).toEqual([200, "2", "1", undefined, undefined]);
  clock += 20_500;
  expect(limits(await call())).toEqual([200, "2", "0", undefined, undefined]);
  expect(limits(await call())).toEqual([429, "2", "0", "40", String(START / 1000 + 60)]);
  clock = START + 59_999;
  expect((await call()).status).toBe(429);
  clock = START + 60_000;
  expect(limits(await call())).toEqual([200, "2", "1", undefined, undefined]);
});

// Fails if a wrong key is not counted, or if unknown paths are.
test("failed authentication counts, unknown paths do not", async () => {
  await start(2);
  await send(sandbox.url, "/nothing");
  expect(limits(await call("127.0.0.1", "wrong"))).toEqual([401, "2", "1", undefined, undefined]);
  expect((await call("127.0.0.1", "other")).status).toBe(401);
  expect((await call()).status).toBe(429);
});

// Fails if the account has no separate limit, or if Remaining is for it: a 429 can have some remaining.
test("the account's limit is twice that, and its 429 still has requests remaining", async () => {
  await start(4);
  for (const address of ["127.0.0.1", "127.0.0.2", "127.0.0.3"]) {
    for (const _ of Array.from({ length: address === "127.0.0.3" ? 2 : 3 }))
      expect((await call(address)).status).toBe(200);
  }
  expect(limits(await call("127.0.0.3"))).toEqual([429, "4", "1", "60", String(START / 1000 + 60)]);
  expect(limits(await call("127.0.0.4", "wrong"))).toEqual([401, "4", "3", undefined, undefined]);
});

// Fails if 0 means a limit of 0.
test("0 turns both off", async () => {
  await start(0);
  expect(limits(await call())).toEqual([200, undefined, undefined, undefined, undefined]);
});
