// Box-drawing signs as lines: a font's own leave gaps between rows.

/** Which ways the lines of a sign go: up, right, down, left. Rounded corners are drawn as corners. */
const WAYS = {
  "│": "ud",
  "─": "rl",
  "┌": "rd",
  "╭": "rd",
  "┐": "dl",
  "╮": "dl",
  "└": "ur",
  "╰": "ur",
  "┘": "ul",
  "╯": "ul",
  "├": "urd",
  "┤": "udl",
  "┬": "rdl",
  "┴": "url",
  "┼": "urdl",
  "╵": "u",
  "╶": "r",
  "╷": "d",
  "╴": "l",
};

/** Half of a line's thickness. */
const HALF = 0.6;

/** The shape of a sign in a cell, as SVG writes paths; null for a sign that is no line. */
export function shapeOf(sign, { left, top, width, height }) {
  const ways = WAYS[sign];
  if (ways === undefined) return null;
  const [right, bottom] = [left + width, top + height];
  const [x, y] = [left + width / 2, top + height / 2];
  const bars = {
    u: [x - HALF, top, x + HALF, y + HALF],
    r: [x - HALF, y - HALF, right, y + HALF],
    d: [x - HALF, y - HALF, x + HALF, bottom],
    l: [left, y - HALF, x + HALF, y + HALF],
  };
  return [...ways].map((way) => barOf(...bars[way].map(round))).join("");
}

const barOf = (left, top, right, bottom) => `M${left} ${top}H${right}V${bottom}H${left}z`;

/** Two places behind the point are less than anybody can see. */
export const round = (number) => Number(number.toFixed(2));
