// Shell completion: the scripts, and the candidates that they ask for.

import type { Command, Option } from "commander";
import { commandNamed } from "./flags.ts";
import { showKey } from "../domain/project.ts";
import type { ExitCode } from "../errors.ts";
import { FORMATS_OF, isReportingCommand } from "../report/format.ts";
import type { World } from "../session/context.ts";
import { printOnly } from "../session/outputs.ts";
import { openProject } from "../session/project.ts";

/** The scripts hand the words up to the cursor to `linkform complete`. Without candidates, the shell completes files. */
const SCRIPTS = {
  bash: `_linkform() {
  local candidates candidate
  mapfile -t candidates < <(linkform complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  for candidate in "\${candidates[@]}"; do COMPREPLY+=("$(printf '%q' "$candidate")"); done
}
complete -o default -F _linkform linkform
`,
  zsh: `#compdef linkform
_linkform() {
  local -a candidates
  candidates=("\${(@f)$(linkform complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then compadd -U -- "\${candidates[@]}"; else _files; fi
}
if [[ "$funcstack[1]" = "_linkform" ]]; then _linkform "$@"; else compdef _linkform linkform; fi
`,
  fish: `function __linkform_complete
  set --local words (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
  linkform complete -- $words[2..] 2>/dev/null
end
complete --command linkform --arguments '(__linkform_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export const completion = (shell: Shell, world: World): Promise<ExitCode> => printOnly(world, SCRIPTS[shell]);

/** Prints the candidates for the last of these words, one a line. */
export async function complete(program: Command, words: readonly string[], world: World): Promise<ExitCode> {
  const candidates = await candidatesFor(program, withoutEquals(words), world);
  return printOnly(world, candidates.map((candidate) => `${candidate}\n`).join(""));
}

/** Bash splits `--flag=value` into three words. */
function withoutEquals(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== "=" || at === words.length - 1).map((word) => (word === "=" ? "" : word));
}

async function candidatesFor(program: Command, words: readonly string[], world: World): Promise<string[]> {
  const begun = words.at(-1) ?? "";
  const [name = "", ...given] = words.slice(0, -1);
  const matching = (candidates: readonly string[]): string[] =>
    [...new Set(candidates)].filter((candidate) => candidate.toLowerCase().startsWith(begun.toLowerCase()));
  const commands = program.createHelp().visibleCommands(program);
  if (name === "") return matching([...commands.map((one) => one.name()), ...flagsOf(program)]);
  const command = commandNamed(program, name);
  if (command === undefined) return [];
  const flag = command.options.find(({ long, required }) => required && long === given.at(-1));
  if (flag !== undefined) return matching(await valuesOf(flag, command, given, world));
  if (begun.startsWith("-")) return matching(flagsOf(command));
  const [argument] = command.registeredArguments;
  const choices = argument?.argChoices ?? [];
  if (choices.length > 0) return given.some((word) => choices.includes(word)) ? [] : matching(choices);
  return /^(?:key|link)/.test(argument?.name() ?? "") ? matching(await declaredKeys(given, world)) : [];
}

function flagsOf(command: Command): string[] {
  return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
}

/** The values of a flag; empty if it takes a file or free text. */
async function valuesOf(flag: Option, command: Command, given: readonly string[], world: World): Promise<string[]> {
  const name = command.name();
  if (flag.long === "--format") return isReportingCommand(name) ? [...FORMATS_OF[name]] : [];
  if (flag.long === "--target" || flag.long === "--exclude") return declaredKeys(given, world);
  return [...(flag.argChoices ?? [])];
}

/** The keys of the project; empty if it cannot be loaded. */
async function declaredKeys(given: readonly string[], world: World): Promise<string[]> {
  const at = given.indexOf("--config");
  const config = at === -1 ? undefined : given[at + 1];
  try {
    const { project } = await openProject(world, config === undefined ? {} : { config });
    return project?.declarations.map(showKey) ?? [];
  } catch {
    return [];
  }
}
