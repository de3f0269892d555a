// Fails if a summary hides a rename, a move or a disabled link among the updates, or if a number and its noun disagree.

import { expect, it } from "vitest";
import { countKinds, type Countable } from "../../src/view/change-counts.ts";
import { countsText } from "../../src/view/plan-remarks.ts";
import { actionTiles } from "../../src/render/html/change-page.ts";
import { viewPlan } from "../../src/view/change.ts";
import { doneText } from "../../src/view/apply-result.ts";
import { changeResults } from "../../src/view/document.ts";
import { create, GO, liveLink, planOf, remove, replace, update } from "../render/plans.ts";

const renamed = update(liveLink("b"), { reason: "renamed", previousKey: `${GO}/a`, breaksUrl: true });
const moved = replace(liveLink("c"), "promo.example.com/c");
const disabled = update(liveLink("d"), {
  fields: [{ path: "disabled", before: false, after: true }],
  breaksUrl: true,
});
const enabled = update(liveLink("e"), { fields: [{ path: "disabled", before: true, after: false }] });
const changed = update(liveLink("f"), {
  fields: [{ path: "url", before: "https://a.example/", after: "https://b.example/" }],
});
const created = create(`${GO}/g`);
const deleted = remove(liveLink("h"));

it.each([
  ["create, update and delete", [created, created, changed, deleted], "2 to create, 1 to update, 1 to delete"],
  ["a rename", [renamed], "1 to rename"],
  ["a move and two updates", [moved, changed, changed], "1 to move, 2 other updates"],
  ["one other update", [disabled, enabled], "1 to disable, 1 other update"],
  [
    "all kinds",
    [deleted, changed, enabled, disabled, moved, renamed, created],
    "1 to create, 1 to rename, 1 to move, 1 to disable, 2 other updates, 1 to delete",
  ],
])("a plan counts %s", (_, changes, text) => {
  const plan = planOf(changes);
  expect(countsText(plan)).toBe(text);
  expect(
    actionTiles(viewPlan(plan))
      .map(({ count, label }) => `${count} ${label}`)
      .join(", "),
  ).toBe(text);
});

it("a rename that also disables counts once, as a rename", () => {
  const both: Countable = { ...renamed, fields: [{ path: "disabled", after: true }] };
  expect(countKinds([both]).map(({ count, planned }) => `${count} ${planned}`)).toEqual(["1 to rename"]);
});

it("a result counts what was applied, and what was live before", () => {
  const plan = planOf([created, renamed, moved, disabled, changed, deleted]);
  const results = changeResults(
    plan,
    plan.changes.map((change) => ({ change, outcome: "applied", id: 7 }) as const),
  );
  expect(doneText(results)).toBe("1 created, 1 renamed, 1 moved, 1 disabled, 1 other update, 1 deleted");
  expect(doneText(results.map((one, at) => (at < 2 ? { ...one, already_so: true } : one)))).toBe(
    "1 moved, 1 disabled, 1 other update, 1 deleted, 2 already done",
  );
});
