// Short URLs that must go on answering: what would end one is refused, and no flag lifts that.

import type { Base, Change, Desired } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { keyMatcher } from "../domain/glob.ts";
import { showPlace, type Place } from "../domain/place.ts";
import type { Mention } from "../domain/policy.ts";
import type { SettledBase } from "./base.ts";

/** Refuses what makes a protected short URL stop answering, also where the protection stood at the base only. */
export function protectedChanges(
  changes: readonly Change[],
  globs: readonly Mention[],
  desired: readonly Desired[],
  base: (SettledBase & Base) | null,
): Diagnostic[] {
  const breaking = changes.filter(({ breaksUrl }) => breaksUrl);
  if (breaking.length === 0) return [];
  const now = guard(globs, new Map(desired.map((one) => [one.identity, one])));
  const then = base === null ? null : guard(base.protect, base.desired);
  return breaking.flatMap((change) => {
    if (change.action === "create") return [];
    const own = change.action === "delete" ? null : change.desired.protect;
    const present = own ?? now(change);
    const former = then?.(change) ?? null;
    if (present === null && former === null) return [];
    const where =
      present === null ? `${showPlace(former ?? change.source)} at ${base?.ref ?? "the base"}` : showPlace(present);
    const hint =
      present === null
        ? "Lifting it takes a merge of its own: leave this change out, and make it when the other has been applied."
        : "If it is meant, lift the protection in an earlier merge.";
    const message = `\`${change.live.key}\` is protected (${where}), and this would make it stop answering: ${change.action}.`;
    return [error("protected", message, change.source, hint)];
  });
}

/** Says where the row that a change touches is protected; null where it is not. */
function guard(
  globs: readonly Mention[],
  desired: ReadonlyMap<string, Desired>,
): (change: Exclude<Change, { action: "create" }>) => Place | null {
  const matchers = globs.map(({ text, place }) => ({ isMatch: keyMatcher([text]), place }));
  return ({ live }) =>
    desired.get(live.identity)?.protect ?? matchers.find(({ isMatch }) => isMatch(live.key))?.place ?? null;
}
