// How to read the links that matter with the fewest requests (promise 8).

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Project, WrittenKey } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { directories } from "./directory.ts";

/** What the files say, and what they said at the base; null without one. */
export interface Files {
  readonly project: Project;
  readonly base: Project | null;
}

/** `requests` is what is still to come after the first page; for a domain it is reckoned from its share of that page. */
export type ReadStrategy =
  /** The whole list, which is known to take so many requests, or its length is not known. */
  | { readonly how: "whole"; readonly requests: number | null }
  /** All that the files name lies on one domain. */
  | { readonly how: "domain"; readonly domain: number; readonly requests: number }
  /** Each alias that the files name, by a part that all its spellings have. */
  | { readonly how: "aliases"; readonly parts: readonly string[]; readonly requests: number };

/** The first page of the list of all links, and how many there are (null where the service does not say). */
export interface FirstPage {
  readonly rows: readonly LiveRecord[];
  readonly pages: number | null;
}

/**
 * Chooses the way with the fewest requests; of equals the one that shows more. Never by space: an alias is unique in its
 * domain, whatever its space. With `wantsAll` the whole list is read: who asks for unmanaged links wants to see them.
 */
export function chooseReading({ project, base }: Files, first: FirstPage, wantsAll: boolean): ReadStrategy {
  const whole: ReadStrategy = { how: "whole", requests: first.pages === null ? null : first.pages - 1 };
  if (wantsAll || first.pages === null || first.pages <= 1) return whole;
  const projects = base === null ? [project] : [project, base];
  // What is pruned by scope may have any alias.
  const isByKey = project.policy.prune.mode !== "scope";
  const ways = [
    whole,
    byDomain(projects, first, first.pages),
    isByKey ? byAlias(projects.flatMap(linkKeys)) : null,
  ].filter((way) => way !== null);
  return ways.reduce((best, way) => ((way.requests ?? Infinity) < (best.requests ?? Infinity) ? way : best));
}

/** Every key of a link that the files name. */
function linkKeys({ declarations, tombstones }: Project): WrittenKey[] {
  const renamed = declarations.flatMap(({ renamedFrom }) => renamedFrom ?? []);
  return [...declarations, ...renamed, ...tombstones].filter(({ kind }) => kind === "link");
}

function byDomain(projects: readonly Project[], first: FirstPage, pages: number): ReadStrategy | null {
  const ids = new Set(projects.flatMap((project) => [...domainIds(project, first)]));
  const [domain] = ids;
  if (ids.size !== 1 || domain === undefined || domain === null) return null;
  const share = first.rows.filter((row) => isOn(row, domain)).length / Math.max(first.rows.length, 1);
  return { how: "domain", domain, requests: Math.max(Math.ceil(share * pages), 1) };
}

/** The domains on which everything lies that a project is about; a null among them is one that nobody knows yet. */
function domainIds(project: Project, first: FirstPage): Set<number | null> {
  const { domains } = directories(project, { links: first.rows, unreadable: [], domains: null, spaces: null });
  const labels = new Map(project.domains.map(({ label, id }) => [label, id]));
  const { prune, scope } = project.policy;
  const pruned = prune.mode === "scope" ? (scope?.domains?.map(({ text }) => text) ?? [null]) : [];
  const texts = [...linkKeys(project).map(({ domain }) => domain), ...pruned];
  return new Set(texts.map((text) => (text === null ? null : (domains.idOf(text) ?? labels.get(text) ?? null))));
}

/** Whether a link is on this domain. */
export function isOn({ references }: LiveRecord, domain: number): boolean {
  return references.get(REFERENCE_FIELD.domain)?.[0]?.id === domain;
}

/** Also where the first page has the alias: another row may fold to the same, which is an error to be shown. */
function byAlias(keys: readonly WrittenKey[]): ReadStrategy | null {
  const names = new Map(keys.map(({ name }) => [fold(name), name]));
  const parts = new Set([...names.values()].map(unmistakablePart));
  if (parts.has(null)) return null;
  return { how: "aliases", parts: [...parts].filter((part) => part !== null), requests: parts.size };
}
