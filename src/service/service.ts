// The operations of the documented interface on links and pixels (interface.md 4), behind two narrow interfaces.

import type { LiveRow, Named } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError, type ServiceErrorCode } from "../errors.ts";
import { readList, type Listed } from "./list.ts";
import type { Transport } from "./transport.ts";
import { decodeAccountZone, decodeDeleted, decodeEcho, decodeNamed, decodeRow, decodeShown } from "./wire.ts";

/** What reads and can't write: all that planning ever holds (promise 1). */
export interface Reader {
  /** All rows of a kind, by id. */
  list(kind: ResourceKind): Promise<Listed<LiveRow>>;
  /** One row, or null if there is none. */
  show(kind: ResourceKind, id: number): Promise<LiveRow | null>;
  /** Domains or spaces of the account; null where the service has no such list. */
  names(of: "domains" | "spaces"): Promise<readonly Named[] | null>;
  /** The account's time zone; null where the service does not say. */
  accountZone(): Promise<string | null>;
  /** Requests sent so far. */
  readonly requests: number;
}

/** What also writes. Forms are encoded bodies. */
export interface Writer extends Reader {
  /** Makes a row and returns its id. */
  store(kind: ResourceKind, form: string): Promise<number>;
  update(kind: ResourceKind, id: number, form: string): Promise<void>;
  /** Deletes a row; false if it was gone already. */
  delete(kind: ResourceKind, id: number): Promise<boolean>;
}

/** Paths as documented (interface.md 4); deletes are refused there by every instance seen (observed.md, "Delete paths"). */
const PATHS: Readonly<Record<ResourceKind, { resource: string; destroy: (id: number) => string }>> = {
  link: { resource: "/api/v1/links", destroy: (id) => `/links/${id}/destroy` },
  pixel: { resource: "/index.php/api/v1/pixels", destroy: (id) => `/index.php/pixels/${id}/destroy` },
};

/** A client that reads and has no way to write. */
export function connectReader(transport: Transport): Reader {
  return {
    list: (kind) => readList(transport, PATHS[kind].resource, (json) => decodeRow(kind, json)),
    show: (kind, id) =>
      unless(["not-found"], async () =>
        decodeShown(kind, await transport.send({ method: "GET", path: `${PATHS[kind].resource}/${id}` })),
      ),
    // These three are undocumented: where they are missing or not allowed, the files must say what they would have said.
    names: (of) =>
      unless(["not-found", "forbidden"], async () => {
        const list = await readList(transport, `/api/v1/${of}`, (json) => decodeNamed(of, json));
        return list.rows;
      }),
    accountZone: () =>
      unless(["not-found", "forbidden"], async () =>
        decodeAccountZone(await transport.send({ method: "GET", path: "/api/v1/account" })),
      ),
    get requests() {
      return transport.requests;
    },
  };
}

/** A client that reads and writes. */
export function connectWriter(transport: Transport): Writer {
  const reader = connectReader(transport);
  const deletes = { link: new DeletePath(transport, "link"), pixel: new DeletePath(transport, "pixel") };
  return {
    ...reader,
    get requests() {
      return transport.requests;
    },
    store: async (kind, form) =>
      decodeEcho(kind, await transport.send({ method: "POST", path: PATHS[kind].resource, form })),
    update: async (kind, id, form) => {
      decodeEcho(kind, await transport.send({ method: "PUT", path: `${PATHS[kind].resource}/${id}`, form }));
    },
    delete: (kind, id) => deletes[kind].delete(id),
  };
}

/** What `read` gives, or null where the service answers with one of these refusals. */
async function unless<Result>(codes: readonly ServiceErrorCode[], read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ServiceError && codes.includes(cause.code)) return null;
    throw cause;
  }
}

/**
 * Finds out which delete path works: the documented one first, and where that is refused the one under api/v1. The first
 * delete of a kind runs alone, so that the refused path is tried once and not once for each worker.
 */
class DeletePath {
  readonly #transport: Transport;
  readonly #kind: ResourceKind;
  #known: ((id: number) => string) | null = null;
  #finding: Promise<unknown> = Promise.resolve();

  constructor(transport: Transport, kind: ResourceKind) {
    this.#transport = transport;
    this.#kind = kind;
  }

  async delete(id: number): Promise<boolean> {
    if (this.#known === null) {
      const found = this.#finding.then(() => (this.#known === null ? this.#find(id) : this.#send(this.#known, id)));
      this.#finding = found.catch(() => null);
      return found;
    }
    return this.#send(this.#known, id);
  }

  async #find(id: number): Promise<boolean> {
    const documented = PATHS[this.#kind].destroy;
    const underApi = (of: number): string => `${PATHS[this.#kind].resource}/${of}`;
    try {
      await this.#send(documented, id, true);
      this.#known = documented;
      return true;
    } catch (cause) {
      if (!isRefusedPath(cause)) throw cause;
    }
    const deleted = await this.#send(underApi, id);
    this.#known = underApi;
    return deleted;
  }

  /** With `strict`, "not found" is thrown: on the documented path it may mean that there is no such path. */
  async #send(path: (id: number) => string, id: number, strict = false): Promise<boolean> {
    try {
      decodeDeleted(this.#kind, await this.#transport.send({ method: "DELETE", path: path(id) }));
      return true;
    } catch (cause) {
      if (!strict && cause instanceof ServiceError && cause.code === "not-found") return false;
      throw cause;
    }
  }
}

/** 404, 405, 419 or a redirect, whatever the body is (observed.md, "Delete paths"). */
function isRefusedPath(cause: unknown): boolean {
  if (!(cause instanceof ServiceError) || cause.status === null) return false;
  return [404, 405, 419].includes(cause.status) || cause.code === "redirect";
}
