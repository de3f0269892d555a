// The documented operations on links and pixels (docs/service.md, "Endpoints"), behind two narrow interfaces.

import { fold } from "../domain/fold.ts";
import type { Account, ListPage, LiveRecord, Named } from "../domain/live.ts";
import type { Status } from "../domain/status.ts";
import { upTo, type DetectedSoftware, type Software } from "../domain/software.ts";
import { fieldAt, FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { filterNames, sentNames, wireOf } from "../domain/wire.ts";
import { ServiceError } from "../errors.ts";
import { type Call, PATHS, isGone, unless } from "./call.ts";
import { createDelete } from "./delete-path.ts";
import { PROBE, versionsIn, type Detection } from "./detection.ts";
import { encodeForm, type SendContext, type SentField } from "./form.ts";
import { decodePage, openList, PER_PAGE, type Listed, type OpenedList, type Order, type Page } from "./list.ts";
import type { RequestOutcome, PrecedingReads, Transport } from "./transport.ts";
import { checkId, decodeAccount, decodeEcho, decodeNamed, decodeShown, checkKeysReturned } from "./wire.ts";

/** Filters of a list. A filter that a version does not know returns too many rows, never too few. */
export interface ListFilter {
  /** The ids of a domain, pixel or space that links have; 0: no space. */
  readonly domain?: number;
  readonly pixel?: number;
  readonly space?: number;
  readonly status?: Status;
  /** Links whose alias, or pixels whose name, contains this text; `%` matches any characters, and `_` matches one. */
  readonly containing?: string;
  /** Where else a link is to have it. */
  readonly searched?: string;
}

/** A client that reads and cannot write. Planning has no other client (promise 1). */
export interface Reader {
  /** The first page of a list, ascending by id if there is no `order`, and a way to the rest. */
  open(kind: ResourceKind, wanted?: ListFilter, order?: Order): Promise<OpenedList<LiveRecord>>;
  list(kind: ResourceKind, wanted?: ListFilter): Promise<Listed<LiveRecord>>;
  /** The rows with this alias (on any domain) or name, as they are once they have been stored with just this spelling. */
  find(kind: ResourceKind, name: string): Promise<LiveRecord[]>;
  show(kind: ResourceKind, id: number): Promise<LiveRecord | null>;
  /** Domains or spaces of the account; null where the service has no such list. */
  names(of: "domains" | "spaces"): Promise<readonly Named[] | null>;
  account(): Promise<Account>;
  readonly requests: number;
  /** The version of the service. Sends a request if no list of links has been read, and one more if the account has no links. */
  software(): Promise<DetectedSoftware>;
}

export interface SeenRecord {
  readonly record: LiveRecord | null;
  /** Links that use a pixel which is about to be deleted, or may: at most as many as fit on the shortest page. */
  readonly users: readonly LiveRecord[];
  /** An earlier try of this write may have had its effect. */
  readonly isDoubtful: boolean;
}

/** Checks a row right before a write to it, and throws to prevent the write. */
export type Guard = (seen: SeenRecord) => void;

/** What to read before an update: its row, a page that has the row, or nothing, because it was read a moment ago. */
export type ReadFirst = "row" | ListPage | null;

/** Saves reads of rows before updates. All are called for every try of an update. */
export interface RecentRead {
  /** Resolves when another update has read the page, or when this one can. */
  readonly next: () => Promise<ReadFirst>;
  /** The same right before the requests are sent, which may have waited. */
  readonly now: () => ReadFirst;
  /** Whether the row was read a moment ago, and was as expected. A read counts for one try. `page` has the rows of a page that was read. */
  readonly take: (page: readonly LiveRecord[] | null) => boolean;
}

const ROW: RecentRead = { next: () => Promise.resolve("row"), now: () => "row", take: () => false };

export interface Writing {
  readonly fields: readonly SentField[];
  readonly context: SendContext;
}

export interface Writer extends Reader {
  /** The form of these fields, encoded before anything is sent. Throws for fields that cannot be encoded. */
  encode(kind: ResourceKind, writing: Writing): Promise<string>;
  store(kind: ResourceKind, form: string): Promise<number>;
  /** Updates a row. Before every try, it reads the row for the guard, unless `recent` knows that it was read. */
  update(kind: ResourceKind, id: number, form: string, guard: Guard, recent?: RecentRead): Promise<void>;
  /** Deletes a row; false if it was gone already. Reads the row before every try, and for a pixel the links that use it. */
  delete(kind: ResourceKind, id: number, guard: Guard): Promise<boolean>;
}

export function connectReader(transport: Transport): Reader {
  const get = async (path: string): Promise<unknown> => (await transport.send({ method: "GET", path })).json;
  const { detection } = transport;
  const open: Reader["open"] = async (kind, wanted = {}, order = "asc") => {
    const query = { ...filters(kind, wanted), ...(await statusFilter(wanted, detection)) };
    let isKnown = kind === "pixel";
    const onPage = (page: Page): void => {
      detection.observe(page);
      isKnown ||= versionsIn(page).length > 0;
    };
    const opened = await openList(transport, {
      order,
      path: PATHS[kind].resource,
      query: kind === "link" ? { ...PROBE, ...query } : query,
      decode: (json) => detection.decode(kind, json),
      ...(kind === "link" && { onPage }),
    });
    checkKeysReturned(opened.records);
    // An unknown version may filter in another way, and return too few links.
    return isKnown || Object.keys(query).length === 0 ? opened : open(kind, {}, order);
  };
  const list = async (kind: ResourceKind, wanted?: ListFilter): Promise<Listed<LiveRecord>> =>
    (await open(kind, wanted)).whole();
  return {
    open,
    list,
    find: async (kind, name) => {
      // Of the characters with a meaning for the search (docs/service.md, "Search and filters"), only this one finds less.
      const { records } = await list(kind, name.includes("\\") ? {} : { containing: name });
      const wanted = fold(name);
      return records.filter(({ values }) => fold(String(values.get(KEY_FIELD[kind]))) === wanted);
    },
    show: async (kind, id) =>
      shownRow(transport, kind, id, await unless(isGone, () => transport.send(showCall(kind, id)))),
    // These three are undocumented: where they are missing or not allowed, the files must say what they would have said.
    names: (of) =>
      unless(isNotOffered, async () => {
        const decode = (json: unknown): Named => decodeNamed(of, json);
        return (await (await openList(transport, { path: `/api/v1/${of}`, decode })).whole()).records;
      }),
    account: async () =>
      (await unless(isNotOffered, async () => decodeAccount(await get("/api/v1/account")))) ?? { id: null, zone: null },
    get requests() {
      return transport.requests;
    },
    software: () => detection.resolve(),
  };
}

const STATUS: Readonly<Record<Status, number>> = { active: 1, expired: 2, disabled: 3 };

/** From 49 on, only links whose click limit is reached are listed as expired, which are too few (docs/service.md, "Search and filters"). */
async function statusFilter({ status }: ListFilter, detection: Detection): Promise<{ status?: number }> {
  if (status === undefined) return {};
  const isComplete = status !== "expired" || !upTo((await detection.resolve()).version).includes("49");
  return isComplete ? { status: STATUS[status] } : {};
}

/** The lists' filters under the names of all versions: each version ignores the names of the others. */
function filters(
  kind: ResourceKind,
  { containing, searched = KEY_FIELD.link, ...wanted }: Omit<ListFilter, "status">,
): Record<string, string | number> {
  const by = kind === "link" ? { by: searched, search_by: searched } : {};
  const ids = (["domain", "space", "pixel"] as const).flatMap((to) => {
    const [field, id] = [fieldAt("link", REFERENCE_FIELD[to]), wanted[to]];
    return field === undefined || id === undefined ? [] : filterNames(field).map((name) => [name, id] as const);
  });
  return {
    ...Object.fromEntries(ids),
    ...(containing !== undefined && { search: containing, ...by }),
  };
}

export function connectWriter(transport: Transport): Writer {
  const deletes = { link: createDelete(transport, "link"), pixel: createDelete(transport, "pixel") };
  return Object.assign(connectReader(transport), {
    encode: async (kind, { fields, context }) =>
      encodeForm(kind, fields, (await transport.detection.resolve()).version, context),
    store: async (kind, form) => {
      const call = { method: "POST", path: PATHS[kind].resource, form } as const;
      const { json } = await namingFields(transport, kind, () => transport.send(call));
      return decodeEcho(kind, json);
    },
    update: async (kind, id, form, guard, recent = ROW) => {
      const call = { method: "PUT", path: `${PATHS[kind].resource}/${id}`, form } as const;
      const before = beforeUpdate(transport, kind, id, guard, recent);
      const { json } = await namingFields(transport, kind, () => transport.send(call, before));
      checkId(kind, id, decodeEcho(kind, json));
    },
    delete: (kind, id, guard) => deletes[kind](id, beforeDelete(transport, kind, id, guard)),
  } satisfies Omit<Writer, keyof Reader>);
}

/** Adds the paths of the fields that the service refuses by its own names. */
async function namingFields<Result>(
  { detection }: Transport,
  kind: ResourceKind,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send();
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.refusals.length === 0) throw cause;
    const path = (wire: string): string | null => pathOf(kind, wire, detection.current);
    throw cause.with({ refusals: cause.refusals.map((refusal) => ({ ...refusal, path: path(refusal.wire) })) });
  }
}

/** The path of the field that a name such as `country.0.value` or `expiration_time` means. */
function pathOf(kind: ResourceKind, wire: string, software: Software): string | null {
  const [name = ""] = wire.split(".");
  const fields = FIELDS[kind];
  const field =
    fields.find((one) => wireOf(one, software)?.sent === name) ?? fields.find((one) => sentNames(one).includes(name));
  return field?.path ?? null;
}

function beforeUpdate(
  transport: Transport,
  kind: ResourceKind,
  id: number,
  guard: Guard,
  recent: RecentRead,
): PrecedingReads {
  let first: ReadFirst = "row";
  return {
    expected: async () => ((await recent.next()) === null ? 0 : 1),
    reads: () => {
      first = recent.now();
      return first === null ? [] : [first === "row" ? showCall(kind, id) : pageCall(kind, first)];
    },
    check: ([answer], isDoubtful) => {
      if (first !== "row")
        return recent.take(first && (answer ? rowsOf(transport, kind, decodePage(PATHS[kind].resource, answer)) : []));
      guard({ record: shownRow(transport, kind, id, answer), users: [], isDoubtful });
      recent.take(null);
      return true;
    },
  };
}

function pageCall(kind: ResourceKind, { number, domain }: ListPage): Call {
  const query = { ...filters(kind, domain === null ? {} : { domain }), sort: "asc", per_page: PER_PAGE, page: number };
  return { method: "GET", path: PATHS[kind].resource, query };
}

function rowsOf({ detection }: Transport, kind: ResourceKind, { rows }: Page): LiveRecord[] {
  return rows.map((json) => detection.decode(kind, json));
}

/** The fewest rows that a page can have (docs/service.md, "Lists"): one user is enough to keep a pixel. */
const SHORTEST_PAGE = 10;

function beforeDelete(transport: Transport, kind: ResourceKind, id: number, guard: Guard): PrecedingReads {
  const users: Call = {
    method: "GET",
    path: PATHS.link.resource,
    query: { ...filters("link", { pixel: id }), sort: "asc", per_page: SHORTEST_PAGE, page: 1 },
  };
  const reads = [showCall(kind, id), ...(kind === "pixel" ? [users] : [])];
  return {
    expected: () => Promise.resolve(reads.length),
    reads: () => reads,
    check: ([shown, listed], isDoubtful) => {
      const record = shownRow(transport, kind, id, shown);
      // The same error as for a DELETE: the row is already gone.
      if (record === null) throw new ServiceError("not-found", `No ${kind} has the id ${id}.`, { status: 404 });
      guard({ record, users: listed ? usersOf(transport, id, decodePage(users.path, listed)) : [], isDoubtful });
      return true;
    },
  };
}

/**
 * The links of a page that use a pixel, or may. A link that does not use it shows that the service ignores the filter. Then links that
 * are not on this page may use it, too.
 */
function usersOf(transport: Transport, pixel: number, page: Page): LiveRecord[] {
  const links = rowsOf(transport, "link", page);
  const users = links.filter(
    ({ references }) => references.get(REFERENCE_FIELD.pixel)?.some(({ id }) => id === pixel) !== false,
  );
  const isWhole = page.total === links.length;
  if (users.length > 0 || links.length === 0 || isWhole) return users;
  throw new ServiceError(
    "shape",
    `The service does not list links by pixel, so linkform cannot check whether a link uses pixel ${pixel}.`,
    { hint: "Delete the pixel in the service's web interface.", aftermath: "none" },
  );
}

function showCall(kind: ResourceKind, id: number): Call {
  return { method: "GET", path: `${PATHS[kind].resource}/${id}` };
}

function shownRow(
  { detection }: Transport,
  kind: ResourceKind,
  id: number,
  shown: RequestOutcome | null | undefined,
): LiveRecord | null {
  return shown ? decodeShown(kind, id, shown.json, (json) => detection.decode(kind, json)) : null;
}

/** An undocumented list that an instance does not have, or does not let this account see. */
function isNotOffered({ status }: ServiceError): boolean {
  return status === 403 || status === 404 || status === 405;
}
