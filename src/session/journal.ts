// The journal of an apply: a file of JSON lines. Each line is on disk before the next request.

import type { Intent, Result } from "../apply/journal.ts";
import type { Outcome } from "../apply/outcome.ts";
import type { Plan } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import { LineFile } from "../files/line-file.ts";
import { codeOf, PathError } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { jsonText } from "../render/json/text.ts";
import { journalDocument, type JournalDocument } from "../render/json/journal.ts";
import { tally } from "../view/document.ts";
import type { World } from "./context.ts";

export interface JournalFile {
  /** Throws a user error if the file cannot be written. So does `write`. */
  begin(plan: Plan, baseUrl: string): void;
  write(plan: Plan, line: Intent | Result): void;
  /** Returns an error if the last line cannot be written. The apply is complete anyway. */
  end(outcomes: readonly Outcome[]): UserError | null;
  close(): void;
}

/** Opens the file for appending. If its last line is partial, the next one begins on a new line. */
export function openJournal(file: string, { cwd, now, version, secrets }: World): JournalFile {
  const unwritable = (cause: unknown): UserError => {
    if (cause instanceof PathError) return cause;
    return new UserError("journal-unwritable", `The journal ${file} cannot be written (${codeOf(cause)}).`, {
      hint: "Free disk space, or correct the path in --journal.",
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
    // On a full disk, a write may succeed partially, and only the next one fails.
    const text = `${gap}${jsonText(secrets.hideIn({ at: now(), ...line }), 0)}\n`;
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
