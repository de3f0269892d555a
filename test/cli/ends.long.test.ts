// How the installed program ends when it is interrupted.

import { spawn, type ChildProcess } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, key, projectFor, startService } from "../support/program.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { TOO_MANY } from "../support/through.ts";

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
