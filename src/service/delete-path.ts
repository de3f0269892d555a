// Deletes rows, on the path that the instance allows.

import pLimit from "p-limit";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { isPerhapsNoPath, isRefusedPath, PATHS, isGone, unless } from "./call.ts";
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

  const request = async (path: string, before: PrecedingReads, mayBeNoPath: boolean): Promise<true> => {
    const { json } = await transport.send({ method: "DELETE", path, mayBeNoPath }, before);
    decodeDeleted(kind, json);
    return true;
  };
  const send = async (path: string, before: PrecedingReads): Promise<boolean> =>
    (await unless(isGone, () => request(path, before, false))) ?? false;
  const find: Delete = async (id, before) => {
    try {
      await request(documented(id), before, true);
      known = documented;
      return true;
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      if (isRefusedPath(cause)) known = underApi;
      else if (!isPerhapsNoPath(cause)) throw cause;
    }
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
