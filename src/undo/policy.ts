// What of the project's files holds for an undo.

import { showKey, type Project } from "../domain/project.ts";
import type { Value } from "../domain/value.ts";
import { wallTimeOf } from "../domain/zone.ts";
import type { UndoNames } from "./names.ts";

/** Dates are said in it: what they mean is settled, and no file says them. */
const ZONE = "UTC";

/** What the files allow. Nothing is pruned, and what a block protects is named as a glob: no block of the files is in the project. */
export function policyOf(files: Project, names: UndoNames): Omit<Project, "declarations" | "tombstones"> {
  const { policy } = files;
  const blocks = files.declarations.flatMap((block) =>
    block.protect === null ? [] : [{ text: showKey(block), place: block.protect }],
  );
  return {
    file: files.file,
    baseUrl: files.baseUrl,
    software: files.software,
    accountZone: files.accountZone,
    zone: ZONE,
    defaulted: new Set(),
    domains: names.labels("domain"),
    spaces: names.labels("space"),
    policy: { ...policy, prune: { mode: "none", place: null }, protect: [...policy.protect, ...blocks] },
  };
}

/** An instant as files say one. */
export function wallOf(value: Value): Value {
  return typeof value === "string" ? wallTimeOf(value, ZONE) : value;
}
