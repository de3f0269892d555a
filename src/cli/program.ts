// The commands and their flags. The code of a command is loaded when it runs.

import { InvalidArgumentError, type Command } from "commander";
import type { World } from "../session/context.ts";
import { SEARCHED_FIELDS } from "../domain/filter.ts";
import { SOFTWARE } from "../domain/software.ts";
import { fieldAt, TYPE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import type { ExitCode } from "../errors.ts";
import type { ProjectCommand } from "../report/format.ts";
import type { ProjectsFlags, RunOne } from "./projects-run.ts";
import { addInputs, CHOOSING, collect, EXECUTING, numberOrBranch, PLANNING, type Input } from "./flags.ts";
import { addReport, commandNamed, RESOURCES, SERVICE, wholeNumber } from "./flags.ts";

/** Runs a command. With `sendsRequests`, it ends cleanly after Ctrl-C; otherwise, it may be killed at any moment. */
export type RunCommand = (load: (world: World) => Promise<ExitCode>, sendsRequests: boolean) => Promise<void>;

/** What commander passes to an action: the arguments, the flags and the command. */
type Given = Parameters<Parameters<Command["action"]>[0]>;

interface CommandSpec {
  readonly about: string;
  readonly alias?: string;
  /** Its arguments and flags. Those of every command with a report are added. */
  readonly takes?: readonly Input[];
  readonly run: (world: World, ...given: Given) => Promise<ExitCode>;
}

/** Adds a command to the program. Without its name, adds all, in the order and the groups in which `--help` lists them. */
export function addCommands(program: Command, run: RunCommand, name = ""): void {
  const all = Object.entries(COMMANDS).flatMap(([group, specs]) =>
    Object.entries(specs).map(([own, spec]) => ({ group, own, spec })),
  );
  // These two need the others.
  const isAlone = name !== "help" && name !== "complete";
  const only = all.filter(({ own, spec }) => isAlone && (own === name || spec.alias === name));
  for (const { group, own, spec } of only.length > 0 ? only : all) {
    program.commandsGroup(group);
    const command = program.command(own, { hidden: own === "complete" }).description(spec.about);
    if (spec.alias !== undefined) command.alias(spec.alias);
    addInputs(command, spec.takes ?? []);
    addReport(command);
    const sendsRequests = command.options.some(({ long }) => long === "--max-wait");
    command.action((...given: Given) => run(async (world) => spec.run(world, ...given), sendsRequests));
  }
}

/** Runs a command for its project, or for those that `--config` names. An argument names a file or key of one project. */
async function inProjects(
  world: World,
  { configs, ...flags }: ProjectsFlags & { readonly configs?: readonly string[] },
  command: ProjectCommand,
  run: RunOne,
  argument?: string,
): Promise<ExitCode> {
  if (configs === undefined) return run(world, flags);
  return (await import("./projects-run.ts")).runProjects(world, flags, command, configs, run, argument);
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t" };

function delimiter(text: string): string {
  const character = DELIMITERS[text.toLowerCase()] ?? (text === "\\t" ? "\t" : text);
  if ([...character].length === 1 && !/["\r\n]/.test(character)) return character;
  throw new InvalidArgumentError("Expected one character, or one of: comma, semicolon, tab.");
}

const TYPE = fieldAt("pixel", TYPE_FIELD);
const PIXEL_TYPES = TYPE?.kind === "word" ? [...allWords(TYPE), ...Object.keys(TYPE.synonyms)].join(" ") : "";

function moveBase(text: string): string {
  if (text === "create") return text;
  throw new InvalidArgumentError("Write the file of a saved plan before it.");
}

const KEY = "A key such as go.example.com/spring, an alias,";
const DRY_RUN = ["--dry-run", "Show the changes as a diff without writing them"] as const;

/** The commands by the groups of `--help`. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandSpec>>>> = {
  "Start:": {
    init: {
      about: "Create a project: its file, an example and CI workflows",
      takes: [
        ["--domain <name[=id]>", "Manage this domain (repeatable; default: all of the account)", collect],
        ["--space <name[=id]>", "Manage this space (repeatable; default: all of the account)", collect],
        ["--ci <system>", "Write CI workflows (default: none)", "github gitlab none"],
        [
          "--ci-source <repository@commit>",
          "Pin the action to a commit of a copy of linkform: OWNER/REPOSITORY@COMMIT",
        ],
        ["--ci-image <image>", "GitLab: run the jobs in this image, which contains linkform"],
        ["--pull", "Write the links and pixels of the account into the files"],
        ["--offline", "Do not connect to the service; no API key is needed"],
        ["--dry-run", "Show the files as a diff without writing them"],
        ["-y, --yes", "Do not ask; use the defaults for what no flag sets"],
        ...SERVICE,
      ],
      run: async (world, flags) => (await import("../init/command.ts")).init(world, flags),
    },
    pull: {
      about: "Write the live state into the files, keeping comments",
      alias: "export",
      takes: [
        ["[key...]", "Pull only these links or pixels (default: all, or those that the filters select)"],
        ["--domain <domain>", "Pull links on this domain: its label, name or id (repeatable)", collect],
        ["--space <space>", "Pull links in this space, or `none` for links in no space (repeatable)", collect],
        ["--alias <glob>", "Pull links whose alias matches (repeatable)", collect],
        ["--split <by>", "Choose how new links are split into files (default: by domain)", "domain space file"],
        DRY_RUN,
        ["--force", "Overwrite files that have uncommitted changes"],
        ...SERVICE,
      ],
      run: async (world, keys, flags) => (await import("../pull/command.ts")).pull(world, flags, keys),
    },
    import: {
      about: "Write the rows of a spreadsheet into a file as links or pixels",
      takes: [
        ["<format>", "The format of the spreadsheet", "csv"],
        ["<file>", "The spreadsheet, with column names in the first row, or `-` for stdin"],
        DRY_RUN,
        ["--into <file>", "Write to this file of the project (default: links/NAME-OF-THE-SPREADSHEET.yaml)"],
        ["--skip-bad", "Skip rows that have mistakes (default: import all rows or none)"],
        ["--rejects <file>", "With --skip-bad, write skipped rows to a spreadsheet with the reason for each"],
        "Columns:",
        ["--map <column=field>", 'Map a column: "Long URL=url"; ignore one: "#3=ignore" (repeatable)', collect],
        ["--domain <domain>", "Set the domain of links whose row has none"],
        ["--space <space>", "Set the space of links whose row has none"],
        [
          "--delimiter <character>",
          "Set the character between cells, or comma, semicolon, tab (default: detected)",
          delimiter,
        ],
        ["--no-header", "Treat the first row as data; columns are #1, #2 and so on"],
        ["--date-format <order>", "Set the order in dates such as 03/04/2027 (default: detected)", "DMY MDY"],
      ],
      run: async (world, _format, file, flags) => (await import("../import/command.ts")).importCsv(world, file, flags),
    },
    sandbox: {
      about: "Run a local copy of the service to try and test",
      takes: [
        ["--port <n>", "Listen on this port (default: any free port)", wholeNumber(0)],
        ["--data <file>", "Keep the state in this file (default: in memory)"],
        ["--seed <file>", "Start with the state in this file"],
        ["--rate-limit <n>", "Allow n requests a minute, 0 for no limit (default: 60)", wholeNumber(0)],
        ["--timezone <zone>", "Set the time zone of the account (default: UTC)"],
        ["--software <version>", "Simulate this version of the service (default: 4.1)", SOFTWARE.join(" ")],
      ],
      run: async (world, flags) => {
        const stopped = new Promise((resolve) => {
          process.once("SIGINT", resolve);
          process.once("SIGTERM", resolve);
        });
        return (await import("./sandbox.ts")).sandbox(world, flags, stopped);
      },
    },
  },
  "Every day:": {
    validate: {
      about: "Check the files offline and report every mistake at once",
      takes: [
        ["[file...]", "Report only findings in these files (default: all files of the project)"],
        ["--base <ref>", "Show what the files no longer declare, compared with this git commit"],
        RESOURCES,
      ],
      run: async (world, files, flags) => {
        const { validate } = await import("./validate.ts");
        return inProjects(world, flags, "validate", (one, own, out) => validate(one, own, files, out), files[0]);
      },
    },
    fmt: {
      about: "Rewrite the files in canonical order and style",
      takes: [
        ["[file...]", "Format only these files (default: all files of the project)"],
        ["--check", "Show what would change as a diff, and exit with 2 if anything would"],
        ["--stdin", "Format stdin and print the result, for editors", { conflicts: ["check", "format", "json"] }],
      ],
      run: async (world, files, flags) => (await import("./fmt.ts")).fmt(world, flags, files),
    },
    plan: {
      about: "Show what apply would change, without changing anything",
      alias: "diff",
      takes: [
        ["--out <file>", "Save the plan for `linkform apply FILE`"],
        ["--detailed-exitcode", "Exit with 2 if there are changes"],
        ["--show-unmanaged", "List live links and pixels that no file declares"],
        ...PLANNING,
        ...SERVICE,
      ],
      run: async (world, flags) => inProjects(world, flags, "plan", (await import("./plan.ts")).plan),
    },
    apply: {
      about: "Make these changes after a confirmation, and verify them",
      takes: [
        ["[plan]", "Apply a plan that `plan --out` saved, without asking"],
        [
          "--move-base [create]",
          "Move the tag in --base to HEAD after a complete run (=create: create it in the first deploy)",
          moveBase,
        ],
        ...EXECUTING,
        ...PLANNING,
        ...SERVICE,
      ],
      run: async (world, file, flags) => {
        const { apply } = await import("./apply.ts");
        return inProjects(world, flags, "apply", (one, own, out) => apply(one, own, file, out), file);
      },
    },
    drift: {
      about: "Check for changes made outside linkform",
      alias: "status",
      takes: [["--base <ref>", "Compare the account with the files of this git commit instead"], ...SERVICE],
      run: async (world, flags) => inProjects(world, flags, "drift", (await import("./plan.ts")).drift),
    },
    check: {
      about: "Ask the destinations of declared links whether they are alive",
      takes: [
        ["[key...]", "Check only these links (default: all): a key, an alias or a short URL"],
        ["--base <ref>", "Check only destinations that differ from this git commit"],
        ["--max-wait <seconds>", "Stop asking after this many seconds", wholeNumber(0)],
      ],
      run: async (world, keys, flags) => {
        const { check } = await import("./check.ts");
        return inProjects(world, flags, "check", (one, own, out) => check(one, own, keys, {}, out), keys[0]);
      },
    },
  },
  "Look:": {
    list: {
      about: "List live links or pixels, and which of them the files declare",
      takes: [
        ["[what]", "What to list (default: links)", "links pixels"],
        ["--search <text>", "Search for this text, ignoring case"],
        ["--by <field>", "Search this field of links (default: title)", SEARCHED_FIELDS.join(" ")],
        ["--status <status>", "List links with this status (default: all)", "all active expired disabled"],
        ["--space <space>", "List links in this space: its label, name or id, or `none`"],
        ["--domain <domain>", "List links on this domain: its label, name or id"],
        ["--pixel <pixel>", "List links that use this pixel: its name or id"],
        ["--type <type>", "List pixels of this type", PIXEL_TYPES],
        ["--owner <name>", "List links that the files assign to this owner"],
        ["--due", "List links whose review date has come"],
        ["--sort <order>", "Sort by age (desc, asc) or by clicks (max, min) (default: desc)", "desc asc max min"],
        ["--limit <n>", "List at most n", wholeNumber(1)],
        ...SERVICE,
      ],
      run: async (world, what, flags) => (await import("../inspect/list.ts")).list(world, what ?? "links", flags),
    },
    show: {
      about: "Show single links or pixels, and how the files differ",
      takes: [["<key...>", `${KEY} a short URL, a pixel name, or an id such as #12`], ...SERVICE],
      run: async (world, words, flags) => (await import("../inspect/show.ts")).show(world, words, flags),
    },
    explain: {
      about: "Show where a short link leads a visitor, and why",
      takes: [
        ["<link>", "A short URL, a key such as go.example.com/spring, or an alias"],
        "Visitor (default: any visitor, now):",
        ["--country <code>", "A country such as DE, or `other` for one that the link does not list"],
        ["--platform <name>", "A platform such as iOS, or `other`"],
        ["--language <code>", "A language such as de, an Accept-Language header, or `other`"],
        ["--continent <code>", "A continent such as EU, or `other` (version 49)"],
        ["--browser <name>", "A browser such as Firefox, or `other` (version 49)"],
        ["--device <name>", "A device such as mobile, or `other` (version 49)"],
        ["--crawler", "A search engine, link preview or script"],
        ["--at <time>", "A time such as 2027-04-01T12:00 (time zone of the files, or with Z or +02:00)"],
        ["--clicks <n>", "The number of clicks so far", wholeNumber(0)],
        "Source (default: the files, or the account if no file declares the link):",
        ["--declared", "Use the files; no API key is needed"],
        ["--live", "Use the account", { conflicts: ["declared"] }],
        ...SERVICE,
      ],
      run: async (world, link, flags) => (await import("../explain/command.ts")).explain(world, link, flags),
    },
  },
  "Repair:": {
    undo: {
      about: "Revert an apply: restore the state from before it",
      takes: [
        ["<record>", "The record that apply wrote, or `last` for the newest of this project"],
        ["--dry-run", "Show the plan without applying it"],
        ["--force", "Overwrite changes that were made since the apply"],
        ...EXECUTING,
        "Planning:",
        ...CHOOSING,
        ...SERVICE,
      ],
      run: async (world, record, flags) => (await import("./apply.ts")).undo(world, flags, record),
    },
    rm: {
      about: "Replace declared links or pixels with tombstones",
      takes: [
        ["<key...>", `${KEY} a pixel name, link:KEY or pixel:NAME`],
        ["--id <n>", "Delete the live link or pixel with this id, if several have the key", wholeNumber(1)],
        ["--offline", "Do not connect to the service; the tombstone gets no id"],
        DRY_RUN,
        ...SERVICE,
      ],
      run: async (world, keys, flags) => (await import("./rm.ts")).rm(world, flags, keys),
    },
    doctor: {
      about: "Check the files, the API key and the connection",
      takes: SERVICE,
      run: async (world, flags) => (await import("./doctor.ts")).doctor(world, flags),
    },
  },
  "CI:": {
    projects: {
      about: "List the projects below this folder, or only changed projects",
      takes: [
        ["--config <file>", "List this project file; repeatable or a glob (default: all below this folder)", collect],
        ["--base <ref>", "Compare with this git commit; `{project}` is the name of each project"],
        ["--changed", "With --base, list only projects that differ"],
        ["--format <format>", "Choose the output format (default: text)", "text json"],
        ["--json", "Print JSON; short for --format json"],
      ],
      run: async (world, flags) => (await import("./projects.ts")).projects(world, flags),
    },
    merge: {
      about: "Join JSON reports of several projects into one report",
      takes: [
        ["<report...>", "Reports that `--format json=FILE` wrote"],
        [
          "--name <name>",
          "Name the Markdown report, so that `comment` updates the right one (default: the project of one report, or merged)",
        ],
      ],
      run: async (world, files, flags) => (await import("./merge.ts")).merge(world, flags, files),
    },
    comment: {
      about: "Post a report to a pull request or issue, or update it",
      takes: [
        ["<file>", "A report that `--format markdown=FILE` wrote"],
        ["--github", "Post to GitHub, with GITHUB_TOKEN and the variables of the job", { conflicts: ["gitlab"] }],
        ["--gitlab", "Post to GitLab, with GITLAB_TOKEN and the variables of the job"],
        [
          "--pull-request <n|branch>",
          "Post to this pull or merge request (default: the one of the job), or to the open one of this branch, or open one",
          numberOrBranch,
        ],
        ["--issue", "Post to an issue: update the open one, or open one", { conflicts: ["pullRequest"] }],
        ["--close", "Update the comment only if there is one; with --issue or a branch, also close that"],
        [
          "--merged [commit]",
          "Post to the pull requests merged since this commit (default: with the deployed commit)",
          { conflicts: ["close", "issue", "pullRequest"] },
        ],
      ],
      run: async (world, file, flags) => (await import("./comment.ts")).comment(world, file, flags),
    },
  },
  "Help:": {
    help: {
      about: "Show help for a command",
      takes: [["[command]", "The command"]],
      run: async (_world, name, _flags, { parent: program }) => {
        const command = commandNamed(program, name);
        // Commander's own `help` prints the help of the program for an unknown name, without an error.
        if (name !== undefined && command === undefined) await program.parseAsync([name], { from: "user" });
        return (command ?? program).help();
      },
    },
    completion: {
      about: "Print a completion script for your shell",
      takes: [["<shell>", "Your shell", "bash zsh fish"]],
      run: async (world, shell) => (await import("./completion.ts")).completion(shell, world),
    },
    complete: {
      about: "",
      takes: [["[word...]", ""]],
      run: async (world, words, _flags, { parent: program }) =>
        (await import("./completion.ts")).complete(program, words, world),
    },
    schema: {
      about: "Print the JSON Schema with which editors complete files",
      takes: [
        ["[files]", "Which files (default: resources)", "resources project"],
        ["--project", "Add the domains, spaces, pixels, policies and UTM values of this project"],
        [
          "--config <file>",
          "With --project, use this project file (default: linkform.yaml here or in a parent folder)",
          collect,
        ],
      ],
      run: async (world, of, flags) => (await import("./schema.ts")).schema(world, of ?? "resources", flags),
    },
  },
};
