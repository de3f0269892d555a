// The service: its versions with their names on the wire, and the context of every handler.
import { words } from "./codes.ts";
import type { Form } from "./forms.ts";
import type { Store } from "./store.ts";

/** The versions of the service that the sandbox imitates. */
export const SOFTWARE = ["4.1", "4.9", "44", "49"] as const;

export type Software = (typeof SOFTWARE)[number];

/** Whether `software` is `first` or a later version. A new version behaves like the one before it. */
export function isSince(software: Software, first: Software): boolean {
  return SOFTWARE.indexOf(software) >= SOFTWARE.indexOf(first);
}

export interface Service {
  readonly store: Store;
  readonly software: Software;
  readonly dialect: Dialect;
  /** The time, ISO in UTC. */
  now(): string;
}

export interface ApiRequest {
  readonly service: Service;
  /** The id in the path, as sent; empty where the path has none. */
  readonly id: string;
  readonly query: Form;
  readonly form: Form;
  /** `http://` and the Host header: what links in answers begin with, TLS or not. */
  readonly origin: string;
  /** The path as requested, `/index.php` included. */
  readonly path: string;
}

/** The owner in every row; no client sees another account. */
export const USER_ID = 2;

/**
 * Wire names by the names in the state. A missing name does not exist in that version: like in the service, it is ignored in requests and
 * absent from responses.
 */
export type Names = Readonly<Partial<Record<string, string>>>;

/** The framework's validation messages since 44. `:attribute` is what it calls the field, `:limit` a part of the rule. */
const PHRASES_SINCE_44 = {
  array: "The :attribute field must be an array.",
  before: "The :attribute field must be a date before :limit.",
  boolean: "The :attribute field must be true or false.",
  dashed: "The :attribute field must only contain letters, numbers, dashes, and underscores.",
  date: "The :attribute field must be a valid date.",
  dateFormat: "The :attribute field must match the format :limit.",
  format: "The :attribute field format is invalid.",
  integer: "The :attribute field must be an integer.",
  max: "The :attribute field must not be greater than :limit.",
  maxCharacters: "The :attribute field must not be greater than :limit characters.",
  maxItems: "The :attribute field must not have more than :limit items.",
  min: "The :attribute field must be at least :limit.",
  string: "The :attribute field must be a string.",
  url: "The :attribute field must be a valid URL.",
};

export type Phrase = keyof typeof PHRASES_SINCE_44;

/** Those of 4.1 and 4.9, whose forms need no others. */
const PHRASES_IN_4: Dialect["phrases"] = {
  ...PHRASES_SINCE_44,
  dashed: "The :attribute may only contain letters, numbers, dashes and underscores.",
  dateFormat: "The :attribute does not match the format :limit.",
  format: "The :attribute format is invalid.",
  integer: "The :attribute must be an integer.",
  max: "The :attribute may not be greater than :limit.",
  maxCharacters: "The :attribute may not be greater than :limit characters.",
  min: "The :attribute must be at least :limit.",
  string: "The :attribute must be a string.",
  url: "The :attribute format is invalid.",
};

export interface Dialect {
  readonly sent: Names;
  readonly returned: Names;
  /** The names of form fields in messages. By default, the wire names with spaces. */
  readonly labels: Names;
  readonly phrases: Readonly<Record<Phrase, string>>;
  /** Filters of the list of links that its links to other pages repeat. */
  readonly filters: Readonly<Record<string, string>>;
  readonly searchBy: "by" | "search_by";
  /** The types of target groups by their numbers in the state; null if the numbers are sent. */
  readonly targetWords: readonly string[] | null;
  /** The pixel type for X, which is `twitter` in the state. */
  readonly xPixel: "twitter" | "x";
}

const same = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(words(names).map((name) => [name, name]));

const SENT_IN_4 = same(`
  url alias domain password space pixels disabled privacy privacy_password expiration_url expiration_date expiration_time
  expiration_clicks target_type country platform language rotation`);
const RENAMED_IN_44: Names = { domain: "domain_id", space: "space_id", pixels: "pixel_ids" };

const RETURNED_UNTIL_44: Names = {
  ...same("id alias url short_url title target_type"),
  country: "country_target",
  platform: "platform_target",
  language: "language_target",
  rotation: "rotation_target",
  ...same(`
    last_rotation disabled privacy privacy_password password expiration_url expiration_clicks clicks space domain pixels
    ends_at created_at updated_at`),
};

/** Fields whose names changed in 49, the same in requests and answers. */
const RENAMED_IN_49: Names = {
  password: "redirect_password",
  // The statistics password. A client that sends the old name of the link's password leaves the link open.
  privacy_password: "password",
  sensitive: "sensitive_content",
  starts_at: "active_period_start_at",
  ends_at: "active_period_end_at",
  expiration_clicks: "clicks_limit",
  target_type: "targets_type",
  targets: "targets",
};

const V4_1: Dialect = {
  sent: SENT_IN_4,
  returned: RETURNED_UNTIL_44,
  labels: {
    url: "Link",
    alias: "Alias",
    domain: "Domain",
    expiration_date: "Expiration date",
    expiration_time: "Expiration time",
  },
  phrases: PHRASES_IN_4,
  filters: same("space domain pixel"),
  searchBy: "by",
  targetWords: null,
  xPixel: "twitter",
};

const V4_9: Dialect = { ...V4_1, searchBy: "search_by" };
const V44: Dialect = {
  ...V4_9,
  sent: { ...SENT_IN_4, ...RENAMED_IN_44 },
  phrases: PHRASES_SINCE_44,
  filters: { space: "space_id", domain: "domain_id", pixel: "pixel_id" },
  xPixel: "x",
};

const V49: Dialect = {
  ...V44,
  sent: { ...same("url alias privacy expiration_url"), ...RENAMED_IN_44, ...RENAMED_IN_49 },
  returned: {
    ...same(`
      id alias url short_url title last_rotation privacy expiration_url clicks space domain pixels expires_at created_at
      updated_at`),
    ...RENAMED_IN_49,
  },
  labels: {},
  targetWords: ["", "countries", "operating_systems", "languages", "rotations", "continents", "browsers", "devices"],
};

export const DIALECTS: Readonly<Record<Software, Dialect>> = { "4.1": V4_1, "4.9": V4_9, "44": V44, "49": V49 };

/** A pixel's type on the wire. @param type from the state */
export const shownPixelType = (type: string, { xPixel }: Dialect): string => (type === "twitter" ? xPixel : type);

/** A pixel's type in the state. @param type from the wire */
export const storedPixelType = (type: string, { xPixel }: Dialect): string => (type === xPixel ? "twitter" : type);
