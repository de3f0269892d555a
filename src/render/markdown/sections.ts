// The sections of a report on changes as tables.

import type { ChangeView } from "../../view/change.ts";
import type { DriftState } from "../../view/drift.ts";
import {
  clicksOf,
  countObjects,
  driftSections,
  planSections,
  type ChangeSection,
  type PlanSection,
  type SimilarChanges,
} from "../../view/sections.ts";
import type { Setting } from "../format.ts";
import { changedCells, detailsText, goneCells, leftCells, lostCells, newCells, noticedCells } from "./change.ts";
import type { Form, ReportBlock } from "./fit.ts";
import { plural, showCount } from "../../view/counts.ts";
import { code, fold, row, spanText, tableHead } from "./inline.ts";

type Table = Pick<SectionTable, "columns" | "cells" | "hasClicks" | "weight">;

const TABLES: Readonly<Record<PlanSection, Table>> = {
  lost: { columns: ["Short URL", "What happens"], cells: lostCells, hasClicks: true, weight: 39 },
  gone: { columns: ["What", "Why"], cells: goneCells, hasClicks: false, weight: 24 },
  noticed: { columns: ["What", "Change"], cells: noticedCells, hasClicks: true, weight: 23 },
  updated: { columns: ["What", "Change"], cells: changedCells, hasClicks: false, weight: 12 },
  new: { columns: ["What", "Leads to"], cells: newCells, hasClicks: false, weight: 1 },
};

/** The changes of a plan or an apply. */
export function changeBlocks(changes: readonly ChangeView[], tense: "plan" | "apply", setting: Setting): ReportBlock[] {
  const details = detailsText(setting);
  return planSections(changes, tense).flatMap((section) => sectionBlock({ section, ...TABLES[section.name], details }));
}

const DIFFERS = ["What", "Declared → live"];
const LEADS_TO = ["What", "Leads to"];

const DRIFT_TABLES: Readonly<Record<DriftState, Table>> = {
  missing: { columns: LEADS_TO, cells: newCells, hasClicks: false, weight: 30 },
  changed: { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 29 },
  "not renamed yet": { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 28 },
  "not moved yet": { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 27 },
  "not deleted yet": { columns: LEADS_TO, cells: leftCells, hasClicks: true, weight: 26 },
  undeclared: { columns: LEADS_TO, cells: leftCells, hasClicks: true, weight: 25 },
};

/** The differences between the files and the live state. */
export function driftBlocks(changes: readonly ChangeView[], setting: Setting): ReportBlock[] {
  const details = detailsText(setting);
  return driftSections(changes).flatMap((section) => sectionBlock({ section, ...DRIFT_TABLES[section.name], details }));
}

/** A section, and how it is drawn. */
export interface SectionTable {
  readonly section: ChangeSection;
  readonly columns: readonly string[];
  readonly cells: (change: ChangeView) => readonly string[];
  /** All of a change, as lines of a list. */
  readonly details: (change: ChangeView) => string;
  /** Whether the clicks of the changes that are not named are shown. */
  readonly hasClicks: boolean;
  /** Sections with a higher weight keep more when room is short. */
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

/** A section as it shrinks. */
function sectionBlock(table: SectionTable): ReportBlock[] {
  const rows = new Map<ChangeView, string>();
  const draw = (extent: Extent): Form["draw"] => {
    return (most) => sectionText(table, extent, rows, most);
  };
  const [first, ...rest] = EXTENTS.map((extent, at): Form => ({ draw: draw(extent), stage: at * STEP + table.weight }));
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

function sectionText(table: SectionTable, extent: Extent, rows: Map<ChangeView, string>, most: number): string | null {
  const { section, columns } = table;
  const { isBad, heading, lead, similar, single } = section;
  const shown = single.slice(0, extent.rows);
  // What is too long in any case is not drawn.
  if ((shown.length - GLANCE) * 8 > most) return null;
  const all = new Gathered(most);
  all.text += `### ${isBad ? "⛔ " : ""}${heading}\n\n`;
  if (extent.rows > 0 && lead !== "") all.text += `${lead}\n\n`;
  all.addAll(similar.slice(0, extent.lines), (group) => similarText(table, group, extent));
  if (similar.length > extent.lines && extent.lines > 0)
    all.text += `- … and ${plural(similar.length - extent.lines, "other line")} like these.\n\n`;
  const rowText = (item: ChangeView): string => {
    const known = rows.get(item) ?? row(table.cells(item));
    rows.set(item, known);
    return known;
  };
  const put = (items: readonly ChangeView[]): void => {
    if (items.length === 0) return;
    all.text += tableHead(columns);
    all.addAll(items, rowText);
    all.text += "\n";
  };
  if (similar.length > 0 && extent.rows > 0 && single.length > 0) all.text += "Besides these:\n\n";
  put(shown.slice(0, GLANCE));
  const more = shown.slice(GLANCE);
  if (more.length > 0 && !all.isFull) {
    const inFold = new Gathered(most - all.text.length);
    inFold.text += tableHead(columns);
    inFold.addAll(more, rowText);
    if (inFold.isFull) return null;
    all.text += fold(`${showCount(more.length)} more`, inFold.text);
  }
  all.text += restText(table, extent);
  if (extent.details && !all.isFull) {
    const inFold = new Gathered(most - all.text.length);
    inFold.addAll([...similar.flatMap(({ changes }) => changes), ...single], table.details);
    if (inFold.isFull) return null;
    all.text += fold("Details, with the lines in the files", inFold.text);
  }
  return all.isFull ? null : all.text;
}

/** What is only counted. */
function restText({ section: { single }, hasClicks }: SectionTable, { rows, lines }: Extent): string {
  const left = single.slice(rows);
  if (left.length === 0 || (rows === 0 && lines === 0)) return "";
  const clicks = hasClicks ? clicksOf(left) : "";
  return `… and ${showCount(left.length)} more${clicks === "" ? "" : `, with ${clicks}`}.\n\n`;
}

function similarText({ hasClicks }: SectionTable, { statement, changes }: SimilarChanges, { keys }: Extent): string {
  const clicks = hasClicks ? clicksOf(changes) : "";
  const line = `- **${countObjects(changes)}**${clicks === "" ? "" : ` (${clicks} so far)`}: ${spanText(statement)}\n\n`;
  if (keys === 0) return line;
  const named = changes.slice(0, keys).map(({ key }) => code(key));
  const rest = changes.length - named.length;
  const list = `${named.join(", ")}${rest === 0 ? "" : `, … and ${showCount(rest)} more`}`;
  return `${line}${fold(`Which ${showCount(changes.length)}`, list)}`;
}
