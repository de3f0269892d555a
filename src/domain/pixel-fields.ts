// The field table's rows of a pixel: every fact about each field (interface.md 2.2, observed.md "Writing").

import type { FieldRow } from "./field.ts";
import { PIXEL_VALUES } from "./pixel-values.ts";
import { REQUIRED } from "./row-defaults.ts";

const PIXEL_TYPES = Object.keys(PIXEL_VALUES);

export const PIXEL_FIELDS: readonly FieldRow[] = [
  {
    ...REQUIRED,
    kind: "text",
    path: "name",
    columns: ["pixel", "pixel name", "title"],
    sent: "name",
    returned: "name",
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
    sent: "type",
    returned: "type",
    words: Object.fromEntries(PIXEL_TYPES.map((type) => [type, type])),
    returnedNull: null,
    meanings: null,
    about: `The network the pixel belongs to: ${PIXEL_TYPES.join(", ")}.`,
    example: "facebook",
  },
  {
    ...REQUIRED,
    kind: "text",
    path: "value",
    columns: ["pixel id", "pixel value", "tracking id"],
    sent: "value",
    returned: "value",
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "letters, digits, `-` and `_`",
    isAddress: false,
    forms: { by: "type", of: PIXEL_VALUES },
    about: "The pixel's id at its network.",
    example: "1234567890123456",
  },
];
