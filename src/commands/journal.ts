// The journal of an apply: a file of JSON lines, appended to, each on disk before the next request.

import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import type { Intent, Result } from "../apply/journal.ts";
import type { Outcome } from "../apply/outcome.ts";
import type { Plan } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import { jsonText } from "../report/json.ts";
import { journalDocument, type JournalDocument } from "../report/journal.ts";
import { tally } from "../report/document.ts";
import type { World } from "./context.ts";

/** Takes down what an apply does. */
export interface JournalFile {
  /** Throws a user error where the file can't be written, and so does `write`. */
  begin(plan: Plan, baseUrl: string): void;
  write(plan: Plan, line: Intent | Result): void;
  /** Returns what keeps the last line from being written: the apply is done all the same. */
  end(outcomes: readonly Outcome[]): UserError | null;
  close(): void;
}

/** Opens the file to append to; where a line was cut in it, behind that line. */
export function openJournal(file: string, { now, version }: World): JournalFile {
  const unwritable = (cause: unknown): UserError => {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    return new UserError("journal-unwritable", `The journal ${file} can't be written (${why}).`, {
      hint: "Make room, or correct --journal.",
      cause,
    });
  };
  const guarded = <Returned>(act: () => Returned): Returned => {
    try {
      return act();
    } catch (cause) {
      throw unwritable(cause);
    }
  };
  const handle = guarded(() => openSync(file, "a", 0o600));
  let gap = isCut(file) ? "\n" : "";
  const append = (line: JournalDocument): void => {
    // Whole, or an error: of a disk that becomes full the system writes what it can, and says so only when asked again.
    const text = `${gap}${jsonText({ at: now(), ...line }, 0)}\n`;
    gap = "\n";
    guarded(() => writeFileSync(handle, text));
    gap = "";
  };
  return {
    begin: (plan, baseUrl) =>
      append({
        event: "begin",
        format_version: "1.0",
        linkform: version,
        base_url: baseUrl,
        changes: plan.changes.length,
      }),
    write: (plan, line) => append(journalDocument(plan, line)),
    end: (outcomes) => {
      try {
        append({ event: "end", ...tally(outcomes) });
        return null;
      } catch (cause) {
        return cause instanceof UserError ? cause : unwritable(cause);
      }
    },
    close: () => closeSync(handle),
  };
}

/** Whether the last line of a file was cut: the disk was full. What may not be read is taken for whole. */
function isCut(file: string): boolean {
  try {
    const { size } = statSync(file);
    if (size === 0) return false;
    const reader = openSync(file, "r");
    const last = Buffer.alloc(1);
    readSync(reader, last, 0, 1, size - 1);
    closeSync(reader);
    return last.toString() !== "\n";
  } catch {
    return false;
  }
}
