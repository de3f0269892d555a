// A request to the service: its path, and the failures that answer it, such as "there is none".

import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";

/** `path` begins with a slash and follows the base address; `form` is an encoded body. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly form?: string;
  /** A page instead of JSON is a possible answer, because there may be no such path. It is not retried. */
  readonly mayBeNoPath?: boolean;
}

/** The documented paths. Every known instance refuses deletes there (docs/service.md, "Endpoints" and "Delete paths"). */
export const PATHS: Readonly<Record<ResourceKind, { resource: string; destroy: (id: number) => string }>> = {
  link: { resource: "/api/v1/links", destroy: (id) => `/links/${id}/destroy` },
  pixel: { resource: "/index.php/api/v1/pixels", destroy: (id) => `/index.php/pixels/${id}/destroy` },
};

/** The result of `read`, or null if it fails with an error that `like` accepts. */
export async function unless<Result>(
  like: (error: ServiceError) => boolean,
  read: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ServiceError && like(cause)) return null;
    throw cause;
  }
}

/** The service reports in JSON that there is no such row. */
export function isGone(error: ServiceError): boolean {
  return error.code === "not-found";
}
