// An apply loses a response, gets an error for a write that worked, or is killed, at any of its writes. An undo of its record restores the
// account. Fails if there is no record before the first write, if an uncertain change counts as not made (and is not undone) or as
// made (and an object is created twice), or if a record of someone else counts as created by the run.

import { expect, it } from "vitest";
import { strikeOf } from "../support/faults.ts";
import { MIXED } from "./mixed.ts";
import { problemsOfUndone, problemsOfUndoneTwice } from "./undone.ts";

/** The password of each seeded link whose password the files remove. */
const PASSWORD = "old secret";

it.each(["drop-after", "500-after", "500", "slow-store", "without-pixels"] as const)(
  "an undo after %s at any write restores the account",
  async (name) => {
    expect(await problemsOfUndone(MIXED, PASSWORD, { strike: strikeOf(name) })).toEqual([]);
  },
);

it("an undo that is stopped at any write and run again restores the account", async () => {
  expect(await problemsOfUndoneTwice(MIXED, PASSWORD)).toEqual([]);
});

it("an undo after a kill at any write restores the account", async () => {
  expect(await problemsOfUndone(MIXED, PASSWORD, "killed")).toEqual([]);
});
