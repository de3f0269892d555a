// A fault at each request of an apply. Fails if a run does not end, has no clear result, or reports a change as applied that is not, if a
// page of a proxy is treated as data, if an error is treated as "nothing was done", if an incomplete list is accepted, if a record is
// created twice, or if the account is left in a state that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";
import { MIXED } from "./mixed.ts";

it.each([
  ...(["drop-before", "drop-after", "cut", "cut-clean", "delay", "slow-store", "429", "429-bare"] as const),
  ...(["repeat-row", "skip-row", "add-row", "lie-total", "lie-total-less"] as const),
])("%s at any request of an apply", async (fault) => {
  expect(await violationsOf(MIXED, fault)).toEqual([]);
});
