// The journal of an apply: a file of JSON lines, appended to, each on disk before the next request.

import type { Intent, Result } from "../apply/journal.ts";
import type { Outcome } from "../apply/outcome.ts";
import type { Plan } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import { LineFile } from "../files/line-file.ts";
import { PathError } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { jsonText } from "../render/json/text.ts";
import { journalDocument, type JournalDocument } from "../render/json/journal.ts";
import { tally } from "../view/document.ts";
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
export function openJournal(file: string, { cwd, now, version }: World): JournalFile {
  const unwritable = (cause: unknown): UserError => {
    if (cause instanceof PathError) return cause;
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
  const lines = guarded(() => new LineFile(locateNamed(cwd, file), "end", 0o600));
  let gap = lines.isCut ? "\n" : "";
  const append = (line: JournalDocument): void => {
    // Whole, or an error: of a disk that becomes full the system writes what it can, and says so only when asked again.
    const text = `${gap}${jsonText({ at: now(), ...line }, 0)}\n`;
    gap = "\n";
    guarded(() => lines.write(text));
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
    close: () => lines.close(),
  };
}
