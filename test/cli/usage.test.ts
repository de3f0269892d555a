// What is said of a command line that can't be followed. Fails when commander words a complaint in another way than ours knows,
// or when nothing is named where something is to be.

import { expect, it } from "vitest";
import { failureDocument } from "../../src/report/json/index.ts";
import { usageProblem, wantsOnStdout } from "../../src/cli/usage.ts";

it.each([
  [
    "commander.excessArguments",
    "error: too many arguments for 'plan'. Expected 0 arguments but got 2.",
    "Too many arguments: expected none, got 2.",
  ],
  [
    "commander.excessArguments",
    "error: too many arguments for 'apply'. Expected 1 argument but got 2.",
    "Too many arguments: expected at most 1, got 2.",
  ],
  [
    "commander.invalidArgument",
    "error: option '--max-wait <seconds>' argument '' is invalid. It is a number of seconds.",
    "`--max-wait` cannot be empty.",
  ],
  [
    "commander.invalidArgument",
    "error: option '--max-wait <seconds>' argument 'x' is invalid. It is a number of seconds.",
    "`--max-wait` cannot be `x`.",
  ],
])("%s: %s", (code, message, told) => {
  expect(usageProblem({ code, message }, "plan", []).message).toBe(told);
});

it("of two commands that may be meant both are named", () => {
  const message = "error: unknown command 'aply'\n(Did you mean one of apply, plan?)";
  expect(usageProblem({ code: "commander.unknownCommand", message }, null, []).hint).toBe(
    "Did you mean `apply` or `plan`?",
  );
});

// Fails when a pipeline that reads JSON gets none, or one that reads something else gets it.
it.each([
  [["--format", "json"], true],
  [["--format=markdown=plan.md", "--format=json"], true],
  [["--format", "json=plan.json"], false],
  [["--format", "json", "--format", "text"], false],
  [[], false],
])("%j asks for JSON on stdout: %s", (args, wants) => {
  expect(wantsOnStdout("json", args)).toBe(wants);
});

it("what could not begin is not valid, in the command's own document", () => {
  const problem = usageProblem({ code: "commander.missingArgument", message: "" }, "validate", []);
  expect(failureDocument("validate", [problem])).toMatchObject({ valid: false, files: 0, diagnostics: [{}] });
  expect(failureDocument("doctor", [problem])).toMatchObject({ well: false });
});
