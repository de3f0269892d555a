// YAML files that are edited in place: everything else stays byte for byte, with comments and order.

import { isAlias } from "yaml";
import type { Place } from "../domain/place.ts";
import { blockFields, fieldAt, SECTION, type ResourceKind } from "../domain/table.ts";
import type { Block, YamlContent } from "./yaml-text.ts";
import { Changes } from "./changes.ts";
import { keepAnchors } from "./anchors.ts";
import { commentLine, freshOf, contentLines } from "./fresh.ts";
import { FileLayout } from "./layout.ts";
import { TextLines } from "./lines.ts";
import { itemsByKey } from "./sections.ts";
import { Structure } from "./structure.ts";
import { Syntax, type SequenceItem } from "./syntax.ts";
import { ValueWriter } from "./values.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** A file's text and the changes to it. */
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
  readonly #items: ReadonlyMap<number, SequenceItem>;

  /** `text` as it was read: it may begin with a byte order mark. It must have parsed without errors. */
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

  /** The text with all changes made so far. Places are always those of the text as it was read. */
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

  /** Whether the block whose key stands at a place says something at this path itself: not by `defaults`, nor as an alias of another. */
  has(place: Place, path: readonly string[]): boolean {
    const item = this.#itemAt(place);
    return !isAlias(item.value) && this.#values.childAt({ item }, path) !== null;
  }

  /**
   * Makes what stands at a path of a block say `content`, with the fewest changes. What is missing is added behind the last
   * sibling that comes before it in `order` (names at its level), or at the end. Throws for a block that is an alias as a whole.
   */
  set(place: Place, path: readonly string[], content: YamlContent, order: readonly string[] | null = null): void {
    const item = this.#itemAt(place);
    if (isAlias(item.value))
      throw new Error(`the block at ${place.line}:${place.column} is an alias: it can only be replaced`);
    const kind = kindOf(item);
    const isSet = fieldAt(kind, path.join("."))?.kind === "references";
    const known = this.#values.childAt({ item }, path);
    if (known !== null && !this.#values.isBelowAlias({ item }, path)) return this.#values.assign(known, content, isSet);
    const name = path.at(-1) ?? "";
    let slot = this.#values.childOrNew(
      { item },
      path.length > 1 ? (path[0] ?? "") : name,
      path.length > 1 ? headsOf(kind) : order,
    );
    for (const [index, step] of path.slice(1).entries())
      slot = this.#values.childOrNew(slot, step, index === path.length - 2 ? order : null);
    this.#values.assign(slot, content, isSet);
  }

  /** Takes a key out of a block, with the comment on its line; a group that becomes empty goes as well. */
  unset(place: Place, path: readonly string[]): void {
    const item = this.#itemAt(place);
    if (!isAlias(item.value)) this.#values.drop({ item }, path);
  }

  /** Writes a block anew as a whole. */
  replace(place: Place, block: Block): void {
    this.#changes.replace(this.#itemAt(place), freshOf(block));
  }

  /** Whether a block is written out: false where it is an alias of another. */
  isOwn(place: Place): boolean {
    return !isAlias(this.#itemAt(place).value);
  }

  /** Writes out what a block says by aliases below these keys, or as a whole, so that it is its own. */
  writeOut(place: Place, names: ReadonlySet<string>): void {
    this.#values.writeOut(this.#itemAt(place), names);
  }

  /** Gives a block another key. */
  rename(place: Place, key: string): void {
    this.#changes.rename(this.#itemAt(place), key);
  }

  /** Removes a block or a tombstone with its comments, and a section that becomes empty. */
  remove(place: Place): void {
    this.#changes.remove(this.#itemAt(place), "with comments above");
  }

  /**
   * Adds a block beside the one whose key stands at a place, or at the end of the last document that has such blocks. Several at
   * the same spot stand in the order of the calls. `comment`: a line above it.
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

  /** Turns a block into a tombstone of the same document; the comments around it and in it move there. */
  addTombstone(place: Place, kind: ResourceKind, key: string, id: number | null): void {
    this.#structure.addTombstone(this.#itemAt(place), SECTION[kind], key, id);
  }

  #itemAt({ file, line, column }: Place): SequenceItem {
    const offset = (this.#lineStarts[line - 1] ?? NaN) + column - 1;
    const item = file === this.#file ? this.#items.get(offset) : undefined;
    if (item === undefined) throw new Error(`no block and no tombstone stands at ${file}:${line}:${column}`);
    return item;
  }
}

function kindOf({ of: { parent } }: SequenceItem): ResourceKind {
  return parent?.name === SECTION.pixel ? "pixel" : "link";
}

/** The keys of a block in the order of its fields. */
function headsOf(kind: ResourceKind): string[] {
  return [...new Set(blockFields(kind).map(({ path }) => path.split(".")[0] ?? path))];
}

export class EditedFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #open = new Map<string, EditedFile>();

  /** `texts`: of every file, by its path relative to the project folder, without byte order marks. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** The file in which a place is. */
  at({ file }: Pick<Place, "file">): EditedFile {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    const text = this.#texts.get(file);
    if (text === undefined) throw new Error(`the file ${file} was not read`);
    const opened = new EditedFile(text, file);
    this.#open.set(file, opened);
    return opened;
  }

  /** The texts of the files that are not as they were. */
  changed(): Map<string, string> {
    return new Map([...this.#open].flatMap(([file, edited]) => (edited.isChanged ? [[file, edited.text]] : [])));
  }
}
