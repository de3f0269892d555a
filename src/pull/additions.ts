// What is live and in no file yet, declared: blocks for files that are there, and new files for what is at home in none of them.

import type { DocumentOutline } from "../config/outline.ts";
import type { Live } from "../domain/change.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import { resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { declare, undeclarable } from "../edit/declare.ts";
import { keptComment, layOut, type NewBlock, type NewFiles, type LayoutOptions } from "./layout.ts";
import { findPlacements, type Placed } from "./neighbors.ts";

/** A block for a file that is there. */
export interface Addition extends Placed {
  readonly block: NewBlock;
  /** What stands above it; null: nothing. */
  readonly comment: string | null;
}

export interface Additions {
  /** In the order in which they are put in. */
  readonly blocks: readonly Addition[];
  /** New files for all others; `problems` are those of all rows. */
  readonly layout: NewFiles;
}

/**
 * Declares rows that no file declares. Those for which nothing in the `documents` is like them, or that could not be said below
 * the defaults there, get new files: cut as `split` says, or else as those that are there seem to be.
 */
export function addRows(
  rows: readonly Live[],
  { claims, live: all, side }: Pick<Resolved, "claims" | "live" | "side">,
  documents: readonly DocumentOutline[],
  options: LayoutOptions,
): Additions {
  const problems = undeclarable(rows, options.outsideScope, all);
  const { placed, homeless, split } = findPlacements(
    rows.filter((live) => !problems.has(live)),
    claims,
    documents,
  );
  const given = new Map<DocumentOutline, EffectiveDefaults>();
  const givenAt = (document: DocumentOutline): EffectiveDefaults => {
    const known = given.get(document) ?? resolveDefaults(document.given, side);
    given.set(document, known);
    return known;
  };
  const blocks: Addition[] = [];
  const others = [...homeless];
  for (const home of placed) {
    const block = declare(home.live, { ...options, given: givenAt(home.document) });
    if ("problem" in block) others.push(home.live);
    else blocks.push({ ...home, block, comment: keptComment(block.kept) });
  }
  const layout = layOut(others, { ...options, split: options.split ?? split });
  return { blocks, layout: { ...layout, problems: new Map([...problems, ...layout.problems]) } };
}
