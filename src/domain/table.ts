// The field table: every fact about a field of a link or pixel (interface.md 2.1 and 2.2, observed.md "Writing").

import type { FieldRow } from "./field.ts";

export type ResourceKind = "link" | "pixel";

/** What most rows have in common. */
const optional = { required: false, updatable: true, opens: null } as const;
const required = { required: true, updatable: true, opens: null, default: null } as const;

const expired = { when: "expired", line: "expiration: none", state: "has expired" } as const;

/** Any scheme with a host is taken; `mailto:` and the like, spaces and braces are refused. */
const address = {
  longest: 2048,
  pattern: /^[a-z][a-z0-9+.-]*:\/\/[^\s{}|/?#][^\s{}|]*$/i,
  shape: "an address with its scheme, such as https://example.com/page",
} as const;

/** The platforms that interface.md 2.1 allows, in its case. */
const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;

const LINK_FIELDS: readonly FieldRow[] = [
  {
    ...required,
    kind: "text",
    path: "url",
    sent: "url",
    returned: "url",
    ...address,
    about: "Where the short link leads.",
    example: "https://example.com/spring",
  },
  {
    ...required,
    updatable: false,
    kind: "reference",
    to: "domain",
    path: "domain",
    sent: "domain",
    returned: "domain",
    about:
      "The domain of the short link: a label from `domains`, the service's name, or its id. It can't be changed later.",
    example: "go.example.com",
  },
  {
    ...required,
    kind: "text",
    path: "alias",
    sent: "alias",
    returned: "alias",
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "letters, digits, `-` and `_`",
    about: "The part behind the domain. In files it is the key of the block.",
    example: "spring-sale",
  },
  {
    ...optional,
    kind: "secret",
    path: "password",
    sent: "password",
    returned: "password",
    default: false,
    opens: { when: "set", word: "none", line: "password: none", state: "has a password" },
    longest: 128,
    clearsApartFrom: null,
    about: "Password that visitors must enter: `{ env: LINKFORM_SECRET_… }`, `{ file: … }` or `none`.",
    example: "{ env: LINKFORM_SECRET_SPRING }",
  },
  {
    ...optional,
    kind: "reference",
    to: "space",
    path: "space",
    sent: "space",
    returned: "space",
    default: null,
    about: "The space the link is filed under: a label from `spaces`, the service's name, or its id.",
    example: "Marketing",
  },
  {
    ...optional,
    kind: "references",
    to: "pixel",
    path: "pixels",
    sent: "pixels",
    returned: "pixels",
    default: [],
    about: "Names of the tracking pixels that load before the visitor goes on.",
    example: "[Meta main]",
  },
  {
    ...optional,
    kind: "flag",
    path: "disabled",
    sent: "disabled",
    returned: "disabled",
    default: false,
    opens: { when: "set", word: "false", line: "disabled: false", state: "is disabled" },
    about: "A disabled link shows a page that says so and leads nowhere.",
    example: "false",
  },
  {
    ...optional,
    kind: "word",
    path: "privacy",
    sent: "privacy",
    returned: "privacy",
    words: { public: 0, private: 1, password: 2 },
    default: "public",
    opens: { when: "set", word: "public", line: "privacy: public", state: "has statistics that are not public" },
    about: "Who may see the link's statistics: public, private, or password.",
    example: "private",
  },
  {
    ...optional,
    kind: "secret",
    path: "privacy_password",
    sent: "privacy_password",
    returned: "privacy_password",
    default: false,
    opens: { when: "set", word: "none", line: "privacy_password: none", state: "has a password for its statistics" },
    longest: 128,
    clearsApartFrom: { path: "privacy", value: "password" },
    about: "Password of the statistics page; it takes effect with `privacy: password`.",
    example: "{ env: LINKFORM_SECRET_STATS }",
  },
  {
    ...optional,
    kind: "instant",
    path: "expiration.date",
    timePath: "expiration.time",
    sentDate: "expiration_date",
    sentTime: "expiration_time",
    returned: "ends_at",
    timeDefault: "23:59",
    from: "1970-01-01T00:00:00Z",
    before: "2038-01-20T00:00:00Z",
    default: null,
    opens: { ...expired, word: "none" },
    about: "Date (YYYY-MM-DD) from which the link has expired, in the files' time zone.",
    example: "2027-03-31",
  },
  {
    ...optional,
    kind: "count",
    path: "expiration.clicks",
    sent: "expiration_clicks",
    returned: "expiration_clicks",
    most: 999_999_999,
    default: null,
    opens: { ...expired, word: "none" },
    about: "Number of clicks after which the link has expired.",
    example: "5000",
  },
  {
    ...optional,
    kind: "text",
    path: "expiration.url",
    sent: "expiration_url",
    returned: "expiration_url",
    ...address,
    default: null,
    opens: { ...expired, word: null },
    about: "Where visitors are sent once the link has expired.",
    example: "https://example.com/over",
  },
  {
    ...optional,
    kind: "word",
    path: "targeting.active",
    sent: "target_type",
    returned: "target_type",
    words: { none: 0, country: 1, platform: 2, language: 3, rotation: 4 },
    default: "none",
    about: "The target group that is in force. One group alone is active by itself.",
    example: "country",
  },
  {
    ...optional,
    kind: "map",
    keys: { noun: "country", pattern: /^[A-Z]{2}$/, shape: "two capital letters (ISO 3166-1), such as DE", words: [] },
    path: "targeting.country",
    sent: "country",
    returned: "country_target",
    default: [],
    about: "Destinations by the visitor's country (ISO 3166-1 alpha-2, upper case).",
    example: "{ DE: https://example.com/de }",
  },
  {
    ...optional,
    kind: "map",
    keys: {
      noun: "platform",
      pattern: new RegExp(`^(${PLATFORMS.join("|")})$`),
      shape: `one of: ${PLATFORMS.join(", ")}`,
      words: PLATFORMS,
    },
    path: "targeting.platform",
    sent: "platform",
    returned: "platform_target",
    default: [],
    about: `Destinations by the visitor's platform: ${PLATFORMS.join(", ")}.`,
    example: "{ iOS: https://example.com/ios }",
  },
  {
    ...optional,
    kind: "map",
    keys: { noun: "language", pattern: /^[a-z]{2}$/, shape: "two small letters (ISO 639-1), such as de", words: [] },
    path: "targeting.language",
    sent: "language",
    returned: "language_target",
    default: [],
    about:
      "Destinations by the visitor's language (ISO 639-1, lower case). It works but the service's document does not list it.",
    example: "{ de: https://example.com/de }",
  },
  {
    ...optional,
    kind: "list",
    path: "targeting.rotation",
    sent: "rotation",
    returned: "rotation_target",
    default: [],
    about: "Destinations that visitors are sent to in turn, the link's own url last.",
    example: "[https://example.com/a, https://example.com/b]",
  },
];

const PIXEL_TYPES = [
  "adroll",
  "bing",
  "facebook",
  "google-ads",
  "google-analytics",
  "google-tag-manager",
  "linkedin",
  "pinterest",
  "quora",
  "twitter",
] as const;

const PIXEL_FIELDS: readonly FieldRow[] = [
  {
    ...required,
    kind: "text",
    path: "name",
    sent: "name",
    returned: "name",
    longest: 32,
    pattern: /^\S(.*\S)?$/u,
    shape: "a name without space around it",
    about: "The pixel's name. In files it is the key of the block.",
    example: "Meta main",
  },
  {
    ...required,
    kind: "word",
    path: "type",
    sent: "type",
    returned: "type",
    words: Object.fromEntries(PIXEL_TYPES.map((type) => [type, type])),
    about: `The network the pixel belongs to: ${PIXEL_TYPES.join(", ")}.`,
    example: "facebook",
  },
  {
    ...required,
    kind: "text",
    path: "value",
    sent: "value",
    returned: "value",
    longest: 255,
    pattern: /^[\p{L}\p{M}\p{N}_-]+$/u,
    shape: "letters, digits, `-` and `_`",
    about: "The pixel's id at its network.",
    example: '"1234567890123456"',
  },
];

/** The rows of a kind of resource, in the order in which they are shown. */
export const FIELDS: Readonly<Record<ResourceKind, readonly FieldRow[]>> = { link: LINK_FIELDS, pixel: PIXEL_FIELDS };

/** The field that stands in a block's key instead of in the block. */
export const KEY_FIELD: Readonly<Record<ResourceKind, string>> = { link: "alias", pixel: "name" };

/** The rows that a block spells out: all but the one in its key. */
export function blockFields(kind: ResourceKind): readonly FieldRow[] {
  return FIELDS[kind].filter((row) => row.path !== KEY_FIELD[kind]);
}
