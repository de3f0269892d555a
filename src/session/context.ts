// What a command is given of the world: streams, environment, folder, clock. Nothing below reads them by itself.

import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { createPaint, wantsColor, type Screen } from "../render/text/screen.ts";
import type { Clock } from "../domain/clock.ts";
import type { TerminalLine } from "./terminal-line.ts";

/** A stream that may be a terminal: then it has columns. */
export type OutStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** The process, or what a test puts in its place. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  /** The way to stderr: above the line that says what is under way. */
  readonly line: TerminalLine;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly version: string;
  /** The present, as an instant in canonical form (UTC, whole seconds). */
  readonly now: () => string;
  readonly clock: Clock;
  /** Aborted, with a user error as its reason, when a person or a pipeline wants an end. */
  readonly signal: AbortSignal;
}

/** Flags that every command has. */
export interface CommonFlags {
  readonly config?: string;
  readonly format?: readonly string[];
  /** Characters; null or left out: what a comment of GitHub's holds. */
  readonly maxLength?: number;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** What a stream is shown on. `colour`: false where a flag says that there is to be none. */
export function screenOf(stream: OutStream, env: World["env"], colour: boolean): Screen {
  const isTerminal = stream.isTTY === true;
  // A terminal that does not know its size says 0.
  const columns = isTerminal && stream.columns !== undefined && stream.columns > 0 ? stream.columns : null;
  return { paint: createPaint(colour && wantsColor(env, isTerminal)), columns };
}

/** A mistake of ours as a diagnostic. */
export function internalError(cause: unknown): Diagnostic {
  const what = cause instanceof Error ? cause.message : String(cause);
  const message = `linkform itself failed: ${what}`;
  return error("internal-error", message, null, "Please report this, with the command you ran.");
}

/** The exit code that an error asks for. */
export function exitOf(cause: unknown): ExitCode {
  return cause instanceof UserError ? cause.exit : EXIT.error;
}
