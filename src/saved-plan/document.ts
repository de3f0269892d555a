// A saved plan: the document of a plan, the options it was made with, and a digest that shows whether it was altered.

import { UserError } from "../errors.ts";
import type { PlanDocument, SavedOptions, SavedPlan } from "../view/document.ts";
import { savedPlanSchema } from "../render/json/schema.ts";
import { digestOf, type Sha256 } from "./digest.ts";

/** Makes a plan's document one that can be applied. */
export function savedPlan(document: PlanDocument, options: SavedOptions, sha256: Sha256): SavedPlan {
  const content = { ...document, options };
  return { ...content, digest: digestOf(content, sha256) };
}

const PLAN_AGAIN = "Plan again with --out.";

/** Reads a saved plan; `file` is what it is called in messages. Throws a user error where it is none, or not as it was made. */
export function readSavedPlan(text: string, file: string, sha256: Sha256): SavedPlan {
  const saved = parse(text, file);
  if (!isObject(saved) || typeof saved["format_version"] !== "string" || !Array.isArray(saved["changes"]))
    throw new UserError("plan-not-saved", `${file} is not a plan.`, { hint: "Save one: linkform plan --out FILE." });
  const { digest, ...content } = saved;
  if (digest === undefined) {
    throw new UserError("plan-not-saved", `${file} is a report of a plan, which can't be applied.`, {
      hint: "Save the plan with `linkform plan --out FILE` instead of --format json.",
    });
  }
  const version = saved["format_version"];
  if (!version.startsWith("1.")) {
    throw new UserError("plan-version", `${file} has the format ${version}, and this linkform reads 1.x.`, {
      hint: "Apply it with the version of linkform that made it, or plan again with this one.",
    });
  }
  if (digest !== digestOf(content, sha256)) {
    throw new UserError("plan-altered", `${file} is not as linkform wrote it: something in it was altered.`, {
      hint: PLAN_AGAIN,
    });
  }
  return checked(saved, file);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError("plan-not-json", `${file} is not JSON, or was cut.`, { hint: PLAN_AGAIN, cause });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a later 1.x has added is passed over, but not in the options: they say what the plan is. */
function checked(saved: Readonly<Record<string, unknown>>, file: string): SavedPlan {
  const read = savedPlanSchema.safeParse({ ...saved, format_version: "1.0" });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  throw new UserError("plan-unknown", `${file} says something that this linkform does not know: \`${path}\`.`, {
    hint: "Apply it with the version of linkform that made it, or plan again with this one.",
  });
}
