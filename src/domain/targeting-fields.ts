// The field table's rows of a link's target groups (interface.md 2.1, observed.md "Writing").

import { COUNTRY_CODES } from "./country-codes.ts";
import type { FieldRow } from "./field.ts";
import { LANGUAGE_CODES } from "./language-codes.ts";
import { PLATFORMS, PLATFORMS_MEANT } from "./platforms.ts";
import { OPTIONAL } from "./row-defaults.ts";

export const TARGETING_FIELDS: readonly FieldRow[] = [
  {
    ...OPTIONAL,
    kind: "word",
    path: "targeting.active",
    visitors: true,
    sent: "target_type",
    returned: "target_type",
    words: { none: 0, country: 1, platform: 2, language: 3, rotation: 4 },
    // `target_type=` is stored as null and acts like 0.
    returnedNull: "none",
    meanings: {
      none: "No group: every visitor goes to `url`.",
      country: "By the visitor's country.",
      platform: "By the visitor's platform.",
      language: "By the visitor's language.",
      rotation: "To one destination after the other.",
    },
    default: "none",
    about: "The target group that is in force. One group alone is active by itself.",
    example: "country",
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      noun: "country",
      pattern: /^[A-Z]{2}$/,
      shape: "two capital letters (ISO 3166-1), such as DE",
      words: [],
      meant: {},
      list: COUNTRY_CODES,
      toldBy: "the visitor's address",
      isDocumented: true,
    },
    path: "targeting.country",
    visitors: true,
    sent: "country",
    returned: "country_target",
    default: [],
    about: "Destinations by the visitor's country (ISO 3166-1 alpha-2, upper case).",
    example: { DE: "https://example.com/de" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      noun: "platform",
      pattern: new RegExp(`^(${PLATFORMS.join("|")})$`),
      shape: `one of: ${PLATFORMS.join(", ")}`,
      words: PLATFORMS,
      meant: PLATFORMS_MEANT,
      list: null,
      toldBy: "the visitor's user agent",
      isDocumented: true,
    },
    path: "targeting.platform",
    visitors: true,
    sent: "platform",
    returned: "platform_target",
    default: [],
    about: `Destinations by the visitor's platform: ${PLATFORMS.join(", ")}.`,
    example: { iOS: "https://example.com/ios" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      noun: "language",
      pattern: /^[a-z]{2}$/,
      shape: "two small letters (ISO 639-1), such as de",
      words: [],
      meant: {},
      list: LANGUAGE_CODES,
      toldBy: "the first two letters of the visitor's `Accept-Language`, in lowercase only",
      isDocumented: false,
    },
    path: "targeting.language",
    visitors: true,
    sent: "language",
    returned: "language_target",
    default: [],
    about:
      "Destinations by the visitor's language (ISO 639-1, lower case). It works but the service's document does not list it.",
    example: { de: "https://example.com/de" },
  },
  {
    ...OPTIONAL,
    kind: "list",
    path: "targeting.rotation",
    visitors: true,
    sent: "rotation",
    returned: "rotation_target",
    default: [],
    about: "Destinations that visitors are sent to in turn, the link's own url last.",
    example: ["https://example.com/a", "https://example.com/b"],
  },
];
