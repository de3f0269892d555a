// The commands and their flags. The code of a command is loaded when it runs.

import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type { World } from "../session/context.ts";
import { SEARCHED_FIELDS } from "../domain/filter.ts";
import { SOFTWARE } from "../domain/software.ts";
import { fieldAt, TYPE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import type { ExitCode } from "../errors.ts";
import { choosing, collect, common, executing, planning, service, wholeNumber } from "./flags.ts";

/** The commands, and how they are run. `load` imports a command's code. */
export interface CommandTree {
  readonly program: Command;
  /** Runs a command that may be killed at any moment. */
  readonly run: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
  /** Runs a command that sends requests: after Ctrl-C, it ends cleanly. */
  readonly runInterruptible: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
}

/** Adds every command to the program, in the order in which `--help` lists them. */
export function addCommands(tree: CommandTree): void {
  addInit(tree);
  addPlanning(tree);
  addPull(tree);
  addRm(tree);
  addUndo(tree);
  addExplain(tree);
  addLooking(tree);
  addImport(tree);
  addAside(tree);
}

function addInit({ program, runInterruptible }: CommandTree): void {
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
  ).action((flags) => runInterruptible(async (world) => (await import("../init/command.ts")).init(world, flags)));
}

function addPlanning({ program, run, runInterruptible }: CommandTree): void {
  common(
    program
      .command("validate")
      .description("check the files, without network: every mistake at once")
      .option("--base <ref>", "say what the files declared at this commit of git and no longer do"),
  ).action((flags) => run(async (world) => (await import("./validate.ts")).validate(world, flags)));

  planning(
    program
      .command("plan")
      .description("read the account, compare it with the files, print what would change; never writes")
      .option("--out <file>", "save the plan: `linkform apply FILE` makes its changes and no other")
      .option("--detailed-exitcode", "exit with 2 if there are changes")
      .option("--show-unmanaged", "list what is live and in no file, with the lines that would declare it"),
  ).action((flags) => runInterruptible(async (world) => (await import("./plan.ts")).plan(world, flags)));

  planning(
    executing(
      program
        .command("apply")
        .description("plan, ask, make the changes, and read again what was touched")
        .argument("[plan]", "a plan saved by `plan --out`: what it holds and the files still ask for, without asking")
        .option("--move-base", "after a complete run, move the tag in --base to HEAD"),
    ),
  ).action((file, flags) => runInterruptible(async (world) => (await import("./apply.ts")).apply(world, flags, file)));

  service(
    program
      .command("drift")
      .description("is live still as the files say? For a schedule: exits with 2 if not; never writes")
      .option("--base <ref>", "compare live with the files of this commit of git instead"),
  ).action((flags) => runInterruptible(async (world) => (await import("./drift.ts")).drift(world, flags)));
}

function addPull({ program, runInterruptible }: CommandTree): void {
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
    runInterruptible(async (world) => (await import("../pull/command.ts")).pull(world, flags, keys)),
  );
}

function addRm({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("rm")
      .description("turn declared links or pixels into tombstones, comments kept: the next apply deletes them")
      .argument("<key...>", "as a plan shows it; an alias alone; a pixel's name; or link:KEY, pixel:NAME")
      .option("--id <n>", "which row, where two live ones have the key", wholeNumber(1))
      .option("--offline", "ask nobody: the tombstone has no id, and deletes whatever has the key by then")
      .option("--keep-tombstone", "a tombstone for what is not live, too: it may be live elsewhere")
      .option("--dry-run", "write nothing, show it as a unified diff"),
  ).action((keys, flags) => runInterruptible(async (world) => (await import("./rm.ts")).rm(world, flags, keys)));
}

function addUndo({ program, runInterruptible }: CommandTree): void {
  const command = executing(
    program
      .command("undo")
      .description("take an apply back: a plan of the state before it, shown, confirmed and verified like any other")
      .argument("<receipt>", "the receipt that the apply wrote, or `last` for the newest of this project")
      .option("--dry-run", "print the plan, and write nothing")
      .option("--force", "overwrite what has been changed since"),
  );
  service(choosing(command.optionsGroup("What is taken back:"))).action((receipt, flags) =>
    runInterruptible(async (world) => (await import("../undo/command.ts")).undo(world, flags, receipt)),
  );
}

function addExplain({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("explain")
      .description("show where a visitor of a short link is sent, and why, without visiting it")
      .argument("<link>", "a short URL, a key such as go.example.com/spring, or an alias")
      .optionsGroup("The visitor (default: everybody, now):")
      .option("--country <code>", "from this country, such as DE, or `other` for one that the link does not have")
      .option("--platform <name>", "on this platform, such as iOS, or `other`")
      .option("--language <code>", "with this language, such as de, or this Accept-Language header, or `other`")
      .option("--continent <code>", "from this continent, such as EU, or `other` (version 49)")
      .option("--browser <name>", "with this browser, such as Firefox, or `other` (version 49)")
      .option("--device <name>", "on this device, such as mobile, or `other` (version 49)")
      .option("--crawler", "a search engine, link preview or script that the service treats as a crawler")
      .option("--at <time>", "at this time: 2027-04-01T12:00 in the files' time zone, or with Z or +02:00 at the end")
      .option("--clicks <n>", "after this many clicks", wholeNumber(0))
      .optionsGroup("Source (default: the files, or the account if no file declares the link):")
      .option("--declared", "explain the link as the files declare it, without network or key")
      .option("--live", "explain the link as it is in the account")
      .option("--both", "explain the link as it is, and as it will be after an apply"),
  ).action((link, flags) =>
    runInterruptible(async (world) => (await import("../explain/command.ts")).explain(world, link, flags)),
  );
}

function addLooking({ program, runInterruptible }: CommandTree): void {
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
    runInterruptible(async (world) => (await import("../inspect/list.ts")).list(world, what, flags)),
  );

  service(
    program
      .command("show")
      .description("show all of single links or pixels, where they are declared, and what differs; never writes")
      .argument("<key...>", "go.example.com/spring, an alias, a short URL, a pixel's name, or an id as #12"),
  ).action((words, flags) =>
    runInterruptible(async (world) => (await import("../inspect/show.ts")).show(world, words, flags)),
  );
}

/** Outside this range the service silently returns 10 rows (docs/service.md, "Lists"). */
function perPage(text: string): number {
  const number = wholeNumber(10)(text);
  if (number <= 100) return number;
  throw new InvalidArgumentError("It must be at most 100.");
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t" };

function addImport({ program, run }: CommandTree): void {
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
    run(async (world) => (await import("../import/command.ts")).importCsv(world, file, flags)),
  );
}

function delimiter(text: string): string {
  const sign = DELIMITERS[text.toLowerCase()] ?? (text === "\\t" ? "\t" : text);
  if ([...sign].length === 1 && !/["\r\n]/.test(sign)) return sign;
  throw new InvalidArgumentError("It must be one sign, or one of: comma, semicolon, tab.");
}

function addAside({ program, run, runInterruptible }: CommandTree): void {
  service(program.command("doctor"))
    .description(
      "check the connection to the service: address, key, version, time zone, domains and spaces, rate limit, deletes",
    )
    .action((flags) => runInterruptible(async (world) => (await import("./doctor.ts")).doctor(world, flags)));

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
    .action((file, flags) => run(async (world) => (await import("./comment.ts")).comment(world, file, flags)));

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
        return (await import("./sandbox.ts")).sandbox(world, flags, stopped);
      }),
    );
}
