// The stored state as JSON, and values derived from a link. Instants are ISO in UTC.
import { isSince, type Service } from "./service.ts";

/** One destination of a target group; a rotation has no keys. */
export interface Entry {
  readonly key?: string;
  readonly value: string;
}

/** null: never set; []: cleared; an object by index: written with gaps (docs/service.md, "Responses"). */
export type Group = readonly Entry[] | Readonly<Record<string, Entry>> | null;

/** The columns of every row. */
export interface Row {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Plan features by their names in 4.1; 0 is off, a number a limit, -1 no limit. */
export type Features = Readonly<Record<string, number>>;

export interface Account {
  readonly timezone: string;
  readonly features: Features;
}

export interface Domain extends Row {
  readonly name: string;
  /** Shared by the whole service: GET /domains does not list it, but links name it. */
  readonly shared: boolean;
  readonly index_page: string | null;
  readonly not_found_page: string | null;
}

export interface Space extends Row {
  readonly name: string;
  readonly color: number;
}

export interface Pixel extends Row {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** `targets` has the entries that 49 stored without a type. */
export interface Link extends Row, Readonly<Record<ActiveGroup | "targets", Group>> {
  readonly url: string;
  readonly domain: number;
  readonly alias: string;
  readonly title: string | null;
  readonly password: string | null;
  readonly space: number | null;
  /** Pixels' ids, ascending. */
  readonly pixels: readonly number[];
  readonly disabled: number;
  readonly privacy: number;
  readonly privacy_password: string | null;
  readonly expiration_url: string | null;
  readonly ends_at: string | null;
  readonly expiration_clicks: number | null;
  readonly clicks: number;
  /** 0 none, 1 country, 2 platform, 3 language, 4 rotation; only in 49: 5 continent, 6 browser, 7 device. null acts like 0. */
  readonly target_type: number | null;
  readonly last_rotation: number;
  /** Only in 49, like the next one. */
  readonly starts_at: string | null;
  /** 1: a page warns the visitor first. */
  readonly sensitive: number | null;
}

export interface State {
  readonly account: Account;
  readonly domains: readonly Domain[];
  readonly spaces: readonly Space[];
  readonly pixels: readonly Pixel[];
  readonly links: readonly Link[];
  /** The ids of the next rows. No id is used twice. */
  readonly next: { readonly pixel: number; readonly link: number };
}

/** A row of an initial state, in which fields may be missing. */
export type Seed<Stored, Required extends keyof Stored> = Pick<Stored, Required> & Partial<Omit<Stored, Required>>;

/** An initial state. Ids left out are given in order; domains and spaces left out are those of the default seed. */
export interface SeedState {
  readonly account?: Partial<Account>;
  readonly domains?: readonly Seed<Domain, "name">[];
  readonly spaces?: readonly Seed<Space, "name">[];
  readonly pixels?: readonly Seed<Pixel, "name" | "type" | "value">[];
  readonly links?: readonly Seed<Link, "url" | "domain" | "alias">[];
  readonly next?: Partial<State["next"]>;
}

/**
 * By date or by clicks, disabled or not (docs/service.md, "Search and filters"). In 49, a link also does not work before its start, and an
 * end without a start has no effect (docs/service.md, "Dates and time zones").
 */
export function isExpired(link: Link, service: Service): boolean {
  const { starts_at: start, ends_at: end, expiration_clicks: limit } = link;
  if (limit !== null && limit > 0 && link.clicks >= limit) return true;
  const [now, hasPeriod] = [service.now(), isSince(service.software, "49")];
  if (end === null || (hasPeriod && start === null)) return false;
  return end <= now || (hasPeriod && start !== null && now < start);
}

/** A group that selects the destination. The last three are only in 49. */
export type ActiveGroup = "country" | "platform" | "language" | "rotation" | "continent" | "browser" | "device";

/** The groups of all versions, which are also the names of their fields. */
export const GROUPS = ["country", "platform", "language", "rotation"] as const;

/** By the numbers of `target_type` from 1 on; 3 is undocumented (docs/service.md, "Resources"). */
export const ACTIVE_GROUPS: readonly ActiveGroup[] = [...GROUPS, "continent", "browser", "device"];

/** The active group; null for none, even if some are stored. */
export const activeGroup = ({ target_type: type }: Pick<Link, "target_type">): ActiveGroup | null =>
  ACTIVE_GROUPS[(type ?? 0) - 1] ?? null;

/** A group's entries in order, for any stored form. */
export const entriesOf = (group: Group): readonly Entry[] => Object.values(group ?? []);

/** The secret `0` is stored, but reads as none everywhere (docs/service.md, "Writing"). */
export const isSet = (secret: string | null): secret is string => secret !== null && secret !== "0";
