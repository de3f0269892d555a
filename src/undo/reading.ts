// What has to be read of the account before an undo can be told.

import type { BrakeSettings, Declaration, Declared, Project, SecretSource, Tombstone } from "../domain/project.ts";
import type { KeyOfRow, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS } from "../domain/table.ts";
import { heldAt } from "./live.ts";
import { UndoNames } from "./names.ts";
import { policyOf, wallOf } from "./policy.ts";

/**
 * A project in which every key that the receipt names, before and after, is declared, and every row that may go has a tombstone. What the files
 * name is read as well where the brake may take a share of it.
 */
export function undoReading(receipt: Receipt, files: Project): Project {
  const names = new UndoNames([], files, null);
  const domainOf = ({ domain }: KeyOfRow): string | null =>
    domain === null || domain.id === null ? null : names.text("domain", domain.id);
  const declared = receipt.changes.flatMap((change): Declaration[] => {
    const fields = formerFields(change, names);
    return [change.was, change.is].flatMap((key) =>
      key === null
        ? []
        : [{ ...EMPTY, kind: change.kind, domain: domainOf(key), name: key.name, place: change.place, fields }],
    );
  });
  const buried = receipt.changes.flatMap(({ kind, is, newId, place }): Tombstone[] =>
    is === null ? [] : [{ kind, domain: domainOf(is), name: is.name, id: newId, place }],
  );
  const policy = policyOf(files, names);
  if (!mayTripBrake(receipt, files.policy.brake)) return { ...policy, declarations: declared, tombstones: buried };
  return {
    ...policy,
    domains: files.domains,
    spaces: files.spaces,
    declarations: [...files.declarations, ...declared],
    tombstones: [...files.tombstones, ...buried],
  };
}

/** Whether there are more changes than any brake lets through without a look at what else there is. */
function mayTripBrake({ changes }: Receipt, { deletes, from }: BrakeSettings): boolean {
  const least = Math.min(
    ...Object.values(deletes).map((limit) => ("share" in limit ? Math.floor(limit.share * from) : Infinity)),
  );
  return changes.length >= from || changes.length > least;
}

/** What names a space or a date: these are asked for where the links don't tell. */
function formerFields({ kind, before, place }: ReceiptChange, names: UndoNames): ReadonlyMap<string, Declared> {
  const fields = new Map<string, Declared>();
  for (const row of FIELDS[kind]) {
    const held = before === null ? undefined : heldAt(before, row.path);
    if (held === undefined) continue;
    if ("value" in held) {
      if (row.kind === "instant") fields.set(row.path, { value: wallOf(held.value), place });
    } else if (row.kind === "reference") {
      const id = held.pointers[0]?.id ?? null;
      if (id !== null) fields.set(row.path, { value: names.text(row.to, id), place });
    }
  }
  return fields;
}

const EMPTY = {
  secrets: new Map<string, SecretSource>(),
  unspecified: "keep",
  renamedFrom: null,
  protect: null,
} as const;
