// Numbers that follow from the changes of a plan: changes by action, secrets, requests.

import type { Base, Change, Origin, Plan, Summary } from "../domain/change.ts";
import type { ListSize, LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { SecretSource } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { countCalls, sentFields } from "./calls.ts";
import { trippedBrakes } from "./brake.ts";
import type { BrakeAllowances } from "./options.ts";

/** The secrets that must be sent, sorted by name. */
function secretsNeeded(changes: readonly Change[]): SecretSource[] {
  const needed = new Map<string, SecretSource>();
  for (const change of changes) {
    if (change.action === "delete") continue;
    for (const { path, after } of sentFields(change)) {
      const source = after === true ? change.desired.secrets.get(path) : undefined;
      if (source !== undefined) needed.set(`${source.from} ${source.name}`, source);
    }
  }
  return [...needed.values()].toSorted((a, b) => compareText(a.name, b.name));
}

/** The number of records that these changes touch: two for a replacement, else one. */
function rowsTouched(kind: ResourceKind, changes: readonly Change[]): number {
  return changes
    .filter((change) => change.kind === kind)
    .reduce((rows, { action }) => rows + (action === "replace" ? 2 : 1), 0);
}

function pagesAfter(kind: ResourceKind, changes: readonly Change[], { records: rows, perPage }: ListSize): number {
  const more = changes
    .filter((change) => change.kind === kind)
    .reduce((sum, { action }) => sum + (action === "create" ? 1 : action === "delete" ? -1 : 0), 0);
  return Math.max(Math.ceil((rows + more) / perPage), 1);
}

/** Whether changed records are read again by id, which takes no more requests than the whole list. */
export function isReadById(kind: ResourceKind, changes: readonly Change[], sizes: LiveState["sizes"]): boolean {
  return rowsTouched(kind, changes) <= pagesAfter(kind, changes, sizes[kind]);
}

export function planTotals(
  changes: readonly Change[],
  { unchanged, unmanaged, nowManaged }: Pick<Summary, "unchanged" | "unmanaged" | "nowManaged">,
  base: Base | null,
  state: LiveState,
): Pick<Plan, "changes" | "summary" | "secretsNeeded" | "requests"> {
  const toVerify = (kind: ResourceKind): number =>
    Math.min(rowsTouched(kind, changes), pagesAfter(kind, changes, state.sizes[kind]));
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  const from = (origin: Origin): number => changes.filter((change) => change.origin === origin).length;
  return {
    changes,
    summary: {
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
      unchanged,
      unmanaged,
      nowManaged,
      origins: base && {
        "declared here": from("declared here"),
        pending: from("pending"),
        drift: from("drift"),
        both: from("both"),
      },
    },
    secretsNeeded: secretsNeeded(changes),
    requests: { read: state.requests, apply: countCalls(changes, state), verify: toVerify("link") + toVerify("pixel") },
  };
}

/** The plan with only the changes in `kept`. */
export function narrowPlan(plan: Plan, kept: ReadonlySet<Change>, allowances: BrakeAllowances, state: LiveState): Plan {
  const changes = plan.changes.filter((change) => kept.has(change));
  return {
    ...plan,
    ...planTotals(changes, plan.summary, plan.base, state),
    brakes: trippedBrakes({ ...plan, changes }, allowances),
  };
}
