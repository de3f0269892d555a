// What stands where: the result on stdout and nothing else, everything else on stderr, and with `--quiet` only errors there;
// colours in text on a terminal only. Each command is walked with each of its formats.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import type { CommonFlags, World } from "../../src/session/context.ts";
import type { OutStream } from "../../src/session/terminal-line.ts";
import { doctor } from "../../src/cli/doctor.ts";
import { drift } from "../../src/cli/drift.ts";
import { plan } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import { FORMATS_OF, type FormatName } from "../../src/report/format.ts";
import { wantsColor } from "../../src/report/text/screen.ts";
import { linesOf } from "../support/record-lines.ts";
import { key, linkform, onTerminal, projectFor, startService } from "../support/program.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";

type Flags = CommonFlags & { readonly baseUrl?: string };

type Walked = "validate" | "plan" | "drift" | "doctor" | "apply";

const COMMANDS: Readonly<Record<Walked, (world: World, flags: Flags) => Promise<number>>> = {
  validate,
  plan,
  drift,
  doctor,
  apply: (world, flags) => apply(world, { ...flags, yes: true }),
};

/** What can be said of each: all is well, with a warning; something is refused; nothing can be begun. */
const CASES = {
  "goes well": "links:\n  go.example.com/a: { url: http://plain.example.com/ }\n",
  "is refused in part":
    "rules: { unknown-country: warning }\nlinks:\n  go.example.com/a: { url: https://example.com/ }\n  go.example.com/b: { url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }\n",
  "has mistakes": "links: { go.example.com/a: { ulr: https://example.com/ } }\n",
};

const walk = Object.entries(FORMATS_OF).flatMap(([command, formats]) =>
  Object.keys(COMMANDS)
    .filter((name) => name === command)
    .flatMap(() =>
      formats.flatMap((format) => Object.entries(CASES).map(([how, text]) => ({ command, format, how, text }))),
    ),
);

const isCommand = (name: string): name is Walked => name in COMMANDS;

async function runOf(scenario: Scenario, command: string, flags: Flags): Promise<Ran> {
  if (!isCommand(command)) throw new Error(`no command ${command}`);
  return runIn(scenario.folder, scenario.env, (world) => COMMANDS[command](world, flags));
}

describe("stdout", () => {
  // Fails when anything but the report is written there: the file holds the report alone.
  it.each(walk)(
    "of `$command --format $format` that $how holds the report alone",
    async ({ command, format, text }) => {
      const scenario = await startScenario();
      await scenario.write(text);
      const file = path.join(scenario.folder, "report");
      const { out } = await runOf(scenario, command, { format: [format, `${format}=report`] });
      expect(out).toBe(await readFile(file, "utf8"));
      if (format === "json" || format === "gitlab") expect(out === "" || typeof JSON.parse(out)).not.toBe("string");
      if (format === "ndjson") expect(linesOf(out).length).toBeGreaterThan(0);
    },
  );
});

describe("--quiet", () => {
  const isDocument = (format: FormatName): boolean => format === "json" || format === "ndjson";

  // Fails when a warning, a plan, what becomes of a change or a request is told to somebody who wants the result only.
  it.each(walk)(
    "`$command --format $format` that $how: on stderr only errors",
    async ({ command, format, how, text }) => {
      const scenario = await startScenario();
      await scenario.write(text);
      const { exit, err } = await runOf(scenario, command, { format: [format], quiet: true });
      const messages = err.match(/^(error|warning|note)\[/gm) ?? [];
      expect([err === "" ? "" : err.split("[")[0], new Set(messages).size]).toEqual(
        messages.length === 0 ? ["", 0] : ["error", 1],
      );
      if (how === "goes well" && command !== "drift") expect([exit, err]).toEqual([0, ""]);
      if (isDocument(format)) expect(err).toBe("");
      const isSaid = how === "has mistakes" && !isDocument(format) && ["plan", "apply", "drift"].includes(command);
      if (isSaid) expect(err).toMatch(/^error\[/);
    },
  );

  it("with --verbose is wrong usage, and says so: on stderr, as JSON, as lines", async () => {
    const folder = await projectFor("http://127.0.0.1:9");
    const args = ["--quiet", "--verbose"];
    const text = await linkform(folder, ["apply", "--yes", ...args], key);
    expect([text.exit, text.out]).toEqual([64, ""]);
    expect(text.err).toContain("error[quiet-and-verbose] `--quiet` and `--verbose` cannot be used together.");
    const json = await linkform(folder, ["plan", "--format", "json", ...args], key);
    expect([json.exit, json.err, JSON.parse(json.out).diagnostics[0].code]).toEqual([64, "", "quiet-and-verbose"]);
    const events = await linkform(folder, ["apply", "--yes", "--format=ndjson", ...args], key);
    expect([events.exit, events.err]).toEqual([64, ""]);
    expect(linesOf(events.out).at(-1)).toMatchObject({ exit: 64, diagnostics: [{ code: "quiet-and-verbose" }] });
  });

  // Fails when somebody is asked whether to apply what nobody has shown.
  it("who is asked sees the plan all the same", async () => {
    const sandbox = await startService();
    const { out } = await onTerminal(await projectFor(sandbox.url), ["apply", "--quiet"], key, "no\n");
    expect(out.indexOf("+ create link")).toBeGreaterThanOrEqual(0);
    expect(out.indexOf("+ create link")).toBeLessThan(out.indexOf("Apply this change?"));
  });
});

describe("wrong usage of `apply --format ndjson`", () => {
  // Fails when a program that reads lines gets none, or gets words.
  it.each([[["--nope"]], [["a", "b"]], [["--concurrency", "0"]], [["--format", "xml"]], [["--format", "ndjson"]]])(
    "%j: it ends, or says in words that stdout can't be for it",
    async (args) => {
      const folder = await projectFor("http://127.0.0.1:9");
      const { exit, out, err } = await linkform(folder, ["apply", "--yes", "--format", "ndjson", ...args], key);
      expect(exit).toBe(64);
      if (args[0] === "--format") expect([out, err.startsWith("error[")]).toEqual(["", true]);
      else expect([err, linesOf(out).map(({ event }) => event)]).toEqual(["", ["ended"]]);
    },
  );
});

describe("colour", () => {
  // https://no-color.org, https://force-color.org, and Node's own reading of FORCE_COLOR=0.
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "0" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ NO_COLOR: "" }, false, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "2" }, false, true],
    [{ FORCE_COLOR: "3" }, false, true],
    [{ FORCE_COLOR: "true" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "" }, false, false],
    [{ FORCE_COLOR: "", NO_COLOR: "1" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "1", TERM: "dumb" }, false, true],
    [{ FORCE_COLOR: "0", NO_COLOR: "1" }, true, false],
  ])("with %j, on a terminal %s: %s", (env, isTerminal, wanted) => {
    expect(wantsColor(env, isTerminal)).toBe(wanted);
  });

  /** A terminal that keeps what it is sent. */
  function terminal(): { readonly stream: OutStream; readonly sent: () => string } {
    let sent = "";
    const write = (chunk: unknown, _encoding: string, done: () => void): void => {
      sent += String(chunk);
      done();
    };
    return { stream: Object.assign(new Writable({ write }), { isTTY: true, columns: 80 }), sent: () => sent };
  }

  const ESCAPE = "\u001b";

  // Fails when a file, or what a program reads, holds colours because somebody sits at a terminal or a CI forces them.
  it.each(walk.filter(({ how }) => how === "is refused in part"))(
    "of `$command --format $format`: in text on stdout, and nowhere else",
    async ({ command, format, text }) => {
      const scenario = await startScenario();
      await scenario.write(text);
      if (!isCommand(command)) throw new Error(`no command ${command}`);
      const env = { ...scenario.env, FORCE_COLOR: "1" };
      const flags = { format: [format, `${format}=report`], quiet: true };
      const { stream, sent } = terminal();
      await runIn(scenario.folder, env, (world) => COMMANDS[command](world, flags), { terminal: stream });
      expect((await readFile(path.join(scenario.folder, "report"), "utf8")).includes(ESCAPE)).toBe(false);
      expect(sent().includes(ESCAPE)).toBe(format === "text");
    },
  );
});
