// Reads links with as few requests as possible: all links, those of one domain, or those that the files name (promise 8).

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { ListSize, LiveRecord } from "../domain/live.ts";
import { namedKeys, type Project, type WrittenKey } from "../domain/project.ts";
import { directories } from "../plan/directory.ts";
import { domainOf, nameOf } from "../plan/names.ts";
import type { OpenedList } from "../service/list.ts";
import type { Reader } from "../service/service.ts";

export interface Files {
  readonly project: Project;
  readonly base: Project | null;
  /** They are the changed part of larger ones. Undeclared objects matter only if the base declares them. */
  readonly isPart?: boolean;
  /** All links are read, and the dates of all are shown, not only those of declared ones. */
  readonly wantsAll?: boolean;
}

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
export async function readLinks(files: Files, reader: Reader): Promise<LinksRead> {
  const first = await reader.open("link");
  const whole = async (): Promise<LinksRead> => {
    const { records, perPage } = await first.whole();
    return { links: records, isWhole: true, domain: null, size: { records: records.length, perPage }, whole };
  };
  let best: { readonly way: NarrowReading; readonly opened: readonly OpenedList<LiveRecord>[] } | null = null;
  let rest = first.pages - 1;
  for (const way of files.wantsAll === true || rest === 0 ? [] : narrowReadings(files, first)) {
    if (way.requests >= rest) continue;
    const filters = way.domain === null ? way.parts.map((containing) => ({ containing })) : [{ domain: way.domain }];
    const opened = await Promise.all(filters.map((filter) => reader.open("link", filter)));
    const left = opened.reduce((sum, { pages }) => sum + pages - 1, 0);
    if (left < rest) [best, rest] = [{ way, opened }, left];
  }
  if (best === null) return whole();
  const { domain, parts } = best.way;
  const found = await Promise.all(best.opened.map((list) => list.whole()));
  const records = found.flatMap((list) => list.records);
  const ids = new Set(records.map(({ id }) => id));
  const isReliable =
    domain === null
      ? await searchesAliases(parts, found, first, reader)
      : first.records.every((record) => !isOn(record, domain) || ids.has(record.id));
  // Without a filter that works, links would be missing, and planned as new.
  if (!isReliable) return whole();
  const size = { records: domain === null ? first.total : records.length, perPage: first.records.length };
  return { links: mergeRecords(first.records, records), isWhole: false, domain, size, whole };
}

type FirstPage = Pick<OpenedList<LiveRecord>, "records" | "pages">;

interface NarrowReading {
  /** The domain whose links are read, if the files name no other; null to search for aliases. */
  readonly domain: number | null;
  /** For each alias, a part that all its spellings have; empty for a domain. */
  readonly parts: readonly string[];
  /** The least number of requests after the first page of all links: one for each search; for a domain, estimated from that page. */
  readonly requests: number;
}

/**
 * The ways that may take fewer requests than the whole list: the one with the fewest first, and of equal ones the one that reads more. Links
 * are not read by space, because an alias is unique in its domain across spaces.
 */
function narrowReadings({ project, base, isPart = false }: Files, first: FirstPage): readonly NarrowReading[] {
  const projects = base === null ? [project] : [project, base];
  // `prune: scope` deletes links with any alias.
  const isByKey = isPart || project.policy.prune.mode !== "scope";
  const ways = [byDomain(projects, first), isByKey ? byAlias(projects.flatMap(linkKeys), first.pages - 1) : null];
  return ways.flatMap((way) => way ?? []).toSorted((a, b) => a.requests - b.requests);
}

function linkKeys(project: Project): WrittenKey[] {
  return namedKeys(project).filter(({ kind }) => kind === "link");
}

function byDomain(projects: readonly Project[], first: FirstPage): NarrowReading | null {
  const ids = new Set(projects.flatMap((project) => [...domainIds(project, first)]));
  const [domain] = ids;
  if (ids.size !== 1 || domain === undefined || domain === null) return null;
  const share = first.records.filter((record) => isOn(record, domain)).length / Math.max(first.records.length, 1);
  return { domain, parts: [], requests: Math.max(Math.ceil(share * first.pages), 1) };
}

/** The domains of all links that matter to a project; null for an unknown one. */
function domainIds(project: Project, first: FirstPage): Set<number | null> {
  const { domains } = directories(project, { links: first.records, domains: null, spaces: null });
  const labels = new Map(project.domains.map(({ label, id }) => [label, id]));
  const { prune, scope } = project.policy;
  const pruned = prune.mode === "scope" ? (scope?.domains?.map(({ text }) => text) ?? [null]) : [];
  const texts = [...linkKeys(project).map(({ domain }) => domain), ...pruned];
  return new Set(texts.map((text) => (text === null ? null : (domains.idOf(text) ?? labels.get(text) ?? null))));
}

function isOn(link: LiveRecord, domain: number): boolean {
  return domainOf(link)?.id === domain;
}

/**
 * Null if this takes `others` requests or more. The remaining aliases are then not examined, because there may be thousands.
 * Includes aliases of the first page, because another link may have the same key, which is an error.
 */
function byAlias(keys: readonly WrittenKey[], others: number): NarrowReading | null {
  const parts = new Set<string>();
  for (const { name } of keys) {
    const part = unmistakablePart(name);
    if (part === null) return null;
    parts.add(part);
    if (parts.size >= others) return null;
  }
  return { domain: null, parts: [...parts], requests: parts.size };
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
