// Errors of the command line, as diagnostics and as the line of a record.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import type { ExitCode } from "../errors.ts";
import { endedLine, LineChain } from "../record/lines.ts";
import type { FormatName } from "../report/format.ts";

/** The error that commander throws. */
interface Complaint {
  readonly code: string;
  readonly message: string;
}

interface Sentence {
  readonly code: string;
  readonly pattern: RegExp;
  readonly problem: (found: readonly string[], help: string) => { readonly message: string; readonly hint: string };
}

const SUGGESTION = "(?:\\n\\(Did you mean (?:one of )?(.+)\\?\\))?$";

/** Commander's messages by their codes. Its errors have no other properties, so the messages are parsed; its version is pinned. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  "commander.unknownOption": {
    code: "unknown-flag",
    pattern: /^error: unknown option '(.+?)'/,
    problem: ([flag = ""], help) => ({
      message: `Unknown flag \`${flag}\`.`,
      hint: `Run \`${help}\` to list the flags.`,
    }),
  },
  "commander.unknownCommand": {
    code: "unknown-command",
    pattern: new RegExp(`^error: unknown command '(.+?)'${SUGGESTION}`),
    problem: ([name = "", meant = ""]) => ({
      message: `Unknown command \`${name}\`.`,
      hint: meant === "" ? "Run `linkform --help` to list the commands." : didYouMean(meant),
    }),
  },
  "commander.optionMissingArgument": {
    code: "missing-value",
    pattern: /^error: option '(?:-\w, )?(--\S+)(.*)' argument missing$/,
    problem: ([flag = "", value = ""]) => ({
      message: `\`${flag}\` needs a value.`,
      hint: `Write it as \`${flag}${value}\`.`,
    }),
  },
  "commander.invalidArgument": {
    code: "wrong-value",
    pattern:
      /^error: (?:option|command-argument) '?(?:-\w, )?(\S+?)(?: .*)?'? (?:argument|value) '(.*)' is invalid(?: for argument '.*')?\. (.*)$/s,
    problem: ([flag = "", value = "", must = ""]) => ({
      message: `\`${flag}\` cannot be ${value === "" ? "empty" : `\`${value}\``}.`,
      hint: must,
    }),
  },
  "commander.missingArgument": {
    code: "missing-argument",
    pattern: /^error: missing required argument '(.+)'$/,
    problem: ([name = ""], help) => ({
      message: `Missing argument: ${name.toUpperCase()}`,
      hint: `Run \`${help}\` to see how to write the command.`,
    }),
  },
  "commander.excessArguments": {
    code: "too-many-arguments",
    pattern: /^error: too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/,
    problem: ([expected = "", got = ""], help) => ({
      message: `Too many arguments: expected ${expected === "0" ? "none" : `at most ${expected}`}, got ${got}.`,
      hint: `Put quotes around values with spaces. Run \`${help}\` to see how to write the command.`,
    }),
  },
};

/**
 * An error of commander as a diagnostic. `command` is the command, or null if there is none with this name;
 * `flags` are its flags.
 */
export function usageProblem(
  { code, message }: Complaint,
  command: string | null,
  flags: readonly string[],
): Diagnostic {
  const help = command === null ? "linkform --help" : `linkform ${command} --help`;
  const sentence = SENTENCES[code];
  const found = sentence?.pattern.exec(message) ?? null;
  if (sentence !== undefined && found !== null) {
    const { message: text, hint } = sentence.problem(
      found.slice(1).map((part) => part ?? ""),
      help,
    );
    const flag = sentence.code === "unknown-flag" ? (found[1] ?? "") : "";
    const meant = flag === "" ? null : nearestOrLonger(flag, flags);
    return error(sentence.code, text, null, meant === null ? hint : didYouMean(meant));
  }
  const plain = message.replace(/^error: /, "").replaceAll("'", "`");
  return error(
    "wrong-usage",
    `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`,
    null,
    `Run \`${help}\` to see how to write the command.`,
  );
}

function didYouMean(meant: string): string {
  return `Did you mean ${meant
    .split(", ")
    .map((one) => `\`${one}\``)
    .join(" or ")}?`;
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
