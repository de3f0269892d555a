// What the pages state about the program agrees with the program: flags, the brake, and what versions of the service differ in.
// Fails when one of these changes and a table does not follow, or when a sentence names an unknown flag. Generated tables
// (docs/commands.md, docs/file-format.md) are checked by `npm run docs:check`. Tables are found by the names in their first column.

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { projectSchema } from "../src/config/schema.ts";
import { DEFAULT_BRAKE } from "../src/domain/project.ts";
import type { FieldSpec } from "../src/domain/field.ts";
import { LINK_FIELDS } from "../src/domain/link-fields.ts";
import { PIXEL_FIELDS } from "../src/domain/pixel-fields.ts";
import { SOFTWARE } from "../src/domain/software.ts";
import { BROWSERS } from "../src/domain/target-keys.ts";
import { allWords, wireOf, wordsIn } from "../src/domain/wire.ts";
import { VISIT_RULES } from "../src/domain/visit.ts";
import { codesOf, readDocuments, type Document, type Table } from "./support/documents.ts";

const documents = await readDocuments();

/** What people are told of the program, without what is for those who work on it. */
const guides = documents.filter(({ file }) => file !== "CONTRIBUTING.md");

/** The table whose first column has most of these; its cells in the first column can name several. */
function tableOf(names: readonly string[], read = codesOf): { readonly place: string; readonly rows: Table["rows"] } {
  const hits = (table: Table): number =>
    table.rows.filter(([first]) => read(first).some((name) => names.includes(name))).length;
  const [best] = guides.flatMap(({ tables }) => tables).toSorted((one, other) => hits(other) - hits(one));
  if (best === undefined || hits(best) === 0) throw new Error(`No table names ${names.join(", ")}.`);
  return best;
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();
const firstColumn = (rows: Table["rows"]): string[] => sorted(rows.flatMap(([first]) => codesOf(first)));
const flagsOf = (text: string): string[] => [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);

/** The flags of each command, from the reference, which `npm run docs:check` compares with the command tree. */
const reference = documents.find(({ file }) => file === "docs/commands.md")?.text ?? "";
const helps = new Map(
  reference
    .split(/^## /m)
    .slice(1)
    .flatMap((section): [string, readonly string[]][] => {
      const [name = ""] = section.split("\n");
      return section.includes(`\nlinkform ${name} `) ? [[name, flagsOf(section)]] : [];
    }),
);
const commands = [...helps.keys()];
const allFlags = sorted([...helps.values()].flat());

/** Every command has these. */
const UNIVERSAL = ["--help", "--version"];

/** The spans and lines of a document that are commands of linkform, or parts of one. */
function saidToLinkform({ spans, blocks }: Document): { readonly place: string; readonly text: string }[] {
  const typed = blocks
    .filter(({ language }) => language === "sh" || language === "console")
    .flatMap(({ place, text }) => text.split(/\n| && /).map((line) => ({ place, text: line.replace(/^\$ /, "") })));
  const isOurs = (text: string): boolean =>
    text.startsWith("--") || text.startsWith("linkform ") || commands.some((name) => text.startsWith(`${name} `));
  return [...spans, ...typed].filter(({ text }) => isOurs(text));
}

describe("commands and flags", () => {
  test("the reference has them", () => {
    expect(commands).toEqual(expect.arrayContaining(["init", "plan", "apply", "completion"]));
    expect(helps.get("plan")).toEqual(expect.arrayContaining(["--out", "--base", "--json", "--verbose"]));
  });

  test.each(guides)("$file names no others", (document) => {
    for (const { place, text } of saidToLinkform(document)) {
      const [, name = ""] = /^linkform ([a-z]+)/.exec(text) ?? [];
      for (const flag of flagsOf(text))
        expect([...(helps.get(name) ?? allFlags), ...UNIVERSAL], `${place}: ${text}`).toContain(flag);
    }
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
}

/** The schema of a project file. */
const project: Schema = JSON.parse(JSON.stringify(z.toJSONSchema(projectSchema, { io: "input" })));

const branches = (schema: Schema): readonly Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(branches)];

/** The keys of a setting that is a map. */
function keysIn(setting: string): string[] {
  const schema = project.properties?.[setting] ?? {};
  return sorted(branches(schema).flatMap(({ properties }) => Object.keys(properties ?? {})));
}

// `npm run docs:check` compares the tables of docs/file-format.md with the schemas.
describe("settings of a project", () => {
  test("are explained: keys and defaults of the brake, and the values of prune", () => {
    const { rows } = tableOf(keysIn("brake"));
    expect(firstColumn(rows)).toEqual(keysIn("brake"));
    const { deletes, updates, clicks, from } = DEFAULT_BRAKE;
    const limits = [...Object.values(deletes), ...Object.values(updates)];
    expect(limits).toEqual(limits.map(() => ({ share: 0.3 })));
    expect({ clicks, from }).toEqual({ clicks: null, from: 10 });
    expect(rows.map((row) => row.at(-1))).toEqual(["30%", "30%", "no limit", "10"]);
    const words = project.properties?.["prune"]?.enum ?? [];
    expect(firstColumn(tableOf(words).rows)).toEqual(sorted(words));
  });
});

describe("the page on versions of the service", () => {
  const page = documents.find(({ file }) => file === "docs/service-compatibility.md");
  const cell = (names: readonly (string | number)[]): string => names.map((name) => `\`${name}\``).join(", ");
  const NONE = "–";

  /** The rows of the table whose rows begin with this cell. */
  function rowsFrom(first: string): Table["rows"] {
    const table = page?.tables.find(({ rows }) => rows.some(([begins]) => begins === first));
    if (table === undefined) throw new Error(`No table of the page has a row that begins with ${first}.`);
    return table.rows;
  }

  function fieldCells(field: FieldSpec): string[] {
    const paths = field.kind === "instant" ? [field.path, field.timePath] : [field.path];
    const cells = SOFTWARE.map((software) => {
      const wire = wireOf(field, software);
      if (wire === null) return NONE;
      const { sent, returned, form } = wire;
      const time = field.kind === "instant" && form === "plain" && field.sentTime !== null ? [field.sentTime] : [];
      const request = cell([field.kind === "references" ? `${sent}[]` : sent, ...time]);
      return returned === sent ? request : `${request} → ${cell([returned])}`;
    });
    return [cell(paths), ...cells];
  }

  test.each([
    { of: "a link", rows: LINK_FIELDS },
    { of: "a pixel", rows: PIXEL_FIELDS },
  ])("has the names of every field of $of in every version", ({ rows: fields }) => {
    const expected = fields.map(fieldCells);
    expect(rowsFrom(expected[0]?.[0] ?? "")).toEqual(expected);
  });

  test("has every word whose value differs between versions", () => {
    const expected = [...LINK_FIELDS, ...PIXEL_FIELDS].flatMap((field) => {
      if (field.kind !== "word") return [];
      const rows = allWords(field).map((word) => {
        const values = SOFTWARE.map((software) => wordsIn(field, software)[word]);
        const cells = values.map((value) => (value === undefined ? NONE : cell([value === "" ? '""' : value])));
        return [cell([`${field.path}: ${word}`]), ...cells];
      });
      return rows.filter(([, ...cells]) => new Set(cells).size > 1);
    });
    expect(rowsFrom(expected[0]?.[0] ?? "")).toEqual(expected);
  });

  test("has the names of the filters in every version", () => {
    const expected = LINK_FIELDS.flatMap((field) => {
      const names = SOFTWARE.map((software) => wireOf(field, software)?.filter);
      return names.every((name) => typeof name === "string")
        ? [[cell([field.path]), ...names.map((name) => cell([name]))]]
        : [];
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(rowsFrom("The field to search")).toEqual(expect.arrayContaining(expected));
  });

  test("has the order of a visit's checks in every version", () => {
    const names = { expired: "expired", disabled: "disabled", password: "password", warning: "warning page" };
    const orders = SOFTWARE.map((software) => VISIT_RULES[software].gates.map((gate) => names[gate]).join(", "));
    expect(rowsFrom("Order of the checks")).toContainEqual(["Order of the checks", ...orders]);
  });

  test("names the known browsers", () => {
    expect(page?.spans.map(({ text }) => text)).toEqual(expect.arrayContaining([...BROWSERS]));
  });

  test("names the columns of its tables in the order of the versions", () => {
    const heads = page?.text.split("\n").filter((_, at, lines) => lines[at + 1]?.startsWith("| -") === true);
    const columns = heads?.map((head) =>
      head
        .split("|")
        .slice(2, -1)
        .map((name) => name.trim()),
    );
    expect(columns).toEqual(columns?.map(() => [...SOFTWARE]));
  });
});
