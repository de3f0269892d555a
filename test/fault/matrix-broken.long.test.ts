// An answer that breaks or never comes. Fails if a run does not end clearly, tells as applied what is not, doubles a row
// whose store was lost, or leaves an account that applying again does not mend.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["refuse", "drop-before", "drop-after", "cut", "cut-clean"] as const)(
  "%s, at every request of an apply",
  async (fault) => {
    expect(await violationsOf(fault)).toEqual([]);
  },
);
