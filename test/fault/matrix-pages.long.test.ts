// A page of a proxy instead of the response. Fails if a page is treated as data, if "Bad Gateway" is treated as "nothing was done",
// or if a run leaves an account that a second apply does not fix.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["502", "503", "504", "html", "html-after"] as const)("%s at any request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});
