// What a report says, as blocks. Each format draws them in its own syntax and decides nothing.

import { visible } from "../domain/control-characters.ts";
import type { PlaceDocument, SourceLine } from "./json/schema.ts";

/** `muted`: what a reader can skip. */
export type Tone = "good" | "warn" | "bad" | "calm" | "muted";

/** `text` and `strong` are words of linkform. `prose` is a sentence with code in backticks, and can contain foreign text, which `code` is. */
export interface Span {
  readonly text: string;
  readonly as: "text" | "strong" | "prose" | "code" | "strong code";
  readonly href?: string;
}

export type Line = readonly Span[];

export type Block = HeadingBlock | LinesBlock | AlertBlock | ItemsBlock | CodeBlock | FoldBlock;

export interface HeadingBlock {
  readonly is: "heading";
  /** 1 for a project of several, 2 for a section. */
  readonly level: 1 | 2;
  readonly tone: Tone;
  readonly line: Line;
  readonly lead?: Line;
}

export interface LinesBlock {
  readonly is: "lines";
  readonly tone: Tone;
  readonly lines: readonly Line[];
  /** Default: paragraphs. */
  readonly list?: "bullets" | "steps";
}

/** What stops the run, in a box. The first line says what happens. */
export interface AlertBlock {
  readonly is: "alert";
  readonly lines: readonly Line[];
}

export interface ItemsBlock {
  readonly is: "items";
  /** No item may be folded away. */
  readonly isOpen: boolean;
  readonly items: readonly Item[];
}

export interface CodeBlock {
  readonly is: "code";
  readonly text: string;
  readonly language: "yaml" | "diff";
}

export interface FoldBlock {
  readonly is: "fold";
  readonly title: Line;
  readonly blocks: readonly Block[];
}

/** Reports with only the text format have tables, too. */
export type LogBlock = Block | TableBlock;

export interface TableBlock {
  readonly is: "table";
  readonly lead?: TonedLine;
  readonly indent: number;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TonedLine[])[];
  readonly foot?: Line;
}

export interface TableColumn {
  readonly head?: string;
  /** A cell that does not fit is cut, or the rest of its row is on the next line. Only the last column can be wrapped. */
  readonly fit: "cut" | "whole" | "wrap";
  /** The width below which the column is useless. Shorter cells need less. */
  readonly min: number;
  /** It stays if there is no room. Of the others, the first ones stay. */
  readonly isKept: boolean;
  readonly isRight?: boolean;
}

export interface TonedLine {
  readonly tone: Tone;
  readonly line: Line;
}

/** A change, several similar changes, a finding, or an object. */
export interface Item {
  /** One character: `+`, `~`, `±`, `-`, `≠`, `✗`, `!`. */
  readonly symbol: string;
  readonly tone: Tone;
  /** What happens: `update link`, `error`. */
  readonly verb: string;
  /** Only of a finding: its code. */
  readonly tag?: string;
  /** What it happens to, or the message of a finding. */
  readonly title: Line;
  readonly isBraked?: boolean;
  /** Short remarks beside the title, such as the id and the clicks. */
  readonly facts?: readonly Line[];
  readonly notes?: readonly TonedLine[];
  readonly rows?: readonly Row[];
  /** The first is its own place. */
  readonly places?: readonly ItemPlace[];
  /** YAML to paste. */
  readonly paste?: string;
  /** The changes of a group in full, and in short, with what differs. */
  readonly members?: readonly Item[];
  readonly list?: readonly Line[];
}

/** `label`: `links.yaml:4:3 · changed by hand`. */
export interface ItemPlace {
  readonly label: Line;
  /** From the root of the repository. Left out for a group in several files. */
  readonly at?: PlaceDocument;
  readonly source: readonly MarkedLine[];
}

/** A line, and what is marked in it, as `first here`; undefined for the place itself. */
export interface MarkedLine extends SourceLine {
  readonly says?: string;
}

/** A field with both values (null for none), or with its parts: the entries of a target group or the items of a list. */
export interface Row {
  /** The path or name of a field. Empty for an item of a list. */
  readonly label: string;
  /** How a part differs; `whole`: all of the object is new or deleted. */
  readonly how: "added" | "removed" | "changed" | "kept" | "whole";
  readonly before: Value | null;
  readonly after: Value | null;
  readonly parts: readonly Row[];
}

/** With an `href`, the whole text is an address on the web. */
export interface Value {
  readonly pieces: readonly Piece[];
  readonly href?: string;
}

/** The other value has the pieces that do not differ, too. */
export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** Marks the changes that tripped a brake, and the message of the brake. */
export const BRAKE_MARK = "‼";

/** The functions below return no block for empty content. */
export function heading(tone: Tone, title: Line, lead: Line = []): HeadingBlock {
  return { is: "heading", level: 2, tone, line: title, ...(lead.length > 0 && { lead }) };
}

export function sentences(tone: Tone, lines: readonly Line[]): LinesBlock[] {
  return lines.length === 0 ? [] : [{ is: "lines", tone, lines }];
}

export function bullets(lines: readonly Line[]): Block[] {
  return lines.length === 0 ? [] : [{ is: "lines", tone: "calm", list: "bullets", lines }];
}

export function itemList(items: readonly Item[], isOpen: boolean = false): Block[] {
  return items.length === 0 ? [] : [{ is: "items", isOpen, items }];
}

export function yaml(text: string): Block[] {
  return text === "" ? [] : [{ is: "code", text, language: "yaml" }];
}

const TWO_COLUMNS: readonly TableColumn[] = [
  { fit: "whole", min: 30, isKept: true },
  { fit: "wrap", min: 20, isKept: true },
];

export function twoColumns(lead: TonedLine | null, indent: number, rows: TableBlock["rows"]): TableBlock {
  return { is: "table", indent, columns: TWO_COLUMNS, rows, ...(lead !== null && { lead }) };
}

export function toned(spans: Line, tone: Tone = "calm"): TonedLine {
  return { tone, line: spans };
}

export interface Composed {
  readonly of: string;
  /** By which an earlier report is found again: the project file from the root of its repository, or the name of a merged report. */
  readonly name: string;
  /** The project file or the number of projects; empty if it is not known. */
  readonly subject: Line;
  readonly baseUrl: string | null;
  readonly tone: Tone;
  readonly title: Line;
  readonly lead: readonly Line[];
  readonly blocks: readonly Block[];
}

export function code(text: string, href: string | null = null): Span {
  return { text, as: "code", ...(href !== null && { href }) };
}

export function strong(text: string): Span {
  return { text, as: "strong" };
}

/** A sentence that may contain foreign text, with code in backticks. */
export function prose(text: string): Line {
  return [{ text, as: "prose" }];
}

export function line(parts: TemplateStringsArray, ...values: readonly (string | Span | Line)[]): Span[] {
  const spans: Span[] = [];
  for (const [at, part] of parts.entries())
    for (const one of [part, values[at] ?? ""].flat())
      spans.push(typeof one === "string" ? { text: one, as: "text" } : one);
  return spans.filter(({ text }) => text !== "");
}

/** Invisible characters are shown. */
export function plainText(spans: Line): string {
  return spans.map(({ text }) => visible(text)).join("");
}

export function joinLines(lines: readonly Line[], between: string): Span[] {
  return lines.flatMap((spans, at) => (at === 0 ? spans : [{ text: between, as: "text" as const }, ...spans]));
}

/** Null for a text that is no address that a browser can open. */
export function webAddress(text: string): string | null {
  return /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(text) && !/\p{Cs}|\\u\{|•/u.test(text) ? text : null;
}

/** Of a web page or of an app. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/./i.test(text);
}

/** Cuts out the middle of a text that has more than `max` UTF-16 units. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 4);
  return `${trimSurrogates(text.slice(0, max - tail - 1))}…${trimSurrogates(text.slice(-tail))}`;
}

/** Removes the halves of characters that a cut leaves at the ends. */
export function trimSurrogates(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
