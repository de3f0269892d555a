// What a command is given of the world: streams, environment, folder, clock. Nothing below reads them by itself.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { LocatedError } from "../config/located-error.ts";
import { EXIT, ServiceError, UserError, type ExitCode } from "../errors.ts";
import { error, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { nearest } from "../domain/nearest.ts";
import { diagnosticsText } from "../report/diagnostics-text.ts";
import { jsonText } from "../report/json.ts";
import { createPaint, wantsColour } from "../report/paint.ts";
import { PLAIN, type Screen } from "../report/screen.ts";
import { wrap } from "../report/width.ts";
import type { Clock } from "../service/clock.ts";
import { Progress } from "./progress.ts";
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
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export type Format = "text" | "json";

/** A format, and the file it goes to; null is stdout. */
interface Sink {
  readonly format: Format;
  readonly file: string | null;
}

/** How a command speaks: results to stdout or files, everything else to stderr. */
export class Console {
  readonly #world: World;
  readonly #flags: CommonFlags;
  readonly #sinks: readonly Sink[];
  /** What is under way, for those who watch. */
  readonly progress: Progress;

  constructor(world: World, flags: CommonFlags) {
    this.#world = world;
    this.progress = new Progress(world.line, world.clock, flags.quiet !== true);
    this.#flags = flags;
    this.#sinks = parseFormats(flags.format ?? ["text"]);
  }

  /** The format of stdout; null where every report goes to a file. */
  get format(): Format | null {
    return this.#sinks.find(({ file }) => file === null)?.format ?? null;
  }

  /** What stderr is shown on. */
  get errScreen(): Screen {
    return this.#screen(this.#world.stderr);
  }

  #screen(stream: OutStream): Screen {
    return screenOf(stream, this.#world.env, this.#flags.color !== false);
  }

  /**
   * Writes the result in every format that was asked for; `text` is given what it is shown on. What can't be written is said on
   * stderr, and then this is false: it never throws, for what the result tells of has happened all the same.
   */
  async result(report: { readonly text: (screen: Screen) => string; readonly json: () => unknown }): Promise<boolean> {
    // Both may be the same terminal.
    this.progress.stop();
    let isWritten = true;
    for (const { format, file } of this.#sinks) {
      const screen = file === null ? this.#screen(this.#world.stdout) : PLAIN;
      const content = format === "json" ? `${jsonText(report.json(), 2)}\n` : report.text(screen);
      const problem =
        file === null
          ? await writeOut(this.#world.stdout, content)
          : await writeReport(path.resolve(this.#world.cwd, file), content);
      if (problem === null) continue;
      isWritten = false;
      this.diagnose([problem]);
    }
    return isWritten;
  }

  /** Something to know that is not the result. */
  note(text: string): void {
    if (this.#flags.quiet !== true) this.#world.line.print(text);
  }

  /** The same as a sentence, which is broken to the width of a terminal. */
  remark(text: string, colour: (line: string) => string = (line) => line): void {
    const lines = wrap(text, this.errScreen.columns, 0).split("\n");
    this.note(lines.map((line) => `${colour(line)}\n`).join(""));
  }

  /** Something to know for those who asked for more. */
  detail(text: string): void {
    const { paint } = this.errScreen;
    if (this.#flags.verbose === true) this.remark(text, paint.dim);
  }

  /** Findings, on stderr, and an empty line behind them; errors are told even to the quiet. */
  diagnose(diagnostics: readonly Diagnostic[]): void {
    const told = this.#flags.quiet === true ? diagnostics.filter(({ severity }) => severity === "error") : diagnostics;
    if (told.length > 0) this.#world.line.print(`${diagnosticsText(sortDiagnostics(told), this.errScreen)}\n`);
  }
}

/** What a stream is shown on. `colour`: false where a flag says that there is to be none. */
export function screenOf(stream: OutStream, env: World["env"], colour: boolean): Screen {
  const isTerminal = stream.isTTY === true;
  // A terminal that does not know its size says 0.
  const columns = isTerminal && stream.columns !== undefined && stream.columns > 0 ? stream.columns : null;
  return { paint: createPaint(colour && wantsColour(env, isTerminal)), columns };
}

const FORMATS: readonly Format[] = ["text", "json"];

function parseFormats(written: readonly string[]): Sink[] {
  const sinks = written.map((text): Sink => {
    const [name = "", ...rest] = text.split("=");
    const format = FORMATS.find((known) => known === name);
    if (format === undefined) {
      const meant = nearest(name, FORMATS);
      throw new UserError("unknown-format", `There is no format \`${name}\`.`, {
        hint: meant === null ? `Formats: ${FORMATS.join(", ")}.` : `Did you mean \`${meant}\`?`,
        exit: EXIT.usage,
      });
    }
    return { format, file: rest.length === 0 ? null : rest.join("=") };
  });
  if (sinks.filter(({ file }) => file === null).length > 1) {
    throw new UserError("two-formats", "Only one format can go to stdout.", {
      hint: "Give the others a file: --format json=plan.json.",
      exit: EXIT.usage,
    });
  }
  return sinks;
}

async function writeReport(file: string, content: string): Promise<Diagnostic | null> {
  try {
    await writeFile(file, content);
    return null;
  } catch (cause) {
    return unwritable(`The report ${file}`, cause);
  }
}

/** Whoever reads may leave when they have seen enough: that is no failure. */
async function writeOut(stream: NodeJS.WritableStream, content: string): Promise<Diagnostic | null> {
  const cause = await new Promise<unknown>((resolve) => stream.write(content, resolve));
  return cause === null || cause === undefined || codeOf(cause) === "EPIPE" ? null : unwritable("The result", cause);
}

function unwritable(what: string, cause: unknown): Diagnostic {
  const hint = "Make room or correct the path; `linkform plan` shows how the account is.";
  return error("report-unwritable", `${what} can't be written (${codeOf(cause)}).`, null, hint);
}

/** The system's code of what it refused, such as ENOSPC. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}

/** A mistake or a service's failure as a diagnostic; null for anything that is a mistake of ours. */
export function diagnosticOf(cause: unknown): Diagnostic | null {
  if (cause instanceof UserError || cause instanceof ServiceError) {
    const place = cause instanceof LocatedError ? cause.place : null;
    return error(cause.code, cause.message, place, cause.hint);
  }
  return null;
}

/** The exit code that an error asks for. */
export function exitOf(cause: unknown): ExitCode {
  return cause instanceof UserError ? cause.exit : EXIT.error;
}
