// A service that does not come back: from one request on every answer is a failure. Fails if a run does not end, says that
// nothing was applied where something was, or leaves an account that applying again does not mend.

import { expect, it } from "vitest";
import { violationsFrom } from "./matrix.ts";

it.each(["500-after", "502", "without-pixels"] as const)("%s, from every request of an apply on", async (fault) => {
  expect(await violationsFrom(fault)).toEqual([]);
});
