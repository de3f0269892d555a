// A table that fits the terminal. Without a terminal, nothing is cut.

import type { TableBlock, TableColumn } from "../blocks.ts";
import { colorLines, colorOf, fitting, graphemesOf, lineText, pad, widthOf, wrap, wrapLine } from "./screen.ts";
import type { Screen } from "./screen.ts";

const GAP = "  ";

type DrawnColumn = ReturnType<typeof drawn>;

export function tableText({ lead, indent, columns, rows, foot }: TableBlock, screen: Screen): string {
  const { paint } = screen;
  const filled = columns
    .map((column, at) => drawn(column, at, rows, screen))
    .filter(({ cells }) => cells.some(({ text }) => text !== ""));
  const fitted = screen.columns === null ? filled : fit(filled, screen.columns - indent);
  const heads = fitted.map(({ column, width }) => paint.dim(pad(cut(column.head ?? "", width), width, column.isRight)));
  const hidden = filled.flatMap((one) => (fitted.includes(one) ? [] : [one.column.head])).join(", ");
  const hint = `Hidden columns: ${hidden}. Use a wider terminal, or \`--format csv\`.`;
  const lines = [
    ...(lead === undefined ? [] : [colorLines(wrapLine(lead.line, screen, 0), colorOf(lead.tone, screen))]),
    ...(columns.some(({ head }) => head !== undefined) ? [" ".repeat(indent) + heads.join(GAP)] : []),
    ...rows.flatMap((_, row) => rowLines(fitted, row, indent, screen)),
    ...(hidden === "" && foot === undefined ? [] : [""]),
    ...(hidden === "" ? [] : [colorLines(wrap(hint, screen.columns, 0), paint.dim)]),
    ...(foot === undefined ? [] : [wrapLine(foot, screen, 0)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function drawn(column: TableColumn, at: number, rows: TableBlock["rows"], screen: Screen) {
  // The color of a cell that may be cut is its tone: a cut in a colored part would lose the end of the color.
  const cells = rows.map((row) => {
    const { tone, line } = row[at] ?? { tone: "calm", line: [] };
    return { text: lineText(line, screen), color: colorOf(tone, screen) };
  });
  const widths = cells.map(({ text }) => widthOf(text));
  // Cells that overflow onto their own line do not widen the column.
  const canOverflow = column.fit === "whole" && screen.columns !== null;
  const counted = canOverflow ? widths.filter((width) => width <= column.min) : widths;
  const least = counted.length === 0 ? column.min : widthOf(column.head ?? "");
  const wanted = counted.reduce((a, b) => Math.max(a, b), least);
  return { column, cells, wanted, width: wanted };
}

/** What is left after the minimum widths goes first to the columns that need the least of it. */
function fit(all: readonly DrawnColumn[], room: number): DrawnColumn[] {
  const least = ({ column, wanted }: DrawnColumn): number => Math.min(column.min, wanted);
  const chosen = new Set(all.filter(({ column }) => column.isKept));
  const taken = (): number => [...chosen].reduce((sum, one) => sum + least(one) + GAP.length, -GAP.length);
  for (const one of all) if (taken() + GAP.length + least(one) <= room) chosen.add(one);
  let spare = Math.max(room - taken(), 0);
  const missing = (one: DrawnColumn): number => one.wanted - least(one);
  for (const one of [...chosen].toSorted((a, b) => missing(a) - missing(b))) {
    one.width = Math.min(one.wanted, least(one) + spare);
    spare -= one.width - least(one);
  }
  return all.filter((one) => chosen.has(one));
}

function rowLines(columns: readonly DrawnColumn[], row: number, indent: number, screen: Screen): string[] {
  const lines: string[] = [];
  let line = "";
  let from = indent;
  const end = columns.findLastIndex(({ cells }) => cells[row]?.text !== "");
  for (const [at, { column, cells, width }] of columns.slice(0, end + 1).entries()) {
    const { text = "", color = String } = cells[row] ?? {};
    line += " ".repeat(Math.max(from - widthOf(line), 0));
    if (column.fit === "wrap") line += colorLines(wrap(text, screen.columns, from), color);
    else if (column.fit === "whole" && widthOf(text) > width) {
      lines.push(line + color(text));
      line = "";
    } else {
      const shown = color(cut(text, width));
      line += at === end && column.isRight !== true ? shown : pad(shown, width, column.isRight);
    }
    from += width + GAP.length;
  }
  return [...lines, line];
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${fitting(graphemesOf(text), width - 1).join("")}…`;
}
