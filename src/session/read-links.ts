// Reads links with as few requests as possible: all links, those of one domain, or those that the files name.

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { ListSize, LiveRecord } from "../domain/live.ts";
import { nameOf } from "../plan/names.ts";
import { chooseReading, isOn, type Files, type ReadStrategy } from "../plan/reading.ts";
import { plural } from "../report/counts.ts";
import type { OpenedList } from "../service/list.ts";
import type { Reader } from "../service/service.ts";

/** Gets the reason for each choice, for `--verbose`. */
export type LogDetail = (text: string) => void;

/** Gets the number of links that are looked up one by one. Its result is called for each of them. */
export type OnLookUps = (count: number) => { readonly end: (part: string) => void };

export interface LinksRead {
  readonly links: readonly LiveRecord[];
  readonly isWhole: boolean;
  /** The domain whose list has all relevant links; null for the list of all links. */
  readonly domain: number | null;
  readonly size: ListSize;
  /** Reads all links, in case the narrower requests did not return all relevant ones. */
  readonly whole: () => Promise<LinksRead>;
}

/** Reads the first page of all links, then chooses how to read the rest. */
export async function readLinks(
  files: Files,
  reader: Reader,
  wantsAll: boolean,
  detail: LogDetail,
  onLookUps: OnLookUps,
): Promise<LinksRead> {
  const first = await reader.open("link");
  const reading = chooseReading(files, first, wantsAll);
  detail(explain(first, reading, wantsAll));
  const whole = async (): Promise<LinksRead> => {
    const { records, perPage } = await first.whole();
    return { links: records, isWhole: true, domain: null, size: { records: records.length, perPage }, whole };
  };
  const narrow =
    reading.how === "domain"
      ? await readDomain(reading.domain, first, reader)
      : reading.how === "aliases"
        ? await readAliases(reading.parts, first, reader, onLookUps)
        : null;
  if (narrow !== null) return { ...narrow, isWhole: false, whole };
  if (reading.how !== "whole")
    detail("The search returned too many links, or other links than the first page. Reading all links instead.");
  return whole();
}

function explain({ total, pages }: OpenedList<LiveRecord>, reading: ReadStrategy, wantsAll: boolean): string {
  const there = `Links: ${total} on ${plural(pages, "page")}.`;
  const rest = plural(pages - 1, "more request");
  switch (reading.how) {
    case "domain":
      return `${there} Reading only domain ${reading.domain}, which has all links in the files: about ${plural(reading.requests, "request")} instead of ${rest}.`;
    case "aliases":
      if (reading.requests === 0) return `${there} The files name no links, so linkform reads no more of them.`;
      return `${there} Searching only for the aliases in the files: ${plural(reading.requests, "request")} instead of ${rest}.`;
    case "whole":
      if (reading.requests === 0) return there;
      return `${there} Reading all links (${rest}), because ${wantsAll ? "unmanaged links were requested" : "no other method takes fewer requests"}.`;
    default:
      return reading satisfies never;
  }
}

type NarrowRead = Omit<LinksRead, "isWhole" | "whole">;

/** The links of a domain; null if those of the first page are missing, because the filter did not work. */
async function readDomain(domain: number, first: OpenedList<LiveRecord>, reader: Reader): Promise<NarrowRead | null> {
  const { records, perPage } = await reader.list("link", { domain });
  const ids = new Set(records.map(({ id }) => id));
  if (first.records.some((record) => isOn(record, domain) && !ids.has(record.id))) return null;
  return { links: mergeRecords(first.records, records), domain, size: { records: records.length, perPage } };
}

/** The links with one of these texts in their alias; null if these are too many, or the service does not search aliases. */
async function readAliases(
  parts: readonly string[],
  first: OpenedList<LiveRecord>,
  reader: Reader,
  onLookUps: OnLookUps,
): Promise<NarrowRead | null> {
  const lookUps = onLookUps(parts.length);
  const opened = await Promise.all(
    parts.map(async (containing) => {
      const list = await reader.open("link", { containing });
      lookUps.end(containing);
      return list;
    }),
  );
  // Texts that half of all aliases contain cost more than reading all links.
  const more = opened.reduce((sum, { pages }) => sum + pages - 1, 0);
  if (more >= first.pages - 1) return null;
  const found = await Promise.all(opened.map((list) => list.whole()));
  const records = found.flatMap((list) => list.records);
  if (!(await searchesAliases(parts, records, first, reader))) return null;
  const size = { records: first.total, perPage: first.records.length };
  return { links: mergeRecords(first.records, records), domain: null, size };
}

/**
 * Whether the service searches aliases. If it searched another field, nothing would be found, and every link would be planned as new.
 * So if nothing was found, this searches for an alias of the first page, which must be found.
 */
async function searchesAliases(
  parts: readonly string[],
  found: readonly LiveRecord[],
  first: Pick<OpenedList<LiveRecord>, "records">,
  reader: Reader,
): Promise<boolean> {
  if (parts.length === 0) return true;
  if (found.some((record) => parts.some((part) => fold(nameOf(record)).includes(part)))) return true;
  for (const record of first.records) {
    const containing = unmistakablePart(nameOf(record));
    if (containing === null) continue;
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
