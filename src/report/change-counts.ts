// How summaries count changes. Renames, moves and disabled links matter to visitors, so they are not hidden among the updates.

import type { Action } from "../domain/project.ts";
import { ENDING_FLAGS } from "../domain/table.ts";
import { countBy } from "./counts.ts";

/** In the order of the output. */
export const KINDS = ["create", "rename", "move", "disable", "update", "delete"] as const;
export type Kind = (typeof KINDS)[number];

/** The parts of a change that decide how it is counted. Planned and saved changes have them. */
export interface Countable {
  readonly action: Action;
  readonly reason: string;
  readonly fields: readonly { readonly path: string; readonly after?: unknown }[];
}

/** The number of changes of one kind, and what follows it in a plan (`to rename`) and in a result (`renamed`). */
export interface KindCount {
  readonly count: number;
  readonly planned: string;
  readonly done: string;
}

export function kindOf({ action, reason, fields }: Countable): Kind {
  if (action === "replace") return "move";
  if (action !== "update") return action;
  if (reason === "renamed") return "rename";
  return fields.some(({ path, after }) => ENDING_FLAGS.includes(path) && after === true) ? "disable" : "update";
}

/** Counts the kinds that occur. An update that is also a rename counts as a rename. */
export function countKinds(changes: readonly Countable[]): KindCount[] {
  const counts = countBy(changes, kindOf, KINDS);
  const isOther = counts.has("rename") || counts.has("move") || counts.has("disable");
  return [...counts].map(([kind, count]) => {
    if (kind !== "update" || !isOther) return { count, planned: `to ${kind}`, done: `${kind.replace(/e$/, "")}ed` };
    const others = `other ${count === 1 ? "update" : "updates"}`;
    return { count, planned: others, done: others };
  });
}
