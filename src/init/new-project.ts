// The files of a new project, as texts: what a person has said of it, in the words of the files.

import { DESTINATION_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { hasUnseen } from "../domain/control-characters.ts";
import { yamlText, type Block, type YamlEntry } from "../edit/yaml-text.ts";
import { schemaLine } from "../edit/schema-line.ts";

/** A domain or space, and what the files are to call it: its name, or its number. */
export interface ProjectAnswers {
  readonly label: string;
  /** The service's number; null where it is not known. */
  readonly id: number | null;
  readonly name: string;
  /** Whether the service's own list has it. What it lacks must be written with number and name. */
  readonly isListed: boolean;
}

/** What a new project is about. Domains and spaces are named by their labels. */
export interface NewProject {
  readonly baseUrl: string;
  readonly domains: readonly ProjectAnswers[];
  readonly spaces: readonly ProjectAnswers[];
  /** Of links that name none; null: each names its own. */
  readonly defaultDomain: string | null;
  readonly owned: Owned | null;
}

/** Where nobody else makes links; an empty list limits nothing. `pixels` are globs of names, `*` is all of them. */
export interface Owned {
  readonly domains: readonly string[];
  readonly spaces: readonly string[];
  readonly pixels: readonly string[];
}

/** Signs in a line of a comment, without its `# `. */
const WIDTH = 100;

/**
 * What the files are to call these rows: their names, where those can stand in a key and mean one row; else their numbers,
 * which mean themselves everywhere.
 */
export function labelled(rows: readonly Omit<ProjectAnswers, "label">[]): ProjectAnswers[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const folded = row.name.toLowerCase();
    const isUsable = row.id === null || (isLabel(row.name) && !taken.has(folded));
    taken.add(folded);
    return { ...row, label: isUsable ? row.name : String(row.id) };
  });
}

/** Whether files can call a domain or space so: a number is an id to them, a slash ends a domain, and `__proto__` is no key. */
export function isLabel(name: string): boolean {
  if (name === "__proto__") return false;
  return /\P{Nd}/u.test(name) && name.trim() === name && !name.includes("/") && !hasUnseen(name);
}

/**
 * The project file. `schema`: where editors find its schema, from the file; null where they can't. `isComplete`: the files hold all that
 * is live in the scope, so that pruning deletes nothing.
 */
export function projectText(project: NewProject, schema: string | null, isComplete: boolean): string {
  const { domains, spaces, owned } = project;
  const labels: YamlEntry[] = [
    { key: "domains", value: labelsOf(domains) },
    { key: "spaces", value: labelsOf(spaces) },
  ].filter(({ value }) => value.entries.length > 0);
  const defaults = defaultsOf(project);
  return paragraphs(
    schemaLine(schema),
    section(
      "A linkform project: a service, and what these files say of its short links and pixels. Links stand in links/, in " +
        "files that end with .yaml.",
      {
        key: "version",
        value: 1,
      },
    ),
    section("The API key never stands in a file: set LINKFORM_API_KEY, or name a file with --api-key-file.", {
      key: "service",
      value: { entries: [{ key: "base_url", value: project.baseUrl }] },
    }),
    labels.length === 0
      ? ""
      : section("What these files and the plans call the service's domains and spaces, and its numbers.", ...labels),
    defaults.length === 0
      ? ""
      : section("For links that don't say otherwise.", {
          key: "defaults",
          value: { entries: [{ key: "link", value: { entries: defaults } }] },
        }),
    ...(owned === null ? [] : ownedTexts(owned, isComplete)),
  );
}

/** A link that is in no space would lie outside a scope of spaces. */
function defaultsOf({ defaultDomain, owned }: NewProject): YamlEntry[] {
  const [space, ...more] = owned?.spaces ?? [];
  return [
    ...(defaultDomain === null ? [] : [{ key: REFERENCE_FIELD.domain, value: defaultDomain }]),
    ...(space === undefined || more.length > 0 ? [] : [{ key: REFERENCE_FIELD.space, value: space }]),
  ];
}

/**
 * The scope, and what is deleted in it: nothing yet, as long as the files don't hold all that is live, because they would ask for
 * the rest to be deleted.
 */
function ownedTexts({ domains, spaces, pixels }: Owned, isComplete: boolean): string[] {
  const limits = { domains, spaces, pixels: pixels.includes("*") ? [] : pixels };
  const entries = Object.entries(limits).flatMap(([key, value]) => (value.length === 0 ? [] : [{ key, value }]));
  const aboutPixels =
    limits.pixels.length === 0 ? "" : " Pixels belong to it if their name is like one of these; links may use any.";
  return [
    section(
      `What these files are about. Whatever they declare must lie in here; the rest of the account is left alone.${aboutPixels}`,
      { key: "scope", value: { entries } },
    ),
    isComplete
      ? section(
          "This repository owns all that lies in the scope: what is live there and in no file is deleted by `linkform apply`, " +
            "whoever made it. With `none` it would be left alone.",
          { key: "prune", value: "scope" },
        )
      : section(
          "This repository owns all that lies in the scope. Once all of it is in these files (`linkform pull` brings it, and " +
            "then `linkform plan` is empty), write `scope` instead of `none`: from then on, what lies in the scope and is in " +
            "no file is deleted. Not before, because that would be everything.",
          { key: "prune", value: "none" },
        ),
  ];
}

/** A resource file with an example that declares nothing: it is all comments, so that nobody makes a link by accident. */
export function exampleText({ defaultDomain, domains }: NewProject, schema: string | null): string {
  const { label } = domains.find(({ isListed }) => isListed) ?? domains[0] ?? { label: "go.example.com" };
  const fields: readonly YamlEntry[] = [
    { key: DESTINATION_FIELD, value: "https://www.example.com/welcome" },
    { key: "note", value: "for people; it is not sent" },
  ];
  const key = defaultDomain === null ? `${label}/hello` : "hello";
  const link = yamlText({ entries: [{ key, value: { entries: fields } }] });
  return paragraphs(
    schemaLine(schema),
    `${comment(
      "Links by alias: the part of the short URL behind the domain. The example is a comment and makes nothing. Take the " +
        "signs # away, write your own alias and address, and `linkform plan` says what that would do.",
    )}links:\n${link.replaceAll(/^(?=.)/gm, "  # ")}`,
  );
}

function labelsOf(chosen: readonly ProjectAnswers[]): Block {
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
  return `${comment(about)}${yamlText({ entries })}`;
}

/** A sentence of ours as lines of a comment. */
function comment(text: string): string {
  const lines = text.match(new RegExp(`.{1,${WIDTH}}(?: |$)`, "g")) ?? [];
  return lines.map((line) => `# ${line.trimEnd()}\n`).join("");
}

/** With an empty line between them; an empty one is left out. */
function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}
