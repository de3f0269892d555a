// What no plan may do, whatever the files say.

import type { Change, Delete, Live } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { dependenciesOf } from "./order.ts";

/** A pixel that a live link will still use is not deleted; unmanaged links count as well. */
export function pixelsInUse(changes: readonly Change[], live: readonly Live[]): Diagnostic[] {
  const deletions = changes.filter((change): change is Delete => change.action === "delete" && change.kind === "pixel");
  if (deletions.length === 0) return [];
  const links = live.filter(({ kind }) => kind === "link");
  return deletions.flatMap((change) => {
    const letGo = new Set(
      dependenciesOf(change, changes)
        .filter((other) => !stillUses(other, change.live.key))
        .map((other) => ("live" in other ? other.live : null)),
    );
    const users = links.filter((link) => !letGo.has(link) && usesPixel(link.values.get("pixels"), change.live.key));
    if (users.length === 0) return [];
    const list = users
      .slice(0, 10)
      .map(({ key }) => `\`${key}\``)
      .join(", ");
    const more = users.length > 10 ? ` and ${users.length - 10} more` : "";
    return [
      error(
        "pixel-in-use",
        `The pixel \`${change.key}\` is still used by ${list}${more}.`,
        change.source,
        "Take it out of these links first, or keep it.",
      ),
    ];
  });
}

function stillUses(change: Change, pixel: string): boolean {
  return change.action !== "delete" && usesPixel(change.desired.values.get("pixels") ?? [], pixel);
}

function usesPixel(value: unknown, pixel: string): boolean {
  return Array.isArray(value) && value.some((name) => fold(String(name)) === fold(pixel));
}
