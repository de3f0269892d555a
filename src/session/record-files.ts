// The files of run records: a run creates one before its first change, and `undo` opens it.

import path from "node:path";
import { trackedAt } from "../config/git.ts";
import { compareText } from "../domain/place.ts";
import { usageError, UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import {
  fileError,
  LineFile,
  OWNER_ONLY,
  osCode,
  modeAt,
  namesIn,
  readFrom,
  replaceAt,
  setMode,
  type Location,
} from "../files/location.ts";
import { isLink, locateNamed, readNamed, typeAt } from "../files/named.ts";
import { MAX_RECORD_BYTES, parseRecord, type RunRecord } from "../record/file.ts";
import type { ApplyReport } from "../report/run-document.ts";
import type { World } from "./context.ts";

/** The folder of records in a project. Only this folder is ignored by git: users commit the schemas in `.linkform`. */
const RUNS_FOLDER = ".linkform/runs";

/** `20261121T120000Z-1.jsonl`: the time, and a number for records of the same second. */
const RECORD_NAME = /^(\d{8}T\d{6}Z)-(\d+)\.jsonl$/;

/**
 * Creates the file of a record with its first lines; `wanted` is absent for one in the project folder. Throws a user error if it cannot be
 * written.
 */
export async function createRecordFile(
  world: World,
  wanted: string | undefined,
  folder: string,
  at: string,
  text: string,
): Promise<{ readonly lines: LineFile; readonly shown: string }> {
  const isNamed = wanted !== undefined;
  const shown = shownFrom(world, isNamed ? path.resolve(world.cwd, wanted) : path.join(folder, RUNS_FOLDER));
  try {
    if (isNamed) {
      const place = locateNamed(world.cwd, wanted);
      await refuseForeignFile(place, shown);
      replaceAt(place, text, { mode: OWNER_ONLY });
      return { lines: new LineFile(place, true), shown };
    }
    const linked = linkedProblem(world, folder, path.join(folder, RUNS_FOLDER));
    if (linked !== null) throw linked;
    const place = writeNext(folder, at, text);
    return { lines: new LineFile(place, true), shown: shownFrom(world, path.join(folder, place.shown)) };
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const hint = "Free disk space, pass another file with --record, or pass `--record none`.";
    throw fileError(`The record ${shown} cannot be written`, cause, { code: "record-unwritable", hint });
  }
}

/** Throws a user error if the file exists and is not a record: it may be a saved plan, or the project file. */
async function refuseForeignFile(place: Location, shown: string): Promise<void> {
  const text = typeAt(place) === "file" ? (await readFrom(place, MAX_RECORD_BYTES).catch(() => "?")).toString() : "";
  if (text.trim() === "") return;
  try {
    parseRecord(text, shown);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const message = `${shown} exists and is not the record of a run, so linkform does not overwrite it.`;
    throw usageError("record-in-the-way", message, { hint: "Pass another file with --record, or remove this file." });
  }
}

/** A path for messages, relative to the working directory. `undo` must not read it as a flag or as `last`. */
function shownFrom({ cwd }: World, file: string): string {
  const shown = path.relative(cwd, file) || file;
  return shown === "last" || shown.startsWith("-") ? `./${shown}` : shown;
}

function writeNext(folder: string, at: string, text: string): Location {
  const project = new ProjectFolder(folder);
  const ignore = project.locate(`${RUNS_FOLDER}/.gitignore`);
  project.makeFolderOf(ignore.shown);
  setMode(path.dirname(ignore.path), 0o700);
  if (typeAt(ignore) === "missing")
    replaceAt(ignore, "# Written by linkform. The files in this folder are only for this machine.\n*\n");
  const moment = at.replaceAll(/[-:]/g, "");
  for (let number = 1; ; number += 1) {
    const place = project.locate(`${RUNS_FOLDER}/${moment}-${number}.jsonl`);
    try {
      replaceAt(place, text, { mode: OWNER_ONLY, isNew: true });
      return place;
    } catch (cause) {
      if (osCode(cause) !== "EEXIST") throw cause;
    }
  }
}

/** A record for the report, with the command that undoes it. The command repeats the flags that it needs. */
export function writtenRecord(
  file: string | null,
  { config, baseUrl }: { readonly config?: string; readonly baseUrl?: string },
): Pick<ApplyReport, "record" | "undo_command"> {
  if (file === null) return {};
  const options = Object.entries({ "--config": config, "--base-url": baseUrl }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`${flag} ${shellQuote(value)}`],
  );
  return { record: file, undo_command: ["linkform undo", shellQuote(file), ...options].join(" ") };
}

export function shellQuote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

type ProjectFile = Readonly<{ folder: string; file: string }>;

interface OpenRecord {
  readonly record: RunRecord;
  readonly file: string;
  /** It is in the folder of records of the project, where nobody else can write. */
  readonly isOwn: boolean;
}

/**
 * Reads a record; `last` is the newest of the project. Throws a user error if it cannot be read, is not a record, or may have been
 * written by someone else.
 */
export async function openRecord(world: World, named: string, project: ProjectFile): Promise<OpenRecord> {
  if (named === "last") return openNewest(world, project);
  const file = path.resolve(world.cwd, named);
  await refuseTracked(world, file);
  const record = await readRecord(world, file);
  const { dir, base } = path.parse(file);
  const isInFolder = dir === path.join(project.folder, RUNS_FOLDER) && RECORD_NAME.test(base);
  return { record, file, isOwn: isInFolder && sharedProblem(world, project.folder, file) === null };
}

/** Reads the newest record of a project file. Records of other environments are in the same folder. */
async function openNewest(world: World, { folder, file: projectFile }: ProjectFile): Promise<OpenRecord> {
  const runsFolder = path.join(folder, RUNS_FOLDER);
  const linked = linkedProblem(world, folder, runsFolder);
  if (linked !== null) throw linked;
  await refuseTracked(world, runsFolder, /\.jsonl?$/i);
  const found = namesIn(runsFolder).flatMap((name) => {
    const [, moment, number] = RECORD_NAME.exec(name) ?? [];
    return moment === undefined ? [] : [{ name, moment, number: Number(number) }];
  });
  const newest = found.toSorted((a, b) => compareText(b.moment, a.moment) || b.number - a.number);
  for (const { name } of newest) {
    const file = path.join(runsFolder, name);
    // Only linkform writes there, so the file must be private.
    const problem = sharedProblem(world, folder, file);
    if (problem !== null) throw problem;
    const record = await readRecord(world, file);
    if (record.project === projectFile) return { record, file, isOwn: true };
  }
  throw new UserError("no-record", `This project has no record for ${projectFile} in .linkform/runs.`, {
    hint: "Pass the record: `linkform undo FILE`. Each apply writes one, unless you pass `--record none`.",
  });
}

async function readRecord(world: World, file: string): Promise<RunRecord> {
  const shown = shownFrom(world, file);
  const hint = "Correct the path, or use `last` for the newest record in .linkform/runs.";
  const problem = { code: "record-unreadable", hint };
  const text = await readNamed(world.cwd, file, `The record ${shown}`, problem, MAX_RECORD_BYTES);
  const record = parseRecord(text, shown);
  if (Date.parse(record.at) > Date.parse(world.now()) + MAX_CLOCK_SKEW_MS)
    throw new UserError("record-from-future", `The time in ${shown} is in the future: ${record.at}.`, {
      hint: "Check this machine's clock. If it is right, linkform did not write this record. Remove it.",
    });
  return record;
}

/** How much the clock of the machine that wrote a record may be ahead. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;

/** Throws a user error if git tracks this file, or a `matching` one in this folder: it may come from a commit. */
async function refuseTracked(world: World, file: string, matching = /(?:)/): Promise<void> {
  const answer = await trackedAt(file, world.env);
  const shown = shownFrom(world, file);
  if ("unknown" in answer)
    throw new UserError("record-unchecked", `linkform cannot check whether git tracks ${shown}: ${answer.unknown}`, {
      hint: "Fix the problem, or copy the record out of the repository and undo the copy: `linkform undo FILE`.",
    });
  const tracked = answer.files.find((name) => matching.test(name));
  if (tracked === undefined) return;
  const which = path.join(shownFrom(world, path.dirname(file)), tracked);
  const message = `git tracks ${which}. A commit may have added it, so linkform does not use it.`;
  throw new UserError("record-tracked", message, {
    hint: `linkform keeps records out of git. Remove this one: git rm ${which}`,
  });
}

/** The error if a part of this path below the project folder is a symbolic link; null if none is. */
function linkedProblem(world: World, folder: string, file: string): UserError | null {
  const parts = path.relative(folder, file).split(path.sep);
  const linked = parts.map((_, at) => path.join(folder, ...parts.slice(0, at + 1))).find((part) => isLink(part));
  if (linked === undefined) return null;
  const hint = "Replace it with the folder or file itself.";
  return new UserError("record-linked", `${shownFrom(world, linked)} is a symbolic link.`, { hint });
}

/** The error if other users have access to the file, or can write to its folder; null if not. Windows has no such modes. */
function sharedProblem(world: World, folder: string, file: string): UserError | null {
  const linked = linkedProblem(world, folder, file);
  if (linked !== null || process.platform === "win32") return linked;
  const [own, home] = [modeAt(file), modeAt(path.dirname(file))];
  if ((own & 0o077) === 0 && (home & 0o022) === 0) return null;
  const [which, mode] = (own & 0o077) === 0 ? [path.dirname(file), "700"] : [file, "600"];
  const shown = shownFrom(world, which);
  return new UserError("record-not-private", `Other users have access to ${shown}, so linkform does not use it.`, {
    hint: `Somebody else may have written it. If you trust it, run: chmod ${mode} ${shown}`,
  });
}
