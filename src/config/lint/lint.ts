// Runs the rules and policies about whole links and pixels. Rules about single values run when a block is read.

import { mergeFindings, type LinkFindings } from "../../domain/family-findings.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { showKey, type Declaration, type Project } from "../../domain/project.ts";
import { LAST_ZONE } from "../../domain/zone.ts";
import { LintContext } from "./context.ts";
import { blockRule, lintReviews, todayIn, type Times } from "./blocks.ts";
import type { ProjectLabels } from "../keys.ts";
import { sameDestinationRule, shortLinkRule } from "./links.ts";
import { readPolicies } from "./policies.ts";
import { utmRule } from "./utm.ts";
import type { TreeNode } from "../yaml.ts";

export interface ReadProject extends Pick<Project, "declarations" | "utm" | "policy"> {
  /** The project file. */
  readonly document: TreeNode;
  readonly labels: ProjectLabels;
  readonly isComplete: boolean;
  /** The fields of links whose values are not valid, which has been reported. */
  readonly broken: ReadonlyMap<Declaration, ReadonlySet<string>>;
}

/** The findings of all rules and policies, and mistakes in the policies. */
export async function lint(project: ReadProject, times: Times): Promise<Diagnostic[]> {
  const { declarations, labels, utm, policy } = project;
  const policies = await readPolicies(project, times);
  const context = new LintContext(policy, []);
  lintReviews(declarations, todayIn(times, LAST_ZONE), context);
  const rules = [
    blockRule(labels, times),
    shortLinkRule(declarations, labels.domain),
    sameDestinationRule(),
    utmRule(utm),
    policies.rule,
  ];
  const own = context.into([]);
  const found: LinkFindings[] = [];
  for (const one of declarations) {
    for (const rule of rules) rule(one, own);
    // The members of a family without findings are counted.
    if (own.diagnostics.length > 0 || one.family)
      found.push({ key: showKey(one), family: one.family, diagnostics: own.diagnostics.splice(0) });
  }
  return [...context.diagnostics, ...mergeFindings(found), ...policies.problems()];
}
