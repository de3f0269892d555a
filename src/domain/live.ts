// What the service has, as it was read: rows whose references still carry the service's ids and names.

import type { DetectedSoftware, Software } from "./software.ts";
import type { ResourceKind } from "./table.ts";
import type { Value } from "./value.ts";

/** A row that another one refers to. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A field whose returned value has no meaning: a domain that is null, a flag that is 2, half a pair of a target group. */
export interface UnreadableField {
  readonly path: string;
  /** Its name in the service's answers. */
  readonly returned: string;
  /** What came instead, fit for a message. */
  readonly seen: string;
}

/** What is seen of a field that a row does not have. */
export const MISSING = "it is missing";

/** What can't be read of a row: "`disabled` is 2". */
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
  /** Clicks so far; null for pixels and where the service does not say. */
  readonly clicks: number | null;
  /** When the service last wrote the row, as a canonical instant; null where it does not say. */
  readonly updatedAt: string | null;
  /** When the row was made, likewise. */
  readonly createdAt: string | null;
  /** What the service read at a link's destination as its title; null for pixels, and where there is none. */
  readonly title: string | null;
  /** Fields that are in neither map because they have no meaning. With any of these, the row is unreadable. */
  readonly unreadable: readonly UnreadableField[];
}

/** A reading of all that matters to a project, and proven complete (promise 5). */
export interface LiveState {
  readonly software: DetectedSoftware;
  /** Only rows that can be read in full; `pixels` likewise. */
  readonly links: readonly LiveRecord[];
  /** Whether these are all links of the account; if not, nobody knows which others there are. */
  readonly isWhole: boolean;
  /** The domain of the list of links that has all that matters; null for the list of all. */
  readonly domain: number | null;
  readonly pixels: readonly LiveRecord[];
  /** Links and pixels of which some field has no meaning: they count as read, and nothing is planned for them. */
  readonly unreadable: readonly LiveRecord[];
  /** The lists of domains and spaces; null where they were not needed or could not be had. */
  readonly domains: readonly Named[] | null;
  readonly spaces: readonly Named[] | null;
  /** The account's zone as the service says; null where it was not needed or could not be had. */
  readonly accountZone: string | null;
  /** Requests that the reading took. */
  readonly requests: number;
  /** The size of each of these lists, so that a second reading can be reckoned. */
  readonly sizes: Readonly<Record<ResourceKind, ListSize>>;
}

/** How long a list is. */
export interface ListSize {
  readonly rows: number;
  /** Rows that a page holds. */
  readonly perPage: number;
}
