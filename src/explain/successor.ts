// Which row a declared link is, or is to become: its own, or where renames tie keys together, the one that the planner gives it.

import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Declaration, Project, WrittenKey } from "../domain/project.ts";
import { canBecome } from "../plan/compare.ts";
import { resolve, type Resolved } from "../plan/resolve.ts";
import type { Reader } from "../service/service.ts";
import { findLive } from "./live.ts";
import { stateOf } from "../session/read-account.ts";

/** `row` has the link's own key now; null where none does. On another domain a link is replaced by a new one, which has no row yet. */
export async function successorOf(
  declaration: Declaration,
  row: LiveRecord | null,
  reader: Reader,
  project: Project,
): Promise<LiveRecord | null> {
  const tied = tiedTo(declaration, project);
  if (tied.length === 1 && declaration.renamedFrom === null) return row;
  const { rows, claims } = await settleTied(tied, declaration, row, reader, project);
  const claim = claims.find(({ desired }) => desired.place === declaration.place);
  if (claim?.live === undefined || !canBecome(claim.live, claim.desired)) return null;
  return rows.get(claim.live.id) ?? null;
}

/** Whether the row with the former key of a link is left as it is, because the link's own key is live already. */
export async function isLeftAlone(
  row: LiveRecord,
  { declaration, from }: { readonly declaration: Declaration; readonly from: WrittenKey },
  reader: Reader,
  project: Project,
): Promise<boolean> {
  const { staleRecords } = await settleTied(tiedTo(declaration, project), from, row, reader, project);
  return staleRecords.some(({ live, isReplaced }) => live.id === row.id && !isReplaced);
}

/** What the planner makes of declarations that renames tie together. `row` is all that has the key `known`. */
async function settleTied(
  tied: readonly Declaration[],
  known: WrittenKey,
  row: LiveRecord | null,
  reader: Reader,
  project: Project,
): Promise<Resolved & { readonly rows: ReadonlyMap<number, LiveRecord> }> {
  const keys = new Map(tied.flatMap((one) => keysOf(one).map((key) => [keyOf(key), key] as const)));
  keys.delete(keyOf(known));
  const rows = new Map((row === null ? [] : [row]).map((one) => [one.id, one]));
  for (const { domain, name } of keys.values()) {
    const found = await findLive({ domain, alias: name, query: "" }, reader, project, () => undefined);
    for (const one of found.rows) rows.set(one.id, one);
  }
  const state = stateOf({ links: [...rows.values()] }, reader.requests);
  return { ...resolve({ ...project, declarations: tied, tombstones: [] }, state), rows };
}

/** The declaration, and all that renames tie to it. */
function tiedTo(declaration: Declaration, { declarations }: Project): readonly Declaration[] {
  const keys = new Set([keyOf(declaration)]);
  const isTied = ({ renamedFrom, ...own }: Declaration): boolean =>
    keys.has(keyOf(own)) || (renamedFrom !== null && keys.has(keyOf(renamedFrom)));
  for (let size = 0; size !== keys.size;) {
    size = keys.size;
    for (const one of declarations) if (isTied(one)) for (const key of keysOf(one)) keys.add(keyOf(key));
  }
  return declarations.filter(isTied);
}

/** Its own key, and the one that it is renamed from. */
function keysOf(one: Declaration): WrittenKey[] {
  return one.renamedFrom === null ? [one] : [one, one.renamedFrom];
}

function keyOf({ kind, domain, name }: Pick<WrittenKey, "kind" | "domain" | "name">): string {
  return JSON.stringify([kind, domain, fold(name)]);
}
