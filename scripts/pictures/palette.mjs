// The colours of the pictures, dark and light, and how well each can be read: WCAG's contrast, 4.5 for ordinary text.

/** Text and background, then what a terminal calls its 16 colours, 0 to 15. Black and white are kept readable on both. */
export const PALETTES = {
  light: {
    background: "#ffffff",
    text: "#1f2328",
    frame: "#d0d7de",
    bar: "#f6f8fa",
    buttons: "#c4ccd4",
    colours: [
      ..."#1f2328 #a40e26 #0f5323 #6a3f00 #0a3f8f #5b32a8 #0a4f58 #414951".split(" "),
      ..."#414951 #a81020 #0e5425 #693f00 #04499f #5a31ab #0a525c #3b434b".split(" "),
    ],
  },
  dark: {
    background: "#10151c",
    text: "#dbe2ea",
    frame: "#30363d",
    bar: "#1a212a",
    buttons: "#414a55",
    colours: [
      ..."#b6c0ca #ff8880 #5ddb6c #ecc252 #86c5ff #d6b1ff #62dde5 #dbe2ea".split(" "),
      ..."#98a3ae #ffa198 #7ee787 #f2cc60 #a5d6ff #e2c5ff #8ce4ea #ffffff".split(" "),
    ],
  },
};

/** How much of the background shines through dim text. */
const DIM = 0.25;
/** WCAG 2.2, 1.4.3 (AA). */
const LEAST_CONTRAST = 4.5;

/**
 * The colour of an ink in a palette: `text`, `background`, or a number of 0 to 15; with `-dim` behind it, mixed with the
 * background. @returns #rrggbb
 */
export function colourOf(ink, palette) {
  const [name, dim] = ink.split("-");
  const colour = palette[name] ?? palette.colours[Number(name)];
  if (colour === undefined) throw new Error(`No palette has the colour ${ink}.`);
  if (dim === undefined) return colour;
  const mixed = channels(colour).map((own, at) => own * (1 - DIM) + channels(palette.background)[at] * DIM);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** Throws where text of one ink can't be read on another, in either palette. */
export function checkReadable(ink, ground) {
  for (const [name, palette] of Object.entries(PALETTES)) {
    const found = contrast(colourOf(ink, palette), colourOf(ground, palette));
    if (found < LEAST_CONTRAST)
      throw new Error(`Colour ${ink} on ${ground} has a contrast of ${found.toFixed(2)} in the ${name} palette.`);
  }
}

/** WCAG's contrast of two colours, 1 to 21. */
function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour) {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

// Every colour that a program may choose is readable on the background, dim or not.
for (const ink of ["text", ...PALETTES.dark.colours.keys()]) {
  checkReadable(`${ink}`, "background");
  checkReadable(`${ink}-dim`, "background");
}
