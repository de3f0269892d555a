// The commands and their flags. The code of a command is loaded when it runs.

import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type { World } from "../session/context.ts";
import { SEARCHED_FIELDS } from "../domain/filter.ts";
import { SOFTWARE } from "../domain/software.ts";
import { fieldAt, TYPE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import type { ProjectCommand } from "../report/format.ts";
import type { ProjectsFlags, RunOne } from "./projects-run.ts";
import {
  choice,
  choosing,
  collect,
  common,
  executing,
  numberOrBranch,
  planning,
  service,
  wholeNumber,
  RESOURCES,
} from "./flags.ts";

/** The commands, and how they are run. `load` imports a command's code. */
export interface CommandTree {
  readonly program: Command;
  /** Runs a command that may be killed at any moment. */
  readonly run: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
  /** Runs a command that sends requests: after Ctrl-C, it ends cleanly. */
  readonly runInterruptible: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
}

/** Adds a command to the program. Without its name, adds all, in the order and the groups in which `--help` lists them. */
export function addCommands(tree: CommandTree, name = ""): void {
  const only = COMMANDS.filter(([, names]) => names.includes(name));
  for (const [group, , add] of only.length > 0 ? only : COMMANDS) {
    tree.program.commandsGroup(group);
    add(tree);
  }
}

function addInit({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("init")
      .description("Create a project: its file, an example and CI workflows")
      .option("--domain <name[=id]>", "Manage this domain (repeatable; default: all of the account)", collect)
      .option("--space <name[=id]>", "Manage this space (repeatable; default: all of the account)", collect)
      .addOption(choice("--ci <system>", "Write CI workflows (default: none)", "github gitlab none"))
      .option(
        "--ci-source <repository@commit>",
        "Pin the action to this commit of a copy of linkform: OWNER/REPOSITORY@COMMIT",
      )
      .option("--ci-image <image>", "GitLab: run the jobs in this image, which contains linkform")
      .option("--pull", "Write the links and pixels of the account into the files")
      .option("--offline", "Do not connect to the service; no API key is needed")
      .option("--dry-run", "Show the files as a diff without writing them")
      .option("-y, --yes", "Do not ask; use the defaults for what no flag sets"),
  ).action((flags) => runInterruptible(async (world) => (await import("../init/command.ts")).init(world, flags)));
}

function addPlanning({ program, run, runInterruptible }: CommandTree): void {
  common(
    program
      .command("validate")
      .description("Check the files offline and report every mistake at once")
      .argument("[file...]", "Report only findings in these files (default: all files of the project)")
      .option("--base <ref>", "Show what the files no longer declare, compared with this git commit")
      .option(...RESOURCES),
  ).action((files, flags) =>
    run(async (world) => {
      const { validate, runValidate } = await import("./validate.ts");
      if (flags.configs === undefined) return validate(world, flags, files);
      return several(world, flags, "validate", runValidate, files[0]);
    }),
  );

  common(
    program
      .command("fmt")
      .description("Rewrite the files in canonical order and style")
      .argument("[file...]", "Format only these files (default: all files of the project)")
      .option("--check", "Show what would change as a diff, and exit with 2 if anything would")
      .option("--stdin", "Format stdin and print the result, for editors"),
  ).action((files, flags) => run(async (world) => (await import("./fmt.ts")).fmt(world, flags, files)));

  planning(
    program
      .command("plan")
      .alias("diff")
      .description("Show what apply would change, without changing anything")
      .option("--out <file>", "Save the plan for `linkform apply FILE`")
      .option("--detailed-exitcode", "Exit with 2 if there are changes")
      .option("--show-unmanaged", "List live links and pixels that no file declares"),
  ).action((flags) =>
    runInterruptible(async (world) => {
      const { plan, runPlan } = await import("./plan.ts");
      return flags.configs === undefined ? plan(world, flags) : several(world, flags, "plan", runPlan);
    }),
  );

  planning(
    executing(
      program
        .command("apply")
        .description("Make these changes after a confirmation, and verify them")
        .argument("[plan]", "Apply a plan that `plan --out` saved, without asking")
        .addOption(
          new Option(
            "--move-base [create]",
            "Move the tag in --base to HEAD after a complete run (=create: create it in the first deploy)",
          ).argParser((value: string) => {
            if (value === "create") return value;
            throw new InvalidArgumentError("Write the file of a saved plan before it.");
          }),
        ),
    ),
  ).action((file, flags) =>
    runInterruptible(async (world) => {
      const { apply, runApply } = await import("./apply.ts");
      return flags.configs === undefined ? apply(world, flags, file) : several(world, flags, "apply", runApply, file);
    }),
  );

  service(
    program
      .command("drift")
      .alias("status")
      .description("Check for changes made outside linkform")
      .option("--base <ref>", "Compare the account with the files of this git commit instead"),
  ).action((flags) =>
    runInterruptible(async (world) => {
      const { drift, runDrift } = await import("./drift.ts");
      return flags.configs === undefined ? drift(world, flags) : several(world, flags, "drift", runDrift);
    }),
  );

  common(
    program
      .command("check")
      .description("Ask the destinations of declared links whether they are alive")
      .argument("[key...]", "Check only these links (default: all): a key, an alias or a short URL")
      .option("--base <ref>", "Check only destinations that differ from this git commit")
      .option("--max-wait <seconds>", "Stop asking after this many seconds", wholeNumber(0)),
  ).action((keys, flags) =>
    runInterruptible(async (world) => {
      const { check, runCheck } = await import("./check.ts");
      if (flags.configs === undefined) return check(world, flags, keys);
      // Projects that run side by side would ask one host at the same time.
      let last: Promise<ExitCode> = Promise.resolve(EXIT.done);
      const inTurn: RunOne = (out) => {
        const checkNext = (): Promise<ExitCode> => runCheck(out);
        return (last = last.then(checkNext, checkNext));
      };
      return several(world, flags, "check", inTurn, keys[0]);
    }),
  );
}

/** Runs a command for the projects that `--config` names. An argument of the command names a file or key of one project, and is refused. */
async function several(
  world: World,
  { configs, ...flags }: ProjectsFlags & { readonly configs?: readonly string[] },
  command: ProjectCommand,
  run: RunOne,
  argument?: string,
): Promise<ExitCode> {
  return (await import("./projects-run.ts")).runProjects(world, flags, command, configs ?? [], run, argument);
}

function addPull({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("pull")
      .alias("export")
      .description("Write the live state into the files, keeping comments")
      .argument("[key...]", "Pull only these links or pixels (default: all, or those that the filters select)")
      .option("--domain <domain>", "Pull links on this domain: its label, name or id (repeatable)", collect)
      .option("--space <space>", "Pull links in this space, or `none` for links in no space (repeatable)", collect)
      .option("--alias <glob>", "Pull links whose alias matches (repeatable)", collect)
      .addOption(
        choice("--split <by>", "Choose how new links are split into files (default: by domain)", "domain space file"),
      )
      .option("--dry-run", "Show the changes as a diff without writing them")
      .option("--force", "Overwrite files that have uncommitted changes"),
  ).action((keys, flags) =>
    runInterruptible(async (world) => (await import("../pull/command.ts")).pull(world, flags, keys)),
  );
}

function addRm({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("rm")
      .description("Replace declared links or pixels with tombstones")
      .argument("<key...>", "A key such as go.example.com/spring, an alias, a pixel name, link:KEY or pixel:NAME")
      .option("--id <n>", "Delete the live link or pixel with this id, if several have the key", wholeNumber(1))
      .option("--offline", "Do not connect to the service; the tombstone gets no id")
      .option("--dry-run", "Show the changes as a diff without writing them"),
  ).action((keys, flags) => runInterruptible(async (world) => (await import("./rm.ts")).rm(world, flags, keys)));
}

function addUndo({ program, runInterruptible }: CommandTree): void {
  const command = executing(
    program
      .command("undo")
      .description("Revert an apply: restore the state from before it")
      .argument("<record>", "The record that apply wrote, or `last` for the newest of this project")
      .option("--dry-run", "Show the plan without applying it")
      .option("--force", "Overwrite changes that were made since the apply"),
  );
  service(choosing(command.optionsGroup("Planning:"))).action((record, flags) =>
    runInterruptible(async (world) => (await import("./apply.ts")).undo(world, flags, record)),
  );
}

function addExplain({ program, runInterruptible }: CommandTree): void {
  service(
    program
      .command("explain")
      .description("Show where a short link leads a visitor, and why")
      .argument("<link>", "A short URL, a key such as go.example.com/spring, or an alias")
      .optionsGroup("Visitor (default: any visitor, now):")
      .option("--country <code>", "A country such as DE, or `other` for one that the link does not list")
      .option("--platform <name>", "A platform such as iOS, or `other`")
      .option("--language <code>", "A language such as de, an Accept-Language header, or `other`")
      .option("--continent <code>", "A continent such as EU, or `other` (version 49)")
      .option("--browser <name>", "A browser such as Firefox, or `other` (version 49)")
      .option("--device <name>", "A device such as mobile, or `other` (version 49)")
      .option("--crawler", "A search engine, link preview or script")
      .option("--at <time>", "A time such as 2027-04-01T12:00 (time zone of the files, or with Z or +02:00)")
      .option("--clicks <n>", "The number of clicks so far", wholeNumber(0))
      .optionsGroup("Source (default: the files, or the account if no file declares the link):")
      .option("--declared", "Use the files; no API key is needed")
      .option("--live", "Use the account"),
  ).action((link, flags) =>
    runInterruptible(async (world) => (await import("../explain/command.ts")).explain(world, link, flags)),
  );
}

function addInspect({ program, runInterruptible }: CommandTree): void {
  const type = fieldAt("pixel", TYPE_FIELD);
  service(
    program
      .command("list")
      .description("List live links or pixels, and which of them the files declare")
      .addArgument(new Argument("[what]", "What to list").choices(["links", "pixels"]).default("links"))
      .option("--search <text>", "Search for this text, ignoring case")
      .addOption(choice("--by <field>", "Search this field of links (default: title)", SEARCHED_FIELDS.join(" ")))
      .addOption(
        choice("--status <status>", "List links with this status (default: all)", "all active expired disabled"),
      )
      .option("--space <space>", "List links in this space: its label, name or id, or `none`")
      .option("--domain <domain>", "List links on this domain: its label, name or id")
      .option("--pixel <pixel>", "List links that use this pixel: its name or id")
      .addOption(
        new Option("--type <type>", "List pixels of this type").choices(
          type?.kind === "word" ? [...allWords(type), ...Object.keys(type.synonyms)] : [],
        ),
      )
      .option("--owner <name>", "List links that the files assign to this owner")
      .option("--due", "List links whose review date has come")
      .addOption(
        choice("--sort <order>", "Sort by age (desc, asc) or by clicks (max, min) (default: desc)", "desc asc max min"),
      )
      .option("--limit <n>", "List at most n", wholeNumber(1)),
  ).action((what, flags) =>
    runInterruptible(async (world) => (await import("../inspect/list.ts")).list(world, what, flags)),
  );

  service(
    program
      .command("show")
      .description("Show single links or pixels, and how the files differ")
      .argument(
        "<key...>",
        "A key such as go.example.com/spring, an alias, a short URL, a pixel name, or an id such as #12",
      ),
  ).action((words, flags) =>
    runInterruptible(async (world) => (await import("../inspect/show.ts")).show(world, words, flags)),
  );
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t" };

function addImport({ program, run }: CommandTree): void {
  common(
    program
      .command("import")
      .description("Write the rows of a spreadsheet into a file as links or pixels")
      .addArgument(new Argument("<format>", "The format of the spreadsheet").choices(["csv"]))
      .argument("<file>", "The spreadsheet, with column names in the first row, or `-` for stdin")
      .option("--dry-run", "Show the changes as a diff without writing them")
      .option("--into <file>", "Write to this file of the project (default: links/NAME-OF-THE-SPREADSHEET.yaml)")
      .option("--skip-bad", "Skip rows that have mistakes (default: import all rows or none)")
      .option("--rejects <file>", "With --skip-bad, write skipped rows to a spreadsheet with the reason for each")
      .optionsGroup("Columns:")
      .option("--map <column=field>", 'Map a column: "Long URL=url"; ignore one: "#3=ignore" (repeatable)', collect)
      .option("--domain <domain>", "Set the domain of links whose row has none")
      .option("--space <space>", "Set the space of links whose row has none")
      .option(
        "--delimiter <character>",
        "Set what separates cells: a character, or comma, semicolon, tab (default: detected)",
        delimiter,
      )
      .option("--no-header", "Treat the first row as data; columns are #1, #2 and so on")
      .addOption(
        choice("--date-format <order>", "Set the order in dates such as 03/04/2027 (default: detected)", "DMY MDY"),
      ),
  ).action((_format, file, flags) =>
    run(async (world) => (await import("../import/command.ts")).importCsv(world, file, flags)),
  );
}

function delimiter(text: string): string {
  const character = DELIMITERS[text.toLowerCase()] ?? (text === "\\t" ? "\t" : text);
  if ([...character].length === 1 && !/["\r\n]/.test(character)) return character;
  throw new InvalidArgumentError("Expected one character, or one of: comma, semicolon, tab.");
}

function addDoctor({ program, runInterruptible }: CommandTree): void {
  service(program.command("doctor").description("Check the files, the API key and the connection")).action((flags) =>
    runInterruptible(async (world) => (await import("./doctor.ts")).doctor(world, flags)),
  );
}

function addProjects({ program, run }: CommandTree): void {
  program
    .command("projects")
    .description("List the projects below this folder, or only changed projects")
    .option("--config <file>", "List this project file; repeatable or a glob (default: all below this folder)", collect)
    .option("--base <ref>", "Compare with this git commit; `{project}` is the name of each project")
    .option("--changed", "With --base, list only projects that differ")
    .option("--format <format>", "Choose the output format: text or json (default: text)", listFormat)
    .option("--json", "Print JSON; short for --format json")
    .action((flags) => run(async (world) => (await import("./projects.ts")).projects(world, flags)));
}

function listFormat(text: string): readonly string[] {
  if (text === "text" || text === "json") return [text];
  throw new InvalidArgumentError("Allowed choices are text, json.");
}

function addMerge({ program, run }: CommandTree): void {
  common(
    program
      .command("merge")
      .description("Join JSON reports of several projects into one report")
      .argument("<report...>", "Reports that `--format json=FILE` wrote")
      .option(
        "--name <name>",
        "Identify the Markdown report, so that `comment` updates the right one (default: the project of one report, or merged)",
      ),
  ).action((files, flags) => run(async (world) => (await import("./merge.ts")).merge(world, flags, files)));
}

function addComment({ program, run }: CommandTree): void {
  program
    .command("comment")
    .description("Post a report to a pull request or issue, or update it")
    .argument("<file>", "A report that `--format markdown=FILE` wrote")
    .option("--github", "Post to GitHub, with GITHUB_TOKEN and the variables of the job")
    .option("--gitlab", "Post to GitLab, with GITLAB_TOKEN and the variables of the job")
    .option(
      "--pull-request <n|branch>",
      "Post to this pull or merge request (default: the one of the job), or to the open one of this branch, or open one",
      numberOrBranch,
    )
    .option("--issue", "Post to an issue: update the open one, or open one")
    .option("--close", "Update the comment only if there is one; with --issue or a branch, also close that")
    .option(
      "--merged [commit]",
      "Post to the pull requests merged since this commit (default: with the deployed commit)",
    )
    .action((file, flags) => run(async (world) => (await import("./comment.ts")).comment(world, file, flags)));
}

function addSandbox({ program, run }: CommandTree): void {
  program
    .command("sandbox")
    .description("Run a local copy of the service to try and test")
    .option("--port <n>", "Listen on this port (default: any free port)", wholeNumber(0))
    .option("--data <file>", "Keep the state in this file (default: in memory)")
    .option("--seed <file>", "Start with the state in this file")
    .option("--rate-limit <n>", "Allow n requests a minute, 0 for no limit (default: 60)", wholeNumber(0))
    .option("--timezone <zone>", "Set the time zone of the account (default: UTC)")
    .addOption(
      choice("--software <version>", "Simulate this version of the service (default: 4.1)", SOFTWARE.join(" ")),
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

function addHelp({ program }: CommandTree): void {
  const help = program.command("help").description("Show help for a command").argument("[command]", "The command");
  help.action(async (name) => {
    const command = program.commands.find((one) => one.name() === name || one.aliases().includes(name ?? ""));
    // Commander's own `help` prints the help of the program for an unknown name, without an error.
    if (name !== undefined && command === undefined) await program.parseAsync([name], { from: "user" });
    (command ?? program).help();
  });
}

function addCompletion({ program, run }: CommandTree): void {
  program
    .command("completion")
    .description("Print a completion script for your shell")
    .addArgument(new Argument("<shell>", "Your shell").choices(["bash", "zsh", "fish"]))
    .action((shell) => run(async ({ stdout }) => (await import("./completion.ts")).completion(shell, stdout)));
  program
    .command("complete", { hidden: true })
    .argument("[word...]")
    .action((words) => run(async (world) => (await import("./completion.ts")).complete(program, words, world)));
}

function addSchema({ program, run }: CommandTree): void {
  program
    .command("schema")
    .description("Print the JSON Schema with which editors complete files")
    .addArgument(new Argument("[files]", "Which files").choices(["resources", "project"]).default("resources"))
    .option("--project", "Add the domains, spaces, pixels, policies and UTM values of this project")
    .option(
      "--config <file>",
      "With --project, use this project file (default: linkform.yaml here or in a parent folder)",
      collect,
    )
    .action((of, flags) => run(async (world) => (await import("./schema.ts")).schema(world, of, flags)));
}

/** The functions that add commands, with their names and aliases. Those without a name here need all others. */
const COMMANDS: readonly (readonly [group: string, names: readonly string[], add: (tree: CommandTree) => void])[] = [
  ["Start:", ["init"], addInit],
  ["Start:", ["pull", "export"], addPull],
  ["Start:", ["import"], addImport],
  ["Start:", ["sandbox"], addSandbox],
  ["Every day:", ["validate", "fmt", "plan", "diff", "apply", "drift", "status", "check"], addPlanning],
  ["Look:", ["list", "show"], addInspect],
  ["Look:", ["explain"], addExplain],
  ["Repair:", ["undo"], addUndo],
  ["Repair:", ["rm"], addRm],
  ["Repair:", ["doctor"], addDoctor],
  ["CI:", ["projects"], addProjects],
  ["CI:", ["merge"], addMerge],
  ["CI:", ["comment"], addComment],
  ["Help:", [], addHelp],
  ["Help:", [], addCompletion],
  ["Help:", ["schema"], addSchema],
];
