// One change as a paragraph: the action and the key, what it means for visitors, and each field with its values.

import { visible } from "../../domain/control-characters.ts";
import { showPlace } from "../../domain/place.ts";
import { BRAKE_MARK } from "../../view/brakes.ts";
import { SYMBOL, type ChangeView } from "../../view/change.ts";
import { fieldLines, INDENT } from "./fields.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** The paragraph of a change; it ends with a line break. */
export function changeText(change: ChangeView, screen: Screen): string {
  const { paint, columns } = screen;
  const { action, kind, key, previousKey: was, id, url, words, place, origin } = change;
  const color = { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[action];
  const from = was === null ? "" : ` ${paint.dim("(was")} ${was}${paint.dim(")")}`;
  const number = id === null ? "" : paint.dim(` #${id}`);
  const mark = change.trips ? ` ${paint.red(BRAKE_MARK)}` : "";
  const verb = color(`${SYMBOL[action]} ${action} ${kind}`);
  const lines = [
    wrap(`${verb} ${paint.bold(key)}${from}${number}${mark}`, columns, INDENT, 0),
    ...(url === null ? [] : [paint.dim(`    ${url}`)]),
    ...consequences(change, screen),
    ...fieldLines(kind, words, change.isWhole, screen),
    paint.dim(`    ${wrap(`${visible(showPlace(place))}${origin === null ? "" : ` · ${origin}`}`, columns, INDENT)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** What ends for visitors, and why something is deleted that no line asks for. */
function consequences({ ending, because }: ChangeView, { paint, columns }: Screen): string[] {
  const indent = ending === null ? INDENT : INDENT + 2;
  const lines = ending === null ? [] : [`    ${paint.red("!")} ${wrap(ending, columns, indent)}`];
  return because === null ? lines : [...lines, `${" ".repeat(indent)}${wrap(because, columns, indent)}`];
}
