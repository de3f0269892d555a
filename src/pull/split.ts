// Splits new links into files.

import type { Live } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/collections.ts";
import { compareText } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";

/** One file for each domain, for each space, for all links, or for each alias prefix. */
export const SPLITS = ["domain", "space", "file", "alias-prefix"] as const;
export type Split = (typeof SPLITS)[number];

/** The links of one file. `otherwise` is used if `name` is not a valid file name. */
interface LinkGroup {
  readonly name: string;
  readonly otherwise: string;
  readonly members: readonly Live[];
}

/** GitHub and GitLab collapse the diffs of longer files, and editors get slow. */
const MAX_LINKS_PER_FILE = 1000;

/** An alias prefix gets its own file from this number and this share of links on, so that there are not too many files. */
const MIN_PREFIX_LINKS = 5;
const MIN_PREFIX_SHARE = 0.01;

/**
 * Splits links into files, sorted by name. The default is one file for each domain; for one domain with more than a thousand
 * links, one for each space.
 */
export function splitLinks(links: readonly Live[], split: Split | null): LinkGroup[] {
  const by = split ?? defaultSplit(links);
  switch (by) {
    case "domain":
      return named(groupBy(links, domainOf), by);
    case "space":
      return named(groupBy(links, spaceOf), by, "no-space");
    case "alias-prefix":
      return splitByPrefix(links);
    case "file":
      return [{ name: "links", otherwise: "links", members: links }];
    default:
      return by satisfies never;
  }
}

function defaultSplit(links: readonly Live[]): Split {
  if (new Set(links.map(domainOf)).size > 1) return "domain";
  return links.length > MAX_LINKS_PER_FILE && new Set(links.map(spaceOf)).size > 1 ? "space" : "file";
}

function domainOf({ values }: Live): string | null {
  return textOrNull(values.get(REFERENCE_FIELD.domain));
}

function spaceOf({ values }: Live): string | null {
  return textOrNull(values.get(REFERENCE_FIELD.space));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The groups by name, with unnamed links first. */
function named(groups: ReadonlyMap<string | null, readonly Live[]>, what: string, nothing = what): LinkGroup[] {
  return [...groups]
    .toSorted(([a], [b]) => Number(b === null) - Number(a === null) || compareText(a ?? "", b ?? ""))
    .map(([name, members]) => ({ name: name ?? nothing, otherwise: what, members }));
}

/** Links by alias prefix. The rest share one file. */
function splitByPrefix(links: readonly Live[]): LinkGroup[] {
  const all = groupBy(links, ({ values }) => aliasPrefix(String(values.get(KEY_FIELD.link) ?? "")));
  const isLarge = (group: readonly Live[]): boolean =>
    group.length >= Math.max(MIN_PREFIX_LINKS, links.length * MIN_PREFIX_SHARE);
  const large = new Map([...all].filter(([, group]) => isLarge(group)));
  const rest = [...all.values()].flatMap((group) => (isLarge(group) ? [] : group));
  const other = large.size === 0 ? "links" : "other";
  return [...named(large, "alias"), { name: other, otherwise: other, members: rest }];
}

/** The part of an alias before the first `-` or `_`, folded. */
function aliasPrefix(alias: string): string {
  const end = alias.slice(1).search(/[-_]/);
  return fold(end < 0 ? alias : alias.slice(0, end + 1));
}
