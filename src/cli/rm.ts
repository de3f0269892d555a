// `linkform rm KEY…`: replaces declared blocks by tombstones with the ids of their records, and keeps the comments around them.

import { Refusal } from "../config/located-error.ts";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { loadFrom } from "../config/load.ts";
import { errorsIn, error, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { declaredNamed, reasonsToStay } from "./rm-declared.ts";
import { writeAll, type Edit } from "../edit/writer.ts";
import { usageError, type ExitCode } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { writeFiles } from "../files/write-files.ts";
import { plural } from "../domain/words.ts";
import { writtenReport } from "../report/run-document.ts";
import type { WrittenItem } from "../report/json/written.ts";
import type { Reader } from "../service/service.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console, refuseErrors } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { Finder } from "../session/find.ts";
import { connect } from "../session/session.ts";
import { openProject, requireValid, type OpenedProject } from "../session/project.ts";

export interface RmFlags extends CommonFlags, ServiceFlags {
  readonly id?: number;
  readonly offline?: boolean;
  readonly dryRun?: boolean;
}

interface Removal {
  readonly declaration: Declaration;
  /** Null if no tombstone replaces the block. */
  readonly tombstone: { readonly id: number | null } | null;
  readonly note: string;
}

export async function rm(world: World, flags: RmFlags, keys: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "rm");
  if (flags.id !== undefined && keys.length > 1)
    throw usageError("id-and-keys", "`--id` works with a single key.", {
      hint: "Run `linkform rm` once for each key that needs an id.",
    });
  return out.run(async () => {
    const files = requireValid(await openProject(world, flags));
    const { project } = files;
    const { declarations, problems } = declaredNamed(project, keys);
    refuseErrors([...problems, ...reasonsToStay(project, declarations)]);
    const reader = flags.offline === true ? null : (await connect(out, project)).reader;
    const found = await findLive(project, declarations, reader);
    refuseErrors(found.flatMap((one) => recordProblems(one, flags)));
    const removals = found.map((one) => removalOf(one, flags));
    return removeBlocks(out, files, removals);
  });
}

async function removeBlocks(
  out: Console<RmFlags>,
  { folder, file, texts: raw }: OpenedProject,
  removals: readonly Removal[],
): Promise<ExitCode> {
  const texts = withoutBlocks(raw, removals);
  const source = overlayFiles(await openFolder(folder), texts);
  const { project, diagnostics } = await loadFrom(source, file, { now: out.world.now() });
  if (project === null) throw new Refusal(errorsIn(diagnostics));
  // Whether a plan can delete the objects is left to the next plan.
  const isRead = ({ declaration, tombstone }: Removal): boolean =>
    tombstone === null ||
    project.tombstones.some(
      (one) => one.kind === declaration.kind && one.id === tombstone.id && showKey(one) === showKey(declaration),
    );
  if (!removals.every(isRead)) throw new Error("a new tombstone would be lost");
  const isWritten = out.flags.dryRun !== true;
  const edits = [...texts].map(([name, after]) => ({ file: name, before: raw.get(name) ?? null, after }));
  if (isWritten) writeFiles(new ProjectFolder(folder), edits);
  const about = { isWritten, edits, variables: [], next: nextSteps(removals, isWritten), diagnostics: [] };
  return out.result(writtenReport, { command: "rm", items: removals.map(itemOf), ...about });
}

/** The texts of the files that change. Throws a refusal if a block cannot be removed. */
function withoutBlocks(texts: ReadonlyMap<string, string>, removals: readonly Removal[]): ReadonlyMap<string, string> {
  const edits = removals.map(({ declaration, tombstone }) => {
    const { kind, place } = declaration;
    const edit: Edit = (file) => {
      file.remove(declaration);
      if (tombstone !== null) file.addTombstone(place, kind, showKey(declaration), tombstone.id);
    };
    return { declaration, tombstone, file: place.file, edit };
  });
  const { changed, leftAlone } = writeAll(texts, edits);
  const problems = edits.flatMap(({ declaration, tombstone, edit }) => {
    const reason = leftAlone.get(edit);
    if (reason === undefined) return [];
    const message = `linkform does not edit \`${showKey(declaration)}\`, because ${reason}.`;
    return [error("left-alone", message, declaration.place, byHand(declaration, tombstone))];
  });
  refuseErrors(problems);
  return changed;
}

function byHand(declaration: Declaration, tombstone: Removal["tombstone"]): string {
  const { kind, family } = declaration;
  const removal = family === undefined ? "Remove it by hand." : "Add it to `exclude` of its family by hand.";
  if (tombstone === null) return removal;
  const { id } = tombstone;
  const value = id === null ? `[${showKey(declaration)}]` : `{ ${showKey(declaration)}: { id: ${id} } }`;
  return `${removal} To delete the live ${kind}, write \`absent: { ${kind}s: ${value} }\`.`;
}

interface FoundRecords {
  readonly declaration: Declaration;
  /** Live records that have its key; null with `--offline`. */
  readonly records: readonly LiveRecord[] | null;
}

async function findLive(
  project: Project,
  declarations: readonly Declaration[],
  reader: Reader | null,
): Promise<FoundRecords[]> {
  if (reader === null) return declarations.map((declaration) => ({ declaration, records: null }));
  const finder = new Finder(reader, project);
  await finder.expectLinks(declarations.filter(({ kind }) => kind === "link").length);
  return Promise.all(
    declarations.map(async (declaration) => ({
      declaration,
      records: await finder.find({ ...declaration, text: declaration.name }),
    })),
  );
}

/** A rename must be applied first. `--id` is needed to choose between several records, and must be the id of one of them. */
function recordProblems({ declaration, records }: FoundRecords, { id }: RmFlags): Diagnostic[] {
  if (records === null) return [];
  const { kind, place, renamedFrom } = declaration;
  const key = showKey(declaration);
  // The live record may still have the key from which it is to be renamed.
  if (records.length === 0 && renamedFrom !== null) {
    const message = `\`${key}\` is not live, but may be live as \`${showKey(renamedFrom)}\`, from which it is renamed.`;
    const hint = "Apply the rename first. If it is done, or to keep that link, remove `renamed_from`.";
    return [error("not-renamed", message, renamedFrom.place, hint)];
  }
  const list = records
    .map(({ id: own, clicks }) => (clicks === null ? own : `${own} (${plural(clicks, "click")})`))
    .join(", ");
  if (id !== undefined && !records.some((record) => record.id === id)) {
    const existing = records.length === 0 ? "None exists." : `Existing ids: ${list}.`;
    const message = `No live object with the key \`${key}\` has the id ${id}. ${existing}`;
    return [error("unknown-id", message, place, "Remove `--id`, or correct it.")];
  }
  if (id !== undefined || records.length < 2) return [];
  const message = `${records.length} live ${kind}s have the key \`${key}\`: ids ${list}.`;
  const first = records[0]?.id;
  const alone = `absent: { ${kind}s: { ${key}: { id: ${first} } } }`;
  const hint = `Choose the one to delete: \`--id ${first}\`. To keep the block, add a tombstone instead: \`${alone}\`.`;
  return [error("two-rows", message, place, hint)];
}

function removalOf({ declaration, records }: FoundRecords, { id }: RmFlags): Removal {
  if (records === null) {
    const note =
      id === undefined
        ? `without an id, because of --offline. It deletes any ${declaration.kind} that has this key when it is applied.`
        : `id ${id}, not checked because of --offline.`;
    return { declaration, tombstone: { id: id ?? null }, note };
  }
  const record = records.find((one) => id === undefined || one.id === id);
  if (record === undefined) {
    const note = "not live, so there is nothing to delete. Use --offline if it is live in another account.";
    return { declaration, tombstone: null, note };
  }
  const others = records.filter((one) => one !== record).map((one) => one.id);
  const stays = others.length === 0 ? "" : ` Id ${others.join(", ")} stays live, and no file declares it.`;
  const lost = record.clicks === null || record.clicks === 0 ? "" : `, with ${plural(record.clicks, "click")}`;
  return { declaration, tombstone: { id: record.id }, note: `id ${record.id}${lost}.${stays}` };
}

function itemOf({ declaration, tombstone, note }: Removal): WrittenItem {
  const { kind, place } = declaration;
  const what = tombstone === null ? "removed" : "tombstoned";
  return { what, kind, key: showKey(declaration), file: place.file, note };
}

function nextSteps(removals: readonly Removal[], isWritten: boolean): string[] {
  const written = isWritten ? [] : ["Run it without --dry-run to write this."];
  if (removals.every(({ tombstone }) => tombstone === null)) return [...written, "There is nothing to apply."];
  return [...written, "Nothing is deleted yet. `linkform plan` shows the deletion, and `linkform apply` makes it."];
}
