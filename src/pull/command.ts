// `linkform pull`: writes what is live into the files, so that a plan of them is empty.

import { uncommitted } from "../config/git.ts";
import { folderSource } from "../config/file-source.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import { statusesOf, type Status } from "../domain/status.ts";
import type { Change } from "../domain/change.ts";
import type { Gone } from "./round.ts";
import { pullInto, type Pulled, type PullInput } from "./pull-loop.ts";
import type { Split } from "./split.ts";
import { resourceSchemaFor } from "../edit/schema-line.ts";
import { isFiltered, type PullSelection } from "./wanted.ts";
import { readNamedKey } from "../domain/named-key.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { plural } from "../view/counts.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles } from "../files/write-files.ts";
import type { FileEdit } from "../view/report.ts";
import { connectReader } from "../service/service.ts";
import { withAccess, type Access } from "../session/access.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { refuse, refuseFor } from "../session/prepare.ts";
import { openedForPull } from "./open.ts";
import { openReceipts } from "../undo/receipt-files.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import { readTexts } from "../session/project-texts.ts";
import { readForPull } from "./read.ts";

export interface PullFlags extends CommonFlags, ServiceFlags {
  readonly domain?: readonly string[];
  readonly space?: readonly string[];
  readonly alias?: readonly string[];
  readonly status?: Status;
  readonly split?: Split;
  readonly gone?: Gone;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Pulls these keys, or all that passes the filters. All files are written, or none. */
export async function pull(world: World, flags: PullFlags, keys: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "pull");
  const now = world.now();
  const { status } = flags;
  const asked: PullSelection = {
    keys: keys.map(readNamedKey),
    domains: flags.domain ?? [],
    spaces: flags.space ?? [],
    aliases: flags.alias ?? [],
    hasStatus: status === undefined ? null : (live) => statusesOf(live, now).includes(status),
  };
  checkFlags(asked);
  try {
    const opened = await openedForPull(world, await openProject(world, flags, flags.dryRun !== true));
    const { project } = opened;
    if (project === null) return await refuse(out, "pull", null, opened.diagnostics, EXIT.error);
    if (flags.dryRun !== true && flags.force !== true) await refuseUncommitted(opened, world);
    const into = { ...opened, project };
    return await withAccess(
      world,
      flags,
      out,
      "pull",
      (access) => bring(world, flags, out, access, into, asked),
      opened,
    );
  } catch (cause) {
    return refuseFor(out, "pull", null, cause);
  }
}

/** A project that can be pulled into. */
type Into = OpenedProject & { readonly project: Project };

async function bring(
  world: World,
  flags: PullFlags,
  out: Console,
  access: Access,
  opened: Into,
  asked: PullSelection,
): Promise<ExitCode> {
  const raw = await readTexts(opened);
  const { state } = await readForPull(opened.project, asked.keys, connectReader(access.transport), out);
  out.progress.stop();
  const texts = new Map([...raw].map(([file, text]) => [file, text.replace(/^\uFEFF/, "")]));
  const pulled = await pullInto({
    source: folderSource(opened.folder, world.clock),
    loaded: opened,
    project: opened.project,
    texts,
    state,
    now: world.now(),
    asked,
    gone: flags.gone ?? "remove",
    isGoneSaid: flags.gone === "remove",
    split: flags.split ?? null,
    taken: filesBelow(opened.folder),
    schema: (file) => resourceSchemaFor(texts.get(opened.file) ?? "", file),
    idOf: flags.gone === "tombstone" ? await idsFromReceipts(world, opened, access.baseUrl) : () => null,
  });
  return conclude(world, flags, out, access, opened, raw, pulled);
}

/** The ids that objects had when they were applied from here: no list of the service has what is gone. */
async function idsFromReceipts(world: World, { folder }: OpenedProject, baseUrl: string): Promise<PullInput["idOf"]> {
  const receipts = (await openReceipts(world, folder)).filter((one) => one.baseUrl === baseUrl);
  return (kind, key) => {
    const named = receipts
      .map(({ changes }) =>
        changes.filter((change) => change.kind === kind && change.key === key && change.outcome === "applied"),
      )
      .find((changes) => changes.length > 0);
    // One of two rows of a key may have been deleted, and the other one kept.
    const last = named?.find(({ action }) => action !== "delete") ?? named?.[0];
    return last === undefined || last.action === "delete" ? null : (last.newId ?? last.id);
  };
}

function checkFlags(asked: PullSelection): void {
  if (asked.keys.length === 0 || !isFiltered(asked)) return;
  throw new UserError("keys-and-filters", "Keys say already what is meant: filters can't be given with them.", {
    hint: "Leave out either the keys or the filters.",
    exit: EXIT.usage,
  });
}

/** Throws a user error where files have been changed and git has no copy of them: what a pull does could not be told from that. */
async function refuseUncommitted({ folder }: OpenedProject, { env }: World): Promise<void> {
  const { changed = [] } = (await uncommitted(folder, env)) ?? {};
  const [first] = changed;
  if (first === undefined) return;
  const others = changed.length === 1 ? "" : ` and ${plural(changed.length - 1, "more file")}`;
  throw new UserError(
    "uncommitted",
    `${first}${others} ${changed.length === 1 ? "has" : "have"} changes that are not committed.`,
    {
      hint: "Commit or stash them, so that `git diff` shows what the pull does; or pull all the same with --force.",
    },
  );
}

/** So many names are known when new files get theirs; no file that is there is ever overwritten. */
const MOST_NAMES = 100_000;

/** The files of a folder, by their path in it. */
export function filesBelow(folder: string): string[] {
  return new ProjectFolder(folder).filesBelow(MOST_NAMES);
}

async function conclude(
  { env }: World,
  flags: PullFlags,
  out: Console,
  { baseUrl }: Access,
  { folder }: OpenedProject,
  raw: ReadonlyMap<string, string>,
  pulled: Pulled,
): Promise<ExitCode> {
  const problems = [...pulled.diagnostics, ...pulled.pending.map(pendingProblem)];
  if (hasErrors(problems)) return refuse(out, "pull", baseUrl, problems, EXIT.error);
  const edits = [...pulled.texts].map(([file, text]): FileEdit => {
    const before = raw.get(file) ?? null;
    return { file, before, after: before?.startsWith("\uFEFF") === true ? `\uFEFF${text}` : text };
  });
  const isWritten = flags.dryRun !== true;
  const unwritten =
    isWritten && edits.length > 0
      ? await writeFiles(
          new ProjectFolder(folder),
          new Map(edits.map(({ file, after }) => [file, after])),
          new Map(edits.map(({ file, before }) => [file, before])),
        )
      : null;
  if (unwritten !== null) return refuse(out, "pull", baseUrl, [unwritten], EXIT.error);
  const isInGit = await uncommitted(folder, env).then(
    (found) => found !== null,
    () => false,
  );
  const isTold = await out.result({
    of: "written",
    command: "pull",
    isWritten,
    edits,
    items: pulled.told.map(({ what, kind, key, file, note }) => ({ what, kind, key, file, note })),
    variables: pulled.variables,
    next: nextSteps(pulled, edits, isWritten, isInGit),
    diagnostics: pulled.diagnostics,
  });
  const isWhole = pulled.told.every(({ isStale }) => !isStale);
  return isTold && isWhole ? EXIT.done : EXIT.error;
}

function nextSteps(
  { told, warnings, blocked }: Pulled,
  edits: readonly FileEdit[],
  isWritten: boolean,
  isInGit: boolean,
): string[] {
  if (!isWritten || edits.length === 0) return [];
  const left = told.filter(({ isStale }) => isStale).length - blocked;
  const checked =
    left === 0
      ? "Checked: a plan of these files changes nothing of what was pulled."
      : `Checked: a plan of these files changes nothing but ${plural(left, "object")} that no file can say as it is live.`;
  const found =
    warnings === 0
      ? []
      : [`${plural(warnings, "warning")} about what the files say now: \`linkform validate\` shows them.`];
  const inError =
    blocked === 0
      ? []
      : [`A plan of these files is in error until linkform can read ${plural(blocked, "object")} that they declare.`];
  return [checked, ...inError, ...found, ...(isInGit ? ["See it with `git diff`, and commit it."] : [])];
}

/** What should not be: the files as they would be don't say what is live. */
export function pendingProblem({ key, kind, action, fields }: Change): Diagnostic {
  const paths = fields.map(({ path: name }) => name).join(", ");
  const message = `With the files as they would be, a plan would still ${action} the ${kind} ${key}${paths === "" ? "" : ` (${paths})`}.`;
  return error("pull-not-empty", message, null, "Nothing was written. Please report this, with the block of the file.");
}
