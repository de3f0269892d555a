// The command that begins a project.

import { Option } from "commander";
import { collect, service } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `init`. */
export function addInit({ program, runInterruptible }: Tree): void {
  service(
    program
      .command("init")
      .description(
        "begin a project: write its file, an example and workflows; asks on a terminal what flags leave open",
      )
      .option(
        "--domain <name[=id]>",
        "a domain that the files are about (repeatable; default: all of the account)",
        collect,
      )
      .option(
        "--space <name[=id]>",
        "a space that the files are about (repeatable; default: all of the account)",
        collect,
      )
      .option("--default-domain <name>", "what links get that name no domain (default: the domain, if there is one)")
      .option("--own-domain <name>", "nobody else makes links on this domain: into `scope` (repeatable)", collect)
      .option("--own-space <name>", "nobody else makes links in this space: into `scope` (repeatable)", collect)
      .option("--own-pixels <glob>", "with these: names of this repository's pixels (repeatable)", collect)
      .addOption(new Option("--ci <system>", "write workflows (default: none)").choices(["github", "gitlab", "none"]))
      .option("--ci-source <repository>", "OWNER/REPOSITORY that has your copy of linkform, and so its action")
      .option("--ci-package <package>", "what npm installs in jobs (default: a tarball in the repository)")
      .option("--branch <name>", "the default branch, which is deployed (default: as git knows it)")
      .option("--pull", "begin with what is live: it comes into files, as `linkform pull` does it")
      .option("--fresh", "begin with an example that makes nothing (default)")
      .option("--offline", "ask the service nothing; no key is needed")
      .option("--dry-run", "write nothing, show it as a unified diff")
      .option("--yes", "don't ask: what no flag says is as by default"),
  ).action((flags) => runInterruptible(async (world) => (await import("../commands/init.ts")).init(world, flags)));
}
