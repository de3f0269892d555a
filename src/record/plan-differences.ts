// The differences between two plans, one line for each.

import type { Change, Plan } from "../domain/change.ts";
import { FIELDS } from "../domain/table.ts";
import { changeDocument } from "../report/change-document.ts";

/** One line for each change that is new, gone or different. Empty if both plans make the same changes to the same records. */
export function planDifferences(before: Plan, after: Plan): string[] {
  const [previous, current] = [contentsOf(before), contentsOf(after)];
  const gone = [...previous.keys()].filter((name) => !current.has(name)).map((name) => `removed: ${name}`);
  const others = [...current].flatMap(([name, content]) => {
    const former = previous.get(name);
    if (former === undefined) return [`new: ${name}`];
    return former === content ? [] : [`changed: ${name}`];
  });
  return [...gone, ...others];
}

/** The content of each change as the plan shows it, with the live values, by action and key. */
function contentsOf(plan: Plan): Map<string, string> {
  return new Map(
    plan.changes.map((change) => {
      const document = changeDocument(change, plan);
      const id = document.id === null ? "" : ` (id ${document.id})`;
      return [`${change.action} ${change.kind} ${change.key}${id}`, JSON.stringify([document, liveValues(change)])];
    }),
  );
}

function liveValues(change: Change): readonly unknown[] {
  return change.action === "create" ? [] : FIELDS[change.kind].map(({ path }) => change.live.values.get(path) ?? null);
}
