// The pace against the sandbox, whose rate limit is the one that was observed: hundreds of requests over several windows.

import { describe, expect, onTestFinished, test } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { fastClock } from "../support/clock.ts";
import { send } from "../sandbox/client.ts";
import { connect, showAll } from "./server.ts";
import { startSandbox } from "../support/sandbox.ts";

/** Fast enough that no test waits for long, slow enough that 60 requests are done before a window ends. */
const SPEED = 20;

const WINDOW = 20_000;

const LIMIT = 60;

/** The sandbox with a limit, on the clock of the test. */
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
  // Fails when Remaining is believed more than the status: on the account's limit it speaks of the address.
  test("the account's limit is full, and the address has requests left", async () => {
    const clock = fastClock(SPEED);
    const sandbox = await startLimited(clock, { rateLimit: 8 });
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    for (const localAddress of ["127.0.0.2", "127.0.0.3"]) {
      for (const _ of Array(6)) await send(sandbox.url, "/api/v1/links/1", { headers, localAddress });
    }
    const connected = connect(sandbox.url, { apiKey: sandbox.apiKey, clock });
    // Few enough for one address, refused ones included: its own window, which opened later, must not fill up as well.
    await showAll(connected, 5, 2);
    expect(connected.waits).toHaveLength(1);
    // Those that were under way when the limit was met; the headers of all still offered more.
    expect([1, 2]).toContain(refusedOf(sandbox));
  });
});
