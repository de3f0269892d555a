// Reads the account as far as a project needs it: as few pages as that takes.

import type { LiveRecord, LiveState } from "../domain/live.ts";
import { isUnconfirmed, pixelsThatMayGo, whatIsMissing, type Files } from "../plan/reading.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { plural } from "../view/counts.ts";
import type { Reader } from "../service/service.ts";
import { mergeRecords, readLinks, type Detail, type OnLookUps } from "./read-links.ts";

/**
 * Reads the account as far as this project needs it; with `wantsAll`, every link. `onLookUps` gets the number of links that are looked up
 * one by one, and its result is called for each of them.
 */
export async function readAccount(
  files: Files,
  reader: Reader,
  wantsAll: boolean,
  detail: Detail,
  onLookUps: OnLookUps = () => ({ end: () => undefined }),
): Promise<LiveState> {
  const { project } = files;
  const [chosen, pixels] = await Promise.all([
    readLinks(files, reader, wantsAll, detail, onLookUps),
    reader.list("pixel"),
  ]);
  const { readable: readablePixels, unreadable: unreadablePixels } = separateUnreadable(pixels.records);
  detail(`Pixels: ${plural(pixels.records.length, "pixel")} on ${plural(pixels.pages, "page")}.`);
  const found = chosen.isWhole
    ? chosen.links
    : await addPixelUsers(files, chosen.links, readablePixels, reader, detail);
  const { readable: links, unreadable } = separateUnreadable(found);
  const missing = whatIsMissing(files, { links, unreadable }, wantsAll);
  if (missing.domains)
    detail("Asking for the list of domains: the links that were read don't name all that the files do.");
  if (missing.spaces)
    detail("Asking for the list of spaces: the links that were read don't name all that the files do.");
  if (missing.zone) detail("Asking for the account's time zone: the files or the links have dates.");
  const [domains, spaces, accountZone] = await Promise.all([
    missing.domains ? reader.names("domains") : null,
    missing.spaces ? reader.names("spaces") : null,
    missing.zone ? reader.accountZone() : null,
  ]);
  // Links name domains that no list has: those that all accounts share, or all domains if the service has no list.
  const isShort = !chosen.isWhole && isUnconfirmed(project, { links, unreadable, domains, spaces });
  if (isShort) detail("Reading all links: nothing so far confirms every domain and space that the files name.");
  const read = isShort ? await chosen.whole() : { ...chosen, links: found };
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
    accountZone,
    requests: reader.requests,
    sizes: { link: read.size, pixel: { records: pixels.records.length, perPage: pixels.perPage } },
  };
}

/** Adds the links, wherever they are, that use a pixel which is to be deleted: it must not be taken from any of them. */
async function addPixelUsers(
  files: Files,
  links: readonly LiveRecord[],
  pixels: readonly LiveRecord[],
  reader: Reader,
  detail: Detail,
): Promise<LiveRecord[]> {
  const doomed = pixelsThatMayGo(files, pixels);
  if (doomed.length > 0)
    detail(`Asking which links use ${plural(doomed.length, "pixel")} to be deleted, on all domains.`);
  const users = await Promise.all(doomed.map(({ id }) => reader.list("link", { pixel: id })));
  return mergeRecords(links, ...users.map(({ records }) => records));
}

/** A state of what was read. The rest is empty. */
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
    accountZone: null,
    sizes: { link: size, pixel: size },
    ...read,
    requests,
  };
}
