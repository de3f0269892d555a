// The pace with the sandbox, whose rate limit is as observed: hundreds of requests over several windows.

import { describe, expect, onTestFinished, test } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { fastClock } from "../support/clock.ts";
import { send } from "../sandbox/client.ts";
import { connect, showAll } from "./server.ts";
import { startSandbox } from "../support/sandbox.ts";

/** Fast enough for short tests, slow enough that 60 requests end within a window. */
const SPEED = 20;

const WINDOW = 20_000;

const LIMIT = 60;

/** The sandbox with a limit, on the test's clock. */
async function startLimited(clock: Clock, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({
    software: "4.1",
    seed: { links: [{ id: 1, url: "https://example.com/", domain: 2, alias: "a" }] },
    rateLimit: LIMIT,
    rateWindow: WINDOW,
    now: () => new Date(clock.now()),
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function refusedOf({ requests }: Sandbox): number {
  return requests.filter(({ status }) => status === 429).length;
}

describe("the sandbox with sixty requests a window", () => {
  // Fails if Remaining is trusted more than the status. At the limit of the account, it is the value for the address.
  test("the account's limit is full, and the address has requests left", async () => {
    const clock = fastClock(SPEED);
    const sandbox = await startLimited(clock, { rateLimit: 8 });
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    for (const localAddress of ["127.0.0.2", "127.0.0.3"]) {
      for (const _ of Array(6)) await send(sandbox.url, "/api/v1/links/1", { headers, localAddress });
    }
    const connected = connect(sandbox.url, { apiKey: sandbox.apiKey, clock });
    // Few enough for the limit of the address, including refused requests: its window started later and must not fill up.
    await showAll(connected, 5, 2);
    expect(connected.waits).toHaveLength(1);
    // Requests that were sent before the limit was reached. Their headers still offered more.
    expect([1, 2]).toContain(refusedOf(sandbox));
  });
});
