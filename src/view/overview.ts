// What a long plan shows first: how many changes of each kind there are on which domain and in which space.

import type { Change, Plan } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import { compareText } from "../domain/place.ts";
import { countKinds, KINDS, type Kind } from "./change-counts.ts";

/** From this number of changes on, a reader needs an overview. */
const FEWEST = 41;

/** Further rows are merged into one. */
const MAX_ROWS = 20;

export interface Overview {
  readonly kinds: readonly Kind[];
  /** `counts` in the order of `kinds`. */
  readonly rows: readonly { readonly label: string; readonly counts: readonly number[] }[];
}

/** The overview of a long plan; null for other plans. The row with the most changes comes first. */
export function overviewOf({ changes }: Pick<Plan, "changes">): Overview | null {
  if (changes.length < FEWEST) return null;
  const groups = [...groupBy(changes, labelOf)].toSorted(
    ([a, these], [b, those]) => those.length - these.length || compareText(a, b),
  );
  const rest = groups.slice(MAX_ROWS).flatMap(([, those]) => those);
  const shown: (readonly [string, readonly Change[]])[] = groups.slice(0, MAX_ROWS);
  if (rest.length > 0) shown.push([`${groups.length - MAX_ROWS} others`, rest]);
  const kinds = KINDS.filter((kind) => countOf(changes, kind) > 0);
  return { kinds, rows: shown.map(([label, those]) => ({ label, counts: kinds.map((kind) => countOf(those, kind)) })) };
}

function countOf(changes: readonly Change[], kind: Kind): number {
  return countKinds(changes).find((one) => one.kind === kind)?.count ?? 0;
}

/** `go.example.com, Marketing` for a link. */
function labelOf(change: Change): string {
  if (change.kind === "pixel") return "pixels";
  const values = change.action === "delete" ? change.live.values : change.desired.values;
  const space = values.get("space");
  const domain = change.key.slice(0, change.key.lastIndexOf("/"));
  return `${visible(domain)}, ${typeof space === "string" ? visible(space) : "no space"}`;
}
