// The operations of the documented interface on links and pixels (interface.md 4), behind two narrow interfaces.

import type { LiveRow, Named } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { readList, type Listed } from "./list.ts";
import type { Transport } from "./transport.ts";
import { checkId, decodeAccountZone, decodeDeleted, decodeEcho, decodeNamed, decodeRow, decodeShown } from "./wire.ts";

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
      unless(isGone, async () =>
        decodeShown(kind, id, await transport.send({ method: "GET", path: `${PATHS[kind].resource}/${id}` })),
      ),
    // These three are undocumented: where they are missing or not allowed, the files must say what they would have said.
    names: (of) =>
      unless(isNotOffered, async () => {
        const list = await readList(transport, `/api/v1/${of}`, (json) => decodeNamed(of, json));
        return list.rows;
      }),
    accountZone: () =>
      unless(isNotOffered, async () =>
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
      const echoed = decodeEcho(
        kind,
        await transport.send({ method: "PUT", path: `${PATHS[kind].resource}/${id}`, form }),
      );
      checkId(kind, id, echoed);
    },
    delete: (kind, id) => deletes[kind].delete(id),
  };
}

/** What `read` gives, or null where the service refuses it like this. */
async function unless<Result>(
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

/** The service itself, in JSON, says that there is no such row. */
function isGone(error: ServiceError): boolean {
  return error.code === "not-found";
}

/** An undocumented list that an instance does not have, or does not let this account see. */
function isNotOffered({ status }: ServiceError): boolean {
  return status === 403 || status === 404 || status === 405;
}

/** An answer of 405 or 419, or a redirect: the service has no such way to delete (observed.md, "Delete paths"). */
function isRefusedPath({ code, status }: ServiceError): boolean {
  return status === 405 || status === 419 || code === "redirect";
}

/** A 404, or a page of whatever: there may be no such path, or no such row. */
function isPerhapsNoPath({ code, status }: ServiceError): boolean {
  return status === 404 || (code === "not-json" && status === 200);
}

/**
 * Finds out which delete path works: the documented one first, and where that is refused the one under api/v1. Until one
 * is known a delete runs alone, so that the refused path is tried once and not once for each worker.
 */
class DeletePath {
  readonly #transport: Transport;
  readonly #kind: ResourceKind;
  #known: ((id: number) => string) | null = null;
  /** The delete that is finding out, if one is. */
  #finding: Promise<unknown> | null = null;

  constructor(transport: Transport, kind: ResourceKind) {
    this.#transport = transport;
    this.#kind = kind;
  }

  async delete(id: number): Promise<boolean> {
    while (this.#known === null && this.#finding !== null) await this.#finding;
    if (this.#known !== null) return this.#send(this.#known, id);
    const found = this.#find(id);
    this.#finding = found.catch(() => null);
    try {
      return await found;
    } finally {
      this.#finding = null;
    }
  }

  async #find(id: number): Promise<boolean> {
    const documented = PATHS[this.#kind].destroy;
    const underApi = (of: number): string => `${PATHS[this.#kind].resource}/${of}`;
    try {
      await this.#request(documented, id);
      this.#known = documented;
      return true;
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      if (isRefusedPath(cause)) this.#known = underApi;
      else if (!isPerhapsNoPath(cause)) throw cause;
    }
    const deleted = await this.#send(underApi, id);
    // A path works once a row has gone by it: "no such row" says nothing of the path.
    if (deleted) this.#known = underApi;
    return deleted;
  }

  /** Deletes a row on a path; false if there is no such row. */
  async #send(path: (id: number) => string, id: number): Promise<boolean> {
    const sent = await unless(isGone, async () => {
      await this.#request(path, id);
      return true;
    });
    return sent ?? false;
  }

  async #request(path: (id: number) => string, id: number): Promise<void> {
    decodeDeleted(this.#kind, await this.#transport.send({ method: "DELETE", path: path(id) }));
  }
}
