// What the README states of the program agrees with the program: commands, flags, exit codes, keys of the files and fields.
// Fails when a flag, command, key, field or word is added, renamed or taken away and the tables have not followed, or when a
// sentence names a flag that is none. Tables are found by what stands in their first column, wherever they are.

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
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
}

/** What the loader lets people write in a project file. */
const project: Schema = JSON.parse(JSON.stringify(z.toJSONSchema(projectSchema, { io: "input" })));

/** The keys of a map, below a path of keys; `*` is any key. */
function keysAt(...keys: readonly string[]): string[] {
  let found: readonly Schema[] = [project];
  const branches = (schema: Schema): readonly Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(branches)];
  for (const key of keys) {
    found = found.flatMap(branches).flatMap(({ properties, additionalProperties }) => {
      if (key !== "*") return properties?.[key] ?? [];
      return typeof additionalProperties === "object" ? additionalProperties : [];
    });
  }
  return sorted(found.flatMap(branches).flatMap(({ properties }) => Object.keys(properties ?? {})));
}

describe("keys of the files", () => {
  /** What a block holds beside its fields, as the paths that the table of fields has. */
  function pathsOf(specs: readonly FieldSpec[], keyOfBlock: string, keys: readonly string[]): string[] {
    const fields = specs.flatMap((field) => (field.kind === "instant" ? [field.path, field.timePath] : field.path));
    const heads = new Set(fields.map((field) => field.split(".")[0]));
    return sorted([...fields.filter((field) => field !== keyOfBlock), ...keys.filter((key) => !heads.has(key))]);
  }

  /** The words that a field takes. Browsers are named on a page of their own, because the service knows others, too. */
  function wordsOf(field: FieldSpec): readonly string[] {
    if (field.kind === "word") return [...allWords(field), ...Object.keys(field.synonyms)];
    return field.kind === "map" && field.path !== "targeting.browser" ? field.keys.words : [];
  }

  const kinds = [
    { of: "a link", fields: LINK_FIELDS, names: pathsOf(LINK_FIELDS, "alias", keysAt("links", "*")) },
    { of: "a pixel", fields: PIXEL_FIELDS, names: pathsOf(PIXEL_FIELDS, "name", keysAt("pixels", "*")) },
  ];

  test.each(kinds)("are the fields of $of", ({ names }) => {
    const { place, rows } = tableOf(names);
    expect(firstColumn(rows), `the table at ${place}`).toEqual(names);
  });

  test.each(kinds)("say of the fields of $of what they take, and which are required", ({ fields, names }) => {
    const { place, rows } = tableOf(names);
    for (const field of fields.filter(({ path: own }) => names.includes(own))) {
      const [, taken = "", byDefault = ""] = rows.find(([first]) => codesOf(first).includes(field.path)) ?? [];
      expect(byDefault === "required", `${place} ${field.path}`).toBe(field.required);
      const words = wordsOf(field);
      for (const word of words) expect(taken, `${place} ${field.path}`).toContain(word);
      if (field.kind === "word") expect(sorted(codesOf(taken)), `${place} ${field.path}`).toEqual(sorted(words));
    }
  });

  test("are those of a project", () => {
    const ofProject = tableOf(["prune", "protect", "files", "timezone"]);
    const ofResource = tableOf(["links", "pixels", "absent"]);
    const told = [...firstColumn(ofProject.rows), ...firstColumn(ofResource.rows)];
    // `version` is no choice.
    expect(sorted(["version", ...told.map((name) => name.split(".")[0] ?? "")])).toEqual(keysAt());
    const nested = (head: string): string[] =>
      told.filter((name) => name.startsWith(`${head}.`)).map((name) => name.slice(head.length + 1));
    expect(sorted(nested("service"))).toEqual(keysAt("service"));
    expect(sorted(nested("defaults"))).toEqual(keysAt("defaults"));
  });

  test("are those of the brake, and the words of prune", () => {
    const { rows } = tableOf(keysAt("brake"));
    expect(firstColumn(rows)).toEqual(keysAt("brake"));
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
