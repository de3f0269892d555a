// The lines of a journal as JSON. Values are the plan's words: of a secret only whether it is set.

import type { Intent, Result } from "../../apply/journal.ts";
import type { Change, Plan } from "../../domain/change.ts";
import type { ResourceKind } from "../../domain/table.ts";
import { wordChanges, type Word } from "../../view/values.ts";

/** A line but for its time. `call` ties an intent to its result. */
export type JournalDocument =
  | { event: "begin"; format_version: "1.0"; linkform: string; base_url: string; changes: number }
  | {
      event: "intent";
      call: number;
      does: Intent["does"];
      action: Change["action"];
      kind: ResourceKind;
      key: string;
      id: number | null;
      fields: { path: string; before: Word; after: Word }[];
    }
  | {
      event: "result";
      call: number;
      result: Result["result"];
      id: number | null;
      error: { code: string; message: string } | null;
    }
  | { event: "end"; applied: number; failed: number; skipped: number };

/** The line of a call or of what came of it. */
export function journalDocument({ zones }: Plan, line: Intent | Result): JournalDocument {
  if (line.event === "result") {
    const { event, call, result, id, error } = line;
    return { event, call, result, id, error };
  }
  const { event, call, does, change, id } = line;
  const fields = line.fields.flatMap((field) => wordChanges(change.kind, field, zones, does === "store"));
  return { event, call, does, action: change.action, kind: change.kind, key: change.key, id, fields };
}
