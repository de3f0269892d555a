// A change as a card: what is done to what, what it means for visitors, and each field with its old and new side.

import type { Place } from "../../domain/place.ts";
import { BRAKE_MARK } from "../../view/brakes.ts";
import type { ResultStatus } from "../../view/apply-result.ts";
import { SYMBOL, type ChangeView } from "../../view/change.ts";
import { plural } from "../../view/counts.ts";
import type { TextPiece } from "../../view/text-diff.ts";
import { joined, markup, prose, type HtmlContent, type Markup } from "./markup.ts";
import { changeRows, valueRows, type RowSide, type SideRow } from "./sides.ts";
import { codeLines, originRow, placeLink, type Sources } from "./source.ts";

/** What stands above the two sides. */
export type Heads = readonly [string, string];

/** What cards are drawn with. */
export interface CardContext {
  readonly heads: Heads;
  readonly sources: Sources;
  /** The number of a file among those of the filter. */
  readonly fileNumber: (file: string) => number;
  /** A place in the text of a file, where that is at hand. */
  readonly placeOf: (place: Place) => Place;
}

/** What stands before a result. */
export const STATUS_MARK: Readonly<Record<ResultStatus, string>> = {
  applied: "✓",
  "already so": "✓",
  failed: "✗",
  moved: "○",
  "not begun": "○",
};

/** What stands for an action; a minus is easier to see than a hyphen. */
export function actionSign(action: ChangeView["action"]): string {
  return action === "delete" ? "−" : SYMBOL[action];
}

/** The action, or in a drift report the state: the filter asks for it. */
export function verbOf({ action, state }: ChangeView): string {
  return state ?? action;
}

/** The card of a change; the attributes are what the filter asks for. */
export function changeCard(change: ChangeView, context: CardContext): Markup {
  const { action, kind, isNoticed, result, state, key, place } = change;
  const [sign, what, look] =
    state === null
      ? [actionSign(action), `${action} ${kind}`, action]
      : ["≠", `${kind} ${state}`, state === "missing" ? "delete" : "update"];
  const facts = factsOf(change);
  const outcome = result === null ? null : markup` data-outcome="${result.status}"`;
  return markup`<article class="card ${look}${result === null ? null : ` ${classOf(result.status)}`}" data-item data-action="${verbOf(change)}" data-kind="${kind}" data-visitors="${isNoticed ? "yes" : "no"}" data-file="${context.fileNumber(place.file)}"${outcome}>
<h3><span class="what"><b>${sign}</b> ${what}</span> <span class="key">${key}</span>${change.trips ? markup` <span class="stop">${BRAKE_MARK} counted by the brake</span>` : null}</h3>
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
    // The headings of an apply are about outcomes.
    ...(result !== null && isNoticed ? ["visitors notice"] : []),
    ...(since === null ? [] : [since]),
  ];
}

function outcomeOf({ result, place }: ChangeView, { sources, placeOf }: CardContext): HtmlContent {
  if (result === null) return null;
  const { status, error } = result;
  const mark = markup`<b>${STATUS_MARK[status]} ${status}</b>`;
  if (error === null) return markup`<p class="how ${classOf(status)}">${mark}</p>\n`;
  const { code, message, hint, file, line, column } = error;
  const cause = placeOf({ file, line, column });
  const coded = status === "failed" ? markup` <span class="id">${code}</span>` : null;
  // The place of the change itself is shown below.
  const isElsewhere = status === "failed" && (cause.file !== place.file || cause.line !== place.line);
  const where = isElsewhere ? originRow(placeLink(cause, sources), codeLines([cause], true, sources)) : null;
  return markup`<div class="how ${classOf(status)}"><p>${mark} ${prose(message)}${coded}</p>${hint === null ? null : markup`<p>${prose(hint)}</p>`}${where}</div>
`;
}

function classOf(status: ResultStatus): string {
  return status === "applied" || status === "already so" ? "good" : status === "failed" ? "bad" : "left";
}

function consequences({ ending, because }: ChangeView): HtmlContent {
  return [
    ending === null ? null : markup`<p class="ends"><b aria-hidden="true">!</b> ${ending}</p>\n`,
    because === null ? null : markup`<p class="why">${prose(because)}</p>\n`,
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

const SIGN: Readonly<Record<NonNullable<SideRow["part"]>, string>> = {
  added: "+",
  removed: "−",
  changed: "~",
  kept: "=",
};

function labelOf({ label, part }: SideRow, isSigned: boolean): Markup {
  const sign = part === null || !isSigned ? null : markup`<b class="sign" title="${part}">${SIGN[part]}</b> `;
  return markup`<th scope="row">${sign}${label}</th>`;
}

/** `isQuiet`: that nothing is there needs no sign. */
function sideCell(side: RowSide, of: "old" | "new", isQuiet: boolean): Markup {
  if (side === null) return isQuiet ? markup`<td></td>` : markup`<td class="${of} no">–</td>`;
  return markup`<td class="${of}">${side.map((piece) => pieceText(piece, of))}</td>`;
}

function pieceText({ text, differs }: TextPiece, of: "old" | "new"): HtmlContent {
  if (!differs) return text;
  return of === "old" ? markup`<del>${text}</del>` : markup`<ins>${text}</ins>`;
}

function sourceOf({ place, origin, lines }: ChangeView, { sources }: CardContext): Markup {
  const from = origin === null ? null : [markup` <i>·</i> `, origin];
  return originRow([placeLink(place, sources), from], codeLines(lines(), false, sources));
}
