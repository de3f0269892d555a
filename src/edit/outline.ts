// Where the sections, blocks and tombstones of a file are in its text.

import { parseYaml } from "../config/yaml-errors.ts";
import { entry, type MapNode, type TreeEntry, type TreeNode } from "../config/yaml.ts";
import type { Place } from "../domain/place.ts";
import { SECTION } from "../domain/table.ts";

export const ABSENT = "absent";

/** From `start`, the start of a line, up to `end`, the end of a line without its line break. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface OutlinedDocument {
  readonly root: MapNode;
  /** The end of its lines. */
  readonly limit: number;
  /** The lines of its sections and of their blocks, with comments that are indented more than their keys. Nothing in braces has lines. */
  readonly lines: ReadonlyMap<TreeEntry, LineRange>;
}

/** A block, a family or a tombstone. */
export interface Outlined {
  readonly document: OutlinedDocument;
  /** Its keys from the root, and its position in a list: `["links", "spring"]`, `["absent", "links", 2]`. */
  readonly path: readonly (string | number)[];
  readonly value: TreeNode | null;
  /** Its own lines, if it is edited alone. Tombstones never are. */
  readonly lines: LineRange | null;
}

export class FileOutline {
  readonly text: string;
  readonly lineBreak: string;
  /** The indentation of a level. */
  readonly step: number;
  readonly documents: readonly OutlinedDocument[];
  readonly #starts: readonly number[];
  readonly #byOffset = new Map<number, Outlined>();

  /** `text` is valid YAML without a byte order mark. */
  constructor(text: string, file: string) {
    this.text = text;
    this.lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const roots = parseYaml(text, file).documents.filter((root) => root.type === "map");
    this.documents = roots.map((root) => {
      const limit = this.#endOfDocument(root);
      return { root, limit, lines: this.isFlow(root) ? new Map() : this.#linesIn(root, limit, true) };
    });
    for (const document of this.documents) this.#note(document);
    const sections = this.documents.flatMap(({ root }) => root.entries);
    const steps = sections.flatMap(({ keyPlace, value }) =>
      value.type === "map" && value.entries[0] !== undefined && !this.isFlow(value)
        ? value.entries[0].keyPlace.column - keyPlace.column
        : [],
    );
    this.step = steps.find((one) => one >= 2 && one <= 8) ?? 2;
  }

  offsetOf({ line, column }: Place): number {
    return (this.#starts[line - 1] ?? this.text.length) + column - 1;
  }

  /** The block, family or tombstone whose key is at this place. */
  at(place: Place): Outlined {
    const found = this.#byOffset.get(this.offsetOf(place));
    if (found === undefined) throw new Error(`no block at ${place.file}:${place.line}:${place.column}`);
    return found;
  }

  /** The document that gets blocks without a place: the last one that has the section, or the last one. */
  documentFor(section: string): OutlinedDocument | undefined {
    return this.documents.findLast(({ root }) => root.byKey.has(section)) ?? this.documents.at(-1);
  }

  /** Whether a block itself has a value at this path: not through `defaults`, and not if the block is an alias. */
  has(place: Place, path: readonly string[]): boolean {
    const { value } = this.at(place);
    if (value !== null && this.isAlias(value)) return false;
    let node = value ?? undefined;
    for (const name of path) node = node?.type === "map" ? node.byKey.get(name)?.value : undefined;
    return node !== undefined;
  }

  isAlias({ place }: TreeNode): boolean {
    return this.text[this.offsetOf(place)] === "*";
  }

  /** Whether a map or list is in braces or brackets. */
  isFlow({ place, type }: TreeNode): boolean {
    return type !== "scalar" && /[[{]/.test(this.text[this.offsetOf(place)] ?? "");
  }

  /** The lines of a document in braces. */
  linesOfRoot({ root, limit }: OutlinedDocument): LineRange {
    return this.#linesUpTo(this.lineStart(this.offsetOf(root.place)), limit, 0);
  }

  /** The start of the comments directly above a line that are not indented more than it. */
  startWithComments(start: number): number {
    const indent = this.indentAt(start).length;
    let at = start;
    while (at > 0) {
      const above = this.lineStart(at - 1);
      const column = /^[ \t]*(?=#)/.exec(this.lineAt(above))?.[0].length;
      if (column === undefined || column > indent) break;
      at = above;
    }
    return at;
  }

  lineStart(offset: number): number {
    return offset <= 0 ? 0 : this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The end of a line, before its line break. */
  lineEnd(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    if (at < 0) return this.text.length;
    return this.text[at - 1] === "\r" ? at - 1 : at;
  }

  lineAt(start: number): string {
    return this.text.slice(start, this.lineEnd(start));
  }

  /** The indentation of a line. */
  indentAt(start: number): string {
    return /^ */.exec(this.lineAt(start))?.[0] ?? "";
  }

  nextLine(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    return at < 0 ? this.text.length : at + 1;
  }

  /** The lines of the entries of a block map, and of the blocks in sections. */
  #linesIn({ entries }: MapNode, limit: number, isRoot: boolean): Map<TreeEntry, LineRange> {
    const lines = new Map<TreeEntry, LineRange>();
    for (const [at, one] of entries.entries()) {
      const next = entries[at + 1];
      const end = next === undefined ? limit : this.lineStart(this.offsetOf(next.keyPlace));
      const start = this.lineStart(this.offsetOf(one.keyPlace));
      lines.set(one, this.#linesUpTo(start, end, this.indentAt(start).length));
      const { key, value } = one;
      if (isRoot && key !== ABSENT && value.type === "map" && !this.isFlow(value) && !this.isAlias(value))
        for (const [block, range] of this.#linesIn(value, end, false)) lines.set(block, range);
    }
    return lines;
  }

  #linesUpTo(start: number, limit: number, indent: number): LineRange {
    let end = this.lineEnd(start);
    for (let at = this.nextLine(start); at < limit; at = this.nextLine(at)) {
      const [, space = "", first = ""] = /^([ \t]*)(.?)/.exec(this.lineAt(at)) ?? [];
      if (first !== "" && (first !== "#" || space.length > indent)) end = this.lineEnd(at);
    }
    return { start, end };
  }

  #endOfDocument(root: MapNode): number {
    const last = this.offsetOf(root.entries.at(-1)?.keyPlace ?? root.place);
    const marker = /^(?:---|\.\.\.)(?=\s|$)/m;
    const from = this.nextLine(last);
    const at = this.text.slice(from).search(marker);
    return at < 0 ? this.text.length : from + at;
  }

  #note(document: OutlinedDocument): void {
    const noteIn = (path: readonly (string | number)[], node: TreeNode | undefined): void => {
      if (node === undefined || this.isAlias(node)) return;
      if (node.type === "map")
        for (const one of node.entries) {
          const lines = document.lines.get(one) ?? null;
          const outlined = { document, path: [...path, one.key], value: one.value, lines };
          this.#byOffset.set(this.offsetOf(one.keyPlace), outlined);
        }
      else if (node.type === "list" && path[0] === ABSENT)
        for (const [at, item] of node.items.entries()) {
          const outlined = { document, path: [...path, at], value: null, lines: null };
          if (item.type === "scalar") this.#byOffset.set(this.offsetOf(item.place), outlined);
          else noteIn(outlined.path, item);
        }
    };
    const { root } = document;
    const absent = entry(root, ABSENT)?.value;
    for (const name of Object.values(SECTION)) noteIn([ABSENT, name], entry(absent, name)?.value);
    for (const name of [...Object.values(SECTION), "families"]) noteIn([name], entry(root, name)?.value);
  }
}
