// A response that breaks or never comes. Fails if a run has no clear result, reports a change as applied that is not, creates a record twice
// whose response was lost, or leaves an account that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["refuse", "drop-before", "drop-after", "cut", "cut-clean"] as const)(
  "%s, at every request of an apply",
  async (fault) => {
    expect(await violationsOf(fault)).toEqual([]);
  },
);
