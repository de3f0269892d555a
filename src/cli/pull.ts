// The command that brings the account into the files.

import { Option } from "commander";
import { collect, service } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `pull`. */
export function addPull({ program, runInterruptible }: Tree): void {
  service(
    program
      .command("pull")
      .description("write what is live into the files, comments and order kept; a plan of them is empty then")
      .argument("[key...]", "only these links or pixels, as a plan shows them (default: all, or what the filters say)")
      .option("--domain <domain>", "links on this domain: its label, name or id (repeatable)", collect)
      .option("--space <space>", "links in this space; `none`: in no space (repeatable)", collect)
      .option("--alias <glob>", "links with an alias like this (repeatable)", collect)
      .addOption(new Option("--status <status>", "links in this state").choices(["active", "expired", "disabled"]))
      .addOption(
        new Option(
          "--split <by>",
          "how links that are in no file are spread over new ones (default: as it suits them)",
        ).choices(["domain", "space", "file", "alias-prefix"]),
      )
      .addOption(
        new Option("--gone <what>", "what becomes of declared ones that are not live (default: remove)").choices([
          "remove",
          "tombstone",
          "keep",
        ]),
      )
      .option("--dry-run", "write nothing, show it as a unified diff")
      .option("--force", "also where git has changes that are not committed"),
  ).action((keys, flags) =>
    runInterruptible(async (world) => (await import("../commands/pull.ts")).pull(world, flags, keys)),
  );
}
