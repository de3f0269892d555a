// The account of a saved plan: what it was made for, and whether the key of this run belongs to the same account.

import { createHash } from "node:crypto";
import { recordIdOf, type Change, type Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import type { SavedPlan } from "../report/json/schema.ts";

/** The hash of the account, or when each changed object was created if the service does not report the account. */
export function savedAccount(baseUrl: string, state: LiveState, changes: readonly Change[]): SavedPlan["account"] {
  const created = creationTimes(state);
  const rows = changes.flatMap((change) => {
    const [kind, id] = [change.kind, recordIdOf(change)];
    return id === null ? [] : [{ kind, id, created_at: created.get(`${kind} ${id}`) ?? null }];
  });
  return accountHash(baseUrl, state) ?? rows;
}

/** The error if the key of this run belongs to another account than the plan, or may do so. `live` are the objects that were read. */
export function accountProblem(
  { account, changes }: SavedPlan,
  file: string,
  baseUrl: string,
  state: LiveState,
  live: readonly Live[],
): Diagnostic | null {
  const hash = accountHash(baseUrl, state);
  if (account === hash) return null;
  if (typeof account === "string" && hash !== null) return otherAccount(file);
  if (changes.length === 0) return null;
  const [rows, created] = [typeof account === "string" ? [] : account, creationTimes(state)];
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const found = rows.filter(({ kind, id }) => keys.has(`${kind} ${id}`));
  if (found.some(({ kind, id, created_at }) => created.get(`${kind} ${id}`) !== created_at)) return otherAccount(file);
  const isSame = changes.some(({ kind, id, key, previous_key }) => {
    const now = keys.get(`${kind} ${id}`);
    return (
      now !== undefined && found.some((row) => row.kind === kind && row.id === id) && [key, previous_key].includes(now)
    );
  });
  if (isSame) return null;
  const message = `linkform cannot check that ${file} was made for the account of this API key: the service does not report the account, and no link or pixel that the plan changes confirms it.`;
  return error("plan-account-unknown", message, null, "Save a new plan, or run `linkform apply` without a saved plan.");
}

function otherAccount(file: string): Diagnostic {
  const message = `${file} was made for another account. This API key does not belong to it.`;
  const hint = "Set an API key of the account that the plan was made for, or save a new plan.";
  return error("plan-account", message, null, hint);
}

/** The address is part of it, so that equal ids of two services differ. Null if the service does not report the id. */
export function accountHash(baseUrl: string, { account }: LiveState): string | null {
  const id = account?.id ?? null;
  if (id === null) return null;
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([baseUrl, id]))
    .digest("hex")}`;
}

function creationTimes({ links, pixels }: LiveState): ReadonlyMap<string, string | null> {
  return new Map([...links, ...pixels].map(({ kind, id, createdAt }) => [`${kind} ${id}`, createdAt]));
}
