// A change as a card: what is done to what, what it means for visitors, and each field with its old and new side.

import { BRAKE_MARK } from "../brakes.ts";
import { SYMBOL, type ChangeView } from "../change.ts";
import { type ResultStatus } from "../apply-result.ts";
import { plural } from "../counts.ts";
import { compareTexts, type TextPiece } from "../text-diff.ts";
import { joined, markup, prose, type HtmlContent, type Markup } from "./markup.ts";
import { excerptLines, originRow, placeLink, type Sources } from "./finding.ts";
import { visible } from "../../domain/control-characters.ts";
import { calledAt, type ResourceKind } from "../../domain/table.ts";
import { diffValue, viewValue, type PartsDiff, type TextDiff, type ValueView } from "../value-diff.ts";
import type { WordChange } from "../values.ts";

/** The headings of the two value columns. */
export type SideHeads = readonly [string, string];

export interface CardContext {
  readonly heads: SideHeads;
  readonly sources: Sources;
}

export const STATUS_MARK: Readonly<Record<ResultStatus, string>> = {
  applied: "✓",
  "already done": "✓",
  failed: "✗",
  outdated: "○",
  "not started": "○",
};

/** A minus is easier to see than a hyphen. */
export function actionSymbol(action: ChangeView["action"]): string {
  return action === "delete" ? "−" : SYMBOL[action];
}

/** The card of a change. */
export function changeCard(change: ChangeView, context: CardContext): Markup {
  const { action, kind, result, state, key } = change;
  const [symbol, what, look] =
    state === null
      ? [actionSymbol(action), `${action} ${kind}`, action]
      : ["≠", `${kind} ${state}`, state === "missing" ? "delete" : "update"];
  const facts = factsOf(change);
  return markup`<article class="card ${look}${result === null ? null : ` ${classOf(result.status)}`}" data-action="${state ?? action}">
<h3><span class="what"><b>${symbol}</b> ${what}</span> <span class="key">${key}</span>${change.trips ? markup` <span class="stop">${BRAKE_MARK} counts toward the brake</span>` : null}</h3>
${facts.length === 0 ? null : markup`<p class="facts">${joined(facts, markup` <i>·</i> `)}</p>\n`}${outcomeOf(change, context)}${consequences(change)}${table(change, context)}${sourceOf(change, context)}</article>
`;
}

/** Short remarks beside the key. */
function factsOf({ previousKey: was, url, clicks, id, state, since, result, isNoticed }: ChangeView): string[] {
  return [
    ...(was === null ? [] : [`${state === null ? "was" : "still"} ${was}`]),
    ...(url === null ? [] : [url]),
    ...(clicks === null ? [] : [plural(clicks, "click")]),
    ...(id === null ? [] : [`#${id}`]),
    // The sections of an apply are outcomes, so this is not in the heading.
    ...(result !== null && isNoticed ? ["visitors notice"] : []),
    ...(since === null ? [] : [since]),
  ];
}

function outcomeOf({ result, place }: ChangeView, { sources }: CardContext): HtmlContent {
  if (result === null) return null;
  const { status, error } = result;
  const mark = markup`<b>${STATUS_MARK[status]} ${status}</b>`;
  if (error === null) return markup`<p class="how ${classOf(status)}">${mark}</p>\n`;
  const { code, message, hint, file, line, column, excerpt = "" } = error;
  const coded = status === "failed" ? markup` <span class="id">${code}</span>` : null;
  // The place of the change itself is shown below.
  const isElsewhere = status === "failed" && (file !== place.file || line !== place.line);
  const where = isElsewhere ? originRow(placeLink({ file, line, column }, sources), excerptLines(excerpt)) : null;
  return markup`<div class="how ${classOf(status)}"><p>${mark} ${prose(message)}${coded}</p>${hint === null ? null : markup`<p>${prose(hint)}</p>`}${where}</div>
`;
}

export function classOf(status: ResultStatus): string {
  return status === "applied" || status === "already done" ? "good" : status === "failed" ? "bad" : "left";
}

function consequences({ ending, remark }: ChangeView): HtmlContent {
  return [
    ending === null ? null : markup`<p class="ends"><b aria-hidden="true">!</b> ${ending}</p>\n`,
    remark === null ? null : markup`<p class="why">${prose(remark)}</p>\n`,
  ];
}

function table({ kind, words, isWhole }: ChangeView, { heads }: CardContext): HtmlContent {
  const rows = words.flatMap((word) => (isWhole ? valueRows(word) : changeRows(kind, word)));
  if (rows.length === 0) return null;
  if (isWhole)
    return markup`<table class="one"><tbody>
${rows.map((row) => markup`<tr${row.part === null ? null : markup` class="part"`}>${labelOf(row, false)}${sideCell(row.after, "new", row.part === null)}</tr>\n`)}</tbody></table>
`;
  const [old, next] = heads;
  return markup`<table><thead><tr><td></td><th scope="col">${old}</th><th scope="col">${next}</th></tr></thead><tbody>
${rows.map(sidesRow)}</tbody></table>
`;
}

function sidesRow(row: SideRow): Markup {
  if (row.before === null && row.after === null)
    return row.part === null
      ? markup`<tr class="head"><th scope="rowgroup" colspan="3">${row.label}</th></tr>\n`
      : markup`<tr class="part rest"><td></td><td colspan="2">${row.label}</td></tr>\n`;
  const kind = row.part === null ? null : markup` class="part ${row.part}${row.label === "" ? " item" : ""}"`;
  return markup`<tr${kind}>${labelOf(row, true)}${sideCell(row.before, "old", false)}${sideCell(row.after, "new", false)}</tr>\n`;
}

const PART_SYMBOLS: Readonly<Record<NonNullable<SideRow["part"]>, string>> = {
  added: "+",
  removed: "−",
  changed: "~",
  kept: "=",
};

function labelOf({ label, part }: SideRow, hasSymbol: boolean): Markup {
  const symbol =
    part === null || !hasSymbol ? null : markup`<b class="sign" title="${part}">${PART_SYMBOLS[part]}</b> `;
  return markup`<th scope="row">${symbol}${label}</th>`;
}

/** `isBlank`: an empty side has no dash. */
function sideCell(side: RowSide, of: "old" | "new", isBlank: boolean): Markup {
  if (side === null) return isBlank ? markup`<td></td>` : markup`<td class="${of} no">–</td>`;
  return markup`<td class="${of}">${side.map((piece) => pieceText(piece, of))}</td>`;
}

function pieceText({ text, differs }: TextPiece, of: "old" | "new"): HtmlContent {
  if (!differs) return text;
  return of === "old" ? markup`<del>${text}</del>` : markup`<ins>${text}</ins>`;
}

function sourceOf({ place, origin, excerpt }: ChangeView, { sources }: CardContext): Markup {
  const from = origin === null ? null : [markup` <i>·</i> `, origin];
  return originRow([placeLink(place, sources), from], excerptLines(excerpt));
}

export type RowSide = readonly TextPiece[] | null;

export interface SideRow {
  /** The name of a field or of a part; empty for an item of a list. */
  readonly label: string;
  /** The state of a part; null for the field itself. */
  readonly part: "added" | "removed" | "changed" | "kept" | null;
  readonly before: RowSide;
  readonly after: RowSide;
}

const MAX_NAMED = 6;

/** The rows of a value without a comparison. */
function valueRows({ path, after }: WordChange): SideRow[] {
  const head = { label: calledAt(path) ?? path, part: null, before: null };
  const value = viewValue(after);
  if (value.kind === "map")
    return [{ ...head, after: null }, ...value.entries.map(([name, text]) => partRow(name, "kept", null, whole(text)))];
  if (value.kind !== "list" || value.items.length === 0) return [{ ...head, after: whole(value.text) }];
  if (!value.hasAddress) return [{ ...head, after: whole(value.items.join(", ")) }];
  const [first = "", ...rest] = value.items;
  return [{ ...head, after: whole(first) }, ...rest.map((item) => partRow("", "kept", null, whole(item)))];
}

/** The rows of a changed value. */
function changeRows(kind: ResourceKind, change: WordChange): SideRow[] {
  const label = calledAt(change.path) ?? change.path;
  const row = (before: RowSide, after: RowSide): SideRow => ({ label, part: null, before, after });
  const diff = diffValue(kind, change);
  switch (diff.kind) {
    case "resent":
      return [row(whole("(set)"), whole("(set, sent again)"))];
    case "map":
      return [row(null, null), ...partRows(diff.parts)];
    case "set":
      return [
        row(null, null),
        ...diff.added.map((text) => itemRow(text, "added")),
        ...diff.removed.map((text) => itemRow(text, "removed")),
        ...keptRows(diff.kept),
      ];
    case "sequence":
      return [row(null, null), ...diff.items.map(({ text, change: how }) => itemRow(text, how))];
    case "text":
      return textRows(diff, row);
    case "replaced":
      return [row(replacedSide(diff.before), replacedSide(diff.after))];
    default:
      return diff satisfies never;
  }
}

function itemRow(text: string, how: "added" | "removed" | "kept"): SideRow {
  if (how === "added") return partRow("", how, null, unmatched(text));
  return how === "removed" ? partRow("", how, unmatched(text), null) : partRow("", how, whole(text), whole(text));
}

function textRows({ before, after, address }: TextDiff, row: (old: RowSide, next: RowSide) => SideRow): SideRow[] {
  if (address === null) return [row(...pieces(before, after))];
  const { page, parameters } = address;
  return [row(...pieces(page.before, page.after)), ...partRows(parameters)];
}

function partRow(label: string, how: Exclude<SideRow["part"], null>, before: RowSide, after: RowSide): SideRow {
  return { label: visible(label), part: how, before, after };
}

function whole(text: string): RowSide {
  return [{ text, differs: false }];
}

/** A text that is only on one side. */
function unmatched(text: string): RowSide {
  return [{ text, differs: true }];
}

/** A replaced value. Placeholders such as `(set)` are not marked. */
function replacedSide({ kind, text }: ValueView): RowSide {
  return kind === "mark" || kind === "map" ? whole(text) : unmatched(text);
}

/** Two texts with their differences marked, or marked as a whole if they have too little in common. */
function pieces(before: string, after: string): [RowSide, RowSide] {
  if (before === after) return [whole(before), whole(after)];
  const compared = compareTexts(before, after);
  return compared === null ? [unmatched(before), unmatched(after)] : [compared.before, compared.after];
}

function partRows({ changed, kept }: PartsDiff): SideRow[] {
  const rows = changed.map((part) => {
    const { name, change } = part;
    if (change === "changed") return partRow(name, change, ...pieces(part.diff.before, part.diff.after));
    const side = unmatched(part.text);
    return change === "added" ? partRow(name, change, null, side) : partRow(name, change, side, null);
  });
  return [...rows, ...keptRows(kept)];
}

/** Unchanged parts in one row: by name if there are few. */
function keptRows(names: readonly string[]): SideRow[] {
  if (names.length === 0) return [];
  const text = names.length > MAX_NAMED ? `${names.length} others unchanged` : `${names.join(", ")} unchanged`;
  return [partRow(text, "kept", null, null)];
}
