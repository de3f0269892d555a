// What a cell means may show in the other cells of its column: which sign stands between items, whether the day or the month comes first.

import { orderOf, type DateOrder } from "./dates.ts";
import type { MappedColumn } from "./mapping.ts";
import type { Sheet } from "./sheet.ts";
import { presenceOf, separatorOf } from "./values.ts";

/** What the cells of a column have in common, so that each can be read. */
export interface Habit {
  readonly separator: RegExp;
  readonly order: DateOrder | null;
  /** Its cells say only whether there is a secret. */
  readonly isPresence: boolean;
}

/** The habit of a column; `dateOrder`: what a person says of its dates, null where nobody does. */
export function habitOf({ rows }: Sheet, { index, target }: MappedColumn, dateOrder: DateOrder | null): Habit {
  const kind = target?.to === "field" ? target.row.kind : null;
  const cells =
    kind === "references" || kind === "instant" || kind === "secret"
      ? rows.flatMap((row) => (row.cells[index] === "" ? [] : (row.cells[index] ?? [])))
      : [];
  return {
    separator: separatorOf(cells),
    order: kind === "instant" ? (dateOrder ?? orderOf(cells)) : null,
    isPresence: kind === "secret" && cells.every((cell) => presenceOf(cell) !== null),
  };
}
