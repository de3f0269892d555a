// What is said of a command line that can't be followed. Fails when commander words a complaint in another way than ours knows,
// or when nothing is named where something is to be.

import { expect, it } from "vitest";
import { usageProblem } from "../../src/commands/usage.ts";

it.each([
  [
    "commander.excessArguments",
    "error: too many arguments for 'plan'. Expected 0 arguments but got 2.",
    "There are too many arguments: 2, where none can stand.",
  ],
  [
    "commander.excessArguments",
    "error: too many arguments for 'apply'. Expected 1 argument but got 2.",
    "There are too many arguments: 2, where 1 can stand.",
  ],
  [
    "commander.invalidArgument",
    "error: option '--max-wait <seconds>' argument '' is invalid. It is a number of seconds.",
    "`--max-wait` can't be empty.",
  ],
  [
    "commander.invalidArgument",
    "error: option '--max-wait <seconds>' argument 'x' is invalid. It is a number of seconds.",
    "`--max-wait` can't be `x`.",
  ],
])("%s: %s", (code, message, told) => {
  expect(usageProblem({ code, message }, "plan", []).message).toBe(told);
});
