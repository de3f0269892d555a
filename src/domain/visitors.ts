// Whether people who follow a short link meet a change.

import type { Update, Change } from "./change.ts";
import { ENDING_FLAGS, fieldAt, GROUPS } from "./table.ts";

/** How a change ends a short URL; null where it ends none. */
export function endingOf(change: Change): "delete" | "replace" | "rename" | "disable" | "expire" | null {
  if (!change.breaksUrl || change.action === "create") return null;
  if (change.action !== "update") return change.action;
  if (change.reason === "renamed") return "rename";
  const isDisabled = change.fields.some(({ path, after }) => ENDING_FLAGS.includes(path) && after === true);
  const isLimited = change.fields.some(({ path }) => fieldAt(change.kind, path)?.opens?.when === "expired");
  return isLimited && !isDisabled ? "expire" : "disable";
}

/**
 * Whether the visitors of a link that is live will notice: its short URL stops answering as it did, or something that
 * they meet changes. Nobody has met a new link yet, nor what a target group says that is not in force.
 */
export function isNoticed(change: Change): boolean {
  if (change.breaksUrl) return true;
  return change.action === "update" && change.fields.some(({ path }) => isMet(change, path));
}

function isMet(change: Update, path: string): boolean {
  if (fieldAt(change.kind, path)?.visitors !== true) return false;
  const [group = "", member = ""] = path.split(".");
  const active = GROUPS[group]?.active ?? null;
  if (active === null || path === active) return true;
  const { live, desired } = change;
  const before = live.values.get(active);
  return [before, desired.values.get(active) ?? before].some((word) => word === undefined || word === member);
}
