// Turns the decisions of an undo into objects for the planner, and leaves out those that are impossible together: another record has the
// key, or a link uses the pixel.

import type { Desired, Live } from "../domain/change.ts";
import { append } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { compareText, type Place } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Claim } from "../plan/claims.ts";
import type { Identified } from "../plan/names.ts";
import { pixelsOf } from "../plan/order.ts";
import type { ResolvedTombstone } from "../plan/resolve.ts";
import type { RecordedChange } from "../record/changes.ts";
import type { RunRecord } from "../record/file.ts";
import type { Loss, SkippedChange } from "../report/undo.ts";
import type { Account } from "./account.ts";
import { decide, skippedChange, type DecideOptions, type UndoStep } from "./decide.ts";

export interface Undoing {
  readonly claims: readonly Claim[];
  readonly tombstones: readonly ResolvedTombstone[];
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
  /** The places of deletes of objects that nobody changed or clicked since the run created them. */
  readonly untouched: ReadonlySet<Place>;
  /** Changes without an id in the record: their objects were identified by their values. */
  readonly unconfirmed: readonly RecordedChange[];
  readonly alreadyUndone: number;
}

/** Decides how to undo each change of a record. Ids identify the live objects, so that the plan cannot touch any other. */
export function undoChanges({ changes }: RunRecord, account: Account, options: DecideOptions): Undoing {
  const decisions = changes.map((change) => decide(change, account, options));
  const links = [...account.resolved.live, ...account.resolved.unreadable].filter(({ kind }) => kind === "link");
  const skipped: SkippedChange[] = [];
  let steps = decisions.flatMap(({ step }) => step ?? []);
  // Without the impossible steps, others may become impossible.
  for (;;) {
    const conflicts = new Map([...keyConflicts(steps, account), ...pixelConflicts(steps, links)]);
    if (conflicts.size === 0) break;
    append(skipped, conflicts.values());
    steps = steps.filter((step) => !conflicts.has(step));
  }
  const losses: Loss[] = [];
  const pixels = pixelsAfter(steps, account.resolved.live);
  const claims = steps.flatMap((step) => (step.action === "delete" ? [] : claimOf(step, account, pixels, losses)));
  // The losses of recreating an object do not apply if a conflict prevents it.
  const planned = new Set(steps.map(({ change }) => change));
  const relevant = decisions.filter(({ change, step }) => step?.action !== "recreate" || planned.has(change));
  return {
    claims,
    tombstones: [
      ...steps.flatMap(({ action, live: record, change }) =>
        action === "delete" && record !== null ? tombstoneOf(record, change, record) : [],
      ),
      // So that `--target` and `--exclude` may name changes that need no step.
      ...decisions.flatMap(({ change, keys }) =>
        keys.flatMap((key) => (key === null ? [] : tombstoneOf(key, change, null))),
      ),
    ],
    losses: [...relevant.flatMap((decision) => decision.losses), ...losses],
    skipped: [...relevant.flatMap((decision) => decision.skipped), ...skipped],
    untouched: new Set(decisions.flatMap(({ change, step }) => (step?.isUntouched === true ? [change.place] : []))),
    unconfirmed: decisions.flatMap(({ change, step }) =>
      change.newId === null && step !== null && step.action !== "restore" && step.live !== null ? [change] : [],
    ),
    alreadyUndone: decisions.filter((decision) => decision.step === null && decision.skipped.length === 0).length,
  };
}

const PIXELS = REFERENCE_FIELD.pixel;

type Conflict = readonly [UndoStep, SkippedChange];

/** Steps that need a key which another record has and keeps, or which another step takes: two records can have had equal keys. */
function keyConflicts(steps: readonly UndoStep[], account: Account): Conflict[] {
  const leaving = new Set(
    steps.flatMap(({ action, live, key }) =>
      action !== "restore" || (key ?? live)?.identity !== live?.identity ? (live ?? []) : [],
    ),
  );
  const taken = new Set<string>();
  return steps.flatMap((step): Conflict[] => {
    const { change, key } = step;
    if (key === null) return [];
    const own = step.action === "restore" ? step.live : null;
    const holder = account.at(key).find((live) => live !== own && !leaving.has(live));
    if (holder === undefined && !taken.has(key.identity)) {
      taken.add(key.identity);
      return [];
    }
    const what = step.action === "restore" ? "is not changed" : "is not created again";
    const other = holder === undefined ? "that this undo restores" : `(id ${holder.id})`;
    const message = `(id ${change.id}) ${what}: \`${key.key}\` belongs to another record ${other}.`;
    const hint = "To restore it, free the key and undo again.";
    return [[step, skippedChange(change, "taken-since", message, hint)]];
  });
}

/** Deletes of pixels that links use after these steps. */
function pixelConflicts(steps: readonly UndoStep[], links: readonly Live[]): Conflict[] {
  const gone = new Set(steps.flatMap((step) => (step.action === "restore" ? [] : (step.live ?? []))));
  const restored = new Map(
    steps.flatMap((step) => (step.action === "restore" && step.values.has(PIXELS) ? [[step.live, step] as const] : [])),
  );
  return steps.flatMap((step): Conflict[] => {
    if (step.action !== "delete" || step.live?.kind !== "pixel") return [];
    const name = fold(step.live.key);
    const user = links.find((link) => !gone.has(link) && pixelsOf(restored.get(link) ?? link).includes(name));
    if (user === undefined) return [];
    const message = `is not deleted, because a link uses it: \`${user.key}\`.`;
    const hint = "To delete it, remove it from all links and undo again.";
    return [[step, skippedChange(step.change, "still-used", message, hint)]];
  });
}

/** The names of all pixels after these steps. A recreated pixel has its former id here. */
function pixelsAfter(steps: readonly UndoStep[], live: readonly Live[]): ReadonlyMap<number, string> {
  const names = new Map(live.flatMap(({ kind, id, key }) => (kind === "pixel" ? [[id, key]] : [])));
  for (const { action, change, live: record, key } of steps) {
    const id = action === "recreate" ? change.id : record?.id;
    if (change.kind !== "pixel" || !id) continue;
    if (action === "delete") names.delete(id);
    else if (key !== null) names.set(id, key.key);
  }
  return names;
}

/** The object after the undo, and its live record. References that no longer exist are added to `losses`. */
function claimOf(step: UndoStep, account: Account, pixels: ReadonlyMap<number, string>, losses: Loss[]): Claim {
  const { change, live, secrets } = step;
  const { kind, key, place, before } = change;
  const lose = (message: string): void => void losses.push({ kind, key, message, place });
  const named = step.key ?? live;
  if (named === null) throw new Error(`${key} would be created without a key`);
  const values = new Map(step.values);
  for (const path of [KEY_FIELD[kind], REFERENCE_FIELD.domain]) {
    const current = step.action === "restore" ? live?.values.get(path) : undefined;
    if (current !== undefined && !values.has(path)) values.set(path, current);
  }
  const [space] = before?.references.get(REFERENCE_FIELD.space) ?? [];
  if (values.has(REFERENCE_FIELD.space) && space !== undefined && account.shown("space", space) === undefined) {
    values.set(REFERENCE_FIELD.space, null);
    lose(`the space \`${space.name}\`, which linkform did not find in this account.`);
  }
  const used = before?.references.get(PIXELS);
  if (values.has(PIXELS) && used !== undefined) {
    const found = used.flatMap(({ id, name }) => {
      const own = pixels.get(id);
      if (own !== undefined) return own;
      const [otherId, other] = [...pixels].find(([, one]) => fold(one) === fold(name)) ?? [];
      lose(
        other === undefined
          ? `the pixel \`${name}\`, which no longer exists.`
          : `the pixel \`${name}\` (id ${id}). The link gets the pixel \`${other}\` (id ${otherId}) instead.`,
      );
      return other ?? [];
    });
    values.set(PIXELS, [...new Set(found)].toSorted(compareText));
  }
  const isRenamed = live !== null && live.identity !== named.identity;
  const desired: Desired = {
    kind,
    identity: named.identity,
    key: named.key,
    values,
    fields: new Map(),
    secrets: new Map(secrets.map(({ path, variable }) => [path, { from: "env", name: variable, place }])),
    unspecified: step.action === "restore" ? "keep" : "reset",
    place,
    renamedFrom: isRenamed ? { identity: live.identity, key: live.key, place } : null,
    protect: null,
    utm: new Map(),
    owners: [],
    reviewBy: null,
    note: null,
  };
  return { desired, live: live ?? undefined, isRenamed };
}

function tombstoneOf(
  { identity, key }: Identified,
  { kind, place }: RecordedChange,
  live: Live | null,
): ResolvedTombstone {
  const tombstone = { kind, domain: null, name: key, id: live?.id ?? null, place };
  return { identity, key, tombstone, live };
}
