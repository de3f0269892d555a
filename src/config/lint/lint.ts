// Every rule of the catalogue, over everything that the files of a project say.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Declaration } from "../../domain/project.ts";
import { Advice, readRuleLevels } from "./context.ts";
import type { PlacedRemark } from "../fields.ts";
import type { Labels } from "../keys.ts";
import { lintBlocks, type Times } from "./blocks.ts";
import { lintLinks } from "./links.ts";
import { lintValues } from "./values.ts";
import type { TreeNode } from "../yaml.ts";

/** What has been read of a project. */
export interface ReadProject {
  /** The project file's document first. */
  readonly documents: readonly TreeNode[];
  readonly declarations: readonly Declaration[];
  readonly domains: Labels;
  /** What reading the fields has come upon. */
  readonly remarks: readonly PlacedRemark[];
}

/** What the rules say of a project, each as strictly as `rules` of the project file asks for. */
export function lint({ documents, declarations, domains, remarks }: ReadProject, times: Times): Diagnostic[] {
  const advice = new Advice(readRuleLevels(documents[0]));
  for (const document of documents) lintValues(document, advice);
  for (const { place, remark } of remarks) advice.say(place, remark);
  lintBlocks(declarations, domains, times, advice);
  lintLinks(declarations, domains, advice);
  return advice.diagnostics;
}
