// The result of a check of `linkform doctor`.

import { ServiceError, UserError } from "../errors.ts";
import type { DoctorDocument } from "../report/json/schema.ts";

export type Check = DoctorDocument["checks"][number];

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message, hint: null };
}

export function warned(name: string, message: string, hint: string): Check {
  return { name, status: "warning", message, hint };
}

export function failed(name: string, message: string, hint: string | null): Check {
  return { name, status: "failed", message, hint };
}

/** A failure as a check. Throws internal errors. */
export function failure(name: string, cause: unknown): Check {
  if (cause instanceof UserError || cause instanceof ServiceError) return failed(name, cause.message, cause.hint);
  throw cause;
}
