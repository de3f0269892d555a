// Reads the part of the account that a project needs, with as few requests as possible.

import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import type { Account, LiveRecord, LiveState } from "../domain/live.ts";
import { declaresDates, isUnconfirmed, pixelsThatMayGo, whatIsMissing, type Files } from "../plan/reading.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import type { Reader } from "../service/service.ts";
import { mergeRecords, readLinks } from "./read-links.ts";

/** Reads the part of the account that this project needs; with `wantsAll`, all links. */
export async function readAccount(files: Files, reader: Reader, wantsAll: boolean): Promise<LiveState> {
  const { project } = files;
  const dated = declaresDates(files) ? reader.account() : null;
  const [chosen, pixels] = await Promise.all([readLinks(files, reader, wantsAll), reader.list("pixel"), dated]);
  const { readable: readablePixels, unreadable: unreadablePixels } = separateUnreadable(pixels.records);
  const found = chosen.isWhole ? chosen.links : await addPixelUsers(files, chosen.links, readablePixels, reader);
  const { readable: links, unreadable } = separateUnreadable(found);
  const { domains, spaces, account } = await readNames(files, { links, unreadable }, wantsAll, reader, dated);
  // Some domains are in no list, only in links: those that all accounts share, or all of them if the service has no list.
  const isIncomplete = !chosen.isWhole && isUnconfirmed(project, { links, unreadable, domains, spaces });
  const read = isIncomplete ? await chosen.whole() : { ...chosen, links: found };
  const sorted = separateUnreadable(read.links);
  const software = await reader.software();
  return {
    software,
    isWhole: read.isWhole,
    domain: read.domain,
    links: sorted.readable,
    pixels: readablePixels,
    unreadable: [...sorted.unreadable, ...unreadablePixels],
    domains,
    spaces,
    account,
    requests: reader.requests,
    sizes: { link: read.size, pixel: { records: pixels.records.length, perPage: pixels.perPage } },
  };
}

/**
 * Reads the lists of names and the account that the links read so far do not make unnecessary. `dated` is the account if it is being
 * read already.
 */
export async function readNames(
  files: Files,
  live: Pick<LiveState, "links" | "unreadable">,
  wantsAll: boolean,
  reader: Pick<Reader, "names" | "account">,
  dated: Promise<Account> | null = null,
): Promise<Pick<LiveState, "domains" | "spaces" | "account">> {
  const missing = whatIsMissing(files, live, wantsAll);
  const [domains, spaces, account] = await Promise.all([
    missing.domains ? reader.names("domains") : null,
    missing.spaces ? reader.names("spaces") : null,
    missing.zone ? (dated ?? reader.account()) : null,
  ]);
  return { domains, spaces, account };
}

/** Adds the account if it was not read yet, such as for its time zone. */
export async function withAccount(state: LiveState, reader: Reader): Promise<LiveState> {
  return state.account === null ? { ...state, account: await reader.account(), requests: reader.requests } : state;
}

/** Adds the links with these ids that were not read yet. */
export async function withLinks(
  state: LiveState,
  ids: readonly (number | null)[],
  reader: Reader,
  concurrency: number = DEFAULT_CONCURRENCY,
): Promise<LiveState> {
  const read = new Set([...state.links, ...state.unreadable].map(({ kind, id }) => `${kind} ${id}`));
  const missing = new Set(ids.filter((id) => id !== null && !state.isWhole && !read.has(`link ${id}`)));
  const limit = pLimit(concurrency);
  const found = await Promise.all([...missing].map((id) => limit(() => reader.show("link", id ?? 0))));
  const { readable, unreadable } = separateUnreadable(found.filter((record) => record !== null));
  const links = mergeRecords(state.links, readable);
  return { ...state, links, unreadable: [...state.unreadable, ...unreadable], requests: reader.requests };
}

/** Adds the links of all domains that use a pixel to be deleted: a pixel that a link uses must not be deleted. */
async function addPixelUsers(
  files: Files,
  links: readonly LiveRecord[],
  pixels: readonly LiveRecord[],
  reader: Reader,
): Promise<LiveRecord[]> {
  const toDelete = pixelsThatMayGo(files, pixels);
  const users = await Promise.all(toDelete.map(({ id }) => reader.list("link", { pixel: id })));
  return mergeRecords(links, ...users.map(({ records }) => records));
}

/** A live state with only the parts that were read; the rest is empty. */
export function partialState(read: Partial<LiveState>, requests: number): LiveState {
  const size = { records: 0, perPage: 1 };
  return {
    software: { version: "4.1", source: "assumed" },
    links: [],
    isWhole: false,
    domain: null,
    pixels: [],
    unreadable: [],
    domains: null,
    spaces: null,
    account: null,
    sizes: { link: size, pixel: size },
    ...read,
    requests,
  };
}
