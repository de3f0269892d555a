// The environment of a command: streams, variables, folder, clock. No other code reads these from the process.

import { setTimeout as sleep } from "node:timers/promises";
import { knownProblems } from "../config/located-error.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { createPaint, wantsColor, type Screen } from "../report/text/screen.ts";
import type { Clock } from "../domain/clock.ts";
import type { Secrets } from "../http/redact.ts";
import type { ProjectTurn } from "./turns.ts";
import type { OutStream, TerminalLine } from "./terminal-line.ts";

/** The process, or its replacement in a test. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What no output of the run may contain. */
  readonly secrets: Secrets;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  /** Writes to stderr, above the progress line. */
  readonly line: TerminalLine;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly version: string;
  /** The current time as a canonical instant (UTC, whole seconds). */
  readonly now: () => string;
  readonly clock: Clock;
  /** Aborted with a user error as its reason when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Only in a run of several projects. */
  readonly turn?: ProjectTurn;
}

export interface CommonFlags {
  readonly config?: string;
  readonly format?: readonly string[];
  /** Characters; null or absent: the limit of GitHub comments. */
  readonly maxLength?: number;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export function screenOf(stream: OutStream, env: World["env"]): Screen {
  const isTerminal = stream.isTTY === true;
  // A terminal of unknown size has 0 columns.
  const columns = isTerminal && stream.columns !== undefined && stream.columns > 0 ? stream.columns : null;
  return { paint: createPaint(wantsColor(env, isTerminal)), columns };
}

/** Any error as findings. */
export function problemsOf(cause: unknown): readonly Diagnostic[] {
  const message = `Internal error in linkform: ${cause instanceof Error ? cause.message : String(cause)}`;
  const hint = "Please report this bug with the command that you ran.";
  return knownProblems(cause) ?? [error("internal-error", message, null, hint)];
}

export function exitOf(cause: unknown): ExitCode {
  return cause instanceof UserError ? cause.exit : EXIT.error;
}

/** The reason of an abort in place of a user error that it caused: Ctrl-C in a terminal also ends git. */
export function reasonOf(cause: unknown, { signal }: Pick<World, "signal">): unknown {
  return signal.aborted && cause instanceof UserError ? signal.reason : cause;
}

/** Milliseconds since some moment. Node loads `performance` only when it is used, and that takes long. */
const elapsed = (): number => Number(process.hrtime.bigint()) / 1e6;

const ORIGIN = Date.now() - elapsed();

/** Monotonic: changes of the system time do not affect it. */
export const systemClock: Clock = {
  now: () => ORIGIN + elapsed(),
  sleep: async (ms, signal) => {
    try {
      await sleep(Math.max(ms, 0), undefined, signal === undefined ? {} : { signal });
    } catch (cause) {
      throw signal?.aborted === true ? signal.reason : cause;
    }
  },
  random: () => Math.random(),
  real: (ms) => ms,
};
