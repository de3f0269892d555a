// An answer that is late, or that asks to wait. Fails if a run goes on too soon or not at all, takes a slow store for none
// and makes a second one, or leaves an account that applying again does not mend.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["delay", "slow-store", "429", "429-bare"] as const)("%s, at every request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});
