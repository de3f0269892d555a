// Which new links stand in a file together.

import type { Live } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/collections.ts";
import { compareText } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";

/** By what links are put into files: one for each domain, for each space, for all, or for what aliases begin with. */
export const SPLITS = ["domain", "space", "file", "alias-prefix"] as const;
export type Split = (typeof SPLITS)[number];

/** Links of one file; `name` is what it is called after, `otherwise` where no file can have that name. */
export interface LinkGroup {
  readonly name: string;
  readonly otherwise: string;
  readonly links: readonly Live[];
}

/** What is longer nobody reviews as a whole: forges fold away what changes in it, and editors get slow. */
const LONG = 1000;

/** Fewer links with one beginning are no family; nor are fewer than this share of all, so that there are never too many files. */
const FAMILY = 5;
const SHARE = 0.01;

/**
 * Puts links into groups, by name. By default each domain has a file, for that is what visitors and keys tell apart; of an account
 * with one domain and more than a thousand links each space has one, as people have filed them; else one file has all.
 */
export function splitLinks(links: readonly Live[], split: Split | null): LinkGroup[] {
  const by = split ?? usualSplit(links);
  switch (by) {
    case "domain":
      return named(groupBy(links, domainOf), by);
    case "space":
      return named(groupBy(links, spaceOf), by, "no-space");
    case "alias-prefix":
      return families(links);
    case "file":
      return links.length === 0 ? [] : [{ name: "links", otherwise: "links", links }];
    default:
      return by satisfies never;
  }
}

function usualSplit(links: readonly Live[]): Split {
  if (new Set(links.map(domainOf)).size > 1) return "domain";
  return links.length > LONG && new Set(links.map(spaceOf)).size > 1 ? "space" : "file";
}

function domainOf({ values }: Live): string | null {
  return textOf(values.get(REFERENCE_FIELD.domain));
}

function spaceOf({ values }: Live): string | null {
  return textOf(values.get(REFERENCE_FIELD.space));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The groups by name, that of nothing first. */
function named(groups: ReadonlyMap<string | null, readonly Live[]>, what: string, nothing = what): LinkGroup[] {
  return [...groups]
    .map(([name, links]) => ({ name: name ?? nothing, otherwise: what, links, isNothing: name === null }))
    .toSorted((a, b) => Number(b.isNothing) - Number(a.isNothing) || compareText(a.name, b.name))
    .map(({ name, otherwise, links }) => ({ name, otherwise, links }));
}

/** Links whose aliases begin alike; what is left over is one group. */
function families(links: readonly Live[]): LinkGroup[] {
  const all = groupBy(links, ({ values }) => aliasPrefix(String(values.get(KEY_FIELD.link) ?? "")));
  const isFamily = (group: readonly Live[]): boolean => group.length >= Math.max(FAMILY, links.length * SHARE);
  const large = new Map([...all].filter(([, group]) => isFamily(group)));
  const left = [...all.values()].flatMap((group) => (isFamily(group) ? [] : group));
  const other = large.size === 0 ? "links" : "other";
  return [...named(large, "alias"), ...(left.length === 0 ? [] : [{ name: other, otherwise: other, links: left }])];
}

/** What an alias begins with, as the service folds it: all before the first `-` or `_`, the whole of one that has none. */
export function aliasPrefix(alias: string): string {
  const end = alias.slice(1).search(/[-_]/);
  return fold(end < 0 ? alias : alias.slice(0, end + 1));
}
