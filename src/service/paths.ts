// Where the service's resources are, and what an answer says about a path.

import type { ResourceKind } from "../domain/table.ts";
import type { ServiceError } from "../errors.ts";

/** The documented paths. Every known instance refuses deletes there (docs/service.md, "Endpoints" and "Delete paths"). */
export const PATHS: Readonly<Record<ResourceKind, { resource: string; destroy: (id: number) => string }>> = {
  link: { resource: "/api/v1/links", destroy: (id) => `/links/${id}/destroy` },
  pixel: { resource: "/index.php/api/v1/pixels", destroy: (id) => `/index.php/pixels/${id}/destroy` },
};

/** 405, 419 or a redirect: this path does not delete (docs/service.md, "Delete paths"). */
export function isRefusedPath({ code, status }: ServiceError): boolean {
  return status === 405 || status === 419 || code === "redirect";
}

/** A 404, or a page of whatever: there may be no such path, or no such row. */
export function isPerhapsNoPath({ code, status }: ServiceError): boolean {
  return status === 404 || (code === "not-json" && status === 200);
}
