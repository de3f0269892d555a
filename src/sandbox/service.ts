// The context of every handler: the service with its version, and one request.

import type { Dialect } from "./dialect.ts";
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

/** The row that the path's id names. */
export function rowOf<Row>(rows: ReadonlyMap<number, Row>, id: string): Row | undefined {
  return /^\d+$/.test(id) ? rows.get(Number(id)) : undefined;
}
