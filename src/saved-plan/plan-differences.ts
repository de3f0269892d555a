// The differences between a plan and the one that was shown before, in lines.

import type { Change, Plan } from "../domain/change.ts";
import { FIELDS } from "../domain/table.ts";
import { changeDocument } from "../view/document.ts";

/** One line for each change that is new, gone or different. Empty if both plans do the same to the same records. */
export function planDifferences(before: Plan, after: Plan): string[] {
  const [shown, now] = [contentsOf(before), contentsOf(after)];
  const gone = [...shown.keys()].filter((name) => !now.has(name)).map((name) => `no longer planned: ${name}`);
  const others = [...now].flatMap(([name, content]) => {
    const former = shown.get(name);
    if (former === undefined) return [`new: ${name}`];
    return former === content ? [] : [`different: ${name}`];
  });
  return [...gone, ...others];
}

/** All that a plan shows of each change, by its name. */
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
