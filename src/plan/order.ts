// In which order changes are made, which wait for which, and in which order people see them.

import type { Change } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { compareText } from "../domain/place.ts";
import type { ResourceKind } from "../domain/table.ts";

/** Top-down: a level begins when the one before it is done; within a level changes run side by side. */
export const LEVELS: readonly { readonly kind: ResourceKind; readonly actions: readonly Change["action"][] }[] = [
  { kind: "pixel", actions: ["create", "update"] },
  { kind: "link", actions: ["create", "update", "replace"] },
  { kind: "link", actions: ["delete"] },
  { kind: "pixel", actions: ["delete"] },
];

/** The order in which plans are shown: what breaks a short URL first, then pixels, then links, each by key. */
export function compareForShow(a: Change, b: Change): number {
  return Number(b.breaksUrl) - Number(a.breaksUrl) || compareText(b.kind, a.kind) || compareText(a.key, b.key);
}

/**
 * The changes that must have succeeded before this one: a link waits for the pixels it uses and that are created here, a
 * pixel is deleted after the links that let go of it.
 */
export function dependenciesOf(change: Change, all: readonly Change[]): Change[] {
  if (change.kind === "link") {
    if (change.action === "delete") return [];
    const used = new Set(namesIn(change.desired.values.get("pixels")));
    return all.filter((other) => other.kind === "pixel" && other.action === "create" && used.has(fold(other.key)));
  }
  if (change.action !== "delete") return [];
  const name = fold(change.live.key);
  return all.filter(
    (other) =>
      other.kind === "link" && other.action !== "create" && namesIn(other.live.values.get("pixels")).includes(name),
  );
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((name) => fold(String(name))) : [];
}
