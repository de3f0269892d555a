// What the reference pages of docs/ are generated from.

import { Command } from "commander";
import { addCommands } from "../src/cli/program.ts";
import type { Form } from "../src/config/form.ts";
import { projectKeys, projectSchema } from "../src/config/schema.ts";
import { formatInline } from "../src/config/yaml.ts";
import { PIXEL_VALUES } from "../src/domain/pixel-fields.ts";
import { fieldAt, type ResourceKind } from "../src/domain/table.ts";

export { EXIT_MEANINGS, FORMAT_MEANINGS, SHARED, VARIABLES } from "../src/cli/flags.ts";
export { FORMATS_OF } from "../src/report/format.ts";

/** The program with all commands. They do nothing. */
export const program: Command = new Command("linkform");
addCommands(program, async () => undefined);

interface Key {
  readonly path: string;
  readonly form: Form;
  readonly isRequired: boolean;
}

/** The keys of a map, and the keys below those in `groups`. */
function keysOf({ map }: Form, groups: readonly string[], parent = ""): Key[] {
  return [...(map?.keys ?? [])].flatMap(([name, form]): Key[] => {
    const key = { path: `${parent}${name}`, form, isRequired: map?.required?.includes(name) === true };
    return groups.includes(name) ? [key, ...keysOf(form, groups, `${key.path}.`)] : [key];
  });
}

/** The form of an entry of `links` or `pixels`. */
function entryOf(section: string): Form {
  const found = projectSchema.map?.keys?.get(section)?.map?.value;
  if (found === undefined) throw new Error(`No map in the form of ${section}.`);
  return found;
}

function descriptionOf({ shown }: Form): string {
  const description = shown?.["description"];
  return typeof description === "string" ? description : "";
}

const code = (text: string): string => `\`${text}\``;
const inline = (value: unknown): string => code(formatInline(value));

/** A description can end with its default in words, where no value expresses it. */
const DEFAULT_IN_WORDS = /^(.*) Default: (.*)\.$/s;

/** What to write to get the default. It is empty where the description explains it. */
function defaultCell({ form, isRequired }: Key): string {
  if (isRequired) return "required";
  const [, , inWords = ""] = DEFAULT_IN_WORDS.exec(descriptionOf(form)) ?? [];
  const value = form.shown?.["default"];
  return value === undefined ? inWords : inline(value);
}

/** Pages that explain a key. */
const PAGES: Readonly<Record<string, string>> = {
  scope: "ownership.md#share-an-account-scope",
  prune: "ownership.md#prune",
  protect: "safety.md#protection",
  brake: "safety.md#the-brake",
  allow: "safety.md#allow-only-some-actions",
  rules: "rules.md",
  families: "#families",
  utm: "#utm-parameters",
  policies: "#policies-and-waivers",
  absent: "ownership.md#delete-with-a-tombstone",
};

function keyRow(key: Key): string[] {
  const page = PAGES[key.path];
  const name = code(key.path);
  return [page === undefined ? name : `[${name}](${page})`, meaningCell(key.form), defaultCell(key)];
}

/** The description without its default, and with the accepted words if it lacks them. */
function meaningCell(form: Form): string {
  const description = descriptionOf(form);
  const [, whole = description] = DEFAULT_IN_WORDS.exec(description) ?? [];
  const about = whole.replace(/Available only (in versions? .+) of the service\.$/, "Only $1.");
  const words = form.text?.words ?? [];
  return words.length < 2 || words.every((word) => about.includes(word))
    ? about
    : `${about} Values: ${words.map(code).join(", ")}.`;
}

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function fieldTable(kind: ResourceKind, section: string): Table {
  const rows = keysOf(entryOf(section), ["expiration", "targeting"]).map((key) => {
    const isRequired = key.isRequired || fieldAt(kind, key.path)?.required === true;
    return [code(key.path), meaningCell(key.form), defaultCell({ ...key, isRequired })];
  });
  return { head: ["Field", "Meaning", "Default"], rows };
}

/** The keys of files that a project file has, or those that resource files have, too. */
function keyTable(isOfProject: boolean): Table {
  const keys = keysOf(projectSchema, ["service", "scope", "brake", "defaults"]).filter(
    ({ path }) => Object.hasOwn(projectKeys, path.split(".")[0] ?? "") === isOfProject,
  );
  return { head: ["Key", "Meaning", "Default"], rows: keys.map(keyRow) };
}

/** The generated tables, by the page and the name of the part. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  "docs/file-format.md": {
    "project-keys": keyTable(true),
    "resource-keys": keyTable(false),
    "link-fields": fieldTable("link", "links"),
    "pixel-fields": fieldTable("pixel", "pixels"),
  },
  "docs/rules.md": {
    "pixel-values": {
      head: ["Type", "Form", "Example"],
      rows: Object.entries(PIXEL_VALUES).map(([type, { shape, example }]) => [code(type), shape, code(example)]),
    },
  },
};
