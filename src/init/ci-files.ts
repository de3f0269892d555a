// Fills the workflows and pipelines of examples/ci and templates with the values of a project.

import path from "node:path";
import { PROJECT_FILE } from "../config/project-file.ts";
import { appliedTag } from "../config/project-files.ts";
import { yamlText } from "../edit/yaml-text.ts";

interface CiTexts {
  readonly pullRequest: string;
  readonly deploy: string;
  readonly drift: string;
  readonly pipeline: string;
  readonly template: string;
}

export interface CiValues {
  readonly system: "github" | "gitlab";
  readonly baseUrl: string;
  readonly branch: string;
  /** Relative to the root of the repository, with `/`; empty for the root. */
  readonly folder: string;
  /** The name of the project file if it is not the default. */
  readonly config: string | null;
  /** The repository with the action or template: OWNER/REPOSITORY. On GitLab, null means a copy of the template. */
  readonly source: string | null;
  /** The image that contains linkform; null for GitHub, where the action runs its own code. */
  readonly image: string | null;
  /** The environment variables with passwords that the files name. */
  readonly secrets: readonly string[];
}

const TEMPLATE = ".gitlab/linkform.yml";

/** By path relative to the root of the repository. */
export function ciFiles(texts: CiTexts, values: CiValues): Map<string, string> {
  return values.system === "github" ? gitHubFiles(texts, values) : gitLabFiles(texts, values);
}

export function tagOf({ folder, config }: Pick<CiValues, "folder" | "config">): string {
  return appliedTag(path.posix.join(folder, config ?? PROJECT_FILE));
}

function gitHubFiles({ pullRequest, deploy, drift }: CiTexts, values: CiValues): Map<string, string> {
  const { branch, source } = values;
  const subject = subjectOf(values);
  const name = (what: string): string => `linkform${suffixOf(values)}-${what}.yml`;
  const common: readonly TextReplacement[] = [
    [/Copy to(?: |\n# )\.github\/workflows\/ and replace OWNER\. See docs\/ci\.md/, () => "See docs/ci.md of linkform"],
    [/^name: Links(?=,)/m, (line) => (subject === "" ? line : `${line} of ${subject}`)],
    [/OWNER\/linkform(?=@)/g, (written) => source ?? written],
    [/^( +)command: .+\n/gm, (line, indent = "") => `${line}${indented(inputsOf(values), indent)}`],
  ];
  const queued: readonly TextReplacement[] = [
    [/(?<=group: )linkform-short\.example\.com/, () => accountOf(values)],
    [/(?<=(?:APPLIED|base): )applied$/m, () => tagOf(values)],
  ];
  return new Map([
    [`.github/workflows/${name("pull-request")}`, filled(pullRequest, common)],
    [
      `.github/workflows/${name("deploy")}`,
      filled(deploy, [
        ...common,
        ...queued,
        [/(?<=in )drift\.yml/, () => name("drift")],
        [/(?<=branches: \[)main(?=\])/, () => branchPattern(branch)],
        [
          /^( +)env:\n +# One line .*\n +LINKFORM_SECRET_.*\n/m,
          (_, indent = "") => secretLines(values.secrets, indent),
        ],
      ]),
    ],
    [
      `.github/workflows/${name("drift")}`,
      filled(drift, [...common, ...queued, [/(?<=group of )deploy\.yml/, () => name("deploy")]]),
    ],
  ]);
}

function gitLabFiles({ pipeline, template }: CiTexts, values: CiValues): Map<string, string> {
  const { folder, source, config } = values;
  const inputs = [
    ...(values.image === null ? [] : [{ key: "image", value: values.image }]),
    ...(folder === "" ? [] : [{ key: "working-directory", value: folder }]),
    ...(subjectOf(values) === ""
      ? []
      : [
          { key: "job-prefix", value: `linkform${suffixOf(values)}` },
          { key: "applied", value: tagOf(values) },
        ]),
    ...(config === null ? [] : [{ key: "config", value: config }]),
    { key: "resource-group", value: accountOf(values) },
  ];
  const own = filled(pipeline, [
    [/Copy to the root of your repository\. See docs\/ci\.md/, () => "See docs/ci.md of linkform"],
    [/\n# `project` is the(?:.|\n# )*instead of the three lines\./, () => ""],
    source === null
      ? [/ {2}- project: .*\n.*\n.*\n/, () => `  - local: /${TEMPLATE}\n`]
      : [/(?<= {2}- project: )OWNER\/linkform/, () => source],
    [/^( +)image: .*\n +resource-group: .*\n/m, (_, indent = "") => indented(yamlText({ entries: inputs }), indent)],
  ]);
  const files = new Map([[".gitlab-ci.yml", own]]);
  return source === null ? files.set(TEMPLATE, template) : files;
}

/** The inputs of the action for this project, as YAML lines. */
function inputsOf({ folder, config }: CiValues): string {
  const entries = [
    ...(folder === "" ? [] : [{ key: "working-directory", value: folder }]),
    ...(config === null ? [] : [{ key: "config", value: config }]),
  ];
  return entries.length === 0 ? "" : yamlText({ entries });
}

/** The `env` of the deploy step, as a comment if the files have no passwords yet. */
function secretLines(secrets: readonly string[], indent: string): string {
  const names = secrets.length === 0 ? ["LINKFORM_SECRET_EXAMPLE"] : secrets;
  const lines = ["env:", ...names.map((name) => `  ${name}: \${{ secrets.${name} }}`)];
  const start = secrets.length === 0 ? `${indent}# ` : indent;
  return `${indent}# One line for each password in the files:\n${lines.map((line) => `${start}${line}\n`).join("")}`;
}

/** A name for the account with characters that GitHub and GitLab allow. */
function accountOf({ baseUrl }: CiValues): string {
  return `linkform-${baseUrl.replace(/^https?:\/\//, "").replaceAll(/[^\w.-]+/g, "-")}`;
}

/** Distinguishes projects of one repository: the folder and the name of the project file, without the defaults. */
function subjectOf({ folder, config }: Pick<CiValues, "folder" | "config">): string {
  const own = (config ?? "").replace(/\.ya?ml$/, "").replace(/^linkform(?:\.|$)/, "");
  return [folder, own].filter((part) => part !== "").join(" ");
}

function suffixOf(values: Pick<CiValues, "folder" | "config">): string {
  const plain = subjectOf(values)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return plain === "" ? "" : `-${plain}`;
}

/** A branch as a GitHub pattern, with special characters escaped. */
function branchPattern(branch: string): string {
  return /^[\w./-]+$/.test(branch) ? branch : JSON.stringify(branch.replaceAll(/[*?+[\]!\\]/g, String.raw`\$&`));
}

function indented(lines: string, indent: string): string {
  return lines.replaceAll(/^(?=.)/gm, indent);
}

/** Replacements are functions, because `$` is special in a replacement text. */
type TextReplacement = readonly [what: RegExp, by: (found: string, ...groups: string[]) => string];

/** Fills in values. Throws if a placeholder is missing, because the texts are our own. */
function filled(text: string, replacements: readonly TextReplacement[]): string {
  return replacements.reduce((before, [what, by]) => {
    if (before.search(what) < 0) throw new Error(`a workflow has no place ${String(what)}`);
    return before.replace(what, by);
  }, text);
}

declare const LINKFORM_CI_TEXTS: string;

/** The build inserts these texts. */
export const CI_TEXTS: CiTexts = JSON.parse(LINKFORM_CI_TEXTS);
