// Figures of a plan: how many changes, which secrets, how many requests.

import type { Change, Origin, Summary } from "../domain/change.ts";
import type { ListSize, LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { SecretSource } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { sentFields } from "./calls.ts";

/** Counts changes by action. */
export function summarise(
  changes: readonly Change[],
  unchanged: number,
  unmanaged: number | null,
  hasBase: boolean,
): Summary {
  const from = (origin: Origin): number => changes.filter((change) => change.origin === origin).length;
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    replace: count("replace"),
    delete: count("delete"),
    unchanged,
    unmanaged,
    origins: hasBase
      ? { "declared here": from("declared here"), pending: from("pending"), drift: from("drift"), both: from("both") }
      : null,
  };
}

/** The secrets that must be sent, each once, by name. */
export function secretsNeeded(changes: readonly Change[]): SecretSource[] {
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

/** How many rows of a kind these changes touch: a replacement two, all others one. */
function rowsTouched(kind: ResourceKind, changes: readonly Change[]): number {
  return changes
    .filter((change) => change.kind === kind)
    .reduce((rows, { action }) => rows + (action === "replace" ? 2 : 1), 0);
}

/** The pages that a list takes once these changes are made. */
function pagesAfter(kind: ResourceKind, changes: readonly Change[], { rows, perPage }: ListSize): number {
  const more = changes
    .filter((change) => change.kind === kind)
    .reduce((sum, { action }) => sum + (action === "create" ? 1 : action === "delete" ? -1 : 0), 0);
  return Math.max(Math.ceil((rows + more) / perPage), 1);
}

/** Whether what these changes touched is read again by id; with its whole list where that takes fewer requests. */
export function isReadById(kind: ResourceKind, changes: readonly Change[], sizes: LiveState["sizes"]): boolean {
  return rowsTouched(kind, changes) <= pagesAfter(kind, changes, sizes[kind]);
}

/** The requests that reading again takes. */
export function verifyRequests(changes: readonly Change[], { sizes }: LiveState): number {
  const requestsFor = (kind: ResourceKind): number =>
    isReadById(kind, changes, sizes) ? rowsTouched(kind, changes) : pagesAfter(kind, changes, sizes[kind]);
  return requestsFor("link") + requestsFor("pixel");
}
