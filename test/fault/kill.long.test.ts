// The built program, killed without warning at any request of an apply. Fails if what is left can't be planned from, is
// doubled, or is taken for somebody else's.

import { expect, it } from "vitest";
import { problemsOfKills } from "./killed.ts";
import { MIXED } from "./mixed.ts";

it("a kill at any request of an apply: applying again ends in the declared state", async () => {
  expect(await problemsOfKills(MIXED, { applies: "the files", endsBothWays: false, when: "after" })).toEqual([]);
});
