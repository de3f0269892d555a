// Reads the part of the account that a project needs, with as few requests as possible.

import type { Account, LiveRecord, LiveState } from "../domain/live.ts";
import { declaresDates, isUnconfirmed, pixelsThatMayGo, whatIsMissing, type Files } from "../plan/reading.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { plural } from "../report/counts.ts";
import type { Reader } from "../service/service.ts";
import { mergeRecords, readLinks, type LogDetail, type OnLookUps } from "./read-links.ts";

/**
 * Reads the part of the account that this project needs; with `wantsAll`, all links. `onLookUps` gets the number of links that are looked
 * up one by one, and its result is called for each of them.
 */
export async function readAccount(
  files: Files,
  reader: Reader,
  wantsAll: boolean,
  detail: LogDetail,
  onLookUps: OnLookUps = () => ({ end: () => undefined }),
): Promise<LiveState> {
  const { project } = files;
  const dated = declaresDates(files) ? readDated(reader, detail) : null;
  const [chosen, pixels] = await Promise.all([
    readLinks(files, reader, wantsAll, detail, onLookUps),
    reader.list("pixel"),
    dated,
  ]);
  const { readable: readablePixels, unreadable: unreadablePixels } = separateUnreadable(pixels.records);
  detail(`Pixels: ${plural(pixels.records.length, "pixel")} on ${plural(pixels.pages, "page")}.`);
  const found = chosen.isWhole
    ? chosen.links
    : await addPixelUsers(files, chosen.links, readablePixels, reader, detail);
  const { readable: links, unreadable } = separateUnreadable(found);
  const { domains, spaces, account } = await readNames(files, { links, unreadable }, wantsAll, reader, detail, dated);
  // Some domains are in no list, only in links: those that all accounts share, or all of them if the service has no list.
  const isIncomplete = !chosen.isWhole && isUnconfirmed(project, { links, unreadable, domains, spaces });
  if (isIncomplete) detail("Reading all links, because some domains and spaces in the files are not confirmed yet.");
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
  detail: LogDetail,
  dated: Promise<Account> | null = null,
): Promise<Pick<LiveState, "domains" | "spaces" | "account">> {
  const missing = whatIsMissing(files, live, wantsAll);
  if (missing.domains)
    detail("Reading the list of domains, because the links read so far do not cover all domains in the files.");
  if (missing.spaces)
    detail("Reading the list of spaces, because the links read so far do not cover all spaces in the files.");
  const [domains, spaces, account] = await Promise.all([
    missing.domains ? reader.names("domains") : null,
    missing.spaces ? reader.names("spaces") : null,
    missing.zone ? (dated ?? readDated(reader, detail)) : null,
  ]);
  return { domains, spaces, account };
}

function readDated(reader: Pick<Reader, "account">, detail: LogDetail): Promise<Account> {
  detail("Reading the account's time zone, because the files or the links have dates.");
  return reader.account();
}

/** Adds the account if it was not read yet, such as for its time zone. */
export async function withAccount(state: LiveState, reader: Reader): Promise<LiveState> {
  return state.account === null ? { ...state, account: await reader.account(), requests: reader.requests } : state;
}

/** Adds the links of all domains that use a pixel to be deleted: a pixel that a link uses must not be deleted. */
async function addPixelUsers(
  files: Files,
  links: readonly LiveRecord[],
  pixels: readonly LiveRecord[],
  reader: Reader,
  detail: LogDetail,
): Promise<LiveRecord[]> {
  const toDelete = pixelsThatMayGo(files, pixels);
  if (toDelete.length > 0)
    detail(`Checking all domains for links that use the ${plural(toDelete.length, "pixel")} to delete.`);
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
