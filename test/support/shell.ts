// A shell as a reader has it open: folder and variables persist between commands.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import { run } from "./program.ts";
import { temporaryFolder } from "./scenario.ts";

export class Shell {
  #folder: string;
  #env: Readonly<Record<string, string>>;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Runs a line. Resolves to its exit code and to the output of both streams, in order. */
  async run(line: string): Promise<{ readonly exit: number; readonly said: string }> {
    const state = path.join(await temporaryFolder(), "state");
    const script = `exec 2>&1\n${line}\nexit=$?\n{ pwd; env -0; } > '${state}'\nexit $exit`;
    const { exit, out } = await run("bash", ["-c", script], this.#folder, this.#env);
    const [, folder = "", variables = ""] = /^(.*)\n([^]*)$/m.exec(await readFile(state, "utf8")) ?? [];
    this.#folder = folder;
    this.#env = Object.fromEntries(
      variables.split("\0").flatMap((entry) => {
        const [, name, value] = /^([^=]+)=([^]*)$/.exec(entry) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    );
    return { exit, said: out };
  }

  /** Runs a line on a terminal, with a user who answers `yes`. */
  async runAndConfirm(line: string): Promise<{ readonly exit: number; readonly said: string }> {
    const { exit, out } = await run("script", ["-qec", line, "/dev/null"], this.#folder, this.#env, "yes\n");
    return { exit, said: out };
  }

  /** Starts a service that runs until the test ends. Resolves to its output once it prints its address or ends. */
  async start(line: string): Promise<string> {
    const child = spawn("bash", ["-c", `exec 2>&1\nexec ${line}`], { cwd: this.#folder, env: this.#env });
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    let said = "";
    const heard = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk) => {
        said += String(chunk);
        if (said.includes("http://") && said.endsWith("\n")) resolve();
      });
    });
    await Promise.race([heard, ended]);
    return said;
  }
}

/** This port, or a free one if it is taken. */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  const listen = (port: number): Promise<number | null> =>
    new Promise((resolve) => {
      server.once("error", () => resolve(null));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        resolve(address !== null && typeof address !== "string" ? address.port : null);
      });
    });
  const port = (await listen(wanted)) ?? (await listen(0));
  await new Promise((resolve) => server.close(resolve));
  if (port === null) throw new Error("No port of 127.0.0.1 is free.");
  return port;
}
