// Fills the workflow and the pipeline of examples/ci with the values of a repository.

import { yamlText } from "../edit/yaml-text.ts";

interface CiTexts {
  readonly workflow: string;
  readonly pipeline: string;
  readonly template: string;
  /** The action of this release: `OWNER/REPOSITORY@COMMIT # v1.2.3`; null in other builds. */
  readonly action: string | null;
}

export interface CiValues {
  readonly system: "github" | "gitlab";
  readonly baseUrl: string;
  readonly branch: string;
  /** The action or template: OWNER/REPOSITORY@COMMIT, maybe with a comment. Null for a copy of GitLab's template. */
  readonly source: string | null;
  /** Contains linkform; null for GitHub, where the action runs its own code. */
  readonly image: string | null;
  /** Environment variables that the files name. */
  readonly secrets: readonly string[];
}

export const WORKFLOW = ".github/workflows/linkform.yml";
/** GitLab allows one pipeline for each repository. */
export const PIPELINE = ".gitlab-ci.yml";
const TEMPLATE = ".gitlab/linkform.yml";

/** By path relative to the root of the repository, whose projects they all cover. */
export function ciFiles(texts: CiTexts, values: CiValues): Map<string, string> {
  return values.system === "github" ? gitHubFiles(texts, values) : gitLabFiles(texts, values);
}

function gitHubFiles({ workflow }: CiTexts, { branch, source, secrets }: CiValues): Map<string, string> {
  const text = filled(workflow, [
    [/Copy to \.github\/workflows\/ and replace OWNER\. See docs\/ci\.md/, () => "See docs/ci.md of linkform"],
    [/OWNER\/linkform@\S+/g, (written) => source ?? written],
    [/(?<=branches: \[)main(?=\])/, () => branchPattern(branch)],
    [/^ +env:.*\n +LINKFORM_SECRET_.*\n/m, () => secretLines(secrets)],
  ]);
  return new Map([[WORKFLOW, text]]);
}

function gitLabFiles({ pipeline, template }: CiTexts, { source, image }: CiValues): Map<string, string> {
  const [project, ref] = source?.split("@") ?? [];
  const text = filled(pipeline, [
    [/Copy to the root of your repository\. See docs\/ci\.md/, () => "See docs/ci.md of linkform"],
    [/\n# `project` is the(?:.|\n# )*instead of the three lines\./, () => ""],
    [
      / {2}- project: .*\n.*\n.*\n/,
      (lines) =>
        project === undefined || ref === undefined
          ? `  - local: /${TEMPLATE}\n`
          : lines.replace("OWNER/linkform", project).replace(/(?<=ref: ).*/, ref),
    ],
    [
      /^( +)image: .*\n/m,
      (_, indent = "") => `${indent}${yamlText({ entries: [{ key: "image", value: image ?? "" }] })}`,
    ],
  ]);
  const files = new Map([[PIPELINE, text]]);
  return source === null ? files.set(TEMPLATE, template) : files;
}

/** The `env` of the deploy step, as a comment if the files have no passwords yet. */
export function secretLines(secrets: readonly string[]): string {
  const names = secrets.length === 0 ? ["LINKFORM_SECRET_EXAMPLE"] : secrets;
  const lines = names.map((name) => `  ${name}: \${{ secrets.${name} }}`);
  const indent = secrets.length === 0 ? "        # " : "        ";
  return ["env: # One line for each password in the files.", ...lines].map((line) => `${indent}${line}\n`).join("");
}

/** As a GitHub pattern, with special characters escaped. */
function branchPattern(branch: string): string {
  return /^[\w./-]+$/.test(branch) ? branch : JSON.stringify(branch.replaceAll(/[*?+[\]!\\]/g, String.raw`\$&`));
}

/** Replacements are functions, because `$` is special in a replacement text. */
type TextReplacement = readonly [what: RegExp, by: (found: string, ...groups: string[]) => string];

/** Throws if a placeholder is missing, because the texts are our own. */
function filled(text: string, replacements: readonly TextReplacement[]): string {
  return replacements.reduce((before, [what, by]) => {
    if (before.search(what) < 0) throw new Error(`a workflow has no place ${String(what)}`);
    return before.replace(what, by);
  }, text);
}

declare const LINKFORM_CI_TEXTS: string;

/** The build inserts these texts. */
export const CI_TEXTS: CiTexts = JSON.parse(LINKFORM_CI_TEXTS);
