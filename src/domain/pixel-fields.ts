// The fields of a pixel: every fact about each of them (docs/service.md, "Resources" and "Text and numbers").

import { named, REQUIRED, type FieldSpec, type ValueForm } from "./field.ts";

function usual(pattern: RegExp, shape: string, example: string): ValueForm {
  return { pattern, shape, example, isDistinct: true, prefix: null, runsScripts: false, others: [] };
}

/** By the type of a pixel. */
export const PIXEL_VALUES: Readonly<Record<string, ValueForm>> = {
  adroll: {
    ...usual(
      /^[A-Z0-9]{22}-[A-Z0-9]{22}$/,
      "the advertiser's id, `-`, and the pixel's id, each 22 uppercase letters and digits",
      "ADV12345678901234567AB-PIX12345678901234567AB",
    ),
    others: [
      {
        rule: "pixel-adroll-dash",
        // A store refuses it (docs/service.md, "Text and numbers").
        pattern: /^[\p{L}\p{M}\p{N}_]+$/u,
        message: "The id of an adroll pixel must contain `-`. The service refuses other values.",
        instead: "both ids with a `-` between them",
      },
    ],
  },
  bing: { ...usual(/^\d{7,9}$/, "a UET tag id of 7 to 9 digits", "12345678"), isDistinct: false },
  facebook: usual(/^\d{15,16}$/, "15 or 16 digits", "1234567890123456"),
  "google-ads": {
    ...usual(/^AW-\d{9,11}$/, "`AW-` and 9 to 11 digits", "AW-123456789"),
    prefix: "AW-",
    others: [
      {
        rule: "pixel-other-id",
        pattern: /^(AW-\d+)\/.*$/i,
        message: "`value` has a conversion label after the id.",
        instead: "only the id",
      },
    ],
  },
  "google-analytics": {
    ...usual(/^G-[A-Z0-9]{8,12}$/, "`G-` and 8 to 12 uppercase letters and digits", "G-AB12CD34EF"),
    prefix: "G-",
    others: [
      {
        rule: "pixel-retired",
        pattern: /^UA-\d.*$/i,
        message:
          "`UA-…` is an id of Universal Analytics, which stopped counting in July 2023 (Analytics 360: July 2024).",
        instead: "the measurement id of a Google Analytics 4 property",
      },
    ],
  },
  "google-tag-manager": {
    ...usual(/^GTM-[A-Z0-9]{4,10}$/, "`GTM-` and 4 to 10 uppercase letters and digits", "GTM-AB12CD"),
    prefix: "GTM-",
    runsScripts: true,
  },
  linkedin: { ...usual(/^\d{4,9}$/, "a partner id of 4 to 9 digits", "123456"), isDistinct: false },
  pinterest: usual(/^26\d{11}$/, "13 digits that start with 26", "2612345678901"),
  quora: usual(/^[0-9a-f]{32}$/, "32 digits or letters from a to f", "0123456789abcdef0123456789abcdef"),
  twitter: {
    ...usual(/^[a-z0-9]{5}$/, "5 lowercase letters and digits", "o8a1b"),
    isDistinct: false,
    prefix: "tw-",
    others: [
      {
        rule: "pixel-other-id",
        pattern: /^tw-([a-z0-9]{5})-[a-z0-9]{5}$/i,
        message: "`tw-…` is an event id, not a pixel id.",
        instead: "the part between the dashes",
      },
    ],
  },
};

export const PLACEHOLDERS: readonly RegExp[] = [
  /your[\s_-]/i,
  /(?:^|[-_])x{4,}(?:[-_]|$)/i,
  /^<[^<>]*>$/,
  /^(?:todo|change[_-]?me|replace[_-]?me|placeholder|pixel[_-]?id|(?:id|value)[_-]?here)$/i,
  // One repeated digit, with or without a prefix.
  /^(?:[a-z]{1,3}-)?(\d)\1{3,}$/i,
];

const PIXEL_TYPES = Object.keys(PIXEL_VALUES);
const DOCUMENTED_TYPES = Object.fromEntries(PIXEL_TYPES.map((type) => [type, type]));

/** What some versions of the service trim: white space, control characters and characters that nobody can see. */
const TRIMMED =
  "\\s\\p{Cc}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\uffa0";

export const PIXEL_FIELDS: readonly FieldSpec[] = [
  {
    ...REQUIRED,
    kind: "text",
    path: "name",
    columns: ["pixel", "pixel name", "title"],
    wire: { "4.1": named("name") },
    longest: 32,
    pattern: new RegExp(`^[^${TRIMMED}](?:.*[^${TRIMMED}])?$`, "u"),
    shape: "one line without leading or trailing spaces or invisible characters",
    isAddress: false,
    forms: null,
    about: "The pixel's name. In the files, it is the key of the block.",
    example: "Meta main",
  },
  {
    ...REQUIRED,
    kind: "word",
    path: "type",
    columns: ["network", "pixel type", "provider", "platform"],
    wire: { "4.1": named("type") },
    words: { "4.1": DOCUMENTED_TYPES, "44": { ...DOCUMENTED_TYPES, twitter: "x" } },
    synonyms: { x: "twitter" },
    returnedNull: null,
    meanings: null,
    about: `The network of the pixel: ${PIXEL_TYPES.join(", ")}. \`x\` means the same as \`twitter\`.`,
    example: "facebook",
  },
  {
    ...REQUIRED,
    kind: "text",
    path: "value",
    columns: ["pixel id", "pixel value", "tracking id"],
    wire: { "4.1": named("value") },
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "only letters, digits, `-` and `_`",
    isAddress: false,
    forms: { by: "type", of: PIXEL_VALUES },
    about: "The pixel's id in its network.",
    example: "1234567890123456",
  },
];
