// Saved plans: the JSON document of a plan, with its options and a digest.

import { createHash } from "node:crypto";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { codeOf, PathError, readFrom, replaceAt } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { jsonText } from "../report/json/text.ts";
import type { SavedPlan, PlanDocument } from "../report/json/schema.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { savedPlanSchema } from "../report/json/schema.ts";

/** In bytes; a JavaScript string can hold about this much. */
const MAX_PLAN_BYTES = 400 * 1024 * 1024;

/** Saves a complete plan. Returns an error if it cannot be written; then an older file is unchanged. */
export async function savePlan(
  { cwd }: { readonly cwd: string },
  file: string,
  document: PlanDocument,
  about: Pick<SavedPlan, "options" | "account">,
): Promise<Diagnostic | null> {
  try {
    replaceAt(locateNamed(cwd, file), `${jsonText(savedPlan({ ...document, complete: true, ...about }), 2)}\n`);
    return null;
  } catch (cause) {
    if (cause instanceof PathError) return diagnosticOf(cause);
    const message = `The plan cannot be written to ${file} (${codeOf(cause)}).`;
    return error("plan-unwritable", message, null, "Free disk space, or correct the path in --out.");
  }
}

/** Reads a saved plan. Throws a user error if it cannot be read, or is not a saved plan. */
export async function openPlan({ cwd }: { readonly cwd: string }, file: string): Promise<SavedPlan> {
  return parseSavedPlan(await readPlanFile(cwd, file), file);
}

async function readPlanFile(cwd: string, file: string): Promise<string> {
  try {
    return (await readFrom(locateNamed(cwd, file), MAX_PLAN_BYTES)).toString("utf8");
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    throw new UserError("plan-unreadable", `The plan ${file} cannot be read (${codeOf(cause)}).`, {
      hint: "Correct the path. To save a plan, run `linkform plan --out FILE`.",
      cause,
    });
  }
}

/** The hash of a document. It detects changes of the content, but not of the white space. */
export function digestOf(content: object): string {
  const text = JSON.stringify(JSON.parse(JSON.stringify(content)));
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function savedPlan(content: Omit<SavedPlan, "digest">): SavedPlan {
  return { ...content, digest: digestOf(content) };
}

const PLAN_AGAIN_HINT = "Save a new plan: linkform plan --out FILE.";

/** Parses a saved plan; `file` is its name in messages. Throws a user error if it is not a saved plan, or if it was altered. */
function parseSavedPlan(text: string, file: string): SavedPlan {
  const saved = parse(text, file);
  if (!isObject(saved) || typeof saved["format_version"] !== "string" || !Array.isArray(saved["changes"]))
    throw new UserError("plan-not-saved", `${file} is not a plan.`, { hint: "Save a plan: linkform plan --out FILE." });
  const { digest, ...content } = saved;
  if (digest === undefined) {
    throw new UserError("plan-not-saved", `${file} is the report of a plan, and reports cannot be applied.`, {
      hint: "Save the plan with `linkform plan --out FILE` instead of --format json.",
    });
  }
  const version = saved["format_version"];
  if (!version.startsWith("1.")) {
    throw new UserError(
      "plan-version",
      `${file} has format version ${version}, but this version of linkform reads 1.x.`,
      {
        hint: "Apply it with the version of linkform that saved it, or save a new plan with this version.",
      },
    );
  }
  if (digest !== digestOf(content)) {
    throw new UserError("plan-altered", `${file} was changed after linkform wrote it.`, {
      hint: PLAN_AGAIN_HINT,
    });
  }
  return validate(saved, file);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError("plan-not-json", `${file} is not JSON, or is incomplete.`, { hint: PLAN_AGAIN_HINT, cause });
  }
}

/** Whether a parsed JSON value is an object, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Ignores keys that a later 1.x version added, except in the options: an unknown option could change the plan. */
function validate(saved: Readonly<Record<string, unknown>>, file: string): SavedPlan {
  const read = savedPlanSchema.safeParse({ ...saved, format_version: "1.0" });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  throw new UserError(
    "plan-unknown",
    `${file} has a key or value that this version of linkform does not know: \`${path}\`.`,
    {
      hint: "Apply it with the version of linkform that saved it, or save a new plan with this version.",
    },
  );
}
