// Runs a command in this process, and keeps its output. Works outside of Vitest, too.

import { Readable, Writable } from "node:stream";
import { secretsIn } from "../../src/http/redact.ts";
import type { World } from "../../src/session/context.ts";
import { TerminalLine, type OutStream } from "../../src/session/terminal-line.ts";
import { fastClock } from "./clock.ts";

/** The output of a command, and its exit code. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Fast enough that no test waits, slow enough that every response comes within a request's timeout (30 s). */
const SPEED = 50;
const NOW = "2026-11-21T12:00:00Z";

/** Runs a command in this folder, and returns its output. Without a terminal, unless one is `given`. */
export async function runIn(
  cwd: string,
  env: Readonly<Record<string, string>>,
  run: (world: World) => Promise<number>,
  {
    terminal,
    ...given
  }: Partial<Pick<World, "clock" | "now" | "signal" | "stdin" | "stdout">> & { readonly terminal?: OutStream } = {},
): Promise<Ran> {
  const printed = { out: "", err: "" };
  const keep = (stream: "out" | "err"): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        printed[stream] += String(chunk);
        done();
      },
    });
  const stderr = terminal ?? keep("err");
  const world: World = {
    cwd,
    env,
    secrets: secretsIn(env),
    stdout: terminal ?? keep("out"),
    stderr,
    line: new TerminalLine(stderr, env),
    stdin: Readable.from([]),
    version: "0.0.0-test",
    now: () => NOW,
    clock: fastClock(SPEED),
    signal: new AbortController().signal,
    ...given,
  };
  const exit = await run(world);
  return { exit, ...printed };
}
