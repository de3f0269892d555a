// Writes edits into a file. Each edit changes the text of a single block; in braces, of the section or document that contains it.

import { entry, textOf, type TreeEntry } from "../config/yaml.ts";
import { visible } from "../domain/control-characters.ts";
import { fieldAt, groupFields, pathsOf, SECTION, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import type { Edit, Step, WrittenFile } from "./edits.ts";
import { blockKeys } from "./key-order.ts";
import { ABSENT, FileOutline, type LineRange, type Outlined, type OutlinedDocument } from "./outline.ts";
import { LeftAlone, Unit } from "./unit.ts";
import { yamlText, type Block } from "./yaml-text.ts";

/** A new block is written on one line like its neighbor, unless the line would be longer than this. */
const MAX_LINE_LENGTH = 120;

const BYTE_ORDER_MARK = "\uFEFF";

/** Applies edits to a text, which may begin with a byte order mark. It must be valid YAML. */
export function writeEdits(text: string, file: string, edits: readonly Edit[]): WrittenFile {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const outline = new FileOutline(text.slice(mark.length), file);
  const leftAlone = new Map<Edit, string>();
  for (;;) {
    const writer = new FileWriter(outline);
    const refused = writer.write(edits.filter((edit) => !leftAlone.has(edit)));
    if (refused.size === 0) return { text: mark + writer.text, leftAlone };
    for (const [edit, reason] of refused) leftAlone.set(edit, reason);
  }
}

/** The same for several files. Texts and edits are by path. */
export function writeAll(
  texts: ReadonlyMap<string, string>,
  edits: ReadonlyMap<string, readonly Edit[]>,
): { readonly changed: ReadonlyMap<string, string>; readonly leftAlone: ReadonlyMap<Edit, string> } {
  const written = [...edits].map(([file, own]) => {
    const before = texts.get(file);
    if (before === undefined) throw new Error(`the file ${file} was not read`);
    return { file, before, ...writeEdits(before, file, own) };
  });
  return {
    changed: new Map(written.flatMap(({ file, before, text }) => (text === before ? [] : [[file, text]]))),
    leftAlone: new Map(written.flatMap(({ leftAlone }) => [...leftAlone])),
  };
}

interface Splice extends LineRange {
  readonly text: string;
}

/** A unit with its lines, and the edits that change it. */
interface OpenUnit extends LineRange {
  readonly unit: Unit;
  readonly edits: Set<Edit>;
  /** A section that the file does not have. */
  readonly isAdded: boolean;
}

class FileWriter {
  readonly #outline: FileOutline;
  readonly #units = new Map<string, OpenUnit>();
  /** Sections with blocks that are removed, and the number of blocks that remain or are added. */
  readonly #remaining = new Map<TreeEntry, number>();
  readonly #splices: Splice[] = [];
  #edit: Edit = [];

  constructor(outline: FileOutline) {
    this.#outline = outline;
  }

  /** Makes the edits. Returns those that are refused; if there are any, the text is of no use. */
  write(edits: readonly Edit[]): ReadonlyMap<Edit, string> {
    const refused = new Map<Edit, string>();
    const attempt = (of: Iterable<Edit>, run: () => void): void => {
      try {
        run();
      } catch (cause) {
        if (!(cause instanceof LeftAlone)) throw cause;
        for (const edit of of) refused.set(edit, refused.get(edit) ?? cause.message);
      }
    };
    for (const edit of edits) {
      this.#edit = edit;
      attempt([edit], () => {
        for (const step of edit) this.#step(step);
      });
    }
    for (const open of this.#units.values()) attempt(open.edits, () => this.#close(open));
    this.#splices.sort((a, b) => a.start - b.start);
    for (const [section, count] of this.#remaining) if (count === 0) this.#cutSection(section);
    return refused;
  }

  get text(): string {
    const { text } = this.#outline;
    const parts: string[] = [];
    let from = 0;
    // What is added where a removal begins comes first.
    for (const { start, end, text: added } of this.#splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
      // Lines that are added below the first lines of a file need the line break that was removed with those.
      const isBelowCut = start === end && start < from;
      parts.push(text.slice(from, Math.max(start, from)), added, isBelowCut ? text.slice(start, from) : "");
      from = Math.max(from, end);
    }
    const joined = parts.join("") + text.slice(from);
    const written = text === "" || text.endsWith("\n") ? joined : joined.replace(/(?:\r?\n)+$/, "");
    return /^\s/.test(text) ? written : written.replace(/^(?:\r?\n)+/, "");
  }

  #step(step: Step): void {
    switch (step.step) {
      case "change":
        return this.#change(step);
      case "remove":
        return this.#remove(this.#outline.at(step.at));
      case "exclude":
        return this.#exclude(step);
      case "add":
        return this.#add(step);
      case "tombstone":
        return this.#tombstone(step);
      default:
        return step satisfies never;
    }
  }

  #change({ at, kind, parts, key }: Extract<Step, { step: "change" }>): void {
    const outlined = this.#outline.at(at);
    const { unit, path } = this.#unitOf(outlined);
    const order = (names: readonly string[]): readonly string[] => orderAt(kind, names);
    for (const { path: below, content } of parts) {
      if (content === undefined) unit.unset(path, below);
      else unit.set(path, below, content, order, fieldAt(kind, below.join("."))?.kind === "references");
    }
    if (key !== undefined) unit.rename(path, key);
  }

  #remove(outlined: Outlined): void {
    if (!this.#isOnLines(outlined)) {
      const { unit, path } = this.#unitOf(outlined);
      return unit.remove(path);
    }
    const range = this.#linesOf(outlined);
    this.#newUnit(range).refuseAnchors();
    this.#count(outlined, -1);
    this.#cut(range);
  }

  #count({ document, path }: Outlined, change: 1 | -1): void {
    const section = entry(document.root, String(path[0]));
    if (section?.value.type !== "map") return;
    this.#remaining.set(section, (this.#remaining.get(section) ?? section.value.entries.length) + change);
  }

  /** Removes the line of a section without blocks, unless it has a comment. */
  #cutSection({ keyPlace, value }: TreeEntry): void {
    const start = this.#outline.lineStart(this.#outline.offsetOf(keyPlace));
    const end = this.#outline.lineEnd(start);
    const last = value.type === "map" ? value.entries.at(-1)?.keyPlace : undefined;
    const cuts = this.#splices.filter(({ start: at, text }) => text === "" && at >= end);
    const until = last === undefined ? end : (cuts.find((cut) => cut.end > this.#outline.offsetOf(last))?.end ?? end);
    const kept = cuts.reduceRight(
      (text, cut) => {
        return cut.end > until ? text : text.slice(0, cut.start - end) + text.slice(cut.end - end);
      },
      this.#outline.text.slice(end, until),
    );
    if (kept.trim() === "" && /^\s*[^\s#]+:\s*$/.test(this.#outline.lineAt(start))) this.#cut({ start, end }, false);
  }

  /** Removes lines with the comments directly above, and the empty lines above if what follows is separate. */
  #cut({ start, end }: LineRange, withComments = true): void {
    let from = withComments ? this.#outline.startWithComments(start) : start;
    const after = this.#outline.lineAt(this.#outline.nextLine(end));
    const indent = this.#outline.indentAt(start);
    const isSeparate = after.trim() === "" || !after.startsWith(indent);
    const isBlankAbove = (): boolean =>
      from > 0 && this.#outline.lineAt(this.#outline.lineStart(from - 1)).trim() === "";
    if (isSeparate) while (isBlankAbove()) from = this.#outline.lineStart(from - 1);
    // With the line break above, so that an addition at the end of the lines remains.
    if (from > 0) this.#splices.push({ start: this.#outline.lineEnd(from - 1), end, text: "" });
    else this.#splices.push({ start: 0, end: this.#outline.nextLine(end), text: "" });
  }

  #exclude({ at, combination }: Extract<Step, { step: "exclude" }>): void {
    const { unit, path } = this.#unitOf(this.#outline.at(at));
    const each = [...path, "each"];
    for (const index of unit.childrenAt(each) ?? []) {
      const when = [...each, index, "when"];
      const isOwn = combination.every(([name, value]) => unit.textAt([...when, name]) === value);
      if (isOwn) unit.remove([...each, index]);
    }
    const content: Block = { entries: combination.map(([key, value]) => ({ key, value })), inline: true };
    unit.add([...path, "exclude"], { key: null, content, comments: [] });
  }

  #add({ kind, key, block, spot, comment }: Extract<Step, { step: "add" }>): void {
    const section = SECTION[kind];
    const comments = comment === undefined ? [] : [` ${comment}`];
    const document = spot === null ? this.#outline.documentFor(section) : this.#outline.at(spot.inDocumentOf).document;
    const last = document && this.#lastBlock(document, section);
    if (last !== undefined && this.#isOnLines(last)) {
      this.#count(last, 1);
      const lines = [...(this.#isSpaced(last) ? [""] : []), ...this.#blockLines(key, block, comment, last)];
      const { end } = this.#linesOf(last);
      this.#splices.push({ start: end, end, text: lines.map((line) => this.#outline.lineBreak + line).join("") });
      return;
    }
    const { unit, path } = this.#sectionUnit(document ?? null, section);
    unit.add(path, { key, content: block, comments });
  }

  #lastBlock({ root }: OutlinedDocument, section: string): Outlined | undefined {
    const value = entry(root, section)?.value;
    const last = value?.type === "map" && !this.#outline.isAlias(value) ? value.entries.at(-1) : undefined;
    return last && this.#outline.at(last.keyPlace);
  }

  /** Whether an empty line separates a block from the one before it, or the first block from the second one. */
  #isSpaced({ document, path }: Outlined): boolean {
    const section = entry(document.root, String(path[0]))?.value;
    if (section?.type !== "map") return false;
    const index = section.entries.findIndex(({ key }) => key === path[1]);
    const below = section.entries[Math.max(index, 1)];
    return below !== undefined && this.#isBlankAbove(below);
  }

  #blockLines(key: string, block: Block, comment: string | undefined, beside: Outlined): string[] {
    const indent = this.#outline.indentAt(this.#linesOf(beside).start);
    const head = comment === undefined ? [] : [`${indent}# ${comment}`];
    const inline = yamlText({ entries: [{ key, value: { ...block, inline: true } }] }).trimEnd();
    const isInline =
      beside.value !== null &&
      this.#outline.isFlow(beside.value) &&
      !inline.includes("\n") &&
      inline.length < MAX_LINE_LENGTH;
    const text = isInline ? inline : yamlText({ entries: [{ key, value: block }] }, this.#outline.step).trimEnd();
    return [...head, ...text.split("\n").map((line) => indent + line)];
  }

  #tombstone({ beside, kind, key, id, takesComments }: Extract<Step, { step: "tombstone" }>): void {
    const outlined = this.#outline.at(beside);
    const comments = takesComments ? this.#commentsOf(outlined) : [];
    const { unit, path } = this.#sectionUnit(outlined.document, ABSENT);
    const list = [...path, SECTION[kind]];
    const value: Block | undefined = id === null ? undefined : { entries: [{ key: "id", value: id }], inline: true };
    const existing = unit.childrenAt(list) ?? [];
    const isList = existing.length === 0 ? value === undefined : typeof existing[0] === "number";
    if (!isList) unit.add(list, { key, content: value, comments });
    else unit.add(list, { key: null, content: value === undefined ? key : { entries: [{ key, value }] }, comments });
  }

  /** The comments that a tombstone takes from a block: those above it and in it, and its note. */
  #commentsOf(outlined: Outlined): string[] {
    const { text } = this.#outline;
    const note = textOf(entry(outlined.value ?? undefined, "note")?.value);
    const notes = (note ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [` ${visible(line.trim())}`]));
    if (!this.#isOnLines(outlined)) return notes;
    const range = this.#linesOf(outlined);
    const above = text.slice(this.#outline.startWithComments(range.start), range.start).split("\n");
    const own = above.flatMap((line) => (line.trim() === "" ? [] : [line.trim().slice(1)]));
    return [...own, ...this.#newUnit(range).comments.map((one) => ` ${one}`), ...notes];
  }

  /** Whether a block has its own lines, so that it is edited alone. Tombstones never are. */
  #isOnLines({ document: { root }, path }: Outlined): boolean {
    const section = entry(root, String(path[0]))?.value;
    return path[0] !== ABSENT && section !== undefined && !this.#outline.isFlow(root) && !this.#outline.isFlow(section);
  }

  #linesOf({ document: { root, limit }, path }: Outlined): LineRange {
    const section = entry(root, String(path[0]));
    const own = entry(section?.value, String(path[1]));
    if (section?.value.type !== "map" || own === undefined) throw new LeftAlone("it was not found in the text");
    const next = root.entries[root.entries.indexOf(section) + 1];
    const end = next === undefined ? limit : this.#outline.lineStart(this.#outline.offsetOf(next.keyPlace));
    return this.#outline.linesOf(section.value, own, end);
  }

  /** The unit of a block or tombstone, and its path there. */
  #unitOf(outlined: Outlined): { readonly unit: Unit; readonly path: (string | number)[] } {
    const { document, path } = outlined;
    return this.#isOnLines(outlined)
      ? { unit: this.#open(this.#linesOf(outlined)), path: path.slice(1) }
      : { unit: this.#sectionUnit(document, String(path[0])).unit, path: [...path] };
  }

  /** The unit of a section, and its path there. A section that is missing is a unit at the end of the document. */
  #sectionUnit(
    document: OutlinedDocument | null,
    name: string,
  ): { readonly unit: Unit; readonly path: (string | number)[] } {
    const { text } = this.#outline;
    if (document !== null && this.#outline.isFlow(document.root))
      return { unit: this.#open(this.#outline.linesOfRoot(document)), path: [name] };
    const section = entry(document?.root, name);
    if (document !== null && section !== undefined)
      return { unit: this.#open(this.#outline.linesOf(document.root, section, document.limit)), path: [name] };
    const last = document?.root.entries.at(-1);
    const end =
      document === null || last === undefined
        ? text.replace(/\s+$/, "").length
        : this.#outline.linesOf(document.root, last, document.limit).end;
    return { unit: this.#open({ start: end, end }, name), path: [name] };
  }

  #open(range: LineRange, added: string | null = null): Unit {
    const id = added === null ? String(range.start) : `${range.start} ${added}`;
    const open = this.#units.get(id) ?? {
      ...range,
      unit: added === null ? this.#newUnit(range) : new Unit(`${added}:`, this.#outline.lineBreak, this.#outline.step),
      edits: new Set(),
      isAdded: added !== null,
    };
    this.#units.set(id, open);
    open.edits.add(this.#edit);
    return open.unit;
  }

  #newUnit({ start, end }: LineRange): Unit {
    const { text, lineBreak } = this.#outline;
    return new Unit(text.slice(start, end), lineBreak, this.#outline.step);
  }

  #close({ unit, start, end, isAdded }: OpenUnit): void {
    const { text, lineBreak } = this.#outline;
    if (unit.isEmpty) return this.#cut({ start, end });
    if (!isAdded) this.#splices.push({ start, end, text: unit.text });
    else if (text.trim() === "") this.#splices.push({ start, end, text: unit.text + lineBreak });
    else this.#splices.push({ start, end, text: this.#breakAbove(end) + unit.text });
  }

  /** The line breaks above a new section: with an empty line, unless the last two sections have none between them. */
  #breakAbove(end: number): string {
    const { lineBreak, documents } = this.#outline;
    const [last, other] = documents.find(({ limit }) => end <= limit)?.root.entries.toReversed() ?? [];
    const isSpaced = last === undefined || other === undefined || this.#isBlankAbove(last);
    return lineBreak.repeat(isSpaced ? 2 : 1);
  }

  /** Whether an empty line is above an entry with its comments. */
  #isBlankAbove({ keyPlace }: TreeEntry): boolean {
    const start = this.#outline.startWithComments(this.#outline.lineStart(this.#outline.offsetOf(keyPlace)));
    return this.#outline.lineAt(this.#outline.lineStart(start - 1)).trim() === "";
  }
}

/** The names of siblings in canonical order. */
function orderAt(kind: ResourceKind, path: readonly string[]): readonly string[] {
  const [head] = path;
  if (head === undefined) return blockKeys(kind);
  if (head === "utm") return [...UTM_KEYS];
  return groupFields(head).flatMap((field) => pathsOf(field).map((name) => name.split(".").at(-1) ?? name));
}
