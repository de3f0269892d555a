// The built program, killed at any request of an apply. Fails if the next plan cannot continue from the remaining state,
// creates an object twice, or treats an own record as someone else's.

import { expect, it } from "vitest";
import { problemsOfKills } from "./killed.ts";
import { MIXED } from "./mixed.ts";

it("after a kill at any request of an apply, a second apply ends in the declared state", async () => {
  expect(await problemsOfKills(MIXED, { applies: "the files", endsBothWays: false, when: "after" })).toEqual([]);
});
