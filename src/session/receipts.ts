// The interface that a run writes its receipt through. `undo/` implements it.

import type { Outcome } from "../apply/outcome.ts";
import type { Plan, Change } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { UserError } from "../errors.ts";

/** The project and account of a receipt. */
export interface ReceiptAbout {
  readonly plan: Plan;
  readonly state: Pick<LiveState, "links" | "pixels">;
  readonly baseUrl: string;
  /** The name of the project file. */
  readonly project: string;
  readonly command: Receipt["command"];
  readonly version: string;
  readonly at: string;
}

/** The results of a plan. `ids` has all stored records, also those that failed later. */
export interface ReceiptEnd {
  readonly outcomes: readonly Outcome[];
  readonly ids: ReadonlyMap<Change, number>;
}

/** Whether a run writes a receipt, and where. */
export interface ReceiptFlags {
  /** The file to write; false for none, absent for one in the project folder. */
  readonly receipt?: string | false;
}

/** A receipt whose first version is written. */
export interface ReceiptFile {
  /** Its path, relative to the working directory if it is below it. */
  readonly shown: string;
  /** Adds the results. Returns an error if they cannot be written; the first version stays. */
  end(end: ReceiptEnd): UserError | null;
}

export interface Receipts {
  /** Writes the receipt before the first change; null if none is wanted. Throws a user error if it cannot be written. */
  readonly begin: (about: Omit<ReceiptAbout, "version" | "at">, folder: string) => Promise<ReceiptFile | null>;
}
