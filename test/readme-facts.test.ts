// Compares the pages with the program: flags, the brake, schemas, functions, and the differences of versions. Fails if one of these changes
// and a table does not, or if a sentence names an unknown flag. Generated tables (docs/commands.md, docs/file-format.md) are checked by
// `npm run docs:check`. Tables are found by the names in their first column.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Form } from "../src/config/form.ts";
import { projectSchema } from "../src/config/schema.ts";
import { DEFAULT_BRAKE } from "../src/domain/project.ts";
import { LINK_FIELDS } from "../src/domain/link-fields.ts";
import { SOFTWARE, type Software } from "../src/domain/software.ts";
import { BROWSERS } from "../src/domain/target-keys.ts";
import { wireOf } from "../src/domain/wire.ts";
import { VISIT_RULES } from "../src/domain/visit.ts";
import * as library from "../src/index.ts";
import { codesOf, readDocuments, ROOT, type Document, type Table } from "./support/documents.ts";

const documents = await readDocuments();

/** The documents for users. */
const guides = documents.filter(({ file }) => file !== "CONTRIBUTING.md");

/** The table whose first column has most of these; its cells in the first column can name several. */
function tableOf(names: readonly string[], read = codesOf): { readonly place: string; readonly rows: Table["rows"] } {
  const hits = (table: Table): number =>
    table.rows.filter(([first]) => read(first).some((name) => names.includes(name))).length;
  const [best] = guides.flatMap(({ tables }) => tables).toSorted((one, other) => hits(other) - hits(one));
  if (best === undefined || hits(best) === 0) throw new Error(`No table names ${names.join(", ")}.`);
  return best;
}

/** The rows of the table of a page whose first column has this cell. */
function rowsWith(file: string, first: string): Table["rows"] {
  const page = documents.find((document) => document.file === file);
  const table = page?.tables.find(({ rows }) => rows.some(([cell]) => cell === first));
  if (table === undefined) throw new Error(`${file} has no table with the row ${first}.`);
  return table.rows;
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

/** The form of a setting of a project. */
function settingOf(name: string): Form {
  const found = projectSchema.map?.keys?.get(name);
  if (found === undefined) throw new Error(`a project has no setting ${name}`);
  return found;
}

// `npm run docs:check` compares the tables of docs/file-format.md with the schemas.
describe("settings of a project", () => {
  test("are explained: keys and defaults of the brake, and the values of prune", () => {
    const keys = sorted([...(settingOf("brake").map?.keys?.keys() ?? [])]);
    const { rows } = tableOf(keys);
    expect(firstColumn(rows)).toEqual(keys);
    expect(DEFAULT_BRAKE).toEqual({ deletes: { share: 0.3 }, updates: { share: 0.3 }, clicks: null });
    expect(rows.map((row) => row.at(-1))).toEqual(["30%", "30%", "no limit"]);
    const words = settingOf("prune").text?.words ?? [];
    expect(firstColumn(tableOf(words).rows)).toEqual(sorted(words));
  });
});

describe("the page on versions of the service", () => {
  const page = documents.find(({ file }) => file === "docs/service-compatibility.md");

  /** The names of the fields of a link in requests. */
  function sentNames(software: Software): string[] {
    return LINK_FIELDS.flatMap((field) => {
      const wire = wireOf(field, software);
      if (wire === null) return [];
      return field.kind === "references" ? `${wire.sent}[]` : wire.sent;
    });
  }

  /** The names that an item of a list gives for a version. */
  function namesFor(version: string): string[] {
    const [, item = ""] = page?.text.split(`\n- **${version}** `) ?? [];
    return codesOf(item.split(/\n(?:-|\n)/)[0]);
  }

  test("has names of fields in the first versions", () => {
    const names = namesFor("4.1 and 4.9");
    expect(names.length).toBeGreaterThan(5);
    for (const software of ["4.1", "4.9"] as const) expect(sentNames(software)).toEqual(expect.arrayContaining(names));
  });

  test.each([
    { before: "4.9", software: "44", others: ["x", "twitter"] },
    { before: "44", software: "49", others: ["password"] },
  ] as const)("has every name of a field that is new in $software", ({ before, software, others }) => {
    const known = sentNames(before);
    const added = sentNames(software).filter((name) => !known.includes(name));
    expect(sorted(namesFor(software))).toEqual(sorted([...added, ...others]));
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

test("docs/explain.md has the order of a visit's checks in every version", () => {
  const rows = rowsWith("docs/explain.md", "Is it disabled?");
  const places = ["first", "second", "third"];
  const versions = ["4.1", "4.9", "44", "49"] as const;
  const expected = (["disabled", "expired", "password", "warning"] as const).map((gate) =>
    versions.map((version) => places[VISIT_RULES[version].gates.indexOf(gate)] ?? ""),
  );
  // 4.9 and 44 share a column.
  const shown = rows.map(([, , oldest, middle, newest]) => [oldest, middle, middle, newest]);
  expect(shown).toEqual(expected);
});

test("docs/reports.md links to every schema", async () => {
  const linked = rowsWith("docs/reports.md", "`apply`").map(([, schema = ""]) => /schemas\/(.+)\)/.exec(schema)?.[1]);
  expect(sorted(linked.map(String))).toEqual(sorted(await readdir(path.join(ROOT, "schemas"))));
});

test("docs/reports.md has every line of a record in its order", async () => {
  const schema = await readFile(path.join(ROOT, "schemas/record.schema.json"), "utf8");
  const events = [...schema.matchAll(/"event": \{[^}]*"const": "(\w+)"/g)].map(([, event]) => event);
  const listed = rowsWith("docs/reports.md", "`planned`").map(([event]) => codesOf(event)[0]);
  expect(listed).toEqual(events);
});

test("docs/library.md has every function of the package", () => {
  const functions = Object.entries(library).flatMap(([name, value]) =>
    typeof value === "function" && !/^[A-Z]/.test(name) ? [name] : [],
  );
  const listed = rowsWith("docs/library.md", "`planDocument(plan)`").map(
    ([call]) => codesOf(call)[0]?.split("(")[0] ?? "",
  );
  expect(sorted(listed)).toEqual(sorted(functions));
});
