// What is reported of several projects. Fails when a run reports success, or a smaller problem, although a project failed, or when
// nothing shows that a project takes over what is live.

import { expect, test } from "vitest";
import { reportedChanges } from "../../src/report/change-document.ts";
import { planDocument } from "../../src/report/document.ts";
import { combineExits, exitOfDocument, outcomeWords } from "../../src/report/projects.ts";
import { liveLink, planOf, remove, update } from "./plans.ts";
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

test("what a project takes over", () => {
  const plan = planOf([update(liveLink("theirs", { clicks: 412 }), { takesOver: true })]);
  const { summary, ...rest } = planDocument({ plan, problems: [], baseUrl: "" }, reportedChanges(plan));
  const all = { ...rest, summary: { ...summary, now_managed: 2 } };
  const section = { project: "linkform.yaml", name: "", command: "plan", document: all, exitCode: 0 } as const;
  expect(outcomeWords(section)).toBe("1 to update, 2 now managed");
});

test("drift applies nothing, so no brake stops it", () => {
  const plan = planOf([remove(liveLink("gone"))], { brakes: [brakeOf({ count: 1, limit: 0 })] });
  const document = planDocument({ plan, problems: [], baseUrl: "" }, reportedChanges(plan));
  const exitCode = exitOfDocument("drift", document);
  expect(exitCode).toBe(2);
  expect(outcomeWords({ project: "linkform.yaml", name: "", command: "drift", document, exitCode })).toBe(
    "1 difference",
  );
});
