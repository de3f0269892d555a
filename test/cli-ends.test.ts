// How the installed program ends where a limit is met of time.

import { describe, expect, it } from "vitest";
import { key, linkform, onTerminal, projectFor, startService } from "./support/program.ts";

describe("--timeout", () => {
  // Fails when more than 24 days overflow the timer, which then goes off at once.
  it("of a hundred days is no limit to a plan", async () => {
    const { url } = await startService();
    const ran = await linkform(await projectFor(url), ["plan", "--timeout", "8640000"], key);
    expect([ran.exit, ran.err]).toEqual([0, ""]);
  });

  // Fails when a question that nobody answered in time looks as if somebody had interrupted it.
  it("ends the question: 1, and nothing is applied", async () => {
    const sandbox = await startService();
    const { exit, out } = await onTerminal(await projectFor(sandbox.url), ["apply", "--timeout", "1"], key);
    expect([exit, sandbox.state().links]).toEqual([1, []]);
    expect(out).toContain("It took longer than --timeout 1 allows.");
    expect(out).toContain("1 error: nothing was applied.");
  });
});
