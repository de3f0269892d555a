// A response that is late, or that asks to wait. Fails if a run continues too soon or never, treats a slow store as failed
// and sends a second one, or leaves an account that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["delay", "slow-store", "429", "429-bare"] as const)("%s at any request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});
