// Errors of the command line, as diagnostics and as events.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import type { ExitCode } from "../errors.ts";
import { eventLine, finishedEvent, startedEvent } from "../render/ndjson/index.ts";
import type { FormatName } from "../render/format.ts";

/** The error that commander throws. */
interface Complaint {
  readonly code: string;
  readonly message: string;
}

interface Sentence {
  readonly code: string;
  readonly says: RegExp;
  readonly tell: (found: readonly string[], help: string) => { readonly message: string; readonly hint: string };
}

const SUGGESTION = "(?:\\n\\(Did you mean (?:one of )?(.+)\\?\\))?$";

/** Commander's messages by their codes. Its errors have no other properties, so the messages are parsed; its version is pinned. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  "commander.unknownOption": {
    code: "unknown-flag",
    says: /^error: unknown option '(.+?)'/,
    tell: ([flag = ""], help) => ({
      message: `There is no flag \`${flag}\` here.`,
      hint: `\`${help}\` lists the flags.`,
    }),
  },
  "commander.unknownCommand": {
    code: "unknown-command",
    says: new RegExp(`^error: unknown command '(.+?)'${SUGGESTION}`),
    tell: ([name = "", meant = ""]) => ({
      message: `There is no command \`${name}\`.`,
      hint: meant === "" ? "`linkform --help` lists the commands." : didYouMean(meant),
    }),
  },
  "commander.optionMissingArgument": {
    code: "missing-value",
    says: /^error: option '(?:-\w, )?(--\S+)(.*)' argument missing$/,
    tell: ([flag = "", value = ""]) => ({
      message: `\`${flag}\` stands without its value.`,
      hint: `Write it as \`${flag}${value}\`.`,
    }),
  },
  "commander.invalidArgument": {
    code: "wrong-value",
    says: /^error: (?:option|command-argument) '?(?:-\w, )?(\S+?)(?: .*)?'? (?:argument|value) '(.*)' is invalid(?: for argument '.*')?\. (.*)$/s,
    tell: ([flag = "", value = "", must = ""]) => ({
      message: `\`${flag}\` can't be ${value === "" ? "empty" : `\`${value}\``}.`,
      hint: must,
    }),
  },
  "commander.missingArgument": {
    code: "missing-argument",
    says: /^error: missing required argument '(.+)'$/,
    tell: ([name = ""], help) => ({
      message: `The command stands without its \`${name}\`.`,
      hint: `\`${help}\` says how it is written.`,
    }),
  },
  "commander.excessArguments": {
    code: "too-many-arguments",
    says: /^error: too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/,
    tell: ([expected = "", got = ""], help) => ({
      message: `There are too many arguments: ${got}, where ${expected === "0" ? "none" : expected} can stand.`,
      hint: `Flags begin with two dashes, and what holds spaces needs quotes; \`${help}\` says how it is written.`,
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
  const found = sentence?.says.exec(message) ?? null;
  if (sentence !== undefined && found !== null) {
    const { message: said, hint } = sentence.tell(
      found.slice(1).map((part) => part ?? ""),
      help,
    );
    const meant = sentence.code === "unknown-flag" ? nearestOrLonger(found[1] ?? "", flags) : null;
    return error(sentence.code, said, null, meant === null ? hint : didYouMean(meant));
  }
  const plain = message.replace(/^error: /, "").replaceAll("'", "`");
  return error("wrong-usage", `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`, null, `\`${help}\` says more.`);
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
    arg === "--format" ? [args[at + 1] ?? ""] : arg.startsWith("--format=") ? [arg.slice("--format=".length)] : [],
  );
  const onStdout = formats.filter((one) => !one.includes("="));
  return onStdout.length === 1 && onStdout[0] === format;
}

/** The events of an apply that could not begin, as lines of JSON. */
export function failureEvents(problem: Diagnostic, exit: ExitCode, version: string, now: string): string {
  const report = { of: "failure", command: "apply", diagnostics: [problem], baseUrl: null } as const;
  const nothing = { requests: 0, seconds: 0, waited: 0 };
  return [startedEvent(version, null), finishedEvent(report, exit, nothing)]
    .map((event) => eventLine(now, event))
    .join("");
}
