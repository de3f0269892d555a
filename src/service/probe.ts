// Finds out what an instance of the service supports, for `linkform doctor`. None of these requests changes a row.

import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import type { Clock } from "../domain/clock.ts";
import { timeOf } from "../http/headers.ts";
import { readLimit, type LimitHeaders } from "./limit.ts";
import { isPerhapsNoPath, isRefusedPath, PATHS } from "./call.ts";
import type { Transport } from "./transport.ts";

/** The rate limit and the clock of the service. */
export interface Bearing {
  readonly limit: LimitHeaders;
  /** Seconds by which the service's clock is ahead of this machine's; null if the response has no date. */
  readonly ahead: number | null;
}

/** Reads the shortest list, for the headers of its response. */
export async function probeLimit(transport: Transport, clock: Clock): Promise<Bearing> {
  const path = PATHS.link.resource;
  const { header } = await transport.send({ method: "GET", path, query: { per_page: 10 } });
  const now = clock.now();
  const time = timeOf(header);
  return { limit: readLimit(200, header, now), ahead: time === null ? null : Math.round((time - now) / 1000) };
}

/** Which of the two paths deletes (docs/service.md, "Delete paths"); "either" if only a real delete would show it. */
export type WorkingPath = "documented" | "api" | "either" | "none";

/** An id that no row has: ids count from 1. */
const NO_ROW = 0;

/**
 * Finds out which delete path there is, by sending a DELETE for a row that does not exist: to the documented path, and to
 * the other one unless the first works. Only the response to a DELETE shows this. Each path is added to `sent`
 * before its request, so that the report can say what was sent even if the request fails.
 */
export async function probeDeletePath(transport: Transport, kind: ResourceKind, sent: string[]): Promise<WorkingPath> {
  const { resource, destroy } = PATHS[kind];
  const probe = (path: string): ReturnType<typeof answers> => {
    sent.push(path);
    return answers(transport, path);
  };
  const documented = await probe(destroy(NO_ROW));
  if (documented === "works") return "documented";
  const api = await probe(`${resource}/${NO_ROW}`);
  if (documented === "refused") return api === "refused" ? "none" : "api";
  return api === "refused" ? "documented" : "either";
}

/** "no row": a 404 or a page, which may mean the path or the row. */
async function answers(transport: Transport, path: string): Promise<"works" | "refused" | "no row"> {
  try {
    await transport.send({ method: "DELETE", path, mayBeNoPath: true });
    return "works";
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    if (isRefusedPath(cause)) return "refused";
    if (isPerhapsNoPath(cause)) return "no row";
    throw cause;
  }
}
