// Tables of docs/ that are written by hand agree with the code. Fails when a schema, an event or a function is added, renamed or removed
// and its page has not followed.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import * as library from "../src/index.ts";
import { compareText } from "../src/domain/place.ts";
import { codesOf, readDocuments, ROOT, type Table } from "./support/documents.ts";

const documents = await readDocuments();

/** The rows of the table of a page whose first column has this cell. */
function rowsWith(file: string, first: string): Table["rows"] {
  const page = documents.find((document) => document.file === file);
  const table = page?.tables.find(({ rows }) => rows.some(([cell]) => cell === first));
  if (table === undefined) throw new Error(`${file} has no table with the row ${first}.`);
  return table.rows;
}

test("docs/reports.md links to every schema", async () => {
  const linked = rowsWith("docs/reports.md", "`apply`").map(([, schema = ""]) => /schemas\/(.+)\)/.exec(schema)?.[1]);
  expect(linked.map(String).toSorted(compareText)).toEqual(
    (await readdir(path.join(ROOT, "schemas"))).toSorted(compareText),
  );
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
  expect(listed.toSorted(compareText)).toEqual(functions.toSorted(compareText));
});
