// The help: groups, a line for each command, topics, and hints for what people type out of habit.

import { describe, expect, it } from "vitest";
import { linkform } from "../support/program.ts";

const read = async (...args: string[]): Promise<string> => {
  const { exit, out, err } = await linkform(".", args);
  expect([args, exit, err]).toEqual([args, 0, ""]);
  return out;
};

describe("linkform --help", () => {
  it("groups the commands by task, one short line each", async () => {
    const lines = (await read("--help")).split("\n");
    expect(lines.filter((line) => /^[A-Z][A-Za-z ]+:$/.test(line))).toEqual([
      "Flags:",
      "Start:",
      "Every day:",
      "Look:",
      "Repair:",
      "CI:",
      "Help:",
    ]);
    const commands = lines.slice(lines.indexOf("Start:")).filter((line) => line.startsWith("  "));
    expect(commands.length).toBeGreaterThan(15);
    // A description that wraps continues on a line of its own.
    for (const line of commands) expect(line).toMatch(/^ {2}[a-z]+ {2,}[A-Z][^.]*$/);
  });

  it.each([["-h"], ["help"]])("is what %s prints", async (arg) => {
    expect(await read(arg)).toBe(await read("--help"));
  });

  it("fits into 80 columns, and so does the help of each command and topic", async () => {
    const commands = [...(await read("--help")).matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = ""]) => name);
    for (const name of [...commands, "flags", "formatting", "environment", "exit-codes"]) {
      const long = (await read("help", name)).split("\n").filter((line) => line.length > 80);
      expect([name, long]).toEqual([name, []]);
    }
  });
});

describe("the help of a command", () => {
  it("shows its own flags first, and names the shared ones", async () => {
    const help = await read("plan", "--help");
    expect(help).toMatch(/^Usage: linkform plan\|diff \[flags\]\n/);
    expect(help.indexOf("--out <file>")).toBeLessThan(help.indexOf("--target <glob>"));
    expect(help).toContain("\nShared flags: --base-url, --api-key-file");
    expect(help).not.toContain("Connect to this service");
    expect(await read("help", "plan")).toBe(help);
    expect(await read("help", "diff")).toBe(help);
  });

  it.each(["--base-url", "--format", "--json", "--max-length", "--verbose"])(
    "`linkform help flags` describes %s",
    async (flag) => {
      expect(await read("help", "flags")).toMatch(new RegExp(`^  ${flag}[ <].* {2}[A-Z]`, "m"));
    },
  );
});

// Fails if commander words an error in a way that linkform does not know, or if linkform suggests nothing similar.
describe("a wrong command line gets an error that suggests the most similar command, topic or flag", () => {
  it.each([
    [["help", "exit-code"], "Did you mean `linkform help exit-codes`?"],
    [["aply"], "Did you mean `apply`?"],
    [["pal"], "Did you mean `plan` or `pull`?"],
    [["plan", "--traget", "x"], "Did you mean `--target`?"],
    [["plan", "x", "y"], "Too many arguments for `plan`. Expected 0 arguments but got 2."],
    [["apply", "x", "y"], "Too many arguments for `apply`. Expected 1 argument but got 2."],
    [["plan", "--max-wait", ""], "Option `--max-wait <seconds>` argument (empty) is invalid."],
    [["plan", "--max-wait", "x"], "Option `--max-wait <seconds>` argument `x` is invalid."],
  ])("%j", async (args, says) => {
    const { exit, out, err } = await linkform(".", args);
    expect([exit, out]).toEqual([64, ""]);
    expect(err).toMatch(/^error\[(?:unknown-(?:command|flag)|too-many-arguments|wrong-value)\] /);
    expect(err).toContain(says);
  });
});
