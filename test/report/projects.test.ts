// The exit codes of several projects. Fails when a run reports success, or a smaller problem, although a project failed.

import { expect, test } from "vitest";
import { combineExits } from "../../src/report/projects.ts";

test("the worst exit code of the projects is that of the run", () => {
  expect(combineExits([])).toBe(0);
  expect(combineExits([0, 2, 0])).toBe(2);
  expect(combineExits([2, 3])).toBe(3);
  expect(combineExits([3, 1, 2])).toBe(1);
  expect(combineExits([1, 4, 3])).toBe(4);
  expect(combineExits([4, 130, 1])).toBe(130);
  expect(combineExits([130, 64, 4])).toBe(64);
});
