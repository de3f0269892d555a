// Edits one link of a family: its differences are entries of `each`, and its removal is an entry of `exclude`.

import type { Combination } from "../domain/project.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import type { EditedBlock } from "./edited-file.ts";
import type { Fresh, FreshMap } from "./fresh.ts";
import type { Structure } from "./structure.ts";
import type { CollectionItem } from "./syntax.ts";
import { setValue, type Slot, type ValueWriter } from "./values.ts";
import type { YamlContent } from "./yaml-text.ts";

/** New keys go to the end of the family, in this order. */
const KEY_ORDER: readonly string[] = ["exclude", "each"];

/** A link of the family in `item`. */
export class FamilyBlock implements EditedBlock {
  readonly #item: CollectionItem;
  readonly #combination: Combination;
  readonly #values: ValueWriter;
  readonly #structure: Structure;

  constructor(item: CollectionItem, combination: Combination, values: ValueWriter, structure: Structure) {
    this.#item = item;
    this.#combination = combination;
    this.#values = values;
    this.#structure = structure;
  }

  /** Whether the link's own entry of `each` has this path. */
  has(path: readonly string[]): boolean {
    const own = this.#ownEntry();
    return own !== null && this.#values.childAt(own, path) !== null;
  }

  set(path: readonly string[], content: YamlContent, order: readonly string[] | null = null): void {
    setValue(this.#values, this.#ownEntry() ?? this.#addEntry(), "link", path, content, order);
  }

  unset(path: readonly string[]): void {
    const own = this.#ownEntry();
    if (own === null) return;
    const isLast = this.#values.namesIn(own).every((name) => name === "when" || name === path[0]);
    if (isLast && path.length === 1) this.#dropEntry(own);
    else this.#values.drop(own, path);
  }

  /** Entries of `each` can always be added. */
  get isOwn(): boolean {
    return true;
  }

  remove(): void {
    const own = this.#ownEntry();
    if (own !== null) this.#dropEntry(own);
    this.#writeOutAlias();
    const list = this.#values.childOrNew({ item: this.#item }, "exclude", KEY_ORDER);
    this.#values.addItem(list, this.#inline());
  }

  addTombstone(kind: ResourceKind, key: string, id: number | null): void {
    this.remove();
    this.#structure.addTombstoneBeside(this.#item, SECTION[kind], key, id);
  }

  #dropEntry(own: Slot): void {
    const list = this.#values.child({ item: this.#item }, "each");
    if (list !== null) this.#values.dropItem(list, own);
  }

  /** The entry for exactly this combination, if no later entry can override it. */
  #ownEntry(): Slot | null {
    const list = this.#values.child({ item: this.#item }, "each");
    if (list === null || this.#values.isReadOnly(list)) return null;
    const last = this.#values.itemsIn(list).findLast((one) => this.#matches(one));
    if (last === undefined || this.#values.isReadOnly(last)) return null;
    return this.#conditions(last).length === this.#combination.length ? last : null;
  }

  #matches(entry: Slot): boolean {
    const values = new Map(this.#combination);
    const conditions = this.#conditions(entry);
    return conditions.length > 0 && conditions.every(([dimension, value]) => values.get(dimension) === value);
  }

  #conditions(entry: Slot): [dimension: string, value: string][] {
    const when = this.#values.child(entry, "when");
    if (when === null) return [];
    return this.#values.namesIn(when).map((name) => [name, this.#values.textAt(when, name) ?? ""]);
  }

  #addEntry(): Slot {
    this.#writeOutAlias();
    const list = this.#values.childOrNew({ item: this.#item }, "each", KEY_ORDER);
    const value: FreshMap = {
      type: "map",
      entries: [{ key: "when", value: this.#inline(), comments: [] }],
      inline: true,
    };
    return this.#values.addItem(list, value);
  }

  /** An alias of another family becomes a copy, so that the other family does not change. */
  #writeOutAlias(): void {
    if (this.#values.isReadOnly({ item: this.#item })) this.#values.writeOut(this.#item, null);
  }

  #inline(): Fresh {
    const entries = this.#combination.map(([key, value]) => ({
      key,
      value: { type: "scalar", value } as const,
      comments: [],
    }));
    return { type: "map", entries, inline: true };
  }
}
