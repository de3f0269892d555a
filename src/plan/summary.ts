// Numbers that follow from the changes of a plan: changes by action, secrets, requests.

import type { Base, Change, Origin, Plan, Summary } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { SecretSource } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { countCalls, sentFields } from "./calls.ts";
import { trippedBrakes } from "./brake.ts";
import type { BrakeAllowances } from "./options.ts";

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

/** The number of records that these changes touch (two for a replacement), and of pages that the list has then. */
function sizesAfter(kind: ResourceKind, changes: readonly Change[], sizes: LiveState["sizes"]) {
  const ofKind = changes.filter((change) => change.kind === kind);
  const { records, perPage } = sizes[kind];
  const more = countActions(ofKind, "create") - countActions(ofKind, "delete");
  const pages = Math.max(Math.ceil((records + more) / perPage), 1);
  return { rows: ofKind.length + countActions(ofKind, "replace"), pages };
}

function countActions(changes: readonly Change[], action: Change["action"]): number {
  return changes.filter((change) => change.action === action).length;
}

/** Whether changed records are read again by id, which takes no more requests than the whole list. */
export function isReadById(kind: ResourceKind, changes: readonly Change[], sizes: LiveState["sizes"]): boolean {
  const { rows, pages } = sizesAfter(kind, changes, sizes);
  return rows <= pages;
}

export function planTotals(
  changes: readonly Change[],
  { unchanged, unmanaged, nowManaged }: Pick<Summary, "unchanged" | "unmanaged" | "nowManaged">,
  base: Base | null,
  state: LiveState,
): Pick<Plan, "changes" | "summary" | "secretsNeeded" | "requests"> {
  const toVerify = (kind: ResourceKind): number => {
    const { rows, pages } = sizesAfter(kind, changes, state.sizes);
    return Math.min(rows, pages);
  };
  const from = (origin: Origin): number => changes.filter((change) => change.origin === origin).length;
  return {
    changes,
    summary: {
      create: countActions(changes, "create"),
      update: countActions(changes, "update"),
      replace: countActions(changes, "replace"),
      delete: countActions(changes, "delete"),
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
