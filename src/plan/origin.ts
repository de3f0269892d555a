// The origin of a change, from the declared state at the base, the declared state now and the live state.

import type { Change, Delete, Desired, Origin, Replace, Update } from "../domain/change.ts";
import { fieldAt } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { tombstoneKey, type ResolvedBase } from "./base.ts";
import { storedFields, wantedValue } from "./compare.ts";

/**
 * For each field, B is declared at the base, D is declared now, and L is live. D and L differ:
 *
 *     B = D          drift: the files have not changed, so the live state has. Pending, if a rename of the base
 *                    has not been applied to the object
 *     B = L          declared here: the files have changed, the live state has not
 *     all differ     both
 *     no B           declared here
 *
 * A create or delete is pending if the base asked for it. A merged value that is not applied yet looks like a manual change, unless the
 * base is the last commit that was applied.
 */
export function originOf(change: Change, base: ResolvedBase, now: string): Origin {
  if (change.action === "create") return originOfCreate(change.desired, base);
  return change.action === "delete" ? originOfDelete(change, base) : originOfFields(change, base, now);
}

function originOfCreate(desired: Desired, base: ResolvedBase): Origin {
  const then = base.desired.get(desired.identity);
  if (then === undefined) return "declared here";
  const [before, after] = [storedFields(then), storedFields(desired)];
  const isSame =
    before.length === after.length &&
    after.every((field) =>
      before.some(({ path, after: value }) => path === field.path && sameValue(value, field.after)),
    );
  return isSame ? "pending" : "declared here";
}

function originOfDelete({ live, reason }: Delete, base: ResolvedBase): Origin {
  // Drift is a new object in the scope of the base. A wider scope, or a new `prune`, is declared here.
  if (reason === "undeclared") return base.records.has(live) || !base.prunes(live) ? "declared here" : "drift";
  const isPending =
    reason === "moved"
      ? [...base.desired.values()].some(({ renamedFrom }) => renamedFrom?.identity === live.identity)
      : reason === "tombstone" && [live.id, null].some((id) => base.tombstones.has(tombstoneKey(live.identity, id)));
  return isPending ? "pending" : "declared here";
}

function originOfFields({ desired, live, fields }: Update | Replace, base: ResolvedBase, now: string): Origin {
  const same = base.desired.get(desired.identity);
  const isRenamed = live.identity !== desired.identity;
  const isPending = isRenamed && same?.renamedFrom?.identity === live.identity;
  const then = isRenamed && !isPending ? base.desired.get(live.identity) : same;
  const found = new Set<Origin>(isRenamed && !isPending ? ["declared here"] : []);
  for (const { path, before, after } of fields) {
    // A secret that is sent again has not changed on either side.
    if (before !== undefined && sameValue(before, after)) continue;
    const field = fieldAt(desired.kind, path);
    const declared = field === undefined || then === undefined ? undefined : wantedValue(field, then, live, now);
    if (declared === undefined || before === undefined) found.add("declared here");
    else if (sameValue(declared, after)) found.add(isPending ? "pending" : "drift");
    else found.add(sameValue(declared, before) || isPending ? "declared here" : "both");
  }
  if (found.has("both") || (found.has("declared here") && found.has("drift"))) return "both";
  return (["declared here", "drift", "pending"] as const).find((origin) => found.has(origin)) ?? "declared here";
}
