// What a run needs of receipts. `undo/` has the files and their contents.

import type { Outcome } from "../apply/outcome.ts";
import type { Plan, Change } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { UserError } from "../errors.ts";

/** What a receipt is about. */
export interface ReceiptAbout {
  readonly plan: Plan;
  readonly state: Pick<LiveState, "links" | "pixels">;
  readonly baseUrl: string;
  /** The project file's name. */
  readonly project: string;
  readonly command: Receipt["command"];
  readonly version: string;
  readonly at: string;
}

/** What became of a plan: `ids` are those of the rows that were stored, also of such as failed later. */
export interface ReceiptEnd {
  readonly outcomes: readonly Outcome[];
  readonly ids: ReadonlyMap<Change, number>;
}

/** Whether a run writes a receipt, and where. */
export interface ReceiptFlags {
  /** The file to write; false for none, left out for one in the project's folder. */
  readonly receipt?: string | false;
}

/** A receipt that was begun. */
export interface ReceiptFile {
  /** Its path as a person would write it. */
  readonly shown: string;
  /** Writes what became of it. Returns what keeps it from being written: the first version stands then. */
  end(end: ReceiptEnd): Promise<UserError | null>;
}

/** Writes the receipts of a command's runs. */
export interface Receipts {
  /** Throws a user error if the receipt would be one of `others`, files that the run also writes. */
  readonly check: (others: readonly string[]) => void;
  /** Writes the receipt before the first change; null if none is wanted. Throws a user error if it cannot be written. */
  readonly begin: (about: Omit<ReceiptAbout, "version" | "at">, folder: string) => Promise<ReceiptFile | null>;
}
