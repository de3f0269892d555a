// The counts of a report at one glance.

import { plural, showCount } from "../../view/counts.ts";
import type { ResultStatus } from "../../view/apply-result.ts";
import type { ChangeView } from "../../view/change.ts";
import { DRIFT_STATES } from "../../view/drift.ts";
import { actionSign, STATUS_MARK } from "./change.ts";
import { markup, type HtmlContent, type Markup } from "./markup.ts";

/** A count; `look`: the class that colours it. */
export interface Tile {
  readonly sign: string;
  readonly count: number;
  readonly says: string;
  readonly look: string;
}

const ACTIONS = ["create", "update", "replace", "delete"] as const;

/** What is to be made, by action. */
export function actionTiles(changes: readonly ChangeView[]): Tile[] {
  return ACTIONS.map((action) => ({
    sign: actionSign(action),
    count: changes.filter((change) => change.action === action).length,
    says: `to ${action}`,
    look: action,
  }));
}

const STATUSES: readonly (readonly [ResultStatus, string])[] = [
  ["failed", "bad"],
  ["moved", "left"],
  ["not begun", "left"],
  ["applied", "good"],
  ["already so", "good"],
];

/** What became of it. */
export function resultTiles(changes: readonly ChangeView[]): Tile[] {
  return STATUSES.map(([status, look]) => ({
    sign: STATUS_MARK[status],
    count: changes.filter(({ result }) => result?.status === status).length,
    says: status,
    look,
  }));
}

/** How the live state differs. */
export function driftTiles(changes: readonly ChangeView[]): Tile[] {
  return DRIFT_STATES.map((state) => ({
    sign: "≠",
    count: changes.filter((change) => change.state === state).length,
    says: state,
    look: state === "missing" ? "delete" : "update",
  }));
}

/** Those that count anything; `notes` lead to what else there is. */
export function tileList(tiles: readonly Tile[], notes: readonly HtmlContent[]): HtmlContent {
  const shown = tiles.filter(({ count }) => count > 0);
  const list = shown.map(
    ({ sign, count, says, look }) =>
      markup`<li class="${look}"><b>${showCount(count)}</b> <span><i>${sign}</i> ${says}</span></li>\n`,
  );
  return [
    shown.length === 0 ? null : markup`<ul class="tiles" aria-label="Counts">\n${list}</ul>\n`,
    notes.length === 0 ? null : markup`<ul class="notes">\n${notes}</ul>\n`,
  ];
}

/** A line that leads to a section of the page; nothing where there is nothing in it. */
export function note(id: string, count: number, noun: string, says: string): readonly Markup[] {
  return count === 0 ? [] : [markup`<li><a href="#${id}">${plural(count, noun)}</a>${says}</li>\n`];
}
