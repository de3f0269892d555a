// Findings about the links of a family. A mistake in a value that many of them share is reported once.

import { groupBy } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { spotOf } from "../domain/shared-findings.ts";
import { showCombination, type FamilyLink } from "../domain/project.ts";

/** The findings about one link; `key` is its alias as its family makes it. */
export interface LinkFindings {
  readonly key: string;
  readonly family?: FamilyLink | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Merges the findings with the same code and place about the links of one family. Names the first combination and the number of
 * others, unless all links have the finding. Several findings of one link, such as two missing fields, stay apart by their messages.
 */
export function mergeFindings(links: readonly LinkFindings[]): Diagnostic[] {
  if (links[0]?.family === undefined) return links.flatMap(({ diagnostics }) => diagnostics);
  const found = links.flatMap((link) =>
    link.diagnostics.map((diagnostic) => ({
      diagnostic,
      link,
      spot: `${diagnostic.code} ${spotOf(diagnostic.place)}`,
      message: generalText(diagnostic.message, link),
    })),
  );
  return [...groupBy(found, ({ spot }) => spot).values()].flatMap((here) => {
    const isSeveral = new Set(here.map(({ link }) => link)).size < here.length;
    return [...groupBy(here, ({ message }) => (isSeveral ? message : "")).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { diagnostic, link, message } = first;
      const isSame = same.every((one) => one.message === message && one.diagnostic.hint === diagnostic.hint);
      if (isSame && same.length === links.length) return [{ ...diagnostic, message }];
      const others = same.length - 1;
      const more = others === 0 ? "" : `, and ${others} other${others === 1 ? "" : "s"}`;
      const where = `in the combination ${showCombination(link.family?.combination ?? [])}${more}`;
      return [{ ...diagnostic, message: `${diagnostic.message.replace(/\.$/, "")} (${where}).` }];
    });
  });
}

/** A message with the pattern in place of the link's key. */
function generalText(message: string, { key, family }: LinkFindings): string {
  return family === undefined ? message : message.replaceAll(`\`${key}\``, `\`${family.pattern}\``);
}
