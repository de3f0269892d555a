// `linkform pull`: writes the live state into the files, so that a plan of them is empty.

import { uncommitted } from "../config/base.ts";
import { repositoryOf } from "../config/git.ts";
import { openFolder } from "../config/checkout.ts";
import { openedForPull, pullInto, readForPull, type PullResult } from "./pull.ts";
import type { Split } from "./new-blocks.ts";
import { isFiltered, type PullCriteria } from "./selection.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { EXIT, UserError, type ExitCode, usageError } from "../errors.ts";
import { plural } from "../domain/words.ts";
import { writtenReport } from "../report/run-document.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles, type TextEdit } from "../files/write-files.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console, refuseErrors } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { connect } from "../session/session.ts";
import { openProject, requireValid, type OpenedProject } from "../session/project.ts";

export interface PullFlags extends CommonFlags, ServiceFlags {
  readonly domain?: readonly string[];
  readonly space?: readonly string[];
  readonly alias?: readonly string[];
  readonly split?: Split;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Pulls these keys, or everything that passes the filters. */
export async function pull(world: World, flags: PullFlags, keys: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "pull");
  const criteria: PullCriteria = {
    keys: keys.map(readNamedKey),
    domains: flags.domain ?? [],
    spaces: flags.space ?? [],
    aliases: flags.alias ?? [],
  };
  if (criteria.keys.length > 0 && isFiltered(criteria))
    throw usageError("keys-and-filters", "Keys and filters cannot be used together.", {
      hint: "Remove the keys or the filters.",
    });
  return out.run(async () => {
    const opened = requireValid(await openedForPull(world, await openProject(world, flags)));
    if (flags.dryRun !== true && flags.force !== true) await refuseUncommitted(opened, world);
    const { reader } = await connect(out, opened.project);
    const state = await readForPull(opened.project, criteria.keys, reader, world.secrets);
    out.progress.stop();
    const pulled = await pullInto({
      source: await openFolder(opened.folder, world),
      loaded: opened,
      state,
      now: world.now(),
      criteria,
      split: flags.split ?? null,
    });
    return conclude(out, opened, pulled);
  });
}

async function refuseUncommitted(opened: OpenedProject, { env }: World): Promise<void> {
  const [first, ...others] = await uncommitted(opened, env);
  if (first === undefined) return;
  const what = others.length === 0 ? `${first} has` : `${first} and ${plural(others.length, "more file")} have`;
  throw new UserError("uncommitted", `${what} uncommitted changes.`, {
    hint: "Commit or stash them, so that `git diff` shows only the changes of the pull. To pull anyway, add `--force`.",
  });
}

async function conclude(
  out: Console<PullFlags>,
  { folder, texts }: OpenedProject,
  pulled: PullResult,
): Promise<ExitCode> {
  refuseErrors(pulled.diagnostics);
  const edits = [...pulled.texts].map(([file, after]): TextEdit => ({ file, before: texts.get(file) ?? null, after }));
  const isWritten = out.flags.dryRun !== true;
  if (isWritten) writeFiles(new ProjectFolder(folder), edits);
  out.findings(pulled.diagnostics);
  const isInGit = (await repositoryOf(folder, out.world.env)) !== null;
  const isComplete = pulled.items.every(({ isStale }) => isStale !== true);
  const written = {
    command: "pull",
    isWritten,
    edits,
    items: pulled.items.map(({ what, kind, key, file, note }) => ({ what, kind, key, file, note })),
    variables: pulled.variables,
    next: isWritten && edits.length > 0 ? nextSteps(pulled, isInGit) : [],
    diagnostics: pulled.diagnostics,
  } as const;
  return out.result(writtenReport, written, isComplete ? EXIT.done : EXIT.error);
}

function nextSteps({ items, warnings }: PullResult, isInGit: boolean): string[] {
  const skipped = items.some(({ isStale }) => isStale === true) ? ", except those that are skipped" : "";
  const checked = `Checked: a plan of these files does not change any of the pulled objects${skipped}.`;
  const found =
    warnings === 0 ? [] : [`The files now have ${plural(warnings, "warning")}. Run \`linkform validate\` for details.`];
  return [checked, ...found, ...(isInGit ? ["Review the changes with `git diff` and commit them."] : [])];
}
