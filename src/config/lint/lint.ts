// Runs all lint rules on a project.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Declaration, Policy, Project } from "../../domain/project.ts";
import { LintContext } from "./context.ts";
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
  { documents, declarations, domains, spaces, findings, rules, utm }: ReadProject,
  times: Times,
): Diagnostic[] {
  const context = new LintContext(rules);
  for (const document of documents) lintValues(document, context);
  for (const { place, finding } of findings) context.report(place, finding);
  lintBlocks(declarations, domains, times, context);
  lintLabels(declarations, { domain: domains, space: spaces }, context);
  lintLinks(declarations, domains, context);
  lintUtm(documents, declarations, utm, context);
  return context.diagnostics;
}
