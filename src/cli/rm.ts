// `linkform rm KEY…`: declared blocks become tombstones with the ids of their rows, the comments around them kept.

import type { Live } from "../domain/change.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { declaredNamed, reasonsToStay } from "../pull/named.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles } from "../files/write-files.ts";
import { plural } from "../view/counts.ts";
import type { WrittenItem } from "../view/report.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { refuse, refuseFor, withAccess } from "../session/session.ts";
import { openProject, type OpenedProject, readTexts } from "../session/project.ts";
import { findLive, type FoundRecords } from "./rm-find.ts";
import { liveUsers } from "./rm-users.ts";
import { problemsOf, withoutBlocks, type RemovedBlock } from "./rm-write.ts";

export interface RmFlags extends CommonFlags, ServiceFlags {
  readonly id?: number;
  readonly offline?: boolean;
  readonly keepTombstone?: boolean;
  readonly dryRun?: boolean;
}

/** What becomes of a block, and what is to be said of it. */
interface RemovedItem extends RemovedBlock {
  readonly note: string;
}

/** Takes the blocks of these keys out of the files. All files are written, or none. */
export async function rm(world: World, flags: RmFlags, keys: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "rm");
  if (flags.id !== undefined && keys.length > 1)
    throw new UserError("id-and-keys", "`--id` is the id of one row, and there are several keys.", {
      hint: "Take out one key at a time where an id must be given.",
      exit: EXIT.usage,
    });
  try {
    const opened = await openProject(world, flags, flags.dryRun !== true);
    const { project } = opened;
    if (project === null) return await refuse(out, "rm", null, opened.diagnostics, EXIT.error);
    const files = { ...opened, project };
    if (flags.offline === true) return await takeOut(world, flags, keys, out, { files, reader: null, baseUrl: null });
    return await withAccess(
      world,
      flags,
      out,
      "rm",
      ({ baseUrl, transport }) =>
        takeOut(world, flags, keys, out, { files, reader: connectReader(transport), baseUrl }),
      opened,
    );
  } catch (cause) {
    return refuseFor(out, "rm", null, cause);
  }
}

/** What is taken out of, and who is asked about it. */
interface From {
  readonly files: OpenedProject & { readonly project: Project };
  /** Null where nobody is asked. */
  readonly reader: Reader | null;
  readonly baseUrl: string | null;
}

async function takeOut(
  world: World,
  flags: RmFlags,
  keys: readonly string[],
  out: Console,
  { files, reader, baseUrl }: From,
): Promise<ExitCode> {
  const { project } = files;
  const { declarations, problems } = declaredNamed(project, keys);
  const refusals = [...problems, ...reasonsToStay(project, declarations)];
  if (hasErrors(refusals)) return refuse(out, "rm", baseUrl, refusals, EXIT.error);

  const read = reader === null ? null : await findLive(project, declarations, reader);
  if (hasErrors(read?.diagnostics ?? [])) return refuse(out, "rm", baseUrl, read?.diagnostics ?? [], EXIT.error);
  const asked = read?.found.flatMap((found) => undecided(found, flags)) ?? [];
  const users = reader === null || read === null ? [] : await liveUsers(read.found, project, reader);
  if (hasErrors([...asked, ...users])) return refuse(out, "rm", baseUrl, [...asked, ...users], EXIT.error);
  const told =
    read === null ? declarations.map((one) => unseen(one, flags)) : read.found.map((one) => fate(one, flags));

  const raw = await readTexts(files);
  const changed = withoutBlocks(raw, told);
  const asking = reader === null || read === null ? null : { state: read.state, reader };
  const checked = await problemsOf(files, changed, told, asking, world.now());
  if (hasErrors(checked.problems)) return refuse(out, "rm", baseUrl, checked.problems, EXIT.error);
  const isWritten = flags.dryRun !== true;
  const before = new Map([...changed.keys()].map((file) => [file, raw.get(file) ?? null]));
  const unwritten = isWritten ? await writeFiles(new ProjectFolder(files.folder), changed, before) : null;
  if (unwritten !== null) return refuse(out, "rm", baseUrl, [unwritten], EXIT.error);
  const isTold = await out.result({
    of: "written",
    command: "rm",
    isWritten,
    edits: [...changed].map(([file, after]) => ({ file, before: raw.get(file) ?? null, after })),
    items: told.map(itemOf),
    variables: [],
    next: nextSteps(told, checked.isPlanned, isWritten),
    diagnostics: [],
  });
  return isTold ? EXIT.done : EXIT.error;
}

/** Of several rows somebody must say which is meant; and an id that is given must be one of them. */
function undecided({ declaration, rows, former }: FoundRecords, { id }: RmFlags): Diagnostic[] {
  const all = [...rows, ...former];
  const key = showKey(declaration);
  const list = all.map((row) => `${row.id}${clicksOf(row)}`).join(", ");
  if (id !== undefined && !all.some((row) => row.id === id)) {
    const message = `No row of \`${key}\` has the id ${id}: ${all.length === 0 ? "none is live" : `there is ${list}`}.`;
    return [error("unknown-id", message, declaration.place, "Leave `--id` out, or correct it.")];
  }
  if (id !== undefined || all.length < 2) return [];
  const message = `${all.length} live ${declaration.kind}s have the key \`${key}\`: ids ${list}.`;
  const alone = `absent: { ${declaration.kind}s: { ${key}: { id: ${all[0]?.id} } } }`;
  const hint = `Say which one is to be deleted: \`--id ${all[0]?.id}\`. To keep the block, write the tombstone beside it: \`${alone}\`.`;
  return [error("two-rows", message, declaration.place, hint)];
}

function clicksOf({ clicks }: Live): string {
  return clicks === null ? "" : ` (${plural(clicks, "click")})`;
}

/** What becomes of a block whose rows are known. */
function fate({ declaration, rows, former }: FoundRecords, { id, keepTombstone }: RmFlags): RemovedItem {
  const row = [...rows, ...former].find((one) => id === undefined || one.id === id);
  if (row === undefined) {
    const isKept = keepTombstone === true;
    return {
      declaration,
      tombstone: isKept ? { key: declaration, id: null } : null,
      note: isKept
        ? "it is not live here; the tombstone has no id, and deletes whatever has this key by then."
        : "it is not live, so that there is nothing to delete. If it is live elsewhere, --keep-tombstone leaves a tombstone.",
    };
  }
  const isFormer = former.includes(row) && declaration.renamedFrom !== null;
  const others = [...rows, ...former].filter((one) => one !== row).map((one) => one.id);
  const stays = others.length === 0 ? "" : ` Id ${others.join(", ")} stays live, and is in no file.`;
  const lost = row.clicks === null || row.clicks === 0 ? "" : `, with ${plural(row.clicks, "click")}`;
  const was = isFormer ? `still \`${row.key}\`, ` : "";
  return {
    declaration,
    tombstone: { key: isFormer ? (declaration.renamedFrom ?? declaration) : declaration, id: row.id },
    note: `${was}id ${row.id}${lost}.${stays}`,
  };
}

/** What becomes of a block where nobody was asked. */
function unseen(declaration: Declaration, { id }: RmFlags): RemovedItem {
  const note =
    id === undefined
      ? "without an id, for nobody was asked: whatever has this key when it is applied is deleted."
      : `id ${id}, which nobody has checked.`;
  return { declaration, tombstone: { key: declaration, id: id ?? null }, note };
}

function itemOf({ declaration, tombstone, note }: RemovedItem): WrittenItem {
  const { kind, place } = declaration;
  return {
    what: tombstone === null ? "removed" : "tombstoned",
    kind,
    key: showKey(declaration),
    file: place.file,
    note,
  };
}

function nextSteps(told: readonly RemovedItem[], isPlanned: boolean, isWritten: boolean): string[] {
  const count = told.filter(({ tombstone }) => tombstone !== null).length;
  const written = isWritten ? [] : ["Leave out --dry-run to write this."];
  if (count === 0) return [...written, "There is nothing to apply for it."];
  const these = count === 1 ? "just that" : "just these";
  const checked = isPlanned ? [`Checked: a plan of these files deletes ${these}.`] : [];
  const next = "Nothing is deleted yet: `linkform plan` shows the deletion, `linkform apply` makes it.";
  return [...written, ...checked, next];
}
