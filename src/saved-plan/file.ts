// The file of a saved plan: written whole or not at all, and read before anything else.

import { createHash } from "node:crypto";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { codeOf, PathError, readFrom, replaceAt } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { jsonText } from "../render/json/text.ts";
import type { PlanDocument, SavedOptions, SavedPlan } from "../view/document.ts";
import { readSavedPlan, savedPlan } from "./document.ts";

/** Bytes: about as long as a text can be. */
const LARGEST_PLAN = 400 * 1024 * 1024;

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Saves a plan; returns what keeps it from being written. Until it is written whole, an older file stays as it is. */
export async function savePlan(
  { cwd }: { readonly cwd: string },
  file: string,
  document: PlanDocument,
  options: SavedOptions,
): Promise<Diagnostic | null> {
  try {
    replaceAt(locateNamed(cwd, file), `${jsonText(savedPlan(document, options, sha256), 2)}\n`);
    return null;
  } catch (cause) {
    if (cause instanceof PathError) return diagnosticOf(cause);
    const message = `The plan can't be written to ${file} (${codeOf(cause)}).`;
    return error("plan-unwritable", message, null, "Make room, or correct --out.");
  }
}

/** Reads a saved plan. Throws a user error where it can't be read, or is none. */
export async function openPlan({ cwd }: { readonly cwd: string }, file: string): Promise<SavedPlan> {
  return readSavedPlan(await textOf(cwd, file), file, sha256);
}

async function textOf(cwd: string, file: string): Promise<string> {
  try {
    return (await readFrom(locateNamed(cwd, file), LARGEST_PLAN)).toString("utf8");
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    throw new UserError("plan-unreadable", `The plan ${file} can't be read (${codeOf(cause)}).`, {
      hint: "Correct the path; `linkform plan --out FILE` saves a plan.",
      cause,
    });
  }
}
