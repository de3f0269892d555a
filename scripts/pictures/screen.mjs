// What a terminal shows after these bytes: rows of cells. A terminal emulator decides it, as on anybody's screen.

import xterm from "@xterm/headless";

/** @returns rows of cells; a cell has its text, its width in columns, how it is inked, and on what ground */
export async function readScreen(bytes, columns) {
  const terminal = new xterm.Terminal({ cols: columns, rows: 50, scrollback: 100_000, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, y) => cellsOf(active.getLine(y), columns));
  terminal.dispose();
  while (rows.length > 0 && rows.at(-1).every(isBlank)) rows.pop();
  return rows;
}

/** The rows as text, without what stands behind a line's end. */
export function textOf(rows) {
  return rows.map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

const isBlank = (cell) => cell.text === " " && cell.ground === "background" && !cell.underlined;

function cellsOf(line, columns) {
  const cells = [];
  for (let x = 0; x < columns; x += 1) {
    const cell = line.getCell(x);
    // The second half of a wide sign.
    if (cell.getWidth() === 0) continue;
    const ink = cell.isFgDefault() ? "text" : colour(cell.isFgPalette(), cell.getFgColor());
    const ground = cell.isBgDefault() ? "background" : colour(cell.isBgPalette(), cell.getBgColor());
    const own = cell.isDim() ? `${ink}-dim` : ink;
    cells.push({
      x,
      width: cell.getWidth(),
      text: cell.getChars() === "" ? " " : cell.getChars(),
      ink: cell.isInverse() ? ground : own,
      ground: cell.isInverse() ? own : ground,
      bold: cell.isBold() !== 0,
      italic: cell.isItalic() !== 0,
      underlined: cell.isUnderline() !== 0,
      struck: cell.isStrikethrough() !== 0,
    });
  }
  return cells;
}

function colour(isPalette, number) {
  if (!isPalette || number > 15)
    throw new Error("Only the 16 colours that every terminal's owner has chosen are drawn.");
  return `${number}`;
}
