// Errors of the command line, as diagnostics.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { capital } from "../report/counts.ts";

const CODES: Readonly<Record<string, string>> = {
  "commander.unknownOption": "unknown-flag",
  "commander.unknownCommand": "unknown-command",
  "commander.conflictingOption": "conflicting-flags",
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
  const help =
    command === null || code === "commander.unknownCommand" ? "linkform --help" : `linkform ${command} --help`;
  const sentence = capital(text.replaceAll("''", "(empty)").replaceAll("'", "`")).replace(/\.?$/, ".");
  const near = meant?.split(", ").join("` or `");
  const isConflict = code === "commander.conflictingOption";
  const remedy = isConflict ? "Remove one of them." : `Run \`${help}\` to see how to write the command.`;
  const hint = near === undefined ? remedy : `Did you mean \`${near}\`?`;
  return error(CODES[code] ?? "wrong-usage", sentence, null, hint);
}

/** Whether these arguments request JSON on stdout. */
export function wantsJson(args: readonly string[]): boolean {
  return args.some(
    (arg, at) => arg === "--json" || arg === "--format=json" || (arg === "json" && args[at - 1] === "--format"),
  );
}
