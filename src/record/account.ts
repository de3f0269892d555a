// The account of a saved plan: what it was made for, and whether the key of this run belongs to the same account.

import { createHash } from "node:crypto";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import type { SavedPlan } from "../report/json/schema.ts";

/** The error if the key of this run belongs to another account than the plan, or if that is unknown and the plan has changes. */
export function accountProblem(
  { account, changes }: SavedPlan,
  file: string,
  baseUrl: string,
  state: LiveState,
): Diagnostic | null {
  const hash = accountHash(baseUrl, state);
  if (account !== null && hash !== null) {
    if (account === hash) return null;
    const message = `${file} was made for another account. This API key does not belong to it.`;
    const hint = "Set an API key of the account that the plan was made for, or save a new plan.";
    return error("plan-account", message, null, hint);
  }
  if (changes.length === 0) return null;
  const message = `linkform cannot check that ${file} was made for the account of this API key, because the service does not report the account.`;
  return error("plan-account-unknown", message, null, "Run `linkform apply` without a saved plan.");
}

/** The address is part of it, so that equal ids of two services differ. Null if the service does not report the id. */
export function accountHash(baseUrl: string, { account }: LiveState): string | null {
  const id = account?.id ?? null;
  if (id === null) return null;
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([baseUrl, id]))
    .digest("hex")}`;
}
