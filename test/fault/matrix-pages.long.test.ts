// A proxy's page instead of the service's answer. Fails if a page is taken for data, "Bad Gateway" for "nothing was done",
// or if a run leaves an account that applying again does not mend.

import { expect, it } from "vitest";
import { violationsOf } from "./matrix.ts";

it.each(["502", "503", "504", "html", "html-after"] as const)("%s, at every request of an apply", async (fault) => {
  expect(await violationsOf(fault)).toEqual([]);
});
