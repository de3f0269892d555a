// The context of every handler: the service and one request.
import type { Form } from "./forms.ts";
import type { Software } from "./software.ts";
import type { Store } from "./store.ts";

export { isSince, SOFTWARE, type Software } from "./software.ts";

export interface Service {
  readonly store: Store;
  readonly software: Software;
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
