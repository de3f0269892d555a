// Where the documents of a project are, and where the sections, blocks and tombstones of a file are in its lines.

import type { DocumentOutline } from "../config/blocks.ts";
import { parseYaml } from "../config/yaml-errors.ts";
import { entry, type MapNode, type TreeEntry, type TreeNode } from "../config/yaml.ts";
import { groupBy } from "../domain/collections.ts";
import { comparePlaces, type Place } from "../domain/place.ts";
import { SECTION } from "../domain/table.ts";

export const ABSENT = "absent";

/** The lines from `start` up to the one before `end`, counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface OutlinedDocument {
  readonly root: MapNode;
  /** The line of the marker that ends it, such as `---`; without one, the number of lines. */
  readonly limit: number;
  /** The lines of its sections and of their blocks, with comments that are indented more than their keys. Nothing in braces has lines. */
  readonly ranges: ReadonlyMap<TreeEntry, LineRange>;
}

/** The keys of maps and the positions in lists, from the root: `["links", "spring"]`, `["absent", "links", 2]`. */
export type Path = readonly (string | number)[];

/** A block, a family or a tombstone. */
interface Outlined {
  readonly document: OutlinedDocument;
  readonly path: Path;
  readonly value: TreeNode | null;
  /** Its own lines, if it is edited alone. Tombstones never are. */
  readonly range: LineRange | null;
}

export class FileOutline {
  readonly lines: readonly string[];
  /** The indentation of a level. */
  readonly step: number;
  readonly documents: readonly OutlinedDocument[];
  readonly #byPlace = new Map<string, Outlined>();

  /** `original` is valid YAML. */
  constructor(original: string, file: string) {
    const text = original.replace(/^\uFEFF/, "");
    this.lines = text.split(/\r?\n/);
    const roots = parseYaml(text, file).documents.filter((root) => root.type === "map");
    this.documents = roots.map((root) => this.#outline(root));
    const steps = roots.flatMap(({ entries }) =>
      entries.flatMap(({ keyPlace, value }) => {
        const [first] = value.type === "map" && !this.isFlow(value) ? value.entries : [];
        return first === undefined ? [] : [first.keyPlace.column - keyPlace.column];
      }),
    );
    this.step = steps.find((one) => one >= 2 && one <= 8) ?? 2;
  }

  /** The block, family or tombstone at this place. */
  at(place: Place): Outlined {
    const found = this.#byPlace.get(idOf(place));
    if (found === undefined) throw new Error(`no block at ${place.file}:${idOf(place)}`);
    return found;
  }

  /** The document that gets blocks without a place: the last one that has the section, or the last one. */
  documentFor(section: string): OutlinedDocument | undefined {
    return this.documents.findLast(({ root }) => root.byKey.has(section)) ?? this.documents.at(-1);
  }

  /** Whether a block itself has a value at this path: not through `defaults`, and not if the block is an alias. */
  has(place: Place, path: string): boolean {
    let node = this.at(place).value ?? undefined;
    if (node !== undefined && this.isAlias(node)) return false;
    for (const name of path.split(".")) node = entry(node, name)?.value;
    return node !== undefined;
  }

  isAlias({ place }: TreeNode): boolean {
    return this.#characterAt(place) === "*";
  }

  isFlow({ place, type }: TreeNode): boolean {
    return type !== "scalar" && /[[{]/.test(this.#characterAt(place));
  }

  /** The first of the comments directly above a line that are not indented more than it. */
  startWithComments(start: number): number {
    const indent = this.indentAt(start).length;
    let at = start;
    while (at > 0 && (/^[ \t]*(?=#)/.exec(this.lines[at - 1] ?? "")?.[0].length ?? Infinity) <= indent) at -= 1;
    return at;
  }

  isBlank(line: number): boolean {
    return this.lines[line]?.trim() === "";
  }

  indentAt(line: number): string {
    return /^ */.exec(this.lines[line] ?? "")?.[0] ?? "";
  }

  #characterAt({ line, column }: Place): string {
    return this.lines[line - 1]?.[column - 1] ?? "";
  }

  #outline(root: MapNode): OutlinedDocument {
    const { line } = root.entries.at(-1)?.keyPlace ?? root.place;
    const marker = this.lines.findIndex((one, at) => at >= line && /^(?:---|\.\.\.)(?=\s|$)/.test(one));
    const limit = marker < 0 ? this.lines.length : marker;
    const ranges = new Map<TreeEntry, LineRange>();
    const measure = (map: TreeNode, end: number): void => {
      if (map.type !== "map" || this.isFlow(map) || this.isAlias(map)) return;
      for (const [at, one] of map.entries.entries()) {
        const next = map.entries[at + 1];
        const range = this.rangeUpTo(one.keyPlace, next === undefined ? end : next.keyPlace.line - 1);
        ranges.set(one, range);
        if (map === root && one.key !== ABSENT) measure(one.value, range.end);
      }
    };
    measure(root, limit);
    const document = { root, limit, ranges };
    const noteIn = (path: Path, node: TreeNode | undefined): void => {
      if (node === undefined || this.isAlias(node)) return;
      if (node.type === "map")
        for (const one of node.entries) {
          const range = ranges.get(one) ?? null;
          this.#byPlace.set(idOf(one.keyPlace), { document, path: [...path, one.key], value: one.value, range });
        }
      else if (node.type === "list" && path[0] === ABSENT)
        for (const [at, item] of node.items.entries()) {
          const outlined = { document, path: [...path, at], value: null, range: null };
          if (item.type === "scalar") this.#byPlace.set(idOf(item.place), outlined);
          else noteIn(outlined.path, item);
        }
    };
    const absent = entry(root, ABSENT)?.value;
    for (const name of [...Object.values(SECTION), "families"]) {
      noteIn([ABSENT, name], entry(absent, name)?.value);
      noteIn([name], entry(root, name)?.value);
    }
    return document;
  }

  /** The lines of what begins at a place, without the comments below it that are indented less. */
  rangeUpTo({ line }: Place, limit: number): LineRange {
    const start = line - 1;
    const indent = this.indentAt(start).length;
    let end = line;
    for (let at = line; at < limit; at += 1) {
      const [, space = "", first = ""] = /^([ \t]*)(.?)/.exec(this.lines[at] ?? "") ?? [];
      if (first !== "" && (first !== "#" || space.length > indent)) end = at + 1;
    }
    return { start, end };
  }
}

function idOf({ line, column }: Place): string {
  return `${line}:${column}`;
}

export function documentFinder<One extends DocumentOutline>(all: readonly One[]): (place: Place) => One | undefined {
  const byFile = groupBy(all, ({ file }) => file);
  return (place) => byFile.get(place.file)?.findLast((document) => comparePlaces(document.place, place) <= 0);
}
