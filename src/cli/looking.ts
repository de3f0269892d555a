// The commands that show what is live.

import { Argument, InvalidArgumentError, Option } from "commander";
import { SEARCHED_FIELDS } from "../domain/search.ts";
import { fieldAt, TYPE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import { service, wholeNumber } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `list` and `show`. */
export function addLooking({ program, runInterruptible }: Tree): void {
  const type = fieldAt("pixel", TYPE_FIELD);
  service(
    program
      .command("list")
      .description("show live links or pixels, filtered and sorted, and which of them the files declare; never writes")
      .addArgument(new Argument("[what]", "links or pixels").choices(["links", "pixels"]).default("links"))
      .option("--search <text>", "only those that have this in them, whatever its case")
      .addOption(new Option("--by <field>", "where links are searched (default: title)").choices([...SEARCHED_FIELDS]))
      .addOption(
        new Option("--status <status>", "only links of this status (default: all)").choices([
          "all",
          "active",
          "expired",
          "disabled",
        ]),
      )
      .option("--space <space>", "only links in this space: its label, name or id; or none")
      .option("--domain <domain>", "only links on this domain: its label, name or id")
      .option("--pixel <pixel>", "only links that use this pixel: its name or id")
      .addOption(
        new Option("--type <type>", "only pixels of this type").choices(
          type?.kind === "word" ? [...allWords(type), ...Object.keys(type.synonyms)] : [],
        ),
      )
      .addOption(
        new Option(
          "--sort <order>",
          "desc, asc: newest or oldest first; max, min: links by clicks (default: desc)",
        ).choices(["desc", "asc", "max", "min"]),
      )
      .option("--limit <n>", "show so many rows", wholeNumber(1))
      .option("--per-page <n>", "rows to ask for in one request, 10 to 100 (default: 100)", perPage),
  ).action((what, flags) =>
    runInterruptible(async (world) => (await import("../commands/list.ts")).list(world, what, flags)),
  );

  service(
    program
      .command("show")
      .description("show all of single links or pixels, where they are declared, and what differs; never writes")
      .argument("<key...>", "go.example.com/spring, an alias, a short URL, a pixel's name, or an id as #12"),
  ).action((words, flags) =>
    runInterruptible(async (world) => (await import("../commands/show.ts")).show(world, words, flags)),
  );
}

/** Out of this range the service silently gives ten (observed.md, "Lists"). */
function perPage(text: string): number {
  const number = wholeNumber(10)(text);
  if (number <= 100) return number;
  throw new InvalidArgumentError("It must be at most 100.");
}
