// Deletes rows, on the path that the instance allows.

import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { isPerhapsNoPath, isRefusedPath, PATHS, isGone, unless } from "./call.ts";
import type { PrecedingReads, Transport } from "./transport.ts";
import { decodeDeleted } from "./wire.ts";

/**
 * Finds out which delete path works: it tries the documented path first, and the one under api/v1 if that is refused. Until one is
 * known, deletes run one at a time, so that the refused path is tried once and not once for each worker.
 */
export class DeletePath {
  readonly #transport: Transport;
  readonly #kind: ResourceKind;
  #known: ((id: number) => string) | null = null;
  /** The delete that is finding out the path; null if there is none. */
  #finding: Promise<unknown> | null = null;

  constructor(transport: Transport, kind: ResourceKind) {
    this.#transport = transport;
    this.#kind = kind;
  }

  /** Deletes a row; false if it was gone already. `before` runs before every request that could delete it. */
  async delete(id: number, before: PrecedingReads): Promise<boolean> {
    while (this.#known === null && this.#finding !== null) await this.#finding;
    if (this.#known !== null) return this.#send(this.#known, id, before);
    const found = this.#find(id, before);
    this.#finding = found.catch(() => null);
    try {
      return await found;
    } finally {
      this.#finding = null;
    }
  }

  async #find(id: number, before: PrecedingReads): Promise<boolean> {
    const documented = PATHS[this.#kind].destroy;
    const underApi = (of: number): string => `${PATHS[this.#kind].resource}/${of}`;
    try {
      await this.#request(documented, id, before, true);
      this.#known = documented;
      return true;
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      if (isRefusedPath(cause)) this.#known = underApi;
      else if (!isPerhapsNoPath(cause)) throw cause;
    }
    const deleted = await this.#send(underApi, id, before);
    // Only a deleted row proves the path: "no such row" may mean that there is no such path.
    if (deleted) this.#known = underApi;
    return deleted;
  }

  /** Deletes a row on a path; false if there is no such row. */
  async #send(path: (id: number) => string, id: number, before: PrecedingReads): Promise<boolean> {
    const sent = await unless(isGone, async () => {
      await this.#request(path, id, before, false);
      return true;
    });
    return sent ?? false;
  }

  async #request(
    path: (id: number) => string,
    id: number,
    before: PrecedingReads,
    mayBeNoPath: boolean,
  ): Promise<void> {
    const { json } = await this.#transport.send({ method: "DELETE", path: path(id), mayBeNoPath }, before);
    decodeDeleted(this.#kind, json);
  }
}
