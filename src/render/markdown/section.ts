// Changes of one section: lines for what is alike, a table for the rest, and folds for what is more than a glance.

import { plural, showCount } from "../../view/counts.ts";
import type { ReportBlock, Form } from "./fit.ts";
import { code, fold, row, tableHead } from "./inline.ts";
import { countOf, type ReportItem } from "../../view/item.ts";

/** Alike changes: what a line says of them. */
export interface SimilarChanges {
  readonly said: string;
  readonly items: readonly ReportItem[];
}

/** Changes that are told together. */
export interface MarkdownSection {
  /** One line of text. */
  readonly heading: string;
  /** A sentence below it, or nothing. */
  readonly lead: string;
  readonly alike: readonly SimilarChanges[];
  readonly single: readonly ReportItem[];
  readonly columns: readonly string[];
  readonly cells: (item: ReportItem) => readonly string[];
  /** The lines of a list that say all of a change. */
  readonly details: (item: ReportItem) => string;
  /** Whether it is told how often those were followed that are not named. */
  readonly hasClicks: boolean;
  /** Sections with a higher one keep more when room is short. */
  readonly weight: number;
}

/** So many rows are read where they stand; more are to be opened. */
const GLANCE = 25;

/** What of a section is told. */
interface Extent {
  readonly details: boolean;
  /** Rows of the table, and keys of what is alike. */
  readonly rows: number;
  readonly keys: number;
  readonly lines: number;
}

/** From everything to a heading, which has the number. */
const EXTENTS: readonly Extent[] = [
  { details: true, rows: Infinity, keys: Infinity, lines: Infinity },
  { details: false, rows: Infinity, keys: Infinity, lines: Infinity },
  { details: false, rows: 1000, keys: 1000, lines: 100 },
  { details: false, rows: 300, keys: 300, lines: 50 },
  { details: false, rows: 100, keys: 100, lines: GLANCE },
  { details: false, rows: GLANCE, keys: GLANCE, lines: 10 },
  { details: false, rows: 10, keys: 0, lines: 5 },
  { details: false, rows: 5, keys: 0, lines: 3 },
  { details: false, rows: 2, keys: 0, lines: 3 },
  { details: false, rows: 0, keys: 0, lines: 2 },
  { details: false, rows: 0, keys: 0, lines: 0 },
];

/** Stages of one section lie so far apart; between them are those of others. */
const STEP = 10;

/** A section as it shrinks; empty where it has no changes. */
export function sectionBlock(section: MarkdownSection): ReportBlock[] {
  const { alike, single, weight } = section;
  if (alike.length + single.length === 0) return [];
  const rows = new Map<ReportItem, string>();
  const draw = (extent: Extent): Form["draw"] => {
    return (most) => sectionText(section, extent, rows, most);
  };
  const [first, ...rest] = EXTENTS.map((extent, at): Form => ({ draw: draw(extent), stage: at * STEP + weight }));
  const last: Form = { draw: () => "", stage: Infinity };
  return first === undefined ? [] : [[first, ...rest, last]];
}

/** Gathers text until there is too much of it. */
class Gathered {
  readonly #most: number;
  text = "";

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.text.length > this.#most;
  }

  /** Adds each until it is full. */
  addAll<Some>(items: readonly Some[], draw: (item: Some) => string): void {
    for (const item of items) {
      if (this.isFull) return;
      this.text += draw(item);
    }
  }
}

function sectionText(
  section: MarkdownSection,
  extent: Extent,
  rows: Map<ReportItem, string>,
  most: number,
): string | null {
  const { heading, lead, alike, single, columns } = section;
  const shown = single.slice(0, extent.rows);
  // What is too long in any case is not drawn.
  if ((shown.length - GLANCE) * 8 > most) return null;
  const all = new Gathered(most);
  all.text += `### ${heading}\n\n`;
  if (extent.rows > 0 && lead !== "") all.text += `${lead}\n\n`;
  all.addAll(alike.slice(0, extent.lines), (group) => alikeText(section, group, extent));
  if (alike.length > extent.lines && extent.lines > 0)
    all.text += `- … and ${plural(alike.length - extent.lines, "other line")} like these.\n\n`;
  const rowText = (item: ReportItem): string => {
    const known = rows.get(item) ?? row(section.cells(item));
    rows.set(item, known);
    return known;
  };
  const put = (items: readonly ReportItem[]): void => {
    if (items.length === 0) return;
    all.text += tableHead(columns);
    all.addAll(items, rowText);
    all.text += "\n";
  };
  if (alike.length > 0 && extent.rows > 0 && single.length > 0) all.text += "Besides these:\n\n";
  put(shown.slice(0, GLANCE));
  const more = shown.slice(GLANCE);
  if (more.length > 0 && !all.isFull) {
    const inFold = new Gathered(most - all.text.length);
    inFold.text += tableHead(columns);
    inFold.addAll(more, rowText);
    if (inFold.isFull) return null;
    all.text += fold(`${showCount(more.length)} more`, inFold.text);
  }
  all.text += restText(section, extent);
  if (extent.details && !all.isFull) {
    const inFold = new Gathered(most - all.text.length);
    inFold.addAll(alike.flatMap(({ items }) => items).concat(single), section.details);
    if (inFold.isFull) return null;
    all.text += fold("Details, with the lines in the files", inFold.text);
  }
  return all.isFull ? null : all.text;
}

/** What is only counted. */
function restText({ single, hasClicks }: MarkdownSection, { rows, lines }: Extent): string {
  const left = single.slice(rows);
  if (left.length === 0 || (rows === 0 && lines === 0)) return "";
  const clicks = hasClicks ? clicksOf(left) : "";
  return `… and ${showCount(left.length)} more${clicks === "" ? "" : `, with ${clicks}`}.\n\n`;
}

/** `8,240 clicks`; nothing where none are known. */
export function clicksOf(items: readonly ReportItem[]): string {
  const sum = items.reduce((clicks, item) => clicks + (item.clicks ?? 0), 0);
  return sum === 0 ? "" : plural(sum, "click");
}

function alikeText({ hasClicks }: MarkdownSection, { said, items }: SimilarChanges, { keys }: Extent): string {
  const clicks = hasClicks ? clicksOf(items) : "";
  const line = `- **${countOf(items)}**${clicks === "" ? "" : ` (${clicks} so far)`}: ${said}\n\n`;
  if (keys === 0) return line;
  const named = items.slice(0, keys).map(({ key }) => code(key));
  const rest = items.length - named.length;
  const list = `${named.join(", ")}${rest === 0 ? "" : `, … and ${showCount(rest)} more`}`;
  return `${line}${fold(`Which ${showCount(items.length)}`, list)}`;
}
