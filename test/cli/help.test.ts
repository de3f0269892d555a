// The help: groups, a line for each command, all flags of a command, and hints for what people type out of habit.

import { expect, it } from "vitest";
import { PROJECT_COMMANDS } from "../../src/report/format.ts";
import { commandIn } from "../support/command.ts";

const read = async (...args: string[]): Promise<string> => {
  const { exit, out, err } = await commandIn(".", args);
  expect([args, exit, err]).toEqual([args, 0, ""]);
  return out;
};

it("linkform --help groups the commands by task, one short line each", async () => {
  const lines = (await read("--help")).split("\n");
  expect(lines.filter((line) => /^[A-Z][A-Za-z ]+:$/.test(line))).toEqual([
    "Flags:",
    "Start:",
    "Every day:",
    "Look:",
    "Repair:",
    "CI:",
    "Help:",
    "Exit codes:",
    "Environment variables:",
  ]);
  const commands = lines
    .slice(lines.indexOf("Start:"), lines.indexOf("Exit codes:"))
    .filter((line) => line.startsWith("  "));
  expect(commands.length).toBeGreaterThan(15);
  // The rest of a description that wraps would be on another line.
  for (const line of commands) expect(line).toMatch(/^ {2}[a-z]+ {2,}[A-Z][^.]*$/);
});

it("linkform --help fits into 80 columns, and so does the help of each command; -h and help print the same", async () => {
  let text = await read("--help");
  expect([await read("-h"), await read("help")]).toEqual([text, text]);
  for (const [, command = ""] of text.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)) text += await read(command, "--help");
  expect(text.match(/^Usage: /gm)?.length).toBeGreaterThan(15);
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

it("the help of a command shows its own flags first, then those that many commands share, and its formats", async () => {
  const help = await read("plan", "--help");
  expect(help).toMatch(/^Usage: linkform plan\|diff \[flags\]\n/);
  const order = ["--out <file>", "--target <glob>", "\nShared flags:\n", "--base-url <url>", "--max-length <n>"];
  const places = [...order, "\nFormats:\n", "  gitlab "].map((text) => help.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(await read("help", "diff")).toBe(help);
});

it("the help of a command offers several project files only if the command can run for several", async () => {
  const several = async (name: string): Promise<boolean> => /--config <file>[^-]*\bglob\b/.test(await read(name, "-h"));
  for (const name of [...PROJECT_COMMANDS, "projects"]) expect([name, await several(name)]).toEqual([name, true]);
  for (const name of ["pull", "undo", "doctor", "schema"]) expect([name, await several(name)]).toEqual([name, false]);
});

// Fails if commander words an error in a way that linkform does not know, or if linkform suggests nothing similar.
it.each([
  [["--versoin"], "Did you mean `--version`?"],
  [["help", "aply"], "Did you mean `apply`?"],
  [["help", "exit-codes"], "Unknown command `exit-codes`.\n   = Run `linkform --help` to"],
  [["pal"], "Did you mean `plan` or `pull`?"],
  [["plan", "--traget", "x"], "Did you mean `--target`?"],
  [["plan", "x", "y"], "Too many arguments for `plan`. Expected 0 arguments but got 2."],
  [["apply", "x", "y"], "Too many arguments for `apply`. Expected 1 argument but got 2."],
  [["fmt", "--stdin", "--check"], "Option `--stdin` cannot be used with option `--check`."],
  [["explain", "--live", "--declared", "x"], "Option `--live` cannot be used with option `--declared`."],
  [["comment", "--github", "--gitlab", "x"], "Option `--github` cannot be used with option `--gitlab`."],
  [["comment", "--issue", "--pull-request", "1", "x"], "cannot be used with option `--pull-request <n|branch>`."],
  [["comment", "--close", "--merged=HEAD", "x"], "Option `--merged [commit]` cannot be used with option `--close`."],
  [["plan", "--max-wait", ""], "Option `--max-wait <seconds>` argument (empty) is invalid."],
  [["plan", "--max-wait", "x"], "Option `--max-wait <seconds>` argument `x` is invalid."],
])("a wrong command line gets an error that suggests the most similar command or flag: %j", async (args, says) => {
  const { exit, out, err } = await commandIn(".", args);
  expect([exit, out]).toEqual([64, ""]);
  expect(err).toMatch(/^error\[(?:unknown-(?:command|flag)|conflicting-flags|too-many-arguments|wrong-value)\] /);
  expect(err).toContain(says);
});
