// What the columns of a spreadsheet are taken for, as people see it before anything is written.

import { plural } from "../../view/counts.ts";
import { roomOf, type Screen } from "./screen.ts";
import { visible } from "../../domain/control-characters.ts";
import { widthOf } from "./width.ts";
import type { SheetColumns } from "../../view/report.ts";

const LEFT_OUT = "left out";
const SECRET = "(not shown: passwords go into no file)";
const EMPTY = "(empty)";

/** What people would rather keep than the rest. */
const WORTH_KEEPING = /title|name|descr|label|note|comment/i;

/** No name of a column may push the rest out of sight. */
const NAME_COLUMNS = 28;

/** A line for each column: its name, what it is taken for, and its first value. */
export function columnsText({ file, rows, delimiter, columns }: SheetColumns, screen: Screen): string {
  const { paint } = screen;
  const names = columns.map(({ column }) => cut(visible(column), NAME_COLUMNS));
  const fields = columns.map(({ field }) => field ?? LEFT_OUT);
  const [nameWidth, fieldWidth] = [widest(names), widest(fields)];
  const room = Math.max(10, roomOf(screen) - nameWidth - fieldWidth - 6);
  const lines = columns.map(({ field, example, secret }, at) => {
    const name = padded(names[at] ?? "", nameWidth);
    const meant = padded(fields[at] ?? "", fieldWidth);
    const told = secret ? SECRET : field === null ? "" : example === null ? EMPTY : visible(example);
    const shown = cut(told, room);
    return `  ${name}  ${field === null ? paint.dim(meant) : paint.green(meant)}  ${shown}`.trimEnd();
  });
  const head = `${visible(file)}: ${plural(rows, "row")}, \`${delimiter}\` between cells`;
  const unknowns = columns.filter(({ because }) => because === "unknown");
  const unknown = unknowns.find(({ column }) => WORTH_KEEPING.test(column)) ?? unknowns[0];
  const keep =
    unknown === undefined
      ? ""
      : `To keep a column: --map ${quotedFlag(`${visible(unknown.column)}=note`)}, or another field.\n`;
  return `${paint.bold(head)}\n${lines.join("\n")}\n${keep}`;
}

function quotedFlag(text: string): string {
  return `"${text}"`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

function cut(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let kept = "";
  for (const sign of text) {
    if (widthOf(kept + sign) >= room) break;
    kept += sign;
  }
  return `${kept}…`;
}
