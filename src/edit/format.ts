// The canonical form of a file: one order of keys, one style of quotes, lists and indentation. Comments and the meaning stay.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { parseYaml, type TreeNode } from "../config/yaml.ts";
import {
  FormatTreeReader,
  type CommentLine,
  type FormatCollection,
  type FormatEntry,
  type FormatScalar,
  type FormatValue,
} from "./format-tree.ts";
import { FILE_SCHEMA, itemSchema, keyRanks, valueSchema, type ValueSchema } from "./key-order.ts";
import { keyLine, scalarLines, singleLine, STEP } from "./scalar-style.ts";
import { isEmpty, Syntax } from "./syntax.ts";

/** Longer lists and maps in brackets and braces get a line for each entry. */
const MAX_LINE_LENGTH = 160;

const BYTE_ORDER_MARK = "\uFEFF";

export type Formatted = { readonly text: string } | { readonly problems: readonly Diagnostic[] };

/** Formats a file. A text with mistakes in its YAML, or one that would change its meaning, is not formatted. */
export function formatText(original: string, file: string): Formatted {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = original.slice(mark.length);
  const parsed = parseYaml(text, file);
  if (parsed.diagnostics.length > 0) return { problems: parsed.diagnostics };
  const source = text.replaceAll("\r\n", "\n");
  // The parser reads a carriage return inside a line differently once the other lines end without one.
  if (source !== text && parseYaml(source, file).diagnostics.length > 0) return notFormatted(file);
  const syntax = new Syntax(source);
  const marks = marksOf(source, syntax);
  const lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  // Keys stay in place if an alias would come before its anchor.
  for (const isSorted of [true, false]) {
    const formatted = printed(source, syntax, isSorted);
    const written = formatted.replaceAll("\n", lineBreak);
    const isSame = hasDocuments(written, parsed.documents, file) && marksOf(formatted, new Syntax(formatted)) === marks;
    if (isSame) return { text: mark + written };
  }
  return notFormatted(file);
}

function notFormatted(file: string): Formatted {
  const message = "This file cannot be formatted without changing its meaning or losing a comment.";
  const hint = "The file was not changed. Please report this bug with the file.";
  return { problems: [error("not-formatted", message, { file, line: 1, column: 1 }, hint)] };
}

/** Whether a text has these documents. */
function hasDocuments(text: string, expected: readonly TreeNode[], file: string): boolean {
  const { documents, diagnostics } = parseYaml(text, file);
  if (diagnostics.length > 0 || documents.length !== expected.length) return false;
  return expected.every((one, index) => isSameNode(one, documents[index], FILE_SCHEMA));
}

function isSameNode(a: TreeNode, b: TreeNode | undefined, schema: ValueSchema): boolean {
  if (a.type === "scalar")
    return b?.type === "scalar" && a.text === b.text && Object.is(a.value, b.value) && a.broken === b.broken;
  if (a.type === "list") {
    if (b?.type !== "list" || a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => isSameNode(item, b.items[index], itemSchema(schema)));
  }
  if (b?.type !== "map" || a.entries.length !== b.entries.length || a.partial !== b.partial) return false;
  const isOrdered = keyRanks(schema) === null;
  return a.entries.every(({ key, value }, index) => {
    if (isOrdered && b.entries[index]?.key !== key) return false;
    return isSameNode(value, b.byKey.get(key)?.value, valueSchema(schema, key));
  });
}

/** What the tree does not have: comments, anchors, aliases, tags and the markers of documents. */
function marksOf(text: string, syntax: Syntax): string {
  const spans = syntax.tokens(["comment", "anchor", "alias", "tag", "directive", "doc-start", "doc-end"]);
  const marks = spans.map(({ type, start, end }) => `${type} ${text.slice(start, end).trimEnd()}`);
  return marks.toSorted().join("\n");
}

/** The text in canonical form. */
function printed(text: string, syntax: Syntax, isSorted: boolean): string {
  const reader = new FormatTreeReader(text, syntax, isSorted);
  const printer = new Printer(text);
  const markers = syntax.tokens(["doc-start", "doc-end"]);
  const roots = syntax.roots.flatMap((root) => (root === null || isEmpty(root) ? [] : [root]));
  let next = 0;
  for (const marker of [...markers, null]) {
    const end = marker?.start ?? text.length;
    for (; next < roots.length; next += 1) {
      const root = roots[next];
      if (root === undefined || (root.range?.[0] ?? 0) >= end) break;
      printer.document(reader.document(root, end));
    }
    printer.comments(reader.commentsUpTo(end), "");
    if (marker === null) continue;
    const line = joined(text.slice(marker.start, marker.end), reader.commentBeside(marker.end) ?? "");
    printer.marker({ text: line, isSpaced: reader.isSpaced(marker.start) });
  }
  return printer.text;
}

/** Collects the lines of the text. */
class Printer {
  readonly #source: string;
  readonly #lines: string[] = [];
  /** Whether the next line is the first one of a collection or document, so that no empty line goes above it. */
  #isFirst = true;

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  marker(line: CommentLine): void {
    this.comments([line], "");
    this.#isFirst = true;
  }

  /** A document is like an item of a list without its dash. */
  document(entry: FormatEntry): void {
    this.comments(entry.above, "");
    const { value, beside } = entry;
    if (value.type === "scalar") this.#scalar("", value, beside, "");
    else if (this.#fits("", value, beside) && value.entries.length === 0)
      this.#add(besideText(this.#flat(value, MAX_LINE_LENGTH) ?? "", beside));
    else {
      this.comments(
        beside.map((text) => ({ text, isSpaced: false })),
        "",
      );
      this.#entries(value, "");
    }
  }

  comments(all: readonly CommentLine[], indent: string): void {
    for (const { text, isSpaced } of all) {
      this.#space(isSpaced);
      this.#add(indent + text);
    }
  }

  #add(line: string): void {
    this.#lines.push(line.trimEnd());
    this.#isFirst = false;
  }

  #space(isSpaced: boolean): void {
    // A block scalar may end with empty lines or lines of spaces.
    if (isSpaced && !this.#isFirst && this.#lines.at(-1)?.trim() !== "") this.#lines.push("");
  }

  #entries({ type, header, isHeaderSpaced, entries, tail }: FormatCollection, indent: string): void {
    this.#isFirst = true;
    this.comments(header, indent);
    this.#space(isHeaderSpaced && header.length > 0);
    if (header.length > 0 && isHeaderSpaced) this.#isFirst = true;
    for (const entry of entries) {
      if (type === "list") this.#item(entry, indent);
      else this.#pair(entry, indent);
    }
    this.comments(tail, indent);
  }

  #pair(entry: FormatEntry, indent: string): void {
    const { key, keyProperties, value } = entry;
    this.comments(this.#above(entry), indent);
    this.#space(entry.isSpaced);
    const name = key === null ? "" : keyLine(key, this.#source, false);
    this.#value(`${indent}${joined(keyProperties, name)}:`, value, besideLine(entry), indent);
  }

  #item(entry: FormatEntry, indent: string): void {
    const { value } = entry;
    const isInline =
      value.type !== "scalar" && value.properties === "" && !this.#fits(`${indent}-`, value, entry.beside);
    this.comments(this.#above(entry), indent);
    if (!isInline || value.entries.length === 0) {
      this.#space(entry.isSpaced);
      this.#value(`${indent}-`, value, besideLine(entry), indent);
      return;
    }
    // The first entry is on the line of the dash. Comments above it go above the dash.
    const [first, ...others] = value.entries;
    if (first === undefined) return;
    this.comments(lines(besideLine(entry)), indent);
    this.comments([...value.header, ...this.#above(first)], indent);
    this.#space(entry.isSpaced);
    const at = this.#lines.length;
    this.#isFirst = true;
    const bare: FormatEntry = { ...first, above: [], isSpaced: false };
    this.#entries({ ...value, header: [], isHeaderSpaced: false, entries: [bare, ...others] }, `${indent}${SPACES}`);
    this.#lines[at] = `${indent}- ${(this.#lines[at] ?? "").trimStart()}`;
  }

  /** The comments above an entry, with those beside a value that leave no room for them. */
  #above({ above, beside }: FormatEntry): readonly CommentLine[] {
    return [...above, ...lines(beside.slice(0, -1))];
  }

  /** A value after its key or dash. */
  #value(head: string, value: FormatValue, beside: readonly string[], indent: string): void {
    if (value.type === "scalar") return this.#scalar(head, value, beside, indent + SPACES);
    if (this.#fits(head, value, beside)) {
      const flat = this.#flat(value, Infinity) ?? "";
      return this.#add(besideText(joined(head, value.properties, flat), beside));
    }
    this.#add(besideText(joined(head, value.properties), beside));
    this.#entries(value, indent + SPACES);
  }

  #scalar(head: string, { node, properties, below }: FormatScalar, beside: readonly string[], indent: string): void {
    if (node === null) {
      this.#add(besideText(joined(head, properties), beside));
      this.#isFirst = true;
      this.comments(below, indent);
      this.#isFirst = false;
      return;
    }
    const { first, more } = scalarLines(node, this.#source);
    const isBlock = /^[|>]/.test(first);
    const [ahead, behind] = more.length > 0 && !isBlock ? [[], beside] : [beside, []];
    this.#add(besideText(joined(head, properties, first), ahead));
    for (const [index, line] of more.entries()) {
      const text = line === "" ? "" : indent + line;
      const isLast = index === more.length - 1;
      this.#lines.push(isLast ? besideText(text, behind) : text);
    }
  }

  /** Whether a collection is written on the line of its key. */
  #fits(head: string, value: FormatCollection, beside: readonly string[]): boolean {
    if (value.entries.length > 0 && !value.isFlow) return false;
    const room = MAX_LINE_LENGTH - [...head, ...value.properties, ...beside.join(" ")].length - 2;
    return this.#flat(value, value.entries.length === 0 ? Infinity : room) !== null;
  }

  /** A value on one line; null if it is longer than `room`, or has comments or line breaks. */
  #flat(value: FormatValue, room: number): string | null {
    if (value.type === "scalar") {
      const text = value.node === null ? "" : singleLine(value.node, this.#source, true);
      return text === null ? null : joined(value.properties, text);
    }
    const { type, entries, header, tail } = value;
    if (header.length + tail.length > 0) return null;
    const parts: string[] = [];
    let length = 0;
    for (const entry of entries) {
      const part = this.#flatEntry(entry, room - length);
      if (part === null) return null;
      length += part.length + 2;
      if (length > room) return null;
      parts.push(part);
    }
    if (parts.length === 0) return type === "map" ? "{}" : "[]";
    return type === "map" ? `{ ${parts.join(", ")} }` : `[${parts.join(", ")}]`;
  }

  #flatEntry({ above, beside, key, keyProperties, value }: FormatEntry, room: number): string | null {
    if (above.length + beside.length > 0) return null;
    const text = this.#flat(value, room);
    if (text === null || key === null) return text;
    const name = joined(keyProperties, keyLine(key, this.#source, true));
    return text === "" ? name : `${name}: ${text}`;
  }
}

const SPACES = " ".repeat(STEP);

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function besideText(line: string, comments: readonly string[]): string {
  return joined(line, ...comments);
}

/** The comment that stays on the line. A line can have only one. */
function besideLine({ beside }: FormatEntry): readonly string[] {
  return beside.slice(-1);
}

function lines(comments: readonly string[]): CommentLine[] {
  return comments.map((text) => ({ text, isSpaced: false }));
}
