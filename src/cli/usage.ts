// Errors of the command line, as diagnostics and as the line of a record.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { ExitCode } from "../errors.ts";
import { endedLine, LineChain } from "../record/lines.ts";
import { capital } from "../report/counts.ts";
import type { FormatName } from "../report/format.ts";

/** The codes of commander's errors. */
const CODES: Readonly<Record<string, string>> = {
  "commander.unknownOption": "unknown-flag",
  "commander.unknownCommand": "unknown-command",
  "commander.optionMissingArgument": "missing-value",
  "commander.invalidArgument": "wrong-value",
  "commander.missingArgument": "missing-argument",
  "commander.excessArguments": "too-many-arguments",
};

/** An error of commander as a diagnostic. `command` is the command, or null if there is none with this name. */
export function usageProblem(
  { code, message }: { readonly code: string; readonly message: string },
  command: string | null,
): Diagnostic {
  const [, text = message, meant] = /^error: (.*?)(?:\n\(Did you mean (?:one of )?(.+)\?\))?$/s.exec(message) ?? [];
  const help = command === null ? "linkform --help" : `linkform ${command} --help`;
  const sentence = capital(text.replaceAll("''", "(empty)").replaceAll("'", "`")).replace(/\.?$/, ".");
  const near = meant?.split(", ").join("` or `");
  const hint = near === undefined ? `Run \`${help}\` to see how to write the command.` : `Did you mean \`${near}\`?`;
  return error(CODES[code] ?? "wrong-usage", sentence, null, hint);
}

/** Whether these arguments request this format on stdout, and no other. */
export function wantsOnStdout(format: FormatName, args: readonly string[]): boolean {
  const formats = args.flatMap((arg, at) =>
    arg === "--json"
      ? "json"
      : arg === "--format"
        ? [args[at + 1] ?? ""]
        : arg.startsWith("--format=")
          ? [arg.slice("--format=".length)]
          : [],
  );
  const onStdout = formats.filter((one) => !one.includes("="));
  return onStdout.length === 1 && onStdout[0] === format;
}

/** The line of a run that could not begin. */
export function failureLine(problem: Diagnostic, exit: ExitCode, at: string): string {
  const report = { of: "failure", command: "apply", diagnostics: [problem], baseUrl: null } as const;
  const nothing = { requests: 0, seconds: 0, waited: 0 };
  return new LineChain().next(endedLine(at, report, exit, nothing, []));
}
