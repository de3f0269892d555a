// How the installed program ends where a limit is met, of time or of what a journal can hold, or when it is interrupted.

import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { CLI, key, linkform, projectFor, run, startService } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { testSoftware } from "../support/sandbox.ts";
import { writeFiles, type Ran } from "../support/scenario.ts";
import { TOO_MANY } from "../support/through.ts";

describe("a journal that becomes full", () => {
  /** An empty account of version 44 or 49 needs one request more to find out the version. */
  const detecting = testSoftware === "44" || testSoftware === "49" ? 1 : 0;

  interface Journalled extends Ran {
    readonly sandbox: Sandbox;
    readonly folder: string;
    /** The lines that this run has written, as far as they are whole. */
    readonly events: readonly string[];
  }

  /** The events of a journal's whole lines; "cut" for any other. */
  async function eventsOf(folder: string): Promise<string[]> {
    const text = await readFile(path.join(folder, "journal.jsonl"), "utf8");
    return text.split("\n").flatMap((line) => {
      if (line.trim() === "") return [];
      return /^\{.*"event":"(\w+)".*\}$/.exec(line)?.[1] ?? "cut";
    });
  }

  /** Applies where no file may be longer than so many blocks of 512 bytes, with so many bytes taken: a line is cut there. */
  async function applyWithin(blocks: number, taken: number): Promise<Journalled> {
    const sandbox = await startService();
    const folder = await projectFor(sandbox.url);
    await writeFiles(folder, { "journal.jsonl": `${" ".repeat(taken)}\n` });
    const command = `ulimit -f ${blocks}; exec '${process.execPath}' '${CLI}' apply --yes --no-receipt --journal journal.jsonl`;
    const ran = await run("sh", ["-c", command], folder, key);
    return { ...ran, sandbox, folder, events: await eventsOf(folder) };
  }

  // Fails when a line that was written in part counts as taken down: then a change is made that no journal tells of.
  it("in the middle of an intent: the call is not made", async () => {
    const { exit, err, sandbox, events } = await applyWithin(1, 250);
    expect(events).toEqual(["begin", "cut"]);
    expect([exit, sandbox.state().links]).toEqual([1, []]);
    expect(err.match(/journal-unwritable\] The journal .* cannot be written \(EFBIG\)\./g)).toHaveLength(1);
  });

  // Fails when a call whose result could not be taken down counts as not made, or the run goes on without a journal.
  it("in the middle of a result: the change that was made is reported as applied, 4", async () => {
    const { exit, err, out, sandbox, events, folder } = await applyWithin(1, 0);
    expect(events).toEqual(["begin", "intent", "cut"]);
    expect([exit, sandbox.state().links.length]).toEqual([4, 1]);
    expect(out).toBe(
      `Done: 1 created. The changes were not verified. Run \`linkform plan\` to check the account.\n${5 + detecting} requests.\nIncomplete: the changes were not verified.\n`,
    );
    expect(err.match(/journal-unwritable/g)).toHaveLength(1);
    // The next run begins on a line of its own.
    await linkform(folder, ["apply", "--yes", "--journal", "journal.jsonl"], key);
    expect(await eventsOf(folder)).toEqual(["begin", "intent", "cut", "begin", "end"]);
  });

  // Fails when a run whose journal does not tell how it ended looks like any other.
  it("in the middle of its last line: everything was done and verified, 4", async () => {
    const { exit, err, out, events } = await applyWithin(2, 440);
    expect(events).toEqual(["begin", "intent", "result", "cut"]);
    expect([exit, out]).toEqual([
      4,
      `Done: 1 created. Verified.\n${6 + detecting} requests.\nIncomplete: the run ended with an error.\n`,
    ]);
    expect(err.match(/journal-unwritable/g)).toHaveLength(1);
  });
});

describe("Ctrl-C", () => {
  /** Starts a command on a service that gives `answer`; `interrupt` is given what was printed so far, and Ctrl-C. */
  async function interrupted(
    command: string,
    answer: (interrupt: () => void) => Answer | Promise<Answer>,
    onPrinted: (printed: string, interrupt: () => void) => void = () => undefined,
  ): Promise<{ readonly exit: number; readonly printed: string }> {
    const sandbox = await startService();
    let child: ChildProcess | null = null;
    let isInterrupted = false;
    // Once: the second Ctrl-C is another story, and one that comes when all is said ends the process by itself.
    const interrupt = (): void => {
      if (!isInterrupted) child?.kill("SIGINT");
      isInterrupted = true;
    };
    const baseUrl = await startProxy(sandbox.url, () => answer(interrupt));
    const started = spawn(process.execPath, [CLI, command, "--base-url", baseUrl], {
      cwd: await projectFor(sandbox.url),
      env: { PATH: process.env["PATH"] ?? "", ...key },
    });
    child = started;
    onTestFinished(() => void started.kill("SIGKILL"));
    let printed = "";
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk) => {
        printed += String(chunk);
        onPrinted(String(chunk), interrupt);
      });
    }
    const exit = await new Promise<number>((resolve) => started.once("close", (code) => resolve(code ?? -1)));
    return { exit, printed };
  }

  // Fails when Ctrl-C ends a command that only reads by the signal, without a word, or is not heard while it waits.
  it.each(["plan", "doctor"])("while a %s waits for an answer: it says so, 130", async (command) => {
    const { exit, printed } = await interrupted(command, (interrupt) => {
      interrupt();
      return new Promise(() => undefined);
    });
    expect([exit, printed]).toEqual([130, expect.stringContaining("The run was interrupted.")]);
  });

  // Fails when a minute must be waited out, or the end of the wait is taken for a mistake of linkform.
  it("while a plan waits for the rate limit: it says so, 130", async () => {
    const { exit, printed } = await interrupted(
      "plan",
      () => TOO_MANY,
      (said, interrupt) => {
        if (said.includes("for the rate limit")) interrupt();
      },
    );
    expect([exit, printed]).toEqual([130, expect.stringContaining("The run was interrupted.")]);
    expect(printed).not.toContain("linkform itself failed");
  });
});
