// The state of the account as it was read: records whose references have the ids and names of the service.

import type { DetectedSoftware, Software } from "./software.ts";
import { FIELDS, type PerKind, type ResourceKind } from "./table.ts";
import type { Value, ValueLookup } from "./value.ts";

/** A domain, space or pixel that a record refers to. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A field whose returned value has no meaning: a domain that is null, a flag that is 2, half a pair of a target group. */
export interface UnreadableField {
  readonly path: string;
  /** Its name in the service's answers. */
  readonly returned: string;
  /** The returned value, for a message. */
  readonly seen: string;
}

/** The value of `seen` for a field that is not in the response. */
export const MISSING = "it is missing";

/** The invalid fields for a message: "`disabled` is 2". */
export function fieldsText(fields: readonly UnreadableField[]): string {
  return fields.map(({ returned, seen }) => `\`${returned}\` is ${seen === MISSING ? "missing" : seen}`).join(", ");
}

/** A link or pixel as the service returned it. A field it did not return is in neither map: unknown, never guessed. */
export interface LiveRecord {
  readonly kind: ResourceKind;
  readonly id: number;
  /** The version of the service that returned it. */
  readonly software: Software;
  /** Canonical values by path, of all kinds but references. */
  readonly values: ReadonlyMap<string, Value>;
  /** What reference fields point to, by path; none is an empty list. */
  readonly references: ReadonlyMap<string, readonly Named[]>;
  /** Clicks so far; null for pixels and if the service does not return them. */
  readonly clicks: number | null;
  /** When the service last wrote the record, as a canonical instant; null if it is not returned. */
  readonly updatedAt: string | null;
  /** When the record was created, likewise. */
  readonly createdAt: string | null;
  /** The title of the destination page, as the service read it; null for pixels, or without one. */
  readonly title: string | null;
  /** Invalid fields, which are in neither map. With any of these, the record is unreadable. */
  readonly unreadable: readonly UnreadableField[];
}

/** Whether one of these values is a date of a link, which is sent in the zone of the account. */
export function hasDate(values: ValueLookup): boolean {
  return FIELDS.link.some(({ kind, path }) => kind === "instant" && typeof values.get(path) === "string");
}

/** All that matters to a project, verified to be complete. */
export interface LiveState {
  readonly software: DetectedSoftware;
  readonly links: readonly LiveRecord[];
  /** Whether these are all links of the account. */
  readonly isWhole: boolean;
  /** The domain whose links were listed; null if all domains were. */
  readonly domain: number | null;
  readonly pixels: readonly LiveRecord[];
  /** The lists of domains and spaces; null if they were not needed or not available. */
  readonly domains: readonly Named[] | null;
  readonly spaces: readonly Named[] | null;
  /** Null if it was not needed. */
  readonly account: Account | null;
  readonly requests: number;
  /** The size of each list, to estimate a second reading. */
  readonly sizes: PerKind<ListSize>;
}

/** The account of an API key. What the service does not report is null. */
export interface Account {
  readonly id: string | null;
  readonly zone: string | null;
}

export interface ListSize {
  readonly records: number;
  readonly perPage: number;
}

/** A full-size page of a list in ascending order of the ids. */
export interface ListPage {
  readonly number: number;
  /** The domain whose links are listed; null if all rows are. */
  readonly domain: number | null;
}
