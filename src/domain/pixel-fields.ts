// The field table's rows of a pixel: every fact about each field (docs/service.md, "Resources" and "Text and numbers").

import type { FieldSpec } from "./field.ts";
import { PIXEL_VALUES } from "./pixel-values.ts";
import { documented, REQUIRED } from "./row-defaults.ts";

const PIXEL_TYPES = Object.keys(PIXEL_VALUES);
const DOCUMENTED_TYPES = Object.fromEntries(PIXEL_TYPES.map((type) => [type, type]));

export const PIXEL_FIELDS: readonly FieldSpec[] = [
  {
    ...REQUIRED,
    kind: "text",
    path: "name",
    columns: ["pixel", "pixel name", "title"],
    wire: { "4.1": documented("name") },
    longest: 32,
    pattern: /^\S(.*\S)?$/u,
    shape: "a name without space around it",
    isAddress: false,
    forms: null,
    about: "The pixel's name. In files it is the key of the block.",
    example: "Meta main",
  },
  {
    ...REQUIRED,
    kind: "word",
    path: "type",
    columns: ["network", "pixel type", "provider", "platform"],
    wire: { "4.1": documented("type") },
    words: { "4.1": DOCUMENTED_TYPES, "44": { ...DOCUMENTED_TYPES, twitter: "x" } },
    synonyms: { x: "twitter" },
    returnedNull: null,
    meanings: null,
    about: `The network the pixel belongs to: ${PIXEL_TYPES.join(", ")}. \`x\` means the same as \`twitter\`.`,
    example: "facebook",
  },
  {
    ...REQUIRED,
    kind: "text",
    path: "value",
    columns: ["pixel id", "pixel value", "tracking id"],
    wire: { "4.1": documented("value") },
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "letters, digits, `-` and `_`",
    isAddress: false,
    forms: { by: "type", of: PIXEL_VALUES },
    about: "The pixel's id at its network.",
    example: "1234567890123456",
  },
];
