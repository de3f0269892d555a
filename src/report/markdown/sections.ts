// Changes and differences as lists in sections. A list fits the width of a phone; a table does not.

import type { ChangeView } from "../change.ts";
import type { DriftState } from "../drift.ts";
import {
  clicksOf,
  countObjects,
  driftSections,
  planSections,
  type ChangeSection,
  type PlanSection,
  type SimilarChanges,
} from "../sections.ts";
import type { RenderContext } from "../format.ts";
import type { BlockForm, ReportBlock } from "./fit.ts";
import { plural, showCount } from "../counts.ts";
import { code, fold, link, linesItem, placeText, prose, spanText } from "./inline.ts";
import { shorten } from "../spans.ts";
import { LIST_LIMITS, diffSpans, fieldName, valueSpans, NO_LIMITS, type SpanLimits } from "../value-spans.ts";
import type { Word } from "../values.ts";
import { BRAKE_MARK } from "../brakes.ts";
import { DESTINATION_FIELD, ENDING_FLAGS, fieldAt, KEY_FIELD, REFERENCE_FIELD } from "../../domain/table.ts";

type ListLayout = Pick<SectionList, "cells" | "hasClicks" | "weight">;

const LISTS: Readonly<Record<PlanSection, ListLayout>> = {
  lost: { cells: lostCells, hasClicks: true, weight: 39 },
  gone: { cells: goneCells, hasClicks: false, weight: 24 },
  noticed: { cells: noticedCells, hasClicks: true, weight: 23 },
  updated: { cells: changedCells, hasClicks: false, weight: 12 },
  new: { cells: newCells, hasClicks: false, weight: 1 },
};

export function changeBlocks(
  changes: readonly ChangeView[],
  tense: "plan" | "apply",
  context: RenderContext,
): ReportBlock[] {
  const details = detailsText(context);
  return planSections(changes, tense).flatMap((section) => sectionBlock({ section, ...LISTS[section.name], details }));
}

const DRIFT_LISTS: Readonly<Record<DriftState, ListLayout>> = {
  missing: { cells: newCells, hasClicks: false, weight: 30 },
  changed: { cells: noticedCells, hasClicks: true, weight: 29 },
  "not renamed yet": { cells: noticedCells, hasClicks: true, weight: 28 },
  "not moved yet": { cells: noticedCells, hasClicks: true, weight: 27 },
  "not deleted yet": { cells: leftCells, hasClicks: true, weight: 26 },
  undeclared: { cells: leftCells, hasClicks: true, weight: 25 },
};

export function driftBlocks(changes: readonly ChangeView[], context: RenderContext): ReportBlock[] {
  const details = detailsText(context);
  return driftSections(changes).flatMap((section) => sectionBlock({ section, ...DRIFT_LISTS[section.name], details }));
}

/** A section, and how it is drawn. */
export interface SectionList {
  readonly section: ChangeSection;
  readonly cells: (change: ChangeView) => readonly string[];
  /** All fields of a change as a list item. */
  readonly details: (change: ChangeView) => string;
  /** Whether the clicks of omitted changes are shown. */
  readonly hasClicks: boolean;
  /** Sections with a higher weight keep more when room is short. */
  readonly weight: number;
}

/** More rows are folded. */
const MAX_UNFOLDED = 10;

/** How much of a section is shown. */
interface DetailLevel {
  readonly details: boolean;
  /** Items of the list, and keys and lines of similar changes. */
  readonly rows: number;
  readonly keys: number;
  readonly lines: number;
}

/** From everything to the heading, which contains the count. */
const DETAIL_LEVELS: readonly DetailLevel[] = [
  { details: true, rows: Infinity, keys: Infinity, lines: Infinity },
  { details: false, rows: Infinity, keys: Infinity, lines: Infinity },
  { details: false, rows: 1000, keys: 1000, lines: 100 },
  { details: false, rows: 300, keys: 300, lines: 50 },
  { details: false, rows: 100, keys: 100, lines: 25 },
  { details: false, rows: 25, keys: 25, lines: 10 },
  { details: false, rows: 10, keys: 0, lines: 5 },
  { details: false, rows: 5, keys: 0, lines: 3 },
  { details: false, rows: 2, keys: 0, lines: 3 },
  { details: false, rows: 0, keys: 0, lines: 2 },
  { details: false, rows: 0, keys: 0, lines: 0 },
];

/** The distance between the levels of one section; the levels of other sections come between. */
const STEP = 10;

function sectionBlock(list: SectionList): ReportBlock[] {
  const rows = new Map<ChangeView, string>();
  const draw = (extent: DetailLevel): BlockForm["draw"] => {
    return (max) => sectionText(list, extent, rows, max);
  };
  const [first, ...rest] = DETAIL_LEVELS.map((extent, at): BlockForm => ({
    draw: draw(extent),
    dropOrder: at * STEP + list.weight,
  }));
  const last: BlockForm = { draw: () => "", dropOrder: Infinity };
  return first === undefined ? [] : [[first, ...rest, last]];
}

/** Collects text up to a maximum length. */
class BoundedText {
  readonly #max: number;
  text = "";

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.text.length > this.#max;
  }

  addAll<Some>(items: readonly Some[], draw: (item: Some) => string): void {
    for (const item of items) {
      if (this.isFull) return;
      this.text += draw(item);
    }
  }
}

function sectionText(
  list: SectionList,
  extent: DetailLevel,
  rows: Map<ChangeView, string>,
  max: number,
): string | null {
  const { section } = list;
  const { isBad, owner, heading, lead, similar, single } = section;
  const shown = single.slice(0, extent.rows);
  // Skip a list that cannot fit: an item has at least 8 characters.
  if ((shown.length - MAX_UNFOLDED) * 8 > max) return null;
  const all = new BoundedText(max);
  all.text += `### ${isBad ? "⛔ " : ""}${owner === null ? "" : `${prose(owner)}: `}${heading}\n\n`;
  if (extent.rows > 0 && lead !== "") all.text += `${lead}\n\n`;
  all.addAll(similar.slice(0, extent.lines), (group) => similarText(list, group, extent));
  if (similar.length > extent.lines && extent.lines > 0)
    all.text += `- … and ${plural(similar.length - extent.lines, "more line")} like these.\n\n`;
  const rowText = (change: ChangeView): string => {
    const known = rows.get(change) ?? linesItem(list.cells(change));
    rows.set(change, known);
    return known;
  };
  const put = (items: readonly ChangeView[], into: BoundedText): void => {
    if (items.length === 0) return;
    into.addAll(items, rowText);
    into.text += "\n";
  };
  if (similar.length > 0 && extent.rows > 0 && single.length > 0) all.text += "Other changes:\n\n";
  put(shown.slice(0, MAX_UNFOLDED), all);
  const more = shown.slice(MAX_UNFOLDED);
  if (more.length > 0 && !all.isFull) {
    const inFold = new BoundedText(max - all.text.length);
    put(more, inFold);
    if (inFold.isFull) return null;
    all.text += fold(`${showCount(more.length)} more`, inFold.text);
  }
  all.text += restText(list, extent);
  if (extent.details && !all.isFull) {
    const inFold = new BoundedText(max - all.text.length);
    inFold.addAll([...similar.flatMap(({ changes }) => changes), ...single], list.details);
    if (inFold.isFull) return null;
    all.text += fold("Details and source lines", inFold.text);
  }
  return all.isFull ? null : all.text;
}

function restText({ section: { single }, hasClicks }: SectionList, { rows, lines }: DetailLevel): string {
  const left = single.slice(rows);
  if (left.length === 0 || (rows === 0 && lines === 0)) return "";
  const clicks = hasClicks ? clicksOf(left) : "";
  return `… and ${showCount(left.length)} more${clicks === "" ? "" : `, with ${clicks}`}.\n\n`;
}

function similarText(
  { hasClicks }: SectionList,
  { family, statement, changes }: SimilarChanges,
  { keys }: DetailLevel,
): string {
  const clicks = hasClicks ? clicksOf(changes) : "";
  const of = family === null ? "" : ` of family ${code(shorten(family, MAX_LABEL_LENGTH))}`;
  const line = `- **${countObjects(changes)}**${of}${clicks === "" ? "" : ` (${clicks} so far)`}: ${spanText(statement)}\n\n`;
  if (keys === 0) return line;
  const named = changes.slice(0, keys).map(({ key, addresses }) => linkedKey(key, addresses.key));
  const rest = changes.length - named.length;
  const names = `${named.join(", ")}${rest === 0 ? "" : `, … and ${showCount(rest)} more`}`;
  return `${line}${fold(`Show all ${showCount(changes.length)}`, names)}`;
}

/** Fields that the key or the end of a link shows already. */
const IN_KEY: readonly string[] = [KEY_FIELD.link, REFERENCE_FIELD.domain, ...ENDING_FLAGS];

const BREAK = "<br>";

const MAX_PARTS = 4;

const MAX_KEY_LENGTH = 300;

const MAX_LABEL_LENGTH = 60;

function keyText({ key, kind, trips, addresses }: ChangeView): string {
  const mark = trips ? `${BRAKE_MARK} ` : "";
  return `${mark}${kind === "pixel" ? "pixel " : ""}${linkedKey(key, addresses.key)}`;
}

function linkedKey(key: string, address: string | null): string {
  return link(code(shorten(key, MAX_KEY_LENGTH)), address);
}

/** The row of a change that ends a short URL. */
function lostCells(change: ChangeView): readonly string[] {
  const { lost, trips, key, addresses } = change;
  const mark = trips ? `${BRAKE_MARK} ` : "";
  const what = [endText(change), ...(change.isWhole ? [] : fieldTexts(change, LIST_LIMITS, false))];
  return [
    `${mark}${linkedKey(lost ?? key, addresses.previous ?? addresses.key)}${clicksText(change)}`,
    what.join(BREAK),
  ];
}

function clicksText({ clicks }: ChangeView): string {
  return clicks === null ? "" : ` · ${plural(clicks, "click")}`;
}

function endText({ action, previousKey: was, key, remark, words }: ChangeView): string {
  const to = code(shorten(key, MAX_KEY_LENGTH));
  if (action === "replace") return `**moved** to ${to} (its id and clicks are lost)`;
  if (action === "delete") {
    const url = words.find(({ path }) => path === DESTINATION_FIELD);
    const led = url === undefined ? "" : `, led to ${valueText(url.after, LIST_LIMITS)}`;
    return [`**deleted**${led}`, ...(remark === null ? [] : [prose(remark)])].join(BREAK);
  }
  const flags = words.flatMap(({ path, after }) =>
    ENDING_FLAGS.includes(path) && after === true ? [`**${path}**`] : [],
  );
  const isLimited = words.some(({ path }) => fieldAt("link", path)?.opens?.when === "expired");
  if (was === null && flags.length === 0 && isLimited) return "**expired**";
  return [...(was === null ? [] : [`**renamed** to ${to}`]), ...flags].join(BREAK);
}

/** The row of an update that visitors do not notice. */
function changedCells(change: ChangeView): readonly string[] {
  const from =
    change.previousKey === null ? "" : `${BREAK}was ${linkedKey(change.previousKey, change.addresses.previous)}`;
  return [`${keyText(change)}${from}`, fieldTexts(change, LIST_LIMITS, true).join(BREAK)];
}

function noticedCells(change: ChangeView): readonly string[] {
  const [key = "", changed = ""] = changedCells(change);
  const [first = "", ...was] = key.split(BREAK);
  return [[`${first}${clicksText(change)}`, ...was].join(BREAK), changed];
}

/** The row of a new object. */
function newCells(change: ChangeView): readonly string[] {
  const url = change.words.find(({ path }) => path === DESTINATION_FIELD);
  const others = change.words.filter((word) => word !== url);
  const shown = others.map(({ path, after }) => `${spanText(fieldName(path))} ${valueText(after, LIST_LIMITS)}`);
  const first = url === undefined ? [] : [`→ ${valueText(url.after, LIST_LIMITS)}`];
  return [keyText(change), [...first, ...shown].join(BREAK)];
}

/** The row of a live object that should not exist. */
function leftCells(change: ChangeView): readonly string[] {
  const [key = "", has = ""] = newCells(change);
  return [`${key}${clicksText(change)}`, has];
}

/** The row of a delete that visitors do not notice. */
function goneCells(change: ChangeView): readonly string[] {
  return [keyText(change), change.remark === null ? "deleted" : prose(change.remark)];
}

/** The remark and the changed fields. Fields that the row shows elsewhere are left out unless `isAll`. */
function fieldTexts({ kind, words, lost, remark }: ChangeView, room: SpanLimits, isAll: boolean): string[] {
  const shown = isAll && lost === null ? words : words.filter(({ path }) => !IN_KEY.includes(path));
  const fields = shown.map(
    (word) => `${spanText(fieldName(word.path))}: ${few(diffSpans(kind, word, room).map(spanText))}`,
  );
  return remark === null ? fields : [prose(remark), ...fields];
}

function valueText(word: Word, room: SpanLimits): string {
  return spanText(valueSpans(word, room));
}

function few(texts: readonly string[]): string {
  const rest = texts.length - MAX_PARTS;
  return rest <= 1 ? texts.join(", ") : `${texts.slice(0, MAX_PARTS).join(", ")} and ${showCount(rest)} more`;
}

/** All fields of a change as a list item. */
function detailsText(context: RenderContext): (change: ChangeView) => string {
  return (change) => {
    const { kind, words, isWhole, id, url, previousKey: was, remark, clicks, origin, since, place } = change;
    const about = [
      ...(was === null ? [] : [`was ${code(was)}`]),
      ...(url === null ? [] : [code(url)]),
      ...(id === null ? [] : [`id ${id}`]),
      ...(clicks === null ? [] : [plural(clicks, "click")]),
      ...(origin === null ? [] : [origin]),
      ...(since === null ? [] : [prose(since)]),
      placeText(place, context),
    ];
    const fields = words.flatMap((word) =>
      (isWhole ? [valueText(word.after, NO_LIMITS)] : diffSpans(kind, word, NO_LIMITS).map(spanText)).map(
        (text) => `  - ${code(word.path)}: ${text}\n`,
      ),
    );
    const why = remark === null ? "" : `  - ${change.action === "delete" ? "Deleted: " : ""}${prose(remark)}\n`;
    return `- ${keyText(change)} · ${about.join(" · ")}\n${fields.join("")}${why}`;
  };
}
