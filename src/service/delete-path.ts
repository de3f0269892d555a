// Deletes rows on the path that the instance allows, which differs (docs/service.md, "Delete paths").

import pLimit from "p-limit";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { PATHS, isGone, unless } from "./call.ts";
import type { PrecedingReads, Transport } from "./transport.ts";
import { decodeDeleted } from "./wire.ts";

/** Deletes the row with this id; false if it was gone already. `before` runs before every request that could delete it. */
type Delete = (id: number, before: PrecedingReads) => Promise<boolean>;

/**
 * Deletes rows of a kind, and finds out which path works: it tries the documented path first, and the one under api/v1 if that is refused.
 * Until one is known, deletes run one at a time, so that the refused path is tried once and not once for each worker.
 */
export function createDelete(transport: Transport, kind: ResourceKind): Delete {
  const { destroy: documented, resource } = PATHS[kind];
  const underApi = (id: number): string => `${resource}/${id}`;
  let known: typeof underApi | null = null;
  const alone = pLimit(1);

  const send = async (path: string, before: PrecedingReads): Promise<boolean> => {
    const answer = await unless(isGone, () => transport.send({ method: "DELETE", path }, before));
    if (answer !== null) decodeDeleted(kind, answer.json);
    return answer !== null;
  };
  const find: Delete = async (id, before) => {
    const answer = await tryPath(transport, kind, documented(id), before);
    if (answer !== "no row") known = answer === "works" ? documented : underApi;
    if (answer === "works") return true;
    const deleted = await send(underApi(id), before);
    // Only a deleted row proves the path: "no such row" may mean that there is no such path.
    if (deleted) known = underApi;
    return deleted;
  };
  return async (id, before) => {
    const found = known === null ? await alone(async () => (known === null ? find(id, before) : null)) : null;
    return found ?? send((known ?? underApi)(id), before);
  };
}

/** "refused": a 405, a 419 or a redirect. "no row": a 404 or a page instead of JSON, which may mean the path or the row. */
async function tryPath(
  transport: Transport,
  kind: ResourceKind,
  path: string,
  before?: PrecedingReads,
): Promise<"works" | "refused" | "no row"> {
  try {
    const { json } = await transport.send({ method: "DELETE", path, mayBeNoPath: true }, before);
    decodeDeleted(kind, json);
    return "works";
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const { code, status } = cause;
    if (status === 405 || status === 419 || code === "redirect") return "refused";
    if (status === 404 || (code === "not-json" && status === 200)) return "no row";
    throw cause;
  }
}

/** Which of the two paths deletes; "either" if only a real delete would show it. */
export type WorkingPath = "documented" | "api" | "either" | "none";

/** An id that no row has: ids count from 1. */
const NO_ROW = 0;

/**
 * Sends a DELETE for a row that does not exist, because only its response shows the path: to the documented one, and to the other one
 * unless the first works. Each path is added to `sent` before its request, so that the report has it even if the request fails.
 */
export async function probeDeletePath(transport: Transport, kind: ResourceKind, sent: string[]): Promise<WorkingPath> {
  const { resource, destroy } = PATHS[kind];
  const probe = (path: string): ReturnType<typeof tryPath> => {
    sent.push(path);
    return tryPath(transport, kind, path);
  };
  const documented = await probe(destroy(NO_ROW));
  if (documented === "works") return "documented";
  const api = await probe(`${resource}/${NO_ROW}`);
  if (documented === "refused") return api === "refused" ? "none" : "api";
  return api === "refused" ? "documented" : "either";
}
