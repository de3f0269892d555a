// The service's own mistakes. Fails if a 500 is taken for "nothing was done", if a list that is not whole is believed, so
// that a row is made twice, or if a run leaves an account that applying again does not mend.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["500", "500-after", "without-pixels"] as const)("%s, at every request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});

it.each(["repeat-row", "skip-row", "add-row", "lie-total", "lie-total-less"] as const)(
  "%s, at every page of a list that an apply reads",
  async (fault) => {
    expect(await violationsOf(fault)).toEqual([]);
  },
);
