// A service that does not recover: from one request on, there are no responses. Fails if a run does not end, reports that nothing
// was applied although something was, or leaves an account that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsFrom } from "./matrix.ts";

it.each(["drop-before", "drop-after"] as const)("%s from any request of an apply on", async (fault) => {
  expect(await violationsFrom(fault)).toEqual([]);
});
