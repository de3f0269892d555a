// One change as a paragraph: what is done to what, what it means for visitors, and each field as it is and as it will be.

import type { Change } from "../../domain/change.ts";
import { showPlace } from "../../domain/place.ts";
import { BRAKE_MARK } from "../../view/brakes.ts";
import { fieldLines, INDENT } from "./fields.ts";
import type { Screen } from "./screen.ts";
import { viewChange, type ChangeView, type ChangeContext } from "../../view/change.ts";
import { wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";

/** What a change is told with. */
export interface ChangeTextContext extends Screen {
  readonly plan: ChangeContext;
}

/** The paragraph of a change; it ends with a line break. `trips`: it is one of those that trip a brake. */
export function changeText(change: Change, trips: boolean, telling: ChangeTextContext): string {
  const { plan, paint, columns } = telling;
  const story = viewChange(change, plan);
  const { action, symbol, kind, key, was, id, url, words, place, origin } = story;
  const colour = { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[action];
  const from = was === null ? "" : ` ${paint.dim("(was")} ${was}${paint.dim(")")}`;
  const number = id === null ? "" : paint.dim(` #${id}`);
  const mark = trips ? ` ${paint.red(BRAKE_MARK)}` : "";
  const verb = colour(`${symbol} ${action} ${kind}`);
  const lines = [
    wrap(`${verb} ${paint.bold(key)}${from}${number}${mark}`, columns, INDENT, 0),
    ...(url === null ? [] : [paint.dim(`    ${url}`)]),
    ...consequences(story, telling),
    ...fieldLines(kind, words, story.isWhole, telling),
    paint.dim(`    ${wrap(`${visible(showPlace(place))}${origin === null ? "" : ` · ${origin}`}`, columns, INDENT)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the change means for visitors, where it means the end of something; and why a deletion that no line asks for. */
function consequences({ ending, because }: ChangeView, { paint, columns }: ChangeTextContext): string[] {
  const indent = ending === null ? INDENT : INDENT + 2;
  const told = ending === null ? [] : [`    ${paint.red("!")} ${wrap(ending, columns, indent)}`];
  return because === null ? told : [...told, `${" ".repeat(indent)}${wrap(because, columns, indent)}`];
}
