// Runs all lint rules on a project.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import { append, groupBy } from "../../domain/collections.ts";
import { mergeShared } from "../../domain/shared-findings.ts";
import type { Declaration, Policy, Project } from "../../domain/project.ts";
import { LintContext } from "./context.ts";
import { documentOf, type FamilyMember } from "../families.ts";
import { mergeFindings } from "../family-findings.ts";
import type { PlacedFinding } from "../fields.ts";
import type { Labels } from "../keys.ts";
import { lintBlocks, type Times } from "./blocks.ts";
import { lintLabels } from "./labels.ts";
import { lintLinks } from "./links.ts";
import { lintUtm } from "./utm.ts";
import { lintValues } from "./values.ts";
import type { TreeNode } from "../yaml.ts";

export interface ReadProject {
  readonly documents: readonly TreeNode[];
  /** The links of families. */
  readonly members: readonly FamilyMember[];
  readonly declarations: readonly Declaration[];
  readonly domains: Labels;
  readonly spaces: Labels;
  /** Findings from reading fields. */
  readonly findings: readonly PlacedFinding[];
  /** The levels that the project sets. */
  readonly rules: Policy["rules"];
  /** The UTM values that links may have. */
  readonly utm: Project["utm"];
}

/** The findings of all rules. */
export function lint(
  { documents, members, declarations, domains, spaces, findings, rules, utm }: ReadProject,
  times: Times,
): Diagnostic[] {
  const context = new LintContext(rules);
  for (const document of documents) lintValues(document, context);
  lintMembers(members, context);
  for (const { place, finding } of findings) context.report(place, finding);
  const own = context.fresh();
  lintBlocks(declarations, domains, times, own);
  lintLabels(declarations, { domain: domains, space: spaces }, own);
  lintLinks(declarations, domains, own);
  lintUtm(documents, declarations, utm, own);
  append(context.diagnostics, mergeShared(own.diagnostics, declarations));
  return context.diagnostics;
}

/** Lints the values of links in families. A finding that several links of a family share is reported once. */
function lintMembers(members: readonly FamilyMember[], context: LintContext): void {
  for (const all of groupBy(members, ({ family }) => family.place).values()) {
    const found = all.map((member) => {
      const own = context.fresh();
      lintValues(documentOf(member), own);
      return { key: member.block.key, family: member.family, diagnostics: own.diagnostics };
    });
    append(context.diagnostics, mergeFindings(found));
  }
}
