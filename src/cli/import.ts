// The command that takes over what stands in a spreadsheet.

import { Argument, InvalidArgumentError, Option } from "commander";
import { collect, common } from "./flags.ts";
import type { Tree } from "./run.ts";

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t" };

/** Adds `import`. */
export function addImport({ program, run }: Tree): void {
  common(
    program
      .command("import")
      .description("take over the rows of a spreadsheet as links: all of them, or none")
      .addArgument(new Argument("<format>", "what the file is").choices(["csv"]))
      .argument("<file>", "the spreadsheet, with the names of its columns in the first row; - reads what is piped in")
      .option("--dry-run", "show what would be written, as a patch")
      .option("--into <file>", "the file of links, from the project folder (default: links/NAME-OF-THE-SHEET.yaml)")
      .option("--skip-bad", "leave out the rows that have mistakes")
      .option("--rejects <file>", "with --skip-bad: write those rows to a sheet of their own, each with its reason")
      .optionsGroup("What its columns mean:")
      .option("--map <column=field>", 'what a column is: "Long URL=url"; #3 is the third (repeatable)', collect)
      .option("--ignore <column>", "leave this column out (repeatable)", collect)
      .option("--domain <domain>", "the domain of links whose row says none")
      .option("--space <space>", "the space of links whose row says none")
      .addOption(new Option("--kind <kind>", "what a row is (default: links)").choices(["links", "pixels"]))
      .option(
        "--delimiter <sign>",
        "what stands between cells: a sign, or comma, semicolon, tab (default: guessed)",
        delimiter,
      )
      .option("--no-header", "the first row names no columns; they are #1, #2 and so on")
      .addOption(
        new Option(
          "--date-format <order>",
          "of dates such as 03/04/2027: day or month first (default: guessed)",
        ).choices(["DMY", "MDY"]),
      ),
  ).action((_format, file, flags) =>
    run(async (world) => (await import("../commands/import.ts")).importCsv(world, file, flags)),
  );
}

function delimiter(text: string): string {
  const sign = DELIMITERS[text.toLowerCase()] ?? (text === "\\t" ? "\t" : text);
  if ([...sign].length === 1 && !/["\r\n]/.test(sign)) return sign;
  throw new InvalidArgumentError("It must be one sign, or one of: comma, semicolon, tab.");
}
