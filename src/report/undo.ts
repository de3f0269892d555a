// What the report of an undo has in addition to its plan: losses, skipped changes, and files that contradict it.

import type { FieldChange, Plan, Zones } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { UndoDocument } from "./json/schema.ts";
import { fieldWords } from "./values.ts";

export type Loss = Readonly<UndoDocument["lost"][number]> & { readonly place: Place };

/** A change that an undo skips, in whole or for some fields. */
export type SkippedChange = Readonly<Omit<UndoDocument["left"][number], "partly">> & { readonly place: Place };

export function sinceText(kind: ResourceKind, since: readonly FieldChange[], zones: Zones): string {
  return fieldWords({ zones }, { kind }, since)
    .map(({ path, before, after }) => `\`${path}\` was ${before} after the apply and is ${after} now`)
    .join("; ");
}

export function undoFindings(
  skipped: readonly SkippedChange[],
  unconfirmed: readonly { readonly key: string; readonly place: Place }[],
): Diagnostic[] {
  return [
    ...skipped.map(({ code, message, place, hint }) => warning(code, message, place, hint)),
    ...unconfirmed.map(({ key, place }) =>
      warning(
        "in-doubt",
        `It is unknown whether that run changed \`${key}\`. It is in the state that the run would have left, so the undo includes it.`,
        place,
        "If somebody else made this change, skip it with --exclude.",
      ),
    ),
  ];
}

/** Diagnostics that an undo can only avoid by excluding the object, because a record cannot be corrected. */
const EXCLUDABLE = /^(pixel-in-use|pixel-users-unknown|date-twice|unreadable-row|too-many-variables|group-too-large)$/;

export function undoDiagnostics(
  { diagnostics }: Pick<Plan, "diagnostics">,
  { file, changes }: { readonly file: string; readonly changes: readonly { key: string; place: Place }[] },
): Diagnostic[] {
  const keys = new Map(changes.map(({ key, place }) => [place, key]));
  return diagnostics.flatMap((one) => {
    // An undo plans no blocks of the files, which a glob may protect.
    if (one.code === "protects-nothing") return [];
    if (one.code === "no-such-key")
      return [{ ...one, message: one.message.replace("that the files name", `that ${file} would undo`) }];
    const key = one.place && keys.get(one.place);
    const isExcludable = key && one.severity === "error" && EXCLUDABLE.test(one.code);
    return [isExcludable ? { ...one, hint: `To undo the rest, skip \`${key}\` with --exclude.` } : one];
  });
}
