// Workflows and pipelines with a project's own values in them, made from the texts that people may also copy by hand.

import { yamlText } from "../edit/yaml-text.ts";

/** The texts of examples/ci and templates. */
interface CiTexts {
  readonly pullRequest: string;
  readonly deploy: string;
  readonly drift: string;
  readonly pipeline: string;
  readonly template: string;
}

/** What they are to say. */
export interface CiValues {
  readonly system: "github" | "gitlab";
  readonly baseUrl: string;
  /** The branch that is deployed. */
  readonly branch: string;
  /** The project folder from the root of the repository, with `/`; empty at the root. */
  readonly folder: string;
  /** The project file's name where it is not the usual one. */
  readonly config: string | null;
  /** Whose copy of linkform's repository is used: OWNER/REPOSITORY. On GitLab null stands for a copy of the template. */
  readonly source: string | null;
  /** What npm installs. */
  readonly package: string;
}

/** Where a template that is copied lies. */
const TEMPLATE = ".gitlab/linkform.yml";

/** The files, by their path from the root of the repository. */
export function ciFiles(texts: CiTexts, values: CiValues): Map<string, string> {
  return values.system === "github" ? gitHubFiles(texts, values) : gitLabFiles(texts, values);
}

/**
 * The tag that says what was applied last. Projects in folders may have neighbours, and so has a project file of another name: each has
 * a tag of its own, or one deploy would hide from the other what that has still to delete.
 */
export function appliedTag(values: Pick<CiValues, "folder" | "config">): string {
  return `applied${suffixOf(values)}`;
}

function gitHubFiles({ pullRequest, deploy, drift }: CiTexts, values: CiValues): Map<string, string> {
  const { branch, source } = values;
  const subject = subjectOf(values);
  const name = (what: string): string => `linkform${suffixOf(values)}-${what}.yml`;
  const common: readonly TextReplacement[] = [
    [
      /Copy to(?: |\n# )\.github\/workflows\/ and replace OWNER; docs\/ci\.md tells/,
      () => "docs/ci.md of linkform tells",
    ],
    [/^name: Links(?=,)/m, (line) => (subject === "" ? line : `${line} of ${subject}`)],
    [/OWNER\/linkform(?=@)/g, (usual) => source ?? usual],
    [/^( +)command: .+\n/gm, (line, indent = "") => `${line}${indented(inputsOf(values), indent)}`],
  ];
  const queued: readonly TextReplacement[] = [
    [/(?<=group: )linkform-short\.example\.com/, () => accountOf(values)],
    [/(?<=(?:APPLIED|base): )applied$/m, () => appliedTag(values)],
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
        // No file names a password yet.
        [
          /^( +)env:\n +# One line .*\n +(LINKFORM_SECRET_.*\n)/m,
          (_, indent = "", line = "") =>
            `${indent}# One line for each password that the files name:\n${indent}# env:\n${indent}#   ${line}`,
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
    { key: "package", value: values.package },
    ...(folder === "" ? [] : [{ key: "working-directory", value: folder }]),
    ...(subjectOf(values) === ""
      ? []
      : [
          { key: "job-prefix", value: `linkform${suffixOf(values)}` },
          { key: "applied", value: appliedTag(values) },
        ]),
    ...(config === null ? [] : [{ key: "config", value: config }]),
    { key: "resource-group", value: accountOf(values) },
  ];
  const own = filled(pipeline, [
    [/Copy to the root of your repository; docs\/ci\.md/, () => "docs/ci.md of linkform"],
    [/ `project` is where(?:.|\n# )*instead of the three lines\./, () => ""],
    source === null
      ? [/ {2}- project: .*\n.*\n.*\n/, () => `  - local: /${TEMPLATE}\n`]
      : [/(?<= {2}- project: )OWNER\/linkform/, () => source],
    [/^( +)resource-group: .*\n/m, (_, indent = "") => indented(yamlText({ entries: inputs }), indent)],
  ]);
  const files = new Map([[".gitlab-ci.yml", own]]);
  return source === null ? files.set(TEMPLATE, template) : files;
}

/** The inputs of the action that are this project's, in lines. */
function inputsOf({ folder, config, package: installed }: CiValues): string {
  return yamlText({
    entries: [
      ...(folder === "" ? [] : [{ key: "working-directory", value: folder }]),
      ...(config === null ? [] : [{ key: "config", value: config }]),
      { key: "version", value: installed },
    ],
  });
}

/** One name for each account, in signs that GitHub and GitLab take. */
function accountOf({ baseUrl }: CiValues): string {
  return `linkform-${baseUrl.replace(/^https?:\/\//, "").replaceAll(/[^\w.-]+/g, "-")}`;
}

/** What tells a project from others of its repository: its folder, and the name of its file as far as that is its own. Empty for neither. */
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

/** A branch as GitHub's patterns name it: some signs mean something in them. */
function branchPattern(branch: string): string {
  return /^[\w./-]+$/.test(branch) ? branch : JSON.stringify(branch.replaceAll(/[*?+[\]!\\]/g, String.raw`\$&`));
}

function indented(lines: string, indent: string): string {
  return lines.replaceAll(/^(?=.)/gm, indent);
}

/** Values are handed over by functions: in a text, `$` would mean something. */
type TextReplacement = readonly [what: RegExp, by: (found: string, ...groups: string[]) => string];

/** Puts values in. Each place must be there: the texts are ours. */
function filled(text: string, replacements: readonly TextReplacement[]): string {
  return replacements.reduce((before, [what, by]) => {
    if (before.search(what) < 0) throw new Error(`a workflow has no place ${String(what)}`);
    return before.replace(what, by);
  }, text);
}

declare const LINKFORM_CI_TEXTS: CiTexts;

/** The texts of examples/ci and templates, which the build puts in here. */
export const CI_TEXTS: CiTexts = LINKFORM_CI_TEXTS;
