// What the service has, as it was read: rows whose references still carry the service's ids and names.

import type { ResourceKind } from "./table.ts";
import type { Value } from "./value.ts";

/** A row that another one refers to. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A link or pixel as the service returned it. A field it did not return is in neither map: unknown, never guessed. */
export interface LiveRow {
  readonly kind: ResourceKind;
  readonly id: number;
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
}

/** A reading of all that matters to a project, and proven complete (promise 5). */
export interface LiveState {
  readonly links: readonly LiveRow[];
  /** Whether these are all links of the account; if not, nobody knows which others there are. */
  readonly isWhole: boolean;
  /** The domain of the list of links that has all that matters; null for the list of all. */
  readonly domain: number | null;
  readonly pixels: readonly LiveRow[];
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
