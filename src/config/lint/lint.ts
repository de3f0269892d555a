// Runs all lint rules on a project.

import { append } from "../../domain/collections.ts";
import { mergeShared } from "../../domain/shared-findings.ts";
import type { Declaration, Project } from "../../domain/project.ts";
import type { LintContext } from "./context.ts";
import type { Labels } from "../keys.ts";
import { lintBlocks, type Times } from "./blocks.ts";
import { lintLinks } from "./links.ts";
import { lintUtm } from "./utm.ts";
import { lintValues } from "./values.ts";
import type { TreeNode } from "../yaml.ts";

export interface ReadProject {
  readonly documents: readonly TreeNode[];
  readonly declarations: readonly Declaration[];
  readonly domains: Labels;
  readonly spaces: Labels;
  /** The UTM values that links may have. */
  readonly utm: Project["utm"];
}

/** Adds the findings of all rules to the context. */
export function lint(
  { documents, declarations, domains, spaces, utm }: ReadProject,
  times: Times,
  context: LintContext,
): void {
  for (const document of documents) lintValues(document, context);
  const own = context.fresh();
  lintBlocks(declarations, { domain: domains, space: spaces }, times, own);
  lintLinks(declarations, domains, own);
  lintUtm(documents, declarations, utm, own);
  append(context.diagnostics, mergeShared(own.diagnostics, declarations));
}
