// Flags that several commands share, in their groups of `--help`.

import { InvalidArgumentError, type Command } from "commander";
import { FORMATS_OF, isReportingCommand } from "../render/format.ts";

/** Parses an integer of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  };
}

/** Collects the values of a flag that can be repeated. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** The formats of the result, and a length limit for places that need one. */
function reporting(command: Command): Command {
  const name = command.name();
  const formats = isReportingCommand(name) ? FORMATS_OF[name] : [];
  const words = `${formats.slice(0, -1).join(", ")} or ${formats.at(-1)}`;
  command.option("--format <format[=file]>", `${words}; with a file it goes there (repeatable)`, collect);
  return formats.includes("markdown")
    ? command.option(
        "--max-length <n>",
        "characters that a markdown report may have (default: 65536)",
        wholeNumber(1000),
      )
    : command;
}

/** Flags of every command. `--help` shows groups in the order in which they are added, a command's own flags first. */
export function common(command: Command): Command {
  command
    .optionsGroup("Everywhere:")
    .option("--config <file>", "the project file (default: linkform.yaml here or in a folder above)");
  return reporting(command)
    .option("--no-color", "no colour (NO_COLOR and FORCE_COLOR are honoured too)")
    .option("--quiet", "the result and errors only")
    .option("--verbose", "say what is asked of the service, and why")
    .helpOption("--help", "print this help");
}

/** Flags of commands that send requests to the service. */
export function service(command: Command): Command {
  command
    .optionsGroup("The service:")
    .option("--base-url <url>", "speak to this service, whatever files and LINKFORM_BASE_URL say")
    .option("--api-key-file <file>", "read the API key from a file (default: the variable LINKFORM_API_KEY)")
    .option("--max-wait <seconds>", "give up rather than wait longer in all for the rate limit", wholeNumber(0))
    .option("--timeout <seconds>", "begin nothing new after so long (default: no limit)", wholeNumber(1));
  return common(command);
}

/** Options of a plan. A saved plan contains them. */
export function planning(command: Command): Command {
  command
    .optionsGroup("What is planned (a saved plan holds these):")
    .option("--base <ref>", "hold the files against this commit of git: what was removed, where changes come from")
    .option("--resend-secrets [glob]", "send passwords again: of all links, or with =glob of keys like this");
  return service(choosing(command));
}

/** Which changes are planned, and how many are allowed. */
export function choosing(command: Command): Command {
  return command
    .option(
      "--target <glob>",
      "only keys like this, as go.example.com/spring-*, and what they need (repeatable)",
      collect,
    )
    .option("--exclude <glob>", "no keys like this, nor what waits for them (repeatable)", collect)
    .option("--allow-deletes <n>", "let this plan make n deletes in all, whatever the brake says", wholeNumber(0))
    .option("--allow-updates <n>", "let this plan make n updates in all, whatever the brake says", wholeNumber(0))
    .option("--allow-clicks <n>", "let this plan lose n clicks, whatever the brake says", wholeNumber(0));
}

/** How changes are applied. */
export function executing(command: Command): Command {
  return command
    .option("--yes", "don't ask")
    .option("--concurrency <n>", "changes under way at once (default: 10)", wholeNumber(1))
    .option("--journal <file>", "append to this file what is done: JSON lines, before and after each call")
    .option("--receipt <file>", "write what takes it back to this file (default: into .linkform/receipts)")
    .option("--no-receipt", "write none: then `undo` can't take it back");
}
