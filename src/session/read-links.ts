// Reads links with as few requests as possible: all links, those of one domain, or those that the files name.

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { ListSize, LiveRecord } from "../domain/live.ts";
import { nameOf } from "../plan/names.ts";
import { isOn, narrowReadings, type Files } from "../plan/reading.ts";
import type { OpenedList } from "../service/list.ts";
import type { Reader } from "../service/service.ts";

export interface LinksRead {
  readonly links: readonly LiveRecord[];
  readonly isWhole: boolean;
  /** The domain whose list has all relevant links; null for the list of all links. */
  readonly domain: number | null;
  readonly size: ListSize;
  /** Reads all links, in case the narrower requests did not return all relevant ones. */
  readonly whole: () => Promise<LinksRead>;
}

/**
 * Reads the first page of all links, and then the rest in the way with the fewest requests. How many a narrow way takes is known only
 * after its first pages are read, so another way may follow. With `wantsAll`, all links are read.
 */
export async function readLinks(files: Files, reader: Reader, wantsAll: boolean): Promise<LinksRead> {
  const first = await reader.open("link");
  const whole = async (): Promise<LinksRead> => {
    const { records, perPage } = await first.whole();
    return { links: records, isWhole: true, domain: null, size: { records: records.length, perPage }, whole };
  };
  let best: OpenedWay | null = null;
  let rest = first.pages - 1;
  for (const way of wantsAll || rest === 0 ? [] : narrowReadings(files, first)) {
    if (way.requests >= rest) continue;
    const opened =
      way.how === "domain" ? await openDomain(way.domain, first, reader) : await openAliases(way.parts, first, reader);
    if (opened.rest < rest) [best, rest] = [opened, opened.rest];
  }
  const narrow = await best?.read();
  return narrow ? { ...narrow, isWhole: false, whole } : whole();
}

type NarrowRead = Omit<LinksRead, "isWhole" | "whole">;

/** A way whose first pages have been read. */
interface OpenedWay {
  /** The number of requests that it still takes. */
  readonly rest: number;
  /** The links; null if some of the first page of all links are missing, because the filter does not work. */
  readonly read: () => Promise<NarrowRead | null>;
}

async function openDomain(domain: number, first: OpenedList<LiveRecord>, reader: Reader): Promise<OpenedWay> {
  const opened = await reader.open("link", { domain });
  const read = async (): Promise<NarrowRead | null> => {
    const { records, perPage } = await opened.whole();
    const ids = new Set(records.map(({ id }) => id));
    if (first.records.some((record) => isOn(record, domain) && !ids.has(record.id))) return null;
    return { links: mergeRecords(first.records, records), domain, size: { records: records.length, perPage } };
  };
  return { rest: opened.pages - 1, read };
}

/** The links with one of these texts in their alias. */
async function openAliases(
  parts: readonly string[],
  first: OpenedList<LiveRecord>,
  reader: Reader,
): Promise<OpenedWay> {
  const opened = await Promise.all(parts.map((containing) => reader.open("link", { containing })));
  const read = async (): Promise<NarrowRead | null> => {
    const found = await Promise.all(opened.map((list) => list.whole()));
    const records = found.flatMap((list) => list.records);
    if (!(await searchesAliases(parts, found, first, reader))) return null;
    const size = { records: first.total, perPage: first.records.length };
    return { links: mergeRecords(first.records, records), domain: null, size };
  };
  return { rest: opened.reduce((sum, { pages }) => sum + pages - 1, 0), read };
}

/**
 * Whether the service searches aliases. If it searched another field, links would be missing and planned as new. The aliases of all links
 * that were found must have the text, because some may have a short text by chance. If not, or if nothing was found, this searches for a
 * longer alias of the first page, which must be found.
 */
async function searchesAliases(
  parts: readonly string[],
  found: readonly Pick<OpenedList<LiveRecord>, "records">[],
  first: Pick<OpenedList<LiveRecord>, "records">,
  reader: Reader,
): Promise<boolean> {
  if (parts.length === 0) return true;
  const matches = found.flatMap(({ records }, at) => records.map((one) => fold(nameOf(one)).includes(parts[at] ?? "")));
  if (matches.length > 0 && matches.every(Boolean)) return true;
  for (const record of first.records) {
    const containing = unmistakablePart(nameOf(record));
    if (containing === null || containing.length < 3) continue;
    // One page is enough: lists are sorted by id, so a record of the first page of all links is also on the first page here.
    const { records } = await reader.open("link", { containing });
    return records.some(({ id }) => id === record.id);
  }
  return false;
}

/** The records of several lists, each once. The last list wins. */
export function mergeRecords(...readings: readonly (readonly LiveRecord[])[]): LiveRecord[] {
  const byId = new Map(readings.flat().map((record) => [record.id, record]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id);
}
