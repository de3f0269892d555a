// Errors of the service. Fails if a 500 is treated as "nothing was done", if an incomplete list is accepted, so
// that a record is created twice, or if a run leaves an account that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["500", "500-after", "without-pixels"] as const)("%s at any request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});

it.each(["repeat-row", "skip-row", "add-row", "lie-total", "lie-total-less"] as const)(
  "%s, at every page of a list that an apply reads",
  async (fault) => {
    expect(await violationsOf(fault)).toEqual([]);
  },
);
