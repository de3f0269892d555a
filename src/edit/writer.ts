// Writes edits into a file. Each edit changes the text of a single block; in braces, of the section or document that contains it.

import { entry, textOf, type TreeEntry, type TreeNode } from "../config/yaml.ts";
import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import { fieldAt, SECTION } from "../domain/table.ts";
import type { Edit, NewBlock, Step, WrittenFile } from "./edits.ts";
import { blockSchema } from "./key-order.ts";
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

/** The same for several files. `texts` are by path. `edit` is null for an object that needs none. */
export function writeAll(
  texts: ReadonlyMap<string, string>,
  edits: readonly { readonly file: string; readonly edit: Edit | null }[],
): { readonly changed: ReadonlyMap<string, string>; readonly leftAlone: ReadonlyMap<Edit, string> } {
  const changed = new Map<string, string>();
  const leftAlone = new Map<Edit, string>();
  for (const [file, own] of groupBy(edits, (one) => one.file)) {
    const before = texts.get(file);
    if (before === undefined) throw new Error(`the file ${file} was not read`);
    const made = own.flatMap(({ edit }) => (edit === null ? [] : [edit]));
    const written = writeEdits(before, file, made);
    if (written.text !== before) changed.set(file, written.text);
    for (const [edit, reason] of written.leftAlone) leftAlone.set(edit, reason);
  }
  return { changed, leftAlone };
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
  readonly #splices: Splice[] = [];
  /** Sections that get blocks. */
  readonly #grown = new Set<TreeNode>();
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
    for (const { root } of this.#outline.documents) for (const section of root.entries) this.#cutIfEmpty(section);
    return refused;
  }

  get text(): string {
    const { text } = this.#outline;
    const parts: string[] = [];
    let from = 0;
    // What is added where a removal begins comes first.
    for (const { start, end, text: added } of this.#splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
      parts.push(text.slice(from, Math.max(start, from)), added);
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
    // A map that gets other keys is not removed first, so that its comments stay.
    for (const { path: below, content } of parts)
      if (content !== undefined)
        unit.set(path, below, content, blockSchema(kind), fieldAt(kind, below.join("."))?.kind === "references");
    for (const { path: below, content } of parts) if (content === undefined) unit.unset(path, below);
    if (key !== undefined) unit.rename(path, key);
  }

  #remove(outlined: Outlined): void {
    const { lines } = outlined;
    if (lines === null) {
      const { unit, path } = this.#unitOf(outlined);
      return unit.remove(path);
    }
    this.#newUnit(lines).refuseAnchors();
    this.#cut(lines);
  }

  /** Removes the line of a section whose blocks are all removed, unless comments remain. */
  #cutIfEmpty({ keyPlace, value }: TreeEntry): void {
    const last = value.type === "map" ? value.entries.at(-1) : undefined;
    if (last === undefined || this.#grown.has(value)) return;
    const start = this.#outline.lineStart(this.#outline.offsetOf(keyPlace));
    const isBare = /^\s*[^\s#]+:\s*$/.test(this.#outline.lineAt(start));
    let end = this.#outline.lineEnd(start);
    for (const cut of this.#splices)
      if (cut.text === "" && cut.start >= end && this.#outline.text.slice(end, cut.start).trim() === "") end = cut.end;
    if (isBare && end > this.#outline.offsetOf(last.keyPlace)) this.#cut({ start, end }, start);
  }

  /** Removes lines with the comments directly above, and the empty lines above if what follows is separate. */
  #cut({ start, end }: LineRange, first = this.#outline.startWithComments(start)): void {
    let from = first;
    const after = this.#outline.lineAt(this.#outline.nextLine(end));
    const indent = this.#outline.indentAt(start);
    const isSeparate = after.trim() === "" || !after.startsWith(indent);
    const isBlankAbove = (): boolean =>
      from > 0 && this.#outline.lineAt(this.#outline.lineStart(from - 1)).trim() === "";
    if (isSeparate) while (isBlankAbove()) from = this.#outline.lineStart(from - 1);
    // With the line break above, so that an addition at the end of the lines remains.
    this.#splices.push({ start: from > 0 ? this.#outline.lineEnd(from - 1) : 0, end, text: "" });
  }

  #exclude({ at, combination }: Extract<Step, { step: "exclude" }>): void {
    const { unit, path } = this.#unitOf(this.#outline.at(at));
    unit.exclude(path, combination);
  }

  #add({ kind, block, spot }: Extract<Step, { step: "add" }>): void {
    const name = SECTION[kind];
    const document = spot === null ? this.#outline.documentFor(name) : this.#outline.at(spot.inDocumentOf).document;
    const section = entry(document?.root, name)?.value;
    const [last, other] =
      section?.type === "map" && !this.#outline.isAlias(section) ? section.entries.slice(-2).toReversed() : [];
    const lines = last && document?.lines.get(last);
    if (section === undefined || last === undefined || lines === undefined) {
      const { key, value, comment } = block;
      const comments = comment === undefined ? [] : [` ${comment}`];
      return this.#sectionUnit(document, name).add([name], { key, content: value, comments });
    }
    this.#grown.add(section);
    const gap = other !== undefined && this.#isBlankAbove(last) ? [""] : [];
    const indent = this.#outline.indentAt(lines.start);
    const own = this.#blockLines(block, last.value).map((line) => indent + line);
    const text = [...gap, ...own].map((line) => this.#outline.lineBreak + line).join("");
    this.#splices.push({ start: lines.end, end: lines.end, text });
  }

  /** The lines of a new block: one line if the block above it is in braces, and if it is short. */
  #blockLines(block: NewBlock, above: TreeNode): string[] {
    const linesOf = (value: Block): string[] =>
      yamlText({ entries: [{ ...block, value }] }, this.#outline.step)
        .trimEnd()
        .split("\n");
    const inline = linesOf({ ...block.value, inline: true });
    const isShort =
      inline.length === (block.comment === undefined ? 1 : 2) && (inline.at(-1) ?? "").length < MAX_LINE_LENGTH;
    return isShort && this.#outline.isFlow(above) ? inline : linesOf(block.value);
  }

  #tombstone({ beside, kind, key, id, takesComments }: Extract<Step, { step: "tombstone" }>): void {
    const outlined = this.#outline.at(beside);
    const comments = takesComments ? this.#commentsOf(outlined) : [];
    const unit = this.#sectionUnit(outlined.document, ABSENT);
    const list = [ABSENT, SECTION[kind]];
    const value: Block | undefined = id === null ? undefined : { entries: [{ key: "id", value: id }], inline: true };
    if (!(unit.isListAt(list) ?? value === undefined)) unit.add(list, { key, content: value, comments });
    else unit.add(list, { key: null, content: value === undefined ? key : { entries: [{ key, value }] }, comments });
  }

  /** The comments that a tombstone takes from a block: those above it and in it, and its note. */
  #commentsOf(outlined: Outlined): string[] {
    const { text } = this.#outline;
    const note = textOf(entry(outlined.value ?? undefined, "note")?.value);
    const notes = (note ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [` ${visible(line.trim())}`]));
    if (outlined.lines === null) return notes;
    const { start } = outlined.lines;
    const above = text.slice(this.#outline.startWithComments(start), start).split("\n");
    const own = above.flatMap((line) => (line.trim() === "" ? [] : [line.trim().slice(1)]));
    return [...own, ...this.#newUnit(outlined.lines).comments.map((one) => ` ${one}`), ...notes];
  }

  /** The unit of a block or tombstone, and its path there. */
  #unitOf(outlined: Outlined): { readonly unit: Unit; readonly path: Outlined["path"] } {
    const { document, path, lines } = outlined;
    return lines === null
      ? { unit: this.#sectionUnit(document, String(path[0])), path }
      : { unit: this.#open(lines), path: path.slice(1) };
  }

  /** The unit of a section, or of a whole document in braces. A section that is missing is a unit at the end of the document. */
  #sectionUnit(document: OutlinedDocument | undefined, name: string): Unit {
    const outline = this.#outline;
    if (document !== undefined && outline.isFlow(document.root)) return this.#open(outline.linesOfRoot(document));
    const section = entry(document?.root, name);
    const near = section ?? document?.root.entries.at(-1);
    const lines = near && document?.lines.get(near);
    if (section !== undefined && lines !== undefined) return this.#open(lines);
    const end = lines?.end ?? outline.text.trimEnd().length;
    return this.#open({ start: end, end }, name);
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
    const written = unit.text;
    if (written === "") return this.#cut({ start, end });
    if (!isAdded) this.#splices.push({ start, end, text: written });
    else if (text.trim() === "") this.#splices.push({ start, end, text: written + lineBreak });
    else this.#splices.push({ start, end, text: this.#breakAbove(end) + written });
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
