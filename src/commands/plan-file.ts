// The file of a saved plan: written whole or not at all, and read before anything else.

import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { jsonText } from "../report/json.ts";
import type { SavedOptions, SavedPlan } from "../report/saved-document.ts";
import { readSavedPlan, savedPlan } from "../report/saved.ts";
import type { PlanDocument } from "../report/document.ts";
import { codeOf, type World } from "./context.ts";

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Saves a plan; returns what keeps it from being written. Until it is written whole, an older file stays as it is. */
export async function savePlan(
  { cwd }: World,
  file: string,
  document: PlanDocument,
  options: SavedOptions,
): Promise<Diagnostic | null> {
  const target = path.resolve(cwd, file);
  const unfinished = `${target}.${randomUUID()}`;
  try {
    await writeFile(unfinished, `${jsonText(savedPlan(document, options, sha256), 2)}\n`, { flag: "wx" });
    await rename(unfinished, target);
    return null;
  } catch (cause) {
    await rm(unfinished, { force: true });
    const message = `The plan can't be written to ${file} (${codeOf(cause)}).`;
    return error("plan-unwritable", message, null, "Make room, or correct --out.");
  }
}

/** Reads a saved plan. Throws a user error where it can't be read, or is none. */
export async function openPlan({ cwd }: World, file: string): Promise<SavedPlan> {
  return readSavedPlan(await textOf(path.resolve(cwd, file), file), file, sha256);
}

async function textOf(full: string, file: string): Promise<string> {
  try {
    return await readFile(full, "utf8");
  } catch (cause) {
    throw new UserError("plan-unreadable", `The plan ${file} can't be read (${codeOf(cause)}).`, {
      hint: "Correct the path; `linkform plan --out FILE` saves a plan.",
      cause,
    });
  }
}
