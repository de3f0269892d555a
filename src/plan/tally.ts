// Figures of a plan: how many changes, which secrets, how many requests.

import type { Change, Summary } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { SecretSource } from "../domain/project.ts";

/** Counts changes by action. */
export function summarise(changes: readonly Change[], unchanged: number, unmanaged: number): Summary {
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    replace: count("replace"),
    delete: count("delete"),
    unchanged,
    unmanaged,
  };
}

/** The secrets that must be sent, each once, by name. */
export function secretsNeeded(changes: readonly Change[]): SecretSource[] {
  const needed = new Map<string, SecretSource>();
  for (const change of changes) {
    if (change.action === "delete") continue;
    for (const { path, after } of change.action === "replace" ? change.stored : change.fields) {
      const source = after === true ? change.desired.secrets.get(path) : undefined;
      if (source !== undefined) needed.set(`${source.from} ${source.name}`, source);
    }
  }
  return [...needed.values()].toSorted((a, b) => compareText(a.name, b.name));
}

/** What was touched is read again by id, or with its whole list where that takes fewer requests. */
export function verifyRequests(changes: readonly Change[], state: LiveState): number {
  return (["link", "pixel"] as const).reduce((sum, kind) => {
    const touched = changes
      .filter((change) => change.kind === kind)
      .reduce((rows, change) => rows + (change.action === "replace" ? 2 : 1), 0);
    return sum + Math.min(touched, state.pages[kind]);
  }, 0);
}
