// The fields of a link: every fact about each of them (docs/service.md, "Resources", "Writing" and "Targeting").

import { BROWSERS, CONTINENTS, COUNTRY_CODES, DEVICES, LANGUAGE_CODES, PLATFORMS } from "./target-keys.ts";
import { documented, OPTIONAL, REQUIRED, type FieldSpec, type KeyShape, type Wire } from "./field.ts";

/** One list of entries for all types (version 49). */
const TARGETS: Wire = { ...documented("targets"), form: "targets" };

function oneOf(noun: string, words: readonly string[]): Omit<KeyShape, "signal"> {
  const pattern = new RegExp(`^(${words.join("|")})$`);
  return { noun, pattern, shape: `one of: ${words.join(", ")}`, words, list: null };
}

/** Destinations by a property of the visitor. */
const TARGET_MAP = { ...OPTIONAL, kind: "map", visitors: true, default: [] } as const;

const TARGETING_FIELDS: readonly FieldSpec[] = [
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
      none: "No group. Every visitor goes to `url`.",
      country: "By the visitor's country.",
      platform: "By the visitor's platform.",
      language: "By the visitor's language.",
      rotation: "Each destination in turn.",
      continent: "By the visitor's continent.",
      browser: "By the visitor's browser.",
      device: "By the visitor's device.",
    },
    default: "none",
    about: "The active target group. Required if there are several groups. Default: the only group.",
    example: "country",
  },
  {
    ...TARGET_MAP,
    keys: {
      noun: "country",
      pattern: /^[A-Z]{2}$/,
      shape: "two uppercase letters (ISO 3166-1), such as DE",
      words: [],
      list: COUNTRY_CODES,
      signal: "the visitor's IP address",
    },
    path: "targeting.country",
    wire: { "4.1": documented("country", "country_target"), "49": TARGETS },
    about: "Destinations by the visitor's country (ISO 3166-1 alpha-2, uppercase).",
    example: { DE: "https://example.com/de" },
  },
  {
    ...TARGET_MAP,
    keys: { ...oneOf("platform", PLATFORMS), signal: "the visitor's user agent" },
    path: "targeting.platform",
    wire: { "4.1": documented("platform", "platform_target"), "49": TARGETS },
    about: `Destinations by the visitor's platform: ${PLATFORMS.join(", ")}.`,
    example: { iOS: "https://example.com/ios" },
  },
  {
    ...TARGET_MAP,
    keys: {
      noun: "language",
      pattern: /^[a-z]{2}$/,
      shape: "two lowercase letters (ISO 639-1), such as de",
      words: [],
      list: LANGUAGE_CODES,
      signal: "the first two letters of the visitor's `Accept-Language`, if they are lowercase",
    },
    path: "targeting.language",
    wire: { "4.1": documented("language", "language_target"), "49": TARGETS },
    about:
      "Destinations by the visitor's language (ISO 639-1, lowercase). This works, but the service's documentation does not list it.",
    example: { de: "https://example.com/de" },
  },
  {
    ...TARGET_MAP,
    keys: { ...oneOf("continent", CONTINENTS), signal: "the visitor's IP address" },
    path: "targeting.continent",
    wire: { "4.1": null, "49": TARGETS },
    about: `Destinations by the visitor's continent: ${CONTINENTS.join(", ")}.`,
    example: { EU: "https://example.com/eu" },
  },
  {
    ...TARGET_MAP,
    keys: {
      noun: "browser",
      pattern: /^(?!Maxthon$)[\p{L}\p{N}][\p{L}\p{N} .+-]{0,63}$/u,
      shape: "a name that the service knows, such as Firefox",
      words: BROWSERS,
      list: null,
      signal: "the visitor's user agent",
    },
    path: "targeting.browser",
    wire: { "4.1": null, "49": TARGETS },
    about: "Destinations by the visitor's browser. Use the service's names for browsers.",
    example: { Firefox: "https://example.com/firefox" },
  },
  {
    ...TARGET_MAP,
    keys: { ...oneOf("device", DEVICES), signal: "the visitor's user agent" },
    path: "targeting.device",
    wire: { "4.1": null, "49": TARGETS },
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
    about: "Destinations that visitors are sent to in turn. The link's `url` comes last.",
    example: ["https://example.com/a", "https://example.com/b"],
  },
];

const expired = { when: "expired", word: "none", line: "expiration: none", state: "has expired" } as const;

/** An end of the period in which a link works. */
const INSTANT = {
  ...OPTIONAL,
  kind: "instant",
  visitors: true,
  from: "1970-01-01T00:00:00Z",
  default: null,
  opens: expired,
} as const;

const SECRET = { ...OPTIONAL, kind: "secret", default: false, longest: 128, meansNone: ["0"] } as const;

/** The rule `refused-address` reports what else the service refuses, because a live link can have it. */
const address = {
  longest: 2048,
  pattern: /^\S(?:.*\S)?$/su,
  shape: "a URL with a scheme, such as https://example.com/page",
  isAddress: true,
  forms: null,
} as const;

export const LINK_FIELDS: readonly FieldSpec[] = [
  {
    ...REQUIRED,
    kind: "text",
    path: "url",
    columns: ["destination url", "long url", "long link", "original url", "target", "target url", "redirect url"],
    called: "destination",
    visitors: true,
    wire: { "4.1": documented("url", "url") },
    ...address,
    about: "The destination of the short link.",
    example: "https://example.com/spring",
  },
  {
    ...REQUIRED,
    updatable: false,
    kind: "reference",
    to: "domain",
    path: "domain",
    columns: ["short domain", "branded domain", "custom domain", "domain name", "hostname", "host"],
    wire: { "4.1": documented("domain", "domain", "domain"), "44": { sent: "domain_id", filter: "domain_id" } },
    about:
      "The domain of the short link: a label from `domains`, or its name or id at the service. It cannot be changed later.",
    example: "go.example.com",
  },
  {
    ...REQUIRED,
    kind: "text",
    path: "alias",
    columns: ["slug", "back half", "custom back half", "slashtag", "keyword", "short code", "custom alias", "path"],
    wire: { "4.1": documented("alias", "alias") },
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "only letters, digits, `-` and `_`",
    isAddress: false,
    forms: null,
    about: "The part of the short URL after the domain. In the files, it is the key of the block.",
    example: "spring",
  },
  {
    ...SECRET,
    path: "password",
    columns: ["link password", "passphrase"],
    visitors: true,
    wire: {
      "4.1": documented("password", "password"),
      "49": { sent: "redirect_password", returned: "redirect_password" },
    },
    opens: { when: "set", word: "none", line: "password: none", state: "has a password" },
    worksWith: null,
    about: "Password that visitors must enter: `{ env: LINKFORM_SECRET_… }`, `{ file: … }` or `none`.",
    example: { env: "LINKFORM_SECRET_SPRING" },
  },
  {
    ...OPTIONAL,
    kind: "reference",
    to: "space",
    path: "space",
    columns: ["space name", "folder", "folder name", "group", "group name"],
    wire: { "4.1": documented("space", "space", "space"), "44": { sent: "space_id", filter: "space_id" } },
    default: null,
    about: "The space of the link: a label from `spaces`, or its name or id at the service.",
    example: "Marketing",
  },
  {
    ...OPTIONAL,
    kind: "references",
    to: "pixel",
    path: "pixels",
    columns: ["pixel", "pixel names", "tracking pixels", "retargeting pixels"],
    wire: { "4.1": documented("pixels", "pixels", "pixel"), "44": { sent: "pixel_ids", filter: "pixel_id" } },
    default: [],
    about:
      "Names of the tracking pixels that visitors are asked to accept. Visitors who accept skip all targeting and go to `url`.",
    example: ["Meta main"],
  },
  {
    ...OPTIONAL,
    kind: "flag",
    breaksUrl: true,
    returnedNull: null,
    path: "disabled",
    columns: ["is disabled", "deactivated", "is deactivated"],
    visitors: true,
    wire: { "4.1": documented("disabled", "disabled"), "49": null },
    default: false,
    opens: { when: "set", word: "false", line: "disabled: false", state: "is disabled" },
    about: "Whether the link is disabled. Visitors of a disabled link see a page that says so and are not redirected.",
    example: true,
  },
  {
    ...OPTIONAL,
    kind: "flag",
    breaksUrl: false,
    returnedNull: false,
    path: "sensitive",
    columns: ["sensitive content", "warning page"],
    visitors: true,
    wire: { "4.1": null, "49": documented("sensitive_content") },
    default: false,
    about: "Whether visitors must confirm a warning about sensitive content before they are redirected.",
    example: true,
  },
  {
    ...OPTIONAL,
    kind: "word",
    path: "privacy",
    columns: ["statistics", "statistics privacy", "stats privacy"],
    wire: { "4.1": documented("privacy", "privacy") },
    words: { "4.1": { public: 0, private: 1, password: 2 } },
    synonyms: {},
    returnedNull: null,
    meanings: {
      public: "Everyone can see the statistics.",
      private: "Only the account can see the statistics.",
      password: "Visitors who enter `privacy_password` can see the statistics.",
    },
    default: "public",
    opens: { when: "set", word: "public", line: "privacy: public", state: "has statistics that are not public" },
    about: "Who can see the link's statistics: `public`, `private` or `password`.",
    example: "private",
  },
  {
    ...SECRET,
    path: "privacy_password",
    columns: ["statistics password", "stats password"],
    wire: {
      "4.1": documented("privacy_password", "privacy_password"),
      "49": { sent: "password", returned: "password" },
    },
    opens: { when: "set", word: "none", line: "privacy_password: none", state: "has a password for its statistics" },
    worksWith: { path: "privacy", value: "password", without: "private" },
    about: "Password of the statistics page. It has an effect only with `privacy: password`.",
    example: { env: "LINKFORM_SECRET_STATS" },
  },
  {
    ...INSTANT,
    path: "expiration.date",
    columns: ["expires", "expires at", "expires on", "expiry", "expiry date", "expiration", "valid until", "end date"],
    timeColumns: ["expiry time", "expire time", "expires time"],
    timePath: "expiration.time",
    wire: {
      "4.1": documented("expiration_date", "ends_at"),
      "49": { sent: "active_period_end_at", returned: "active_period_end_at", form: "period" },
    },
    sentTime: "expiration_time",
    works: "before",
    unbounded: { wallTime: "2037-12-30T23:59", limit: "2037-12-30T00:00:00Z" },
    timeDefault: "23:59",
    before: "2038-01-19T03:14:08Z",
    about: "Date (YYYY-MM-DD) on which the link expires, in the time zone of the files.",
    example: "2027-03-31",
  },
  {
    ...INSTANT,
    path: "expiration.start",
    columns: ["starts", "starts at", "starts on", "start date", "valid from", "active from"],
    timeColumns: ["start time"],
    timePath: "expiration.start_time",
    wire: { "4.1": null, "49": { ...documented("active_period_start_at"), form: "period" } },
    sentTime: null,
    works: "after",
    timeDefault: "00:00",
    before: "2038-01-01T00:00:00Z",
    unbounded: { wallTime: "1970-01-02T00:00", limit: "1970-01-03T12:00:00Z" },
    about:
      "Date (YYYY-MM-DD) on which the link starts to work, in the time zone of the files. Until then, the link is treated as expired.",
    example: "2027-03-01",
  },
  {
    ...OPTIONAL,
    kind: "count",
    path: "expiration.clicks",
    columns: ["click limit", "clicks limit", "max clicks", "maximum clicks", "max visits", "expires after clicks"],
    visitors: true,
    wire: {
      "4.1": documented("expiration_clicks", "expiration_clicks"),
      "49": { sent: "clicks_limit", returned: "clicks_limit" },
    },
    most: 999_999_999,
    default: null,
    opens: expired,
    about: "Number of clicks after which the link expires.",
    example: 5000,
  },
  {
    ...OPTIONAL,
    kind: "text",
    path: "expiration.url",
    columns: ["expired url", "expire url", "expires url", "expiry url"],
    visitors: true,
    wire: { "4.1": documented("expiration_url", "expiration_url") },
    ...address,
    default: null,
    // Without it an expired link shows a page: clearing it revives nothing.
    about: "Where visitors go after the link has expired.",
    example: "https://example.com/over",
  },
  ...TARGETING_FIELDS,
];
