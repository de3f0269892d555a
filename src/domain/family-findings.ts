// Findings about the links of a family. A mistake that many of them share is reported once.

import { groupBy } from "./collections.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import { showCombination, showKey, type Declaration, type FamilyLink } from "./project.ts";
import { plural } from "./words.ts";

/** The findings about one link or pixel. Their messages name it by its key. */
export interface LinkFindings {
  readonly key: string;
  readonly family?: FamilyLink | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The text of a place; equal for equal places. */
export function spotOf(place: Place | null): string {
  return place === null ? "" : showPlace(place);
}

/**
 * Merges the findings with the same code and place about the links of one family. Names the first combination and the number of
 * others, unless all links have the finding. Several findings of one link, such as two missing fields, stay apart by their messages.
 */
export function mergeFindings(links: readonly LinkFindings[]): Diagnostic[] {
  return [...groupBy(links, (one) => one.family?.place ?? one).values()].flatMap((members) =>
    members[0]?.family === undefined ? members.flatMap(({ diagnostics }) => diagnostics) : mergeMembers(members),
  );
}

function mergeMembers(links: readonly LinkFindings[]): Diagnostic[] {
  const found = links.flatMap((link) =>
    link.diagnostics.map((diagnostic) => ({
      diagnostic,
      link,
      spot: `${diagnostic.code} ${spotOf(diagnostic.place)}`,
      message: diagnostic.message.replaceAll(`\`${link.key}\``, `\`${link.family?.pattern ?? link.key}\``),
    })),
  );
  return [...groupBy(found, ({ spot }) => spot).values()].flatMap((here) => {
    const isSeveral = countLinks(here) < here.length;
    return [...groupBy(here, ({ message }) => (isSeveral ? message : "")).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { diagnostic, link, message } = first;
      const isSame = same.every((one) => one.message === message && one.diagnostic.hint === diagnostic.hint);
      const count = countLinks(same);
      if (isSame && count === links.length) return [{ ...diagnostic, message }];
      const others = count - 1;
      const more = others === 0 ? "" : `, and ${plural(others, "other")}`;
      const where = `in the combination ${showCombination(link.family?.combination ?? [])}${more}`;
      return [{ ...diagnostic, message: `${diagnostic.message.replace(/\.$/, "")} (${where}).` }];
    });
  });
}

function countLinks(found: readonly { readonly link: LinkFindings }[]): number {
  return new Set(found.map(({ link }) => link)).size;
}

/** Merges findings that name their link in backquotes. */
export function mergeNamed(diagnostics: readonly Diagnostic[], declarations: readonly Declaration[]): Diagnostic[] {
  const members = declarations.filter(({ family }) => family !== undefined);
  if (members.length === 0) return [...diagnostics];
  const keys = new Set(members.map(showKey));
  const byKey = groupBy(diagnostics, ({ message }) => {
    const named = [...message.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key);
    return named.find((key) => keys.has(key));
  });
  const ofFamilies = members.map((one) => {
    const key = showKey(one);
    return { key, family: one.family, diagnostics: byKey.get(key) ?? [] };
  });
  return [...(byKey.get(undefined) ?? []), ...mergeFindings(ofFamilies)];
}
