// The field table's rows of a link's target groups (docs/service.md, "Targeting").

import { COUNTRY_CODES } from "./country-codes.ts";
import type { FieldSpec, KeyShape, Wire } from "./field.ts";
import { LANGUAGE_CODES } from "./language-codes.ts";
import { documented, OPTIONAL } from "./row-defaults.ts";
import {
  BROWSERS,
  BROWSERS_MEANT,
  CONTINENTS,
  CONTINENTS_MEANT,
  DEVICES,
  DEVICES_MEANT,
  PLATFORMS,
  PLATFORMS_MEANT,
} from "./target-keys.ts";

/** One list of entries for all types (version 49). */
const TARGETS: Wire = { ...documented("targets"), form: "targets" };

function oneOf(noun: string, words: readonly string[]): Omit<KeyShape, "meant" | "signal"> {
  const pattern = new RegExp(`^(${words.join("|")})$`);
  return { noun, pattern, shape: `one of: ${words.join(", ")}`, words, list: null, isDocumented: true };
}

export const TARGETING_FIELDS: readonly FieldSpec[] = [
  {
    ...OPTIONAL,
    kind: "word",
    path: "targeting.active",
    visitors: true,
    wire: { "4.1": documented("target_type"), "49": { ...documented("targets_type"), form: "targets" } },
    words: {
      "4.1": { none: 0, country: 1, platform: 2, language: 3, rotation: 4 },
      "49": {
        none: "",
        country: "countries",
        platform: "operating_systems",
        language: "languages",
        rotation: "rotations",
        continent: "continents",
        browser: "browsers",
        device: "devices",
      },
    },
    synonyms: {},
    // `target_type=` is stored as null and acts like 0.
    returnedNull: "none",
    meanings: {
      none: "No group: every visitor goes to `url`.",
      country: "By the visitor's country.",
      platform: "By the visitor's platform.",
      language: "By the visitor's language.",
      rotation: "To each destination in turn.",
      continent: "By the visitor's continent.",
      browser: "By the visitor's browser.",
      device: "By the visitor's device.",
    },
    default: "none",
    about: "The active target group. If a link has only one group, that group is active by default.",
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
      signal: "the visitor's address",
      isDocumented: true,
    },
    path: "targeting.country",
    visitors: true,
    wire: { "4.1": documented("country", "country_target"), "49": TARGETS },
    default: [],
    about: "Destinations by the visitor's country (ISO 3166-1 alpha-2, upper case).",
    example: { DE: "https://example.com/de" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: { ...oneOf("platform", PLATFORMS), meant: PLATFORMS_MEANT, signal: "the visitor's user agent" },
    path: "targeting.platform",
    visitors: true,
    wire: { "4.1": documented("platform", "platform_target"), "49": TARGETS },
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
      signal: "the first two letters of the visitor's `Accept-Language`, in lowercase only",
      isDocumented: false,
    },
    path: "targeting.language",
    visitors: true,
    wire: { "4.1": documented("language", "language_target"), "49": TARGETS },
    default: [],
    about:
      "Destinations by the visitor's language (ISO 639-1, lower case). It works, but the service's documentation does not list it.",
    example: { de: "https://example.com/de" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      ...oneOf("continent", CONTINENTS),
      meant: CONTINENTS_MEANT,
      signal: "the visitor's address",
    },
    path: "targeting.continent",
    visitors: true,
    wire: { "4.1": null, "49": TARGETS },
    default: [],
    about: `Destinations by the visitor's continent: ${CONTINENTS.join(", ")}.`,
    example: { EU: "https://example.com/eu" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      noun: "browser",
      pattern: /^(?!Maxthon$)[\p{L}\p{N}][\p{L}\p{N} .+-]{0,63}$/u,
      shape: "a name that the service knows, such as Firefox",
      words: BROWSERS,
      meant: BROWSERS_MEANT,
      list: null,
      signal: "the visitor's user agent",
      isDocumented: true,
    },
    path: "targeting.browser",
    visitors: true,
    wire: { "4.1": null, "49": TARGETS },
    default: [],
    about: "Destinations by the visitor's browser, as the service names it.",
    example: { Firefox: "https://example.com/firefox" },
  },
  {
    ...OPTIONAL,
    kind: "map",
    keys: {
      ...oneOf("device", DEVICES),
      meant: DEVICES_MEANT,
      signal: "the visitor's user agent",
    },
    path: "targeting.device",
    visitors: true,
    wire: { "4.1": null, "49": TARGETS },
    default: [],
    about: `Destinations by the visitor's device: ${DEVICES.join(", ")}.`,
    example: { mobile: "https://example.com/app" },
  },
  {
    ...OPTIONAL,
    kind: "list",
    path: "targeting.rotation",
    visitors: true,
    wire: { "4.1": documented("rotation", "rotation_target"), "49": TARGETS },
    default: [],
    about: "Destinations that visitors are sent to in turn, the link's own url last.",
    example: ["https://example.com/a", "https://example.com/b"],
  },
];
