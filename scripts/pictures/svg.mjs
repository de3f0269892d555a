// A screen as a picture: a window with text that stays text. Each run of one style has the width of its cells, so any
// monospace font fits, whichever the viewer has.

import { shapeOf, round } from "./lines.mjs";
import { checkReadable, colourOf, PALETTES } from "./palette.mjs";
import { textOf } from "./screen.mjs";

const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';
const SIZE = 14;
/** DejaVu's, and nearly that of the others. */
const CELL = { width: 8.43, height: 18 };
const BASELINE = 13.5;
const PADDING = 16;
const BAR = 32;

/**
 * @param rows of cells, see screen.mjs
 * @param options.palette `dark`, `light`, or left out: as the viewer's system has it
 * @returns an SVG document, the same for the same screen
 */
export function draw(rows, { title, columns, palette }) {
  const width = round(columns * CELL.width + 2 * PADDING);
  const height = BAR + rows.length * CELL.height + 2 * PADDING;
  const inks = new Set(["text"]);
  const body = rows.flatMap((row, at) => drawRow(row, BAR + PADDING + at * CELL.height, inks));
  const buttons = [0, 1, 2].map(
    (at) => `<circle class="buttons" cx="${PADDING + 6 + at * 20}" cy="${BAR / 2}" r="6"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:space="preserve" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="desc">${escape(textOf(rows).join("\n"))}</desc>`,
    `<style>`,
    `text { font-family: ${FONT}; font-size: ${SIZE}px; }`,
    ...styleOf([...inks].toSorted(), palette),
    `</style>`,
    `<clipPath id="window"><rect x=".5" y=".5" width="${round(width - 1)}" height="${height - 1}" rx="8"/></clipPath>`,
    `<g clip-path="url(#window)"><rect class="ground" width="100%" height="100%"/><rect class="bar" width="100%" height="${BAR}"/></g>`,
    ...buttons,
    ...body,
    `<rect class="frame" x=".5" y=".5" width="${round(width - 1)}" height="${height - 1}" rx="8"/>`,
    `</svg>`,
    "",
  ].join("\n");
}

function styleOf(inks, palette) {
  if (palette !== undefined) return rulesOf(inks, PALETTES[palette]);
  return [
    ...rulesOf(inks, PALETTES.light),
    `@media (prefers-color-scheme: dark) {`,
    ...rulesOf(inks, PALETTES.dark),
    `}`,
  ];
}

function rulesOf(inks, palette) {
  return [
    `.ground { fill: ${palette.background}; }`,
    `.bar { fill: ${palette.bar}; }`,
    `.buttons { fill: ${palette.buttons}; }`,
    `.frame { fill: none; stroke: ${palette.frame}; }`,
    ...inks.map((ink) => `.i-${ink} { fill: ${colourOf(ink, palette)}; }`),
  ];
}

function drawRow(row, top, inks) {
  return runsOf(row).flatMap((run) => {
    const left = round(PADDING + run.x * CELL.width);
    const width = round(run.columns * CELL.width);
    checkReadable(run.ink, run.ground);
    inks.add(run.ink);
    const drawn = [];
    if (run.ground !== "background") {
      inks.add(run.ground);
      drawn.push(`<rect class="i-${run.ground}" x="${left}" y="${top}" width="${width}" height="${CELL.height}"/>`);
    }
    const shape = shapeOf(run.text, { left, top, ...CELL });
    if (shape !== null) return [...drawn, `<path class="i-${run.ink}" d="${shape}"/>`];
    const y = round(top + BASELINE);
    const place = `x="${left}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
    return [...drawn, `<text class="i-${run.ink}" ${place}${weightOf(run)}>${escape(run.text)}</text>`];
  });
}

function weightOf({ bold, italic, underlined, struck }) {
  const lines = [...(underlined ? ["underline"] : []), ...(struck ? ["line-through"] : [])];
  return [
    bold ? ` font-weight="bold"` : "",
    italic ? ` font-style="italic"` : "",
    lines.length > 0 ? ` text-decoration="${lines.join(" ")}"` : "",
  ].join("");
}

/**
 * Cells side by side that look the same. Wider gaps part them, so that columns stand in line even where a viewer does not
 * know `textLength`; so does each sign beyond ASCII, because its shape may come from another font.
 */
function runsOf(row) {
  const runs = [];
  for (const [at, cell] of row.entries()) {
    const run = runs.at(-1);
    const follows = run !== undefined && run.x + run.columns === cell.x && isAscii(run) && isAscii(cell);
    if (isUnseen(cell)) {
      const next = row[at + 1];
      const parts = next === undefined || isUnseen(next) || !isAscii(next) || !follows || !looksLike(run, next);
      if (parts) continue;
    }
    if (follows && (isUnseen(cell) || looksLike(run, cell))) {
      run.text += cell.text;
      run.columns += cell.width;
    } else {
      runs.push({ ...cell, columns: cell.width });
    }
  }
  return runs;
}

/** A blank that leaves no trace. */
const isUnseen = ({ text, ground, underlined, struck }) =>
  text === " " && ground === "background" && !underlined && !struck;
const isAscii = ({ text }) => /^[ -~]+$/.test(text);
const STYLE = ["ink", "ground", "bold", "italic", "underlined", "struck"];
const looksLike = (run, cell) => STYLE.every((way) => run[way] === cell[way]);

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
