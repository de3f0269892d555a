// The exit codes of several projects. Fails when a run reports success, or a smaller problem, although a project failed.

import { expect, test } from "vitest";
import { reportedChanges } from "../../src/report/change-document.ts";
import { planDocument } from "../../src/report/document.ts";
import { combineExits, exitOfDocument } from "../../src/report/projects.ts";
import { liveLink, planOf, remove } from "./plans.ts";
import { brakeOf } from "./reports.ts";

test("the worst exit code of the projects is that of the run", () => {
  expect(combineExits([])).toBe(0);
  expect(combineExits([0, 2, 0])).toBe(2);
  expect(combineExits([2, 3])).toBe(3);
  expect(combineExits([3, 1, 2])).toBe(1);
  expect(combineExits([1, 4, 3])).toBe(4);
  expect(combineExits([4, 130, 1])).toBe(130);
  expect(combineExits([130, 64, 4])).toBe(64);
});

test("drift applies nothing, so no brake stops it", () => {
  const plan = planOf([remove(liveLink("gone"))], { brakes: [brakeOf({ count: 1, limit: 0 })] });
  expect(exitOfDocument("drift", planDocument({ plan, problems: [], baseUrl: "" }, reportedChanges(plan)))).toBe(2);
});
