// What is done about a change of a receipt, as data.

import type { LiveRecord } from "../domain/live.ts";
import type { LeftAlone, Loss, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import type { Held } from "./live.ts";

/** The variables that hold secrets, by the path of the field. */
export type UndoSecrets = ReadonlyMap<string, string>;

/** A row is deleted; or gets former values, and its former key where `name` is not null; or a former object is made again. */
export type UndoStep =
  | { readonly does: "remove"; readonly change: ReceiptChange; readonly row: LiveRecord }
  | {
      readonly does: "restore";
      readonly change: ReceiptChange;
      readonly row: LiveRecord;
      readonly fields: ReadonlyMap<string, Held>;
      readonly name: string | null;
      readonly secrets: UndoSecrets;
      /** Secrets that are set now are sent all the same. */
      readonly isResent: boolean;
    }
  | {
      readonly does: "make";
      readonly change: ReceiptChange;
      /** The row that goes when the former one is there again; null where there is none. */
      readonly row: LiveRecord | null;
      readonly former: Snapshot;
      readonly secrets: UndoSecrets;
    };

/** What is done about a change, what can't come back with it, and what is left. Without a step and without what is left it is taken back already. */
export interface Decision {
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** Whether the apply did this is told from live alone. */
  readonly isDoubtful: boolean;
}

export interface DecideOptions {
  /** What has been changed since is overwritten, and what would come back open comes back. */
  readonly force: boolean;
  readonly variableFor: (change: ReceiptChange, path: string) => Variable;
  /** The account's zone, where it is known. */
  readonly accountZone: string | null;
}

/** A variable that may hold a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

/** Nothing is done, and nothing is left. */
export const NOTHING: Decision = { step: null, losses: [], left: [], isDoubtful: false };

/** Something is left as it is, and nothing done. */
export function leave(left: LeftAlone): Decision {
  return { ...NOTHING, left: [left] };
}
