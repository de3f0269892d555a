// An apply loses a response, gets an error for a write that worked, or is killed, at any of its writes. An undo of its record restores the
// account. Fails if there is no record before the first write, if an uncertain change counts as not made (and is not undone) or as
// made (and an object is created twice), or if a record of someone else counts as created by the run.

import { expect, it } from "vitest";
import { STRIKES } from "../support/faults.ts";
import { MIXED } from "./mixed.ts";
import { KILLED_AFTER, problemsAfter, undone, undoneAfterKill } from "./struck.ts";

it.each(["drop-after", "500-after", "500", "slow-store", "without-pixels"] as const)(
  "an undo after %s at any write restores the account",
  async (name) => {
    expect(await problemsAfter(MIXED, { run: "apply", strike: STRIKES[name], ends: null }, undone)).toEqual([]);
  },
);

it("an undo that is stopped at any write and run again restores the account", async () => {
  const faulty = { run: "undo", strike: STRIKES["drop-after"], ends: "stopped" } as const;
  expect(await problemsAfter(MIXED, faulty, undone)).toEqual([]);
});

it("an undo after a kill at any write restores the account", async () => {
  expect(await problemsAfter(MIXED, { run: "apply", ...KILLED_AFTER }, undoneAfterKill)).toEqual([]);
});
