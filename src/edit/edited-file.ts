// Edits YAML files in place. Text that an edit does not concern stays byte for byte, including comments and order.

import { isAlias } from "yaml";
import { isJsonFile } from "../config/json.ts";
import { LocatedError } from "../config/located-error.ts";
import type { Place } from "../domain/place.ts";
import type { Declaration } from "../domain/project.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import type { Block, YamlContent } from "./yaml-text.ts";
import { Changes } from "./changes.ts";
import { keepAnchors } from "./anchors.ts";
import { FamilyBlock } from "./family-block.ts";
import { commentLine, freshOf, contentLines } from "./fresh.ts";
import { FileLayout } from "./layout.ts";
import { TextLines } from "./lines.ts";
import { itemsByKey } from "./sections.ts";
import { Structure } from "./structure.ts";
import { Syntax, type CollectionItem } from "./syntax.ts";
import { setValue, ValueWriter } from "./values.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** Where an object is declared. */
export type DeclaredAt = Pick<Declaration, "place" | "family">;

/** The edits that a block and a link of a family have in common. */
export interface EditedBlock {
  /** Whether the block itself has this path: not through `defaults`, an alias or its family. */
  readonly has: (path: readonly string[]) => boolean;
  readonly set: (path: readonly string[], content: YamlContent, order?: readonly string[] | null) => void;
  readonly unset: (path: readonly string[]) => void;
  /** False for an alias, which can only be replaced. */
  readonly isOwn: boolean;
  readonly remove: () => void;
  /** Removes the block and adds a tombstone. */
  readonly addTombstone: (kind: ResourceKind, key: string, id: number | null) => void;
}

/** A file and the changes to it. */
export class EditedFile {
  readonly #original: string;
  readonly #mark: string;
  readonly #file: string;
  readonly #lines: TextLines;
  readonly #lineStarts: readonly number[];
  readonly #syntax: Syntax;
  readonly #changes = new Changes();
  readonly #values: ValueWriter;
  readonly #structure: Structure;
  readonly #items: ReadonlyMap<number, CollectionItem>;

  /** `text` may begin with a byte order mark. It must be valid YAML. */
  constructor(text: string, file: string) {
    this.#original = text;
    this.#mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    this.#file = file;
    this.#lines = new TextLines(text.slice(this.#mark.length));
    this.#lineStarts = [0, ...[...this.#lines.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.#syntax = new Syntax(this.#lines.text);
    this.#values = new ValueWriter(this.#syntax, this.#changes);
    this.#structure = new Structure(this.#syntax, this.#changes, this.#values, this.#lines);
    this.#items = itemsByKey(this.#syntax);
  }

  /** The text with all changes. Places always refer to the original text. */
  get text(): string {
    const { tail, above } = this.#structure;
    if (this.#changes.isEmpty && tail === null) return this.#original;
    const layout = new FileLayout(this.#syntax, this.#changes, this.#lines);
    for (const root of this.#structure.roots) if (root !== null) layout.layOut(root);
    const { splices } = layout;
    for (const { at, lines } of above) splices.insertLines(at, lines);
    if (tail !== null) splices.insertLines(this.#lines.text.length, contentLines(tail, { indent: "", step: "  " }), 1);
    keepAnchors(this.#lines.text, this.#syntax, splices);
    return this.#mark + splices.apply();
  }

  get isChanged(): boolean {
    return this.text !== this.#original;
  }

  /** Whether a block itself has this path: not through `defaults`, and not through an alias. */
  has(place: Place, path: readonly string[]): boolean {
    const item = this.#itemAt(place);
    return !isAlias(item.value) && this.#values.childAt({ item }, path) !== null;
  }

  /**
   * Sets the value at a path of a block, with the fewest edits. A new key goes after the last sibling before it in `order`, or
   * to the end. Throws for a block that is an alias.
   */
  set(place: Place, path: readonly string[], content: YamlContent, order: readonly string[] | null = null): void {
    const item = this.#itemAt(place);
    if (isAlias(item.value))
      throw new Error(`the block at ${place.line}:${place.column} is an alias: it can only be replaced`);
    setValue(this.#values, { item }, kindOf(item), path, content, order);
  }

  /** Removes a key from a block, with the comment on its line. Removes a group that becomes empty. */
  unset(place: Place, path: readonly string[]): void {
    const item = this.#itemAt(place);
    if (!isAlias(item.value)) this.#values.drop({ item }, path);
  }

  /** The block of a declared object. A link of a family is edited in the family's `each` and `exclude`. */
  block({ place, family }: DeclaredAt): EditedBlock {
    if (family !== undefined)
      return new FamilyBlock(this.#itemAt(place), family.combination, this.#values, this.#structure);
    return {
      has: (path) => this.has(place, path),
      set: (path, content, order = null) => this.set(place, path, content, order),
      unset: (path) => this.unset(place, path),
      isOwn: this.isOwn(place),
      remove: () => this.remove(place),
      addTombstone: (kind, key, id) => this.addTombstone(place, kind, key, id),
    };
  }

  /** Replaces a block. */
  replace(place: Place, block: Block): void {
    this.#changes.replace(this.#itemAt(place), freshOf(block));
  }

  /** Whether a block has its own value: false for an alias. */
  isOwn(place: Place): boolean {
    return !isAlias(this.#itemAt(place).value);
  }

  /** Replaces aliases below these keys, or the whole block if it is an alias, with a copy of their values. */
  writeOut(place: Place, names: ReadonlySet<string>): void {
    this.#values.writeOut(this.#itemAt(place), names);
  }

  /** Changes the key of a block. */
  rename(place: Place, key: string): void {
    this.#changes.rename(this.#itemAt(place), key);
  }

  /** Removes a block or a tombstone with its comments, and a section that becomes empty. */
  remove(place: Place): void {
    this.#changes.remove(this.#itemAt(place), "with comments above");
  }

  /**
   * Adds a block beside another one, or at the end of the last document with such blocks. Blocks at the same spot keep the
   * order of the calls. `comment`: a line above it.
   */
  add(
    kind: ResourceKind,
    key: string,
    block: Block,
    near: { readonly after: Place } | { readonly before: Place } | null,
    comment: string | null = null,
  ): void {
    const entry = { key, value: freshOf(block), comments: comment === null ? [] : [commentLine(comment)] };
    if (near === null) this.#structure.addBlock(SECTION[kind], entry, null);
    else if ("after" in near)
      this.#structure.addBlock(SECTION[kind], entry, { item: this.#itemAt(near.after), side: "after" });
    else this.#structure.addBlock(SECTION[kind], entry, { item: this.#itemAt(near.before), side: "before" });
  }

  /** Replaces a block with a tombstone in the same document, and keeps its comments there. */
  addTombstone(place: Place, kind: ResourceKind, key: string, id: number | null): void {
    this.#structure.addTombstone(this.#itemAt(place), SECTION[kind], key, id);
  }

  #itemAt({ file, line, column }: Place): CollectionItem {
    const offset = (this.#lineStarts[line - 1] ?? NaN) + column - 1;
    const item = file === this.#file ? this.#items.get(offset) : undefined;
    if (item === undefined) throw new Error(`no block and no tombstone stands at ${file}:${line}:${column}`);
    return item;
  }
}

function kindOf({ of: { parent } }: CollectionItem): ResourceKind {
  return parent?.name === SECTION.pixel ? "pixel" : "link";
}

/** A last resort: commands report the objects in JSON files before they edit anything. */
function uneditable(file: string): LocatedError {
  const message = "linkform does not edit JSON files.";
  const hint = "Change the source that generates the file, and generate it again.";
  return new LocatedError("generated-file", message, { file, line: 1, column: 1 }, hint);
}

export class EditedFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #open = new Map<string, EditedFile>();

  /** `texts`: by path relative to the project folder, without byte order marks. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  at({ file }: Pick<Place, "file">): EditedFile {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    if (isJsonFile(file)) throw uneditable(file);
    const text = this.#texts.get(file);
    if (text === undefined) throw new Error(`the file ${file} was not read`);
    const opened = new EditedFile(text, file);
    this.#open.set(file, opened);
    return opened;
  }

  /** The texts of the changed files. */
  changed(): Map<string, string> {
    return new Map([...this.#open].flatMap(([file, edited]) => (edited.isChanged ? [[file, edited.text]] : [])));
  }
}
