// A terminal as users see it: an emulator shows the output of a command, and a test reads the screen.

import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import type { OutStream } from "../../src/session/terminal-line.ts";
import { CLI } from "./program.ts";
import { temporaryFolder } from "./scenario.ts";

/** ms to wait for a screen. */
const PATIENCE = 20_000;

/** The screen, including the lines that were scrolled out. */
export class Emulator {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;

  constructor(columns: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows: 24, scrollback: 1000, allowProposedApi: true });
  }

  write(text: string): void {
    this.#terminal.write(text);
  }

  resize(columns: number): void {
    this.#terminal.resize(columns, 24);
  }

  /** Its lines, without trailing spaces and trailing empty lines. */
  async lines(): Promise<string[]> {
    await new Promise<void>((resolve) => {
      this.#terminal.write("", resolve);
    });
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString().trimEnd() ?? "",
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  /** The lowest line that is not empty. */
  async lowest(): Promise<string> {
    return (await this.lines()).at(-1) ?? "";
  }
}

/** The stream to an emulated terminal. A test may change its `columns`. */
export class TerminalStream extends Writable implements OutStream {
  readonly isTTY = true;
  readonly emulator: Emulator;
  columns: number;

  constructor(columns: number) {
    super();
    this.columns = columns;
    this.emulator = new Emulator(columns);
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    // Real terminals end their lines like this.
    this.emulator.write(String(chunk).replaceAll("\n", "\r\n"));
    done();
  }

  /** Changes the width of the window. */
  resize(columns: number): void {
    this.columns = columns;
    this.emulator.resize(columns);
  }
}

/** The built program on a pseudo-terminal, and its user. */
export interface Session {
  readonly emulator: Emulator;
  type(keys: string): void;
  /** Waits until the lowest line matches. */
  sees(lowest: RegExp): Promise<void>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
}

/** Starts the program with these arguments on a terminal with this number of columns. */
export async function openSession(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  columns = 80,
): Promise<Session> {
  const emulator = new Emulator(columns);
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
  const file = path.join(await temporaryFolder(), "session.sh");
  await writeFile(file, `stty cols ${columns} rows 24\nexec ${words}\n`);
  const child = spawn("script", ["-qec", `sh '${file}'`, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", ...env },
  });
  onTestFinished(() => void child.kill());
  child.stdout.setEncoding("utf8").on("data", (text: string) => emulator.write(text));
  return {
    emulator,
    type: (keys) => void child.stdin.write(keys),
    sees: async (lowest) => {
      await expect.poll(() => emulator.lowest(), { timeout: PATIENCE }).toMatch(lowest);
    },
    ended: new Promise((resolve) => child.once("close", (code) => resolve(code ?? -1))),
  };
}
