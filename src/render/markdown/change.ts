// One change as a row of a table, and as a list of all that there is to say of it.

import { plural, showCount } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import { shorten } from "../../view/spans.ts";
import { CELL_LIMITS, diffSpans, fieldName, valueSpans, NO_LIMITS, type SpanLimits } from "../../view/value-spans.ts";
import type { Word } from "../../view/values.ts";
import { code, prose, spanText } from "./inline.ts";
import type { ChangeView } from "../../view/change.ts";
import { placeText } from "./place.ts";
import { BRAKE_MARK } from "../../view/brakes.ts";
import { DESTINATION_FIELD, ENDING_FLAGS, fieldAt, KEY_FIELD, REFERENCE_FIELD } from "../../domain/table.ts";

/** What the key or the end of a link says already. */
const IN_KEY: readonly string[] = [KEY_FIELD.link, REFERENCE_FIELD.domain, ...ENDING_FLAGS];

const BREAK = "<br>";

/** Of a field more parts than these are no glance. */
const MOST_PARTS = 4;

/** Names are cut only where they would fill a page. */
const MOST_OF_A_KEY = 300;

/** A key as a heading of what follows. */
function keyText({ key, kind, trips }: ChangeView): string {
  const mark = trips ? `${BRAKE_MARK} ` : "";
  return `${mark}${kind === "pixel" ? "pixel " : ""}${code(shorten(key, MOST_OF_A_KEY))}`;
}

/** The row of a change after which a short URL does not lead where it did. */
export function lostCells(change: ChangeView): readonly string[] {
  const { lost, trips, key } = change;
  const mark = trips ? `${BRAKE_MARK} ` : "";
  const what = [endText(change), ...(change.isWhole ? [] : fieldTexts(change, CELL_LIMITS, false))];
  return [`${mark}${code(shorten(lost ?? key, MOST_OF_A_KEY))}${clicksText(change)}`, what.join(BREAK)];
}

/** How often it was followed, below its key: on a phone, a third column is out of sight. */
function clicksText({ clicks }: ChangeView): string {
  return clicks === null ? "" : `${BREAK}${plural(clicks, "click")}`;
}

function endText({ action, previousKey: was, key, because, words }: ChangeView): string {
  const to = code(shorten(key, MOST_OF_A_KEY));
  if (action === "replace") return `**moved** to ${to}; its clicks and id are lost`;
  if (action === "delete") {
    const url = words.find(({ path }) => path === DESTINATION_FIELD);
    const led = url === undefined ? [] : [`led to ${valueText(url.after, CELL_LIMITS)}`];
    return ["**deleted**", ...led, ...(because === null ? [] : [prose(because)])].join(BREAK);
  }
  const flags = words.flatMap(({ path, after }) =>
    ENDING_FLAGS.includes(path) && after === true ? [`**${path}**`] : [],
  );
  const isLimited = words.some(({ path }) => fieldAt("link", path)?.opens?.when === "expired");
  if (was === null && flags.length === 0 && isLimited) return "**expired**";
  return [...(was === null ? [] : [`**renamed** to ${to}`]), ...flags].join(BREAK);
}

/** The row of a change of which nothing ends. */
export function changedCells(change: ChangeView): readonly string[] {
  const from = change.previousKey === null ? "" : `${BREAK}was ${code(change.previousKey)}`;
  return [`${keyText(change)}${from}`, fieldTexts(change, CELL_LIMITS, true).join(BREAK)];
}

/** The same, and how often the link was followed. */
export function noticedCells(change: ChangeView): readonly string[] {
  const [key = "", changed = ""] = changedCells(change);
  return [`${key}${clicksText(change)}`, changed];
}

/** The row of what is new. */
export function newCells(change: ChangeView): readonly string[] {
  const url = change.words.find(({ path }) => path === DESTINATION_FIELD);
  const others = change.words.filter((word) => word !== url);
  const shown = others.map(({ path, after }) => `${spanText(fieldName(path))} ${valueText(after, CELL_LIMITS)}`);
  const first = url === undefined ? [] : [valueText(url.after, CELL_LIMITS)];
  return [keyText(change), [...first, ...shown].join(BREAK)];
}

/** The row of what is live and should not be. */
export function leftCells(change: ChangeView): readonly string[] {
  const [key = "", has = ""] = newCells(change);
  return [`${key}${clicksText(change)}`, has];
}

/** The row of what goes and nobody meets. */
export function goneCells(change: ChangeView): readonly string[] {
  return [keyText(change), change.because === null ? "deleted" : prose(change.because)];
}

/** What becomes of the fields. What the row says elsewhere, as the key does, is left out unless `isAll`. */
function fieldTexts({ kind, words, lost }: ChangeView, room: SpanLimits, isAll: boolean): string[] {
  const shown = isAll && lost === null ? words : words.filter(({ path }) => !IN_KEY.includes(path));
  return shown.map((word) => `${spanText(fieldName(word.path))}: ${few(diffSpans(kind, word, room).map(spanText))}`);
}

function valueText(word: Word, room: SpanLimits): string {
  return spanText(valueSpans(word, room));
}

/** The first of them, and how many more. */
function few(texts: readonly string[]): string {
  const rest = texts.length - MOST_PARTS;
  return rest <= 1 ? texts.join(", ") : `${texts.slice(0, MOST_PARTS).join(", ")} and ${showCount(rest)} more`;
}

/** All of a change, as an item of a list. */
export function detailsText(setting: Setting): (change: ChangeView) => string {
  return (change) => {
    const { kind, words, isWhole, id, url, previousKey: was, because, clicks, origin, since, place } = change;
    const about = [
      ...(was === null ? [] : [`was ${code(was)}`]),
      ...(url === null ? [] : [code(url)]),
      ...(id === null ? [] : [`id ${id}`]),
      ...(clicks === null ? [] : [plural(clicks, "click")]),
      ...(origin === null ? [] : [origin]),
      ...(since === null ? [] : [prose(since)]),
      placeText(place, setting),
    ];
    const fields = words.flatMap((word) =>
      (isWhole ? [valueText(word.after, NO_LIMITS)] : diffSpans(kind, word, NO_LIMITS).map(spanText)).map(
        (text) => `  - ${code(word.path)}: ${text}\n`,
      ),
    );
    const why = because === null ? "" : `  - Deleted: ${prose(because)}\n`;
    return `- ${keyText(change)} · ${about.join(" · ")}\n${fields.join("")}${why}`;
  };
}
