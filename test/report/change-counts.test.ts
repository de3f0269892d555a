// The counts that no scenario has. Fails if a summary hides a rename, a move or a disabled link among the updates, or if a number and its noun disagree.

import { expect, it } from "vitest";
import { reportedChanges } from "../../src/report/change-document.ts";
import { countsText } from "../../src/report/plan-remarks.ts";
import { GO, liveLink, planOf, replace, update } from "./plans.ts";

const disabled = { path: "disabled", before: false, after: true };
const ended = update(liveLink("b"), {
  reason: "renamed",
  previousKey: `${GO}/a`,
  breaksUrl: true,
  fields: [{ path: "alias", before: "a", after: "b" }, disabled],
});
const enabled = update(liveLink("e"), { fields: [{ ...disabled, before: true, after: false }] });
const changed = update(liveLink("f"));

it.each([
  ["a link that is renamed and disabled once, as a rename", [ended], "1 to rename"],
  [
    "a move and two updates",
    [replace(liveLink("c"), "promo.example.com/c"), enabled, changed],
    "1 to move, 2 other updates",
  ],
])("a plan counts %s", (_, changes, text) => {
  expect(countsText(reportedChanges(planOf(changes)))).toBe(text);
});
