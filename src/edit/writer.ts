// Writes edits into a file. Each edit changes the lines of a single block; in braces, of the section or document that contains it.

import { entry, textOf, type TreeNode } from "../config/yaml.ts";
import { append, groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import type { Place } from "../domain/place.ts";
import type { FamilyLink } from "../domain/project.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import type { BlockParts } from "./declare.ts";
import { ABSENT, FileOutline, type LineRange, type OutlinedDocument, type Path } from "./outline.ts";
import { LeftAlone, Unit } from "./unit.ts";
import { yamlText, type Block, type NewBlock } from "./yaml-text.ts";

/** Changes of which a file gets all or none. */
export type Edit = (file: FileWriter) => void;

/** A new block is in braces on one line like the one above it, unless the line would be longer than this. */
const MAX_LINE_LENGTH = 120;

/**
 * Applies edits to a text, which may begin with a byte order mark and must be valid YAML. Nothing else in it changes. `leftAlone` are edits
 * that are not possible without changing other text, with the reason: "it uses an alias".
 */
export function writeEdits(
  original: string,
  file: string,
  edits: readonly Edit[],
): { readonly text: string; readonly leftAlone: ReadonlyMap<Edit, string> } {
  const [, mark = "", text = ""] = /^(\uFEFF?)(.*)$/s.exec(original) ?? [];
  const outline = new FileOutline(text, file);
  const leftAlone = new Map<Edit, string>();
  for (;;) {
    const writer = new FileWriter(outline);
    const known = leftAlone.size;
    writer.write(edits, leftAlone);
    if (leftAlone.size === known) return { text: mark + writer.textFrom(text), leftAlone };
  }
}

/** The same for several files. `texts` are by path. An object needs no edit in a new file, for example. */
export function writeAll(
  texts: ReadonlyMap<string, string>,
  edits: readonly { readonly file: string | null; readonly edit?: Edit | undefined }[],
): { readonly changed: ReadonlyMap<string, string>; readonly leftAlone: ReadonlyMap<Edit, string> } {
  const changed = new Map<string, string>();
  const leftAlone = new Map<Edit, string>();
  for (const [file, own] of groupBy(edits, (one) => one.file ?? "")) {
    const made = own.flatMap(({ edit }) => edit ?? []);
    if (made.length === 0) continue;
    const before = texts.get(file);
    if (before === undefined) throw new Error(`the file ${file} was not read`);
    const written = writeEdits(before, file, made);
    if (written.text !== before) changed.set(file, written.text);
    for (const [edit, reason] of written.leftAlone) leftAlone.set(edit, reason);
  }
  return { changed, leftAlone };
}

interface OpenUnit extends LineRange {
  readonly unit: Unit;
  readonly edits: Set<Edit>;
}

/** Makes changes to a file. Places are those of the file before all edits: of the key of a block, or of a tombstone. */
export class FileWriter {
  readonly #outline: FileOutline;
  readonly #units = new Map<string, OpenUnit>();
  readonly #gone = new Set<number>();
  /** New lines, by the line below them. */
  readonly #added = new Map<number, string[]>();
  /** Sections that get blocks. */
  readonly #grown = new Set<TreeNode>();
  #edit: Edit = () => {};

  constructor(outline: FileOutline) {
    this.#outline = outline;
  }

  /** Adds edits that are refused to `leftAlone`; if there are any, the text is of no use. */
  write(edits: readonly Edit[], leftAlone: Map<Edit, string>): void {
    const attempt = (of: Iterable<Edit>, run: () => void): void => {
      try {
        run();
      } catch (cause) {
        if (!(cause instanceof LeftAlone)) throw cause;
        for (const edit of of) leftAlone.set(edit, leftAlone.get(edit) ?? cause.message);
      }
    };
    for (const edit of edits.filter((one) => !leftAlone.has(one))) {
      this.#edit = edit;
      attempt([edit], () => edit(this));
    }
    for (const open of this.#units.values()) attempt(open.edits, () => this.#close(open));
    for (const { root, ranges } of this.#outline.documents)
      for (const section of root.entries) this.#cutIfEmpty(section.value, ranges.get(section));
  }

  textFrom(text: string): string {
    const lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
    const before = text.split(/(?<=\n)/);
    const parts: string[] = [];
    for (let at = 0; at <= this.#outline.lines.length; at += 1) {
      const added = this.#added.get(at) ?? [];
      if (parts.at(-1)?.endsWith("\n") === false) parts.push(lineBreak);
      for (const line of added) parts.push(line + lineBreak);
      const line = before[at] ?? "";
      if (line !== "" && !this.#gone.has(at)) parts.push(line);
    }
    let written = parts.join("");
    if (text !== "" && !text.endsWith("\n")) written = written.replace(/(?:\r?\n)+$/, "");
    return /^\s/.test(text) ? written : written.replace(/^(?:\r?\n)+/, "");
  }

  /** Sets and removes parts of a block, and gives it another key. Aliases of the block and its other fields stay. */
  change(at: Place, kind: ResourceKind, parts: BlockParts, key: string | null = null): void {
    const { unit, path } = this.#unitOf(at);
    unit.change(path, kind, parts, key);
  }

  /** Removes a block or tombstone with its comments, and an empty section. The combination of a link of a family goes to `exclude`. */
  remove({ place, family }: { readonly place: Place; readonly family?: Pick<FamilyLink, "combination"> }): void {
    const { unit, path } = this.#unitOf(place);
    if (family === undefined) unit.remove(path);
    else unit.exclude(path, family.combination);
  }

  /** Adds a block to the end of its section: in the document of another block, or in the last one that has the section. */
  add(kind: ResourceKind, block: NewBlock, beside: Place | null): void {
    const name = SECTION[kind];
    const document = beside === null ? this.#outline.documentFor(name) : this.#outline.at(beside).document;
    const section = entry(document?.root, name)?.value;
    const entries = section?.type === "map" && !this.#outline.isAlias(section) ? section.entries : [];
    const [last, other] = [entries.at(-1), entries.at(-2)];
    const range = last && document?.ranges.get(last);
    if (section === undefined || last === undefined || range === undefined) {
      const { key, value, comment } = block;
      return this.#sectionUnit(document, name).add([name], key, value, comment === undefined ? [] : [` ${comment}`]);
    }
    this.#grown.add(section);
    const gap = other !== undefined && this.#isBlankAbove(last.keyPlace) ? [""] : [];
    const indent = this.#outline.indentAt(range.start);
    this.#insert(range.end, [...gap, ...this.#blockLines(block, last.value).map((line) => indent + line)]);
  }

  /** Adds a tombstone to the document of a block. It gets the comments and the note of the block, unless that is a family. */
  addTombstone(beside: Place, kind: ResourceKind, key: string, id: number | null): void {
    const { document, path } = this.#outline.at(beside);
    const comments = path[0] === SECTION[kind] ? this.#commentsOf(beside) : [];
    const content: Block | undefined = id === null ? undefined : { entries: [{ key: "id", value: id }], inline: true };
    this.#sectionUnit(document, ABSENT).add([ABSENT, SECTION[kind]], key, content, comments);
  }

  #blockLines(block: NewBlock, above: TreeNode): string[] {
    const linesOf = (inline: boolean): string[] => {
      const text = yamlText({ entries: [{ ...block, value: { ...block.value, inline } }] }, this.#outline.step);
      return text.trimEnd().split("\n");
    };
    const [line = "", ...more] = linesOf(true).slice(block.comment === undefined ? 0 : 1);
    return linesOf(this.#outline.isFlow(above) && more.length === 0 && line.length < MAX_LINE_LENGTH);
  }

  #commentsOf(place: Place): string[] {
    const { range, value } = this.#outline.at(place);
    const note = textOf(entry(value ?? undefined, "note")?.value) ?? "";
    const notes = note.split("\n").flatMap((line) => (line.trim() === "" ? [] : [` ${visible(line.trim())}`]));
    if (range === null) return notes;
    const above = this.#outline.lines.slice(this.#outline.startWithComments(range.start), range.start);
    const within = this.#unitOf(place).unit.comments;
    return [...above.map((line) => line.trim().slice(1)), ...within.map((one) => ` ${one}`), ...notes];
  }

  /** The unit of a block or tombstone, and its path there. */
  #unitOf(place: Place): { readonly unit: Unit; readonly path: Path } {
    const { document, path, range } = this.#outline.at(place);
    if (range === null) return { unit: this.#sectionUnit(document, String(path[0])), path };
    return { unit: this.#open(range), path: path.slice(1) };
  }

  /** The unit of a section, or of a whole document in braces. A section that is missing is a unit at the end of the document. */
  #sectionUnit(document: OutlinedDocument | undefined, name: string): Unit {
    const outline = this.#outline;
    if (document !== undefined && outline.isFlow(document.root))
      return this.#open(outline.rangeUpTo(document.root.place, document.limit));
    const section = entry(document?.root, name);
    const near = section ?? document?.root.entries.at(-1);
    const range = near && document?.ranges.get(near);
    if (section !== undefined && range !== undefined) return this.#open(range);
    const end = range?.end ?? outline.lines.findLastIndex((line) => line.trim() !== "") + 1;
    return this.#open({ start: end, end }, name);
  }

  /** The unit with these lines. `added`: the name of a section that the file does not have. */
  #open(range: LineRange, added = ""): Unit {
    const { lines, step } = this.#outline;
    const id = `${range.start} ${added}`;
    const text = added === "" ? lines.slice(range.start, range.end) : [`${added}:`];
    const { unit, edits } = this.#units.get(id) ?? { unit: new Unit(text, step), edits: new Set() };
    this.#units.set(id, { ...range, unit, edits: edits.add(this.#edit) });
    return unit;
  }

  #close({ unit, start, end }: OpenUnit): void {
    const { lines } = unit;
    if (start === end) return this.#insert(end, [...this.#gapAbove(end), ...lines]);
    if (lines.length === 0) return this.#cut({ start, end });
    this.#insert(start, lines);
    for (let at = start; at < end; at += 1) this.#gone.add(at);
  }

  #insert(at: number, lines: readonly string[]): void {
    const added = this.#added.get(at) ?? [];
    append(added, lines);
    this.#added.set(at, added);
  }

  /** Removes the line of a section whose blocks are all removed, unless comments remain. */
  #cutIfEmpty(section: TreeNode, range: LineRange | undefined): void {
    if (range === undefined || this.#gone.has(range.start) || this.#grown.has(section)) return;
    const { start, end } = range;
    if (end === start + 1 || !/^\s*[^\s#]+:\s*$/.test(this.#outline.lines[start] ?? "")) return;
    const isGone = (at: number): boolean => this.#outline.isBlank(at) || (this.#gone.has(at) && !this.#added.has(at));
    for (let at = start + 1; at < end; at += 1) if (!isGone(at)) return;
    this.#cut(range, start);
  }

  /** Removes lines with the comments directly above, and the empty lines above if what follows is separate. */
  #cut({ start, end }: LineRange, first = this.#outline.startWithComments(start)): void {
    const after = this.#outline.lines[end] ?? "";
    const isSeparate = after.trim() === "" || !after.startsWith(this.#outline.indentAt(start));
    let from = first;
    if (isSeparate) while (this.#outline.isBlank(from - 1)) from -= 1;
    for (let at = from; at < end; at += 1) this.#gone.add(at);
  }

  /** An empty line above a new section, unless the last two sections have none between them. */
  #gapAbove(end: number): string[] {
    const { lines, documents } = this.#outline;
    const [last, other] = documents.find(({ limit }) => end <= limit)?.root.entries.toReversed() ?? [];
    const isSpaced = last === undefined || other === undefined || this.#isBlankAbove(last.keyPlace);
    return isSpaced && lines.some((line) => line.trim() !== "") ? [""] : [];
  }

  /** Whether an empty line is above a key with its comments. */
  #isBlankAbove({ line }: Place): boolean {
    return this.#outline.isBlank(this.#outline.startWithComments(line - 1) - 1);
  }
}
