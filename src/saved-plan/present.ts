// The files and the account as they are when a saved plan is applied, found by id and by key, in the words of reports.

import type { Change, Desired, Live, Plan } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/collections.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import { changeDocument, type ChangeDocument } from "../view/document.ts";
import { wordChanges, type Word, type WordChange } from "../view/values.ts";

/** What a saved plan is held against. */
export interface CurrentInput {
  readonly plan: Pick<Plan, "changes" | "withheld" | "zones">;
  readonly desired: readonly Desired[];
  /** Every row that the files or the saved plan speak of, if it is there. */
  readonly live: readonly Live[];
  /** The changes of the plan that must have been made before this one. */
  readonly needs: (change: Change) => readonly Change[];
}

export class CurrentState {
  readonly #zones: Plan["zones"];
  readonly #bySignature: ReadonlyMap<string, Change>;
  readonly #withheld: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, Change>;
  readonly #byKey: ReadonlyMap<string, readonly Change[]>;
  readonly #rowsById: ReadonlyMap<string, Live>;
  readonly #rowsByKey: ReadonlyMap<string, readonly Live[]>;
  readonly #declared: ReadonlySet<string>;

  constructor({ plan, desired, live }: CurrentInput) {
    this.#zones = plan.zones;
    this.#bySignature = new Map(plan.changes.map((change) => [this.#signatureOf(change), change]));
    this.#withheld = new Set(plan.withheld.map(({ change }) => this.#signatureOf(change)));
    this.#byId = new Map(
      plan.changes.flatMap((change) =>
        change.action === "create" ? [] : [[`${change.kind} ${change.live.id}`, change] as const],
      ),
    );
    this.#byKey = groupBy(plan.changes, keyOf);
    this.#rowsById = new Map(live.map((row) => [`${row.kind} ${row.id}`, row]));
    this.#rowsByKey = groupBy(live, keyOf);
    this.#declared = new Set(desired.map(keyOf));
  }

  #signatureOf(change: Change): string {
    return signature(changeDocument(change, { zones: this.#zones }));
  }

  /** The change that does just the same. */
  same(saved: ChangeDocument): Change | undefined {
    return this.#bySignature.get(signature(saved));
  }

  /** Whether the same change is asked for by the files, and left out of the plan. */
  withholds(saved: ChangeDocument): boolean {
    return this.#withheld.has(signature(saved));
  }

  /** The change of the row with this id. */
  changeOf(kind: ResourceKind, id: number | null): Change | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  /** The change that gives this key to something. */
  changeAt(saved: ChangeDocument): Change | undefined {
    return this.#byKey.get(keyOf(saved))?.find(({ action }) => action !== "delete");
  }

  row(kind: ResourceKind, id: number | null): Live | undefined {
    return this.#rowsById.get(`${kind} ${id}`);
  }

  /** The row that has the key of a change. */
  rowAt(saved: ChangeDocument): Live | undefined {
    return this.#rowsByKey.get(keyOf(saved))?.[0];
  }

  declares(saved: ChangeDocument): boolean {
    return this.#declared.has(keyOf(saved));
  }

  /** What a row has, by the paths of the files. */
  wordsOf({ kind, values }: Live): ReadonlyMap<string, Word> {
    const fields = FIELDS[kind].flatMap(({ path }) => {
      const after = values.get(path);
      return after === undefined ? [] : wordChanges(kind, { path, before: undefined, after }, this.#zones, false);
    });
    return new Map(fields.map(({ path, after }) => [path, after]));
  }

  /** The fields of a change. */
  fieldsOf({ action, kind, fields }: Change): WordChange[] {
    return fields.flatMap((field) => wordChanges(kind, field, this.#zones, action === "create"));
  }
}

function keyOf({ kind, key }: { readonly kind: ResourceKind; readonly key: string }): string {
  return `${kind} ${fold(key)}`;
}

/** Whether two words are the same; those of one field have their keys in one order. */
export function sameWord(a: Word | undefined, b: Word | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What makes two changes the same: all that is done, and to which row. */
function signature({ action, kind, key, previous_key, id, fields, stored }: ChangeDocument): string {
  const words = [fields, stored ?? []].map((list) => list.map(({ path, before, after }) => [path, before, after]));
  return JSON.stringify([action, kind, key, previous_key, id, ...words]);
}
