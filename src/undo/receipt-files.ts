// Receipt files: `apply` writes one before its first change and again at the end, and `undo` opens it.

import path from "node:path";
import { trackedAt } from "../config/git.ts";
import type { Receipt } from "../domain/receipt.ts";
import { EXIT, UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { codeOf, modeAt, namesIn, PathError, readFrom, replaceAt, setMode, type Location } from "../files/location.ts";
import { isLink, locateNamed, typeAt } from "../files/named.ts";
import { parseReceipt, receiptText } from "./receipt.ts";
import type { ReceiptAbout, ReceiptEnd, ReceiptFile, ReceiptFlags, Receipts } from "../session/receipts.ts";
import type { ApplyReport } from "../report/report.ts";
import type { World } from "../session/context.ts";

/** The folder of receipts in a project. Only this folder is ignored by git: users commit the schemas in `.linkform`. */
const RECEIPTS_FOLDER = ".linkform/receipts";

/** In bytes; a JavaScript string can hold about this much. */
const MAX_RECEIPT_BYTES = 400 * 1024 * 1024;

/** `20261121T120000Z-1.json`: the time, and a number for receipts of the same second. */
const RECEIPT_NAME = /^(\d{8}T\d{6}Z)-(\d+)\.json$/;

/** The receipts of a command with these flags. */
export function receiptsFor(world: World, flags: ReceiptFlags): Receipts {
  return {
    begin: async (about, folder) => beginReceipt(world, flags, about, folder),
  };
}

/** Writes the receipt before the first change; null if none is wanted. Throws a user error if it cannot be written. */
async function beginReceipt(
  world: World,
  { receipt: wanted }: ReceiptFlags,
  about: Omit<ReceiptAbout, "version" | "at">,
  folder: string,
): Promise<ReceiptFile | null> {
  if (wanted === false) return null;
  const details = { ...about, version: world.version, at: world.now() };
  const textAt = (end: ReceiptEnd | null): string => receiptText(details, end, world.secrets);
  let shown = shownFrom(
    world,
    wanted === undefined ? path.join(folder, RECEIPTS_FOLDER) : path.resolve(world.cwd, wanted),
  );
  let place: Location;
  try {
    if (wanted === undefined) {
      place = writeNext(folder, details.at, textAt(null));
      shown = shownFrom(world, path.join(folder, place.shown));
    } else {
      place = locateNamed(world.cwd, wanted);
      await refuseForeignFile(place, shown);
      replaceAt(place, textAt(null), { mode: OWNER_ONLY });
    }
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw unwritable(shown, cause, "Free disk space, pass another file with --receipt, or pass `--receipt none`.");
  }
  const end = (results: ReceiptEnd): UserError | null => {
    try {
      replaceAt(place, textAt(results), { mode: OWNER_ONLY });
      return null;
    } catch (cause) {
      const hint = "The receipt from before the first change is kept. You can still undo the apply with it.";
      return unwritable(shown, cause, hint);
    }
  };
  return { shown, end };
}

/** Throws a user error if the file exists and is not a receipt: it may be a saved plan, or the project file. */
async function refuseForeignFile(place: Location, shown: string): Promise<void> {
  const text = typeAt(place) === "file" ? (await readFrom(place).catch(() => "")).toString() : "";
  if (text.trim() === "") return;
  try {
    parseReceipt(text, shown);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(
      "receipt-in-the-way",
      `${shown} exists and is not a receipt, so linkform does not overwrite it.`,
      {
        hint: "Pass another file with --receipt, or remove this file.",
        exit: EXIT.usage,
        cause,
      },
    );
  }
}

function unwritable(file: string, cause: unknown, hint: string): UserError {
  if (cause instanceof PathError) return cause;
  return new UserError("receipt-unwritable", `The receipt ${file} cannot be written (${codeOf(cause)}).`, {
    hint,
    cause,
  });
}

/** A path for messages, relative to the working directory. `undo` must not read it as a flag or as `last`. */
function shownFrom({ cwd }: World, file: string): string {
  const shown = path.relative(cwd, file) || file;
  return shown === "last" || shown.startsWith("-") ? `./${shown}` : shown;
}

/** Only the owner may read a receipt: it contains complete destinations. */
const OWNER_ONLY = 0o600;

/** Writes a receipt into the project folder under a new name. */
function writeNext(folder: string, at: string, text: string): Location {
  const linked = findSymlink(folder, path.normalize(RECEIPTS_FOLDER));
  if (linked !== null)
    throw Object.assign(new Error("a link is not followed"), { code: `${linked} is a symbolic link` });
  const project = new ProjectFolder(folder);
  const ignore = project.locate(`${RECEIPTS_FOLDER}/.gitignore`);
  project.makeFolderOf(ignore.shown);
  setMode(path.dirname(ignore.path), 0o700);
  if (typeAt(ignore) === "missing")
    replaceAt(ignore, "# Written by linkform. The files in this folder are only for this machine.\n*\n");
  const moment = timeInName(at);
  for (let number = 1; ; number += 1) {
    const place = project.locate(`${RECEIPTS_FOLDER}/${moment}-${number}.json`);
    try {
      replaceAt(place, text, { mode: OWNER_ONLY, isNew: true });
      return place;
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cause;
    }
  }
}

/** A receipt for the report, with the command that undoes it. The command repeats the flags that it needs. */
export function writtenReceipt(
  { receipt: file }: { readonly receipt: string | null },
  { config, baseUrl }: { readonly config?: string; readonly baseUrl?: string },
): Pick<ApplyReport, "receipt" | "undo_command"> {
  if (file === null) return {};
  const options = Object.entries({ "--config": config, "--base-url": baseUrl }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`${flag} ${shellQuote(value)}`],
  );
  return { receipt: file, undo_command: ["linkform undo", shellQuote(file), ...options].join(" ") };
}

/** Quotes a word for a shell. */
function shellQuote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A receipt, and the file that it was read from. */
export interface OpenReceipt {
  readonly receipt: Receipt;
  readonly file: string;
}

/**
 * Reads a receipt; `last` is the newest of the project. Throws a user error if it cannot be read, is not a receipt, or may have been
 * written by someone else.
 */
export async function openReceipt(
  world: World,
  named: string,
  project: { readonly folder: string; readonly file: string },
): Promise<OpenReceipt> {
  if (named === "last") return openNewest(world, project);
  const file = path.resolve(world.cwd, named);
  await refuseTracked(world, file);
  return openFile(world, file);
}

async function openFile(world: World, file: string): Promise<OpenReceipt> {
  const shown = shownFrom(world, file);
  let text: string;
  try {
    text = (await readFrom(locateNamed(world.cwd, file), MAX_RECEIPT_BYTES)).toString("utf8");
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    throw new UserError("receipt-unreadable", `The receipt ${shown} cannot be read (${codeOf(cause)}).`, {
      hint: "Correct the path, or use `last` for the newest receipt in .linkform/receipts.",
      cause,
    });
  }
  const receipt = parseReceipt(text, shown);
  const moment = RECEIPT_NAME.exec(path.basename(file))?.[1];
  if (moment !== undefined && moment !== timeInName(receipt.at))
    throw new UserError(
      "receipt-renamed",
      `The name of ${shown} does not match the time at which it was written (${receipt.at}).`,
      {
        hint: "linkform never renames a receipt. If you trust this one, restore its original name, or use a name without a time.",
      },
    );
  if (Date.parse(receipt.at) > Date.parse(world.now()) + MAX_CLOCK_SKEW_MS)
    throw new UserError("receipt-from-future", `The time in ${shown} is in the future: ${receipt.at}.`, {
      hint: "Check this machine's clock. If it is right, linkform did not write this receipt. Remove it.",
    });
  return { receipt, file };
}

/** The clock of the machine that wrote a receipt may be ahead by this much. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;

/** An instant in the form that file names of receipts have. */
function timeInName(at: string): string {
  return at.replaceAll(/[-:]/g, "");
}

/** The first part of a path below `folder` that is a symbolic link; null for none. */
function findSymlink(folder: string, file: string): string | null {
  const steps = file.split(path.sep);
  for (let count = 1; count <= steps.length; count += 1) {
    const part = path.join(...steps.slice(0, count));
    if (isLink(path.join(folder, part))) return part;
  }
  return null;
}

/** Throws a user error if git tracks this receipt, or one in this folder: it may come from a commit. */
async function refuseTracked(world: World, file: string): Promise<void> {
  const answer = await trackedAt(file, world.env);
  const shown = shownFrom(world, file);
  if ("unknown" in answer)
    throw new UserError("receipt-unchecked", `linkform cannot check whether git tracks ${shown}: ${answer.unknown}`, {
      hint: "Fix the problem, or copy the receipt out of the repository and undo the copy: `linkform undo FILE`.",
    });
  const tracked = answer.files.find((name) => /\.json$/i.test(name));
  if (tracked === undefined) return;
  const which = path.join(shownFrom(world, path.dirname(file)), tracked);
  throw new UserError(
    "receipt-tracked",
    `git tracks ${which}. A commit may have added it, so linkform does not use it.`,
    {
      hint: `linkform keeps receipts out of git. Remove this one: git rm ${which}`,
    },
  );
}

/** Throws a user error if a part of this path below the project folder is a symbolic link. */
function refuseSymlink(world: World, folder: string, file: string): void {
  const linked = findSymlink(folder, file);
  if (linked !== null)
    throw new UserError("receipt-linked", `${shownFrom(world, path.join(folder, linked))} is a symbolic link.`, {
      hint: "Replace it with the folder or file itself.",
    });
}

/** Throws a user error if other users have access to the file, or can write to its folder. Windows has no such modes. */
function refuseShared(world: World, folder: string, file: string): void {
  refuseSymlink(world, folder, path.relative(folder, file));
  if (process.platform === "win32") return;
  const [own, home] = [modeAt(file), modeAt(path.dirname(file))];
  if ((own & 0o077) === 0 && (home & 0o022) === 0) return;
  const [which, mode] = (own & 0o077) === 0 ? [path.dirname(file), "700"] : [file, "600"];
  const shown = shownFrom(world, which);
  throw new UserError("receipt-not-private", `Other users have access to ${shown}, so linkform does not use it.`, {
    hint: `Somebody else may have written it. If you trust it, run: chmod ${mode} ${shown}`,
  });
}

/** Reads the newest receipt of a project file. Receipts of other environments are in the same folder. */
async function openNewest(
  world: World,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<OpenReceipt> {
  for (const newest of await listReceipts(world, folder)) {
    const opened = await openPrivateFile(world, folder, newest);
    if (opened.receipt.project === file) return opened;
  }
  throw new UserError("no-receipt", `This project has no receipt for ${file} in .linkform/receipts.`, {
    hint: "Pass the receipt: `linkform undo FILE`. Each apply writes one, unless you pass `--receipt none`.",
  });
}

/** The paths of the receipts in the project folder, newest first. Throws a user error if a commit may have brought them. */
async function listReceipts(world: World, folder: string): Promise<string[]> {
  refuseSymlink(world, folder, path.normalize(RECEIPTS_FOLDER));
  const receiptsFolder = path.join(folder, RECEIPTS_FOLDER);
  await refuseTracked(world, receiptsFolder);
  const found = namesIn(receiptsFolder).flatMap((name) => {
    const [, moment, number] = RECEIPT_NAME.exec(name) ?? [];
    return moment === undefined ? [] : [{ name, moment, number: Number(number) }];
  });
  return found
    .toSorted((a, b) => (a.moment === b.moment ? b.number - a.number : a.moment < b.moment ? 1 : -1))
    .map(({ name }) => path.join(receiptsFolder, name));
}

/** Reads a receipt in the project folder. Only linkform writes there, so the file must be private. */
async function openPrivateFile(world: World, folder: string, file: string): Promise<OpenReceipt> {
  refuseShared(world, folder, file);
  return openFile(world, file);
}
