// The texts of new files: the project file, an example, and the workflow and pipeline of examples/ci for a repository.

import { DESTINATION_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { hasUnseen } from "../domain/control-characters.ts";
import { yamlText, type Block, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import { schemaLine } from "../pull/new-files.ts";

/** A domain or space. */
export interface FoundName {
  readonly id: number | null;
  readonly name: string;
  /** Whether the service lists it. Otherwise, the files must state its id and name. Only links name a domain that all accounts share. */
  readonly isListed: boolean;
}

export interface LabeledName extends FoundName {
  readonly label: string;
}

export interface NewProject {
  readonly baseUrl: string;
  readonly domains: readonly LabeledName[];
  readonly spaces: readonly LabeledName[];
  /** The label for links that name none; null: each link names its own. */
  readonly defaultDomain: string | null;
}

/** Labels for domains or spaces: the name if it is a valid and unique key, else the id. */
export function withLabels(rows: readonly FoundName[]): LabeledName[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const folded = row.name.toLowerCase();
    const isUsable = row.id === null || (isLabel(row.name) && !taken.has(folded));
    taken.add(folded);
    return { ...row, label: isUsable ? row.name : String(row.id) };
  });
}

/** Whether files can use this text as a name: a number is an id, and a slash ends a domain. */
export function isLabel(name: string): boolean {
  return /\P{Nd}/u.test(name) && name.trim() === name && !name.includes("/") && !hasUnseen(name);
}

/** `schema` is the path of the schema for editors, or null. */
export function projectText(project: NewProject, schema: string | null): string {
  const { domains, spaces, defaultDomain, baseUrl } = project;
  const labels = { domains: labelsOf(domains), spaces: labelsOf(spaces) };
  const ofLinks = (domain: string): YamlEntry => ({
    key: "defaults",
    value: mapOf("link", mapOf(REFERENCE_FIELD.domain, domain)),
  });
  return paragraphs(
    schemaLine(schema),
    section(
      "A linkform project declares the short links and pixels of a service. Add links as .yaml files in links/.",
      { key: "version", value: 1 },
    ),
    section("Never put the API key in this file. Set LINKFORM_API_KEY, or pass --api-key-file.", {
      key: "service",
      value: mapOf("base_url", baseUrl),
    }),
    section(
      "Names for domains and spaces in these files and in plans, with their ids at the service.",
      ...Object.entries(labels).flatMap(([key, value]) => (value.entries.length === 0 ? [] : { key, value })),
    ),
    section("Defaults for links.", ...(defaultDomain === null ? [] : [ofLinks(defaultDomain)])),
  );
}

function mapOf(key: string, value: YamlContent): Block {
  return { entries: [{ key, value }] };
}

/** A resource file with an example in comments, which declares nothing. */
export function exampleText({ defaultDomain, domains }: NewProject, schema: string | null): string {
  const { label } = domains.find(({ isListed }) => isListed) ?? domains[0] ?? { label: "go.example.com" };
  const fields: readonly YamlEntry[] = [
    { key: DESTINATION_FIELD, value: "https://www.example.com/welcome" },
    { key: "note", value: "for people, not sent to the service" },
  ];
  const key = defaultDomain === null ? `${label}/hello` : "hello";
  const link = yamlText(mapOf(key, { entries: fields }));
  return paragraphs(
    schemaLine(schema),
    `${comment(
      "Links by alias, the part of the short URL after the domain. This example is a comment. Remove the # characters, " +
        "set your alias and destination, and run `linkform plan` to see the changes.",
    )}links:\n${link.replaceAll(/^(?=.)/gm, "  # ")}`,
  );
}

function labelsOf(chosen: readonly LabeledName[]): Block {
  return {
    entries: chosen.flatMap(({ label, id, name, isListed }) => {
      if (id === null) return { key: label, value: name };
      if (label === String(id)) return [];
      if (isListed) return { key: label, value: id };
      const both: readonly YamlEntry[] = [
        { key: "id", value: id },
        { key: "name", value: name },
      ];
      return { key: label, value: { entries: both, inline: true } };
    }),
  };
}

function section(about: string, ...entries: readonly YamlEntry[]): string {
  return entries.length === 0 ? "" : `${comment(about)}${yamlText({ entries })}`;
}

function comment(text: string): string {
  const lines = text.match(/.{1,100}(?: |$)/g) ?? [];
  return lines.map((line) => `# ${line.trimEnd()}\n`).join("");
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

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
