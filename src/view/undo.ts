// What an undo says besides its plan: what can't come back, what is left as it is, and what the files still say.

import type { Plan, Zones } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { LeftAlone, Loss, ReceiptChange } from "../domain/receipt.ts";
import { showWords, wordChanges } from "./values.ts";

/** What an undo is about. */
export interface UndoSummary {
  /** The receipt, as a person names it. */
  readonly receipt: string;
  /** When the changes that it holds were made, as an instant in canonical form. */
  readonly at: string;
  /** Whether that run came to its end. */
  readonly isEnded: boolean;
  /** How many it holds, and how many of them are taken back already, or were never made. */
  readonly changes: number;
  readonly alreadyUndone: number;
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** The places of the changes that the undo makes: what is left of their objects is a part. */
  readonly restored: ReadonlySet<Place>;
  /** Files that still ask for what was taken back, with the keys that they ask it for. */
  readonly files: readonly ContradictingFile[];
  /** How many changes the files ask for that this undo does not make. */
  readonly pending: number;
}

export interface ContradictingFile {
  readonly file: string;
  readonly keys: readonly string[];
}

/** An undo as JSON shows it. */
export interface UndoDocument {
  receipt: string;
  at: string;
  ended: boolean;
  changes: number;
  already: number;
  lost: { kind: Loss["kind"]; key: string; message: string }[];
  left: {
    kind: Loss["kind"];
    key: string;
    previous_key: string | null;
    code: string;
    message: string;
    hint: string | null;
    /** The fields that are not restored; empty where the whole object is left. */
    fields: string[];
  }[];
  files: { file: string; keys: string[] }[];
}

/** The same as a document. */
export function undoDocument({
  receipt,
  at,
  isEnded,
  changes,
  alreadyUndone: already,
  losses,
  left,
  files,
}: UndoSummary): UndoDocument {
  return {
    receipt,
    at,
    ended: isEnded,
    changes,
    already,
    lost: losses.map(({ kind, key, message }) => ({ kind, key, message })),
    left: left.map(({ previousKey, ...one }) => ({
      kind: one.kind,
      key: one.key,
      previous_key: previousKey,
      code: one.code,
      message: one.message,
      hint: one.hint,
      fields: [...one.paths],
    })),
    files: files.map(({ file, keys }) => ({ file, keys: [...keys] })),
  };
}

/** What is left, its message with both values of what differs. */
export function addValues(left: LeftAlone, zones: Zones): LeftAlone {
  const words = left.fields.flatMap((field) => wordChanges(left.kind, field, zones, false));
  if (words.length === 0) return left;
  const said = words.map(({ path, before, after }) => {
    const [then, now] = showWords(before, after);
    return `\`${path}\` was ${then} after the apply and is ${now} now`;
  });
  return { ...left, message: `${left.message} ${said.join("; ")}.` };
}

/** What is left, and what only live tells, as warnings. */
export function undoFindings(left: readonly LeftAlone[], doubtful: readonly ReceiptChange[]): Diagnostic[] {
  return [
    ...left.map(({ code, message, place, hint }) => warning(code, message, place, hint)),
    ...doubtful.map(({ key, place }) =>
      warning(
        "in-doubt",
        `Whether that run made \`${key}\` is not known: it is as the run would have made it, and is taken for its own.`,
        place,
        "If it is somebody else's, leave it out with --exclude.",
      ),
    ),
  ];
}

/** What the planner says of files that are not what is planned. */
const FILE_CODES: ReadonlySet<string> = new Set([
  "protects-nothing",
  "kept",
  "rename-done",
  "rename-of-nothing",
  "tombstone-spent",
]);

/** What the lines of a receipt can't be corrected for. */
const EXCLUDABLE_CODES: ReadonlySet<string> = new Set([
  "pixel-in-use",
  "pixel-users-unknown",
  "circular-wait",
  "too-many-variables",
  "group-too-large",
]);

/** What the planner has to say, in the words of an undo. */
export function undoDiagnostics({ diagnostics }: Pick<Plan, "diagnostics">, receipt: string): Diagnostic[] {
  return diagnostics.flatMap((one) => {
    if (FILE_CODES.has(one.code)) return [];
    if (one.code === "no-such-key")
      return [{ ...one, message: one.message.replace("that the files name", `that is taken back of ${receipt}`) }];
    return [EXCLUDABLE_CODES.has(one.code) ? { ...one, hint: "To undo the rest, leave it out with --exclude." } : one];
  });
}
