// The line that says what is under way. Fails if it is wider than its terminal, leaves out what matters most, or says a time
// that nobody knows.

import { describe, expect, it } from "vitest";
import { progressText, type ProgressDisplay, type Work } from "../../../src/report/text/progress.ts";

const none = { waiting: null, secondsLeft: null } as const;
const applying: Work = { what: "apply", done: 37, of: 212, underWay: 3 };

describe("on a wide terminal", () => {
  it.each<[Work | null, string]>([
    [null, "Connecting to the service"],
    [{ what: "list", of: "links", page: 12, pages: 101, again: false }, "Reading links: page 12 of 101"],
    [{ what: "list", of: "links", page: 12, pages: null, again: false }, "Reading links: page 12"],
    [{ what: "list", of: "links", page: 1, pages: 4, again: true }, "Reading links again: page 1 of 4"],
    [{ what: "look-up", done: 3, of: 40 }, "Looking up links: 3 of 40"],
    [applying, "Applying: 37 of 212, 3 in progress"],
    [{ ...applying, underWay: 0 }, "Applying: 37 of 212"],
    [{ what: "verify", done: 3, of: 9 }, "Verifying: 3 of 9"],
  ])("%o", (work, text) => {
    expect(progressText({ work, ...none }, 80)).toBe(text);
  });

  it.each([
    [null, ""],
    [9, ""],
    [10, " · about 10 s left"],
    [61, " · about 70 s left"],
    [89, " · about 90 s left"],
    [90, " · about 2 min left"],
    [149, " · about 2 min left"],
    [3600, " · about 60 min left"],
  ])("%o s left", (secondsLeft, said) => {
    expect(progressText({ work: applying, waiting: null, secondsLeft }, 80)).toBe(
      `Applying: 37 of 212, 3 in progress${said}`,
    );
  });

  it.each<[ProgressDisplay["waiting"], number, string]>([
    [{ why: "limit", seconds: 42 }, 42, "Waiting for the rate limit: 42 s · applying: 37 of 212, 3 in progress"],
    [{ why: "limit", seconds: 41.2 }, 162, "Waiting for the rate limit: 42 s · applying: 37 of 212, 3 in progress"],
    [{ why: "outage", seconds: 3.2 }, 0, "The service does not respond: retrying in 4 s"],
  ])("%o", (waiting, secondsLeft, text) => {
    expect(progressText({ work: applying, waiting, secondsLeft }, 80)).toBe(text);
  });
});

it("never fills the last column, which wraps: first the time goes, then what is done, then the end of the words", () => {
  const whole: ProgressDisplay = { work: applying, waiting: { why: "limit", seconds: 42 }, secondsLeft: 300 };
  const seen = new Set<string>();
  for (let columns = 120; columns > 0; columns -= 1) {
    const text = progressText(whole, columns);
    // On some terminals these signs take two columns.
    expect(text.replaceAll(/[·…]/g, "$&$&").length).toBeLessThanOrEqual(Math.max(columns - 1, 2));
    seen.add(text);
  }
  expect([...seen].slice(0, 4)).toEqual([
    "Waiting for the rate limit: 42 s · applying: 37 of 212, 3 in progress · about 5 min left",
    "Waiting for the rate limit: 42 s · applying: 37 of 212, 3 in progress",
    "Waiting for the rate limit: 42 s",
    "Waiting for the rate limit: 4…",
  ]);
});

// Fails when the time that a wait takes is said twice, or what comes behind it is not said.
it.each([
  [51, ""],
  [52, " · about 60 s left"],
])("of 42 s to wait, and %d s in all, the rest is said where it is worth it", (secondsLeft, rest) => {
  const told = progressText({ work: applying, waiting: { why: "limit", seconds: 42 }, secondsLeft }, 200);
  expect(told).toBe(`Waiting for the rate limit: 42 s · applying: 37 of 212, 3 in progress${rest}`);
});
