// An apply loses an answer, gets a failure for what was done, or is killed, at any of its writes: its receipt gives back the account
// as it was. Fails if a receipt is not there before the first write, if what is in doubt is taken for not done (then it is left) or for
// done (then what was there is made twice), or if a row of somebody else's is taken for the run's own.

import { expect, it } from "vitest";
import { strikeOf } from "../support/faults.ts";
import { MIXED } from "./mixed.ts";
import { problemsOfUndone, problemsOfUndoneTwice } from "./undone.ts";

/** That of every seeded link which has one that the files take away. */
const PASSWORD = "old secret";

it.each(["drop-after", "500-after", "500", "slow-store", "without-pixels"] as const)(
  "%s at any write, and undo: the account is as it was",
  async (name) => {
    expect(await problemsOfUndone(MIXED, PASSWORD, { strike: strikeOf(name) })).toEqual([]);
  },
);

it("an undo that is stopped at any write, and run again: the account is as it was", async () => {
  expect(await problemsOfUndoneTwice(MIXED, PASSWORD)).toEqual([]);
});

it("a kill at any write, and undo: the account is as it was", async () => {
  expect(await problemsOfUndone(MIXED, PASSWORD, "killed")).toEqual([]);
});
