// Reads `--format`, and writes reports to files.

import path from "node:path";
import { diagnosticOf, Refusal } from "../config/located-error.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, usageError, type ExitCode } from "../errors.ts";
import { fileError, osCode, writeTo } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { FORMATS_OF, type FormatName, type ReportingCommand } from "../report/format.ts";
import type { World } from "./context.ts";

/** A format and its file; null is stdout. */
export interface Sink {
  readonly format: FormatName;
  readonly file: string | null;
}

/** Parses `FORMAT` and `FORMAT=FILE`. Throws a user error for a format that this command does not have, or two on stdout. */
export function parseSinks(written: readonly string[], command: ReportingCommand): Sink[] {
  const formats: readonly FormatName[] = FORMATS_OF[command];
  const sinks = written.map((text): Sink => {
    const [, name = "", file = null] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const format = formats.find((known) => known === name);
    if (format === undefined)
      throw usageError("unknown-format", `\`${command}\` does not support the format \`${name}\`.`, {
        hint: `Supported formats: ${formats.join(", ")}.`,
      });
    if (file === "")
      throw usageError("no-report-file", `\`--format ${text}\` has no file name.`, {
        hint: `Add the file name: --format ${name}=FILE.`,
      });
    return { format, file };
  });
  if (sinks.filter(({ file }) => file === null).length > 1) {
    throw usageError("two-formats", "Only one format can go to stdout.", {
      hint: "Write the others to files: --format json=plan.json.",
    });
  }
  return sinks;
}

export async function writeFileSink({ cwd }: World, file: string, content: string): Promise<Diagnostic | null> {
  try {
    await writeTo(locateNamed(cwd, file), content);
    return null;
  } catch (cause) {
    return unwritable(`The report ${path.resolve(cwd, file)}`, cause);
  }
}

/** Returns an error, except if the reader has closed the pipe. */
export async function writeOut(stream: NodeJS.WritableStream, content: string): Promise<Diagnostic | null> {
  const cause = await new Promise<unknown>((resolve) => stream.write(content, resolve));
  return cause === null || cause === undefined || osCode(cause) === "EPIPE" ? null : unwritable("The result", cause);
}

/** The same, but throws it. */
export async function printOnly({ stdout }: World, text: string): Promise<ExitCode> {
  const problem = await writeOut(stdout, text);
  if (problem !== null) throw new Refusal([problem]);
  return EXIT.done;
}

export function unwritable(what: string, cause: unknown): Diagnostic {
  const hint = "Free disk space or correct the path. Run `linkform plan` to see the state of the account.";
  return diagnosticOf(fileError(`${what} cannot be written`, cause, { code: "report-unwritable", hint }));
}
