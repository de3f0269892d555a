// The commands beside planning and applying.

import { Option } from "commander";
import { SOFTWARE } from "../domain/software.ts";
import { service, wholeNumber } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `doctor`, `comment` and `sandbox`. */
export function addAside({ program, run, runInterruptible }: Tree): void {
  service(program.command("doctor"))
    .description(
      "check the connection to the service: address, key, version, time zone, domains and spaces, rate limit, deletes",
    )
    .action((flags) => runInterruptible(async (world) => (await import("../commands/doctor.ts")).doctor(world, flags)));

  program
    .command("comment")
    .description("put a report into the pull or merge request: its comment is updated, or written if there is none")
    .argument("<file>", "a report that `--format markdown=FILE` wrote")
    .option("--github", "on GitHub: with GITHUB_TOKEN, and what a job's variables say")
    .option("--gitlab", "on GitLab: with GITLAB_TOKEN, and what a job's variables say")
    .option("--pull-request <n>", "the pull or merge request (default: the one that the job is of)", wholeNumber(1))
    .option("--issue", "into an issue instead: the open one is updated, or one is opened")
    .option("--close", "with --issue: say it in the open one and close that; never opens one")
    .helpOption("--help", "print this help")
    .action((file, flags) =>
      run(async (world) => (await import("../commands/comment.ts")).comment(world, file, flags)),
    );

  program
    .command("sandbox")
    .description("run the service in one process, for trying and testing")
    .option("--port <n>", "the port to listen on (default: any free one)", wholeNumber(0))
    .option("--data <file>", "keep the state in this file (default: in memory)")
    .option("--seed <file>", "begin with the state of this file")
    .option("--rate-limit <n>", "requests a minute, 0 for no limit (default: 60)", wholeNumber(0))
    .addOption(
      new Option("--delete-path <path>", "which delete path works (default: api)").choices([
        "documented",
        "api",
        "both",
      ]),
    )
    .option("--timezone <zone>", "the account's time zone (default: UTC)")
    .addOption(
      new Option("--software <version>", "version of the service to simulate (default: 4.1)").choices(SOFTWARE),
    )
    .action((flags) =>
      run(async (world) => {
        const stopped = new Promise((resolve) => {
          process.once("SIGINT", resolve);
          process.once("SIGTERM", resolve);
        });
        return (await import("../commands/sandbox.ts")).sandbox(world, flags, stopped);
      }),
    );
}
