// A wrong answer to a request of an apply, and faults that last. Fails for the reasons in matrix.long.test.ts, beside which it runs.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";
import { MIXED } from "./mixed.ts";

it.each(["500", "500-after", "without-pixels", "502", "503", "504", "html", "html-after"] as const)(
  "%s at any request of an apply",
  async (fault) => {
    expect(await violationsOf(MIXED, fault)).toEqual([]);
  },
);

// The service does not recover: a run must still end, and a second apply must fix the account.
it.each(["drop-before", "drop-after", "500-after", "502", "without-pixels"] as const)(
  "%s from any request of an apply on",
  async (fault) => {
    expect(await violationsOf(MIXED, fault, { isLasting: true })).toEqual([]);
  },
);
