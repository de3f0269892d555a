// What to read from the account, and how to do it with the fewest requests (promise 8).

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { Project, WrittenKey } from "../domain/project.ts";
import { fieldAt } from "../domain/table.ts";
import { directories, type NamingRecords } from "./directory.ts";
import type { Value } from "../domain/value.ts";
import { domainOf, nameOf } from "./names.ts";

/** The files now, and at the base; null without one. */
export interface Files {
  readonly project: Project;
  readonly base: Project | null;
  /** They are the changed part of larger ones. Undeclared objects matter only if the base declares them. */
  readonly isPart?: boolean;
}

/** A way to read fewer links than all. `requests` is the least number that it takes after the first page of all links. */
export type NarrowReading =
  /** The links of one domain, if the files name no other. The number is estimated from its share of the first page. */
  | { readonly how: "domain"; readonly domain: number; readonly requests: number }
  /** A search for each alias, by a part that all its spellings have. A search may have more than one page. */
  | { readonly how: "aliases"; readonly parts: readonly string[]; readonly requests: number };

/** The first page of the list of all links, and the number of pages. */
interface FirstPage {
  readonly records: readonly LiveRecord[];
  readonly pages: number;
}

/**
 * The ways that may take fewer requests than the whole list: the one with the fewest first, and of equal ones the one that reads more. Links
 * are not read by space, because an alias is unique in its domain across spaces.
 */
export function narrowReadings({ project, base, isPart = false }: Files, first: FirstPage): readonly NarrowReading[] {
  const projects = base === null ? [project] : [project, base];
  // `prune: scope` deletes links with any alias.
  const isByKey = isPart || project.policy.prune.mode !== "scope";
  const ways = [byDomain(projects, first), isByKey ? byAlias(projects.flatMap(linkKeys), first.pages - 1) : null];
  return ways.flatMap((way) => way ?? []).toSorted((a, b) => a.requests - b.requests);
}

/** Every key of a link that the files name. */
function linkKeys({ declarations, tombstones }: Project): WrittenKey[] {
  const renamed = declarations.flatMap(({ renamedFrom }) => renamedFrom ?? []);
  return [...declarations, ...renamed, ...tombstones].filter(({ kind }) => kind === "link");
}

function byDomain(projects: readonly Project[], first: FirstPage): NarrowReading | null {
  const ids = new Set(projects.flatMap((project) => [...domainIds(project, first)]));
  const [domain] = ids;
  if (ids.size !== 1 || domain === undefined || domain === null) return null;
  const share = first.records.filter((record) => isOn(record, domain)).length / Math.max(first.records.length, 1);
  return { how: "domain", domain, requests: Math.max(Math.ceil(share * first.pages), 1) };
}

/** The domains of all links that matter to a project; null for an unknown one. */
function domainIds(project: Project, first: FirstPage): Set<number | null> {
  const { domains } = directories(project, { links: first.records, unreadable: [], domains: null, spaces: null });
  const labels = new Map(project.domains.map(({ label, id }) => [label, id]));
  const { prune, scope } = project.policy;
  const pruned = prune.mode === "scope" ? (scope?.domains?.map(({ text }) => text) ?? [null]) : [];
  const texts = [...linkKeys(project).map(({ domain }) => domain), ...pruned];
  return new Set(texts.map((text) => (text === null ? null : (domains.idOf(text) ?? labels.get(text) ?? null))));
}

/** Whether a link is on this domain. */
export function isOn(link: LiveRecord, domain: number): boolean {
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
  return { how: "aliases", parts: [...parts], requests: parts.size };
}

/** What must still be read before this project can be planned. */
interface Missing {
  readonly domains: boolean;
  readonly spaces: boolean;
  readonly zone: boolean;
}

/**
 * Finds what is missing for the files and the base, so that the zone, domains and spaces are only read if needed. With `showsAll`, the
 * dates of all links are shown, not only those of declared ones.
 */
export function whatIsMissing(files: Files, live: Pick<LiveState, "links" | "unreadable">, showsAll: boolean): Missing {
  const { project } = files;
  const { domains, spaces } = directories(project, { ...live, domains: null, spaces: null });
  return {
    domains: domains.incomplete,
    spaces: spaces.incomplete,
    zone: declaresDates(files) || usesLiveDates(project, live.links, showsAll),
  };
}

/** Whether the files or the base have dates, which are compared in the zone of the account. */
export function declaresDates({ project, base }: Files): boolean {
  return [project, base].some((files) =>
    files?.declarations.some(({ fields }) => [...fields].some(([path, { value }]) => isDate(path, value))),
  );
}

/** Whether dates of live links matter: a replacement may copy one, and without a zone in the files, they are shown in the account's. */
function usesLiveDates(project: Project, links: readonly LiveRecord[], showsAll: boolean): boolean {
  const takesOver = project.declarations.some(
    ({ renamedFrom, unspecified }) => renamedFrom !== null && unspecified === "keep",
  );
  if (project.zone !== null && !takesOver && !showsAll) return false;
  const declared = new Set(
    project.declarations.flatMap(({ name, renamedFrom }) => [fold(name), fold(renamedFrom?.name ?? name)]),
  );
  return links.some(
    (record) =>
      (showsAll || declared.has(fold(nameOf(record)))) &&
      [...record.values].some(([path, value]) => isDate(path, value)),
  );
}

/** Whether the value of a field is a date, which is sent in the zone of the account. */
export function isDate(path: string, value: Value): boolean {
  return fieldAt("link", path)?.kind === "instant" && value !== null;
}

/**
 * Whether a domain or space of the files is unconfirmed, and other links may confirm it. The list of spaces is complete. The list of
 * domains lacks those that all accounts share (docs/service.md, "Endpoints").
 */
export function isUnconfirmed(project: Project, live: NamingRecords): boolean {
  const { domains, spaces } = directories(project, live);
  return domains.incomplete || (spaces.incomplete && live.spaces === null);
}

/** The live pixels that a tombstone or pruning may delete. All links that use them must be known. */
export function pixelsThatMayGo(
  { project, base, isPart = false }: Files,
  records: readonly LiveRecord[],
): LiveRecord[] {
  const { mode } = project.policy.prune;
  const tombstoned = new Set(project.tombstones.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
  const declared = pixelNames(project);
  const then = base === null ? new Set() : pixelNames(base);
  return records.filter((record) => {
    const name = fold(nameOf(record));
    if (tombstoned.has(name)) return true;
    return !declared.has(name) && ((mode === "scope" && !isPart) || (mode !== "none" && then.has(name)));
  });
}

/** The folded names that declared pixels have or had. */
function pixelNames({ declarations }: Project): Set<string> {
  return new Set(
    declarations.flatMap(({ kind, name, renamedFrom }) =>
      kind === "pixel" ? [fold(name), fold(renamedFrom?.name ?? name)] : [],
    ),
  );
}
