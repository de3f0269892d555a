// A project in a temporary folder, sheets next to it, and the declarations after an import.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { importCsv, type ImportFlags } from "../../src/import/command.ts";
import { loadProject } from "../../src/config/load.ts";
import type { Declaration } from "../../src/domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../../src/domain/table.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "./scenario.ts";

const PROJECT = `version: 1
service: { base_url: "https://short.example.com" }
domains: { go.example.com: 2, promo.example.com: 3 }
spaces: { Marketing: 1 }
`;

class Importing {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Imports a sheet with this text. */
  async run(csv: string | Uint8Array, flags: ImportFlags = {}, name = "sheet.csv"): Promise<Ran> {
    await writeFile(path.join(this.folder, name), csv);
    return runIn(this.folder, {}, (world) => importCsv(world, name, flags));
  }

  /** Imports a valid sheet into valid files, and returns the output. */
  async good(csv: string | Uint8Array, flags: ImportFlags = {}, name = "sheet.csv"): Promise<Ran> {
    const ran = await this.run(csv, flags, name);
    expect({ exit: ran.exit, err: ran.exit === 0 ? "" : ran.err }).toEqual({ exit: 0, err: "" });
    return ran;
  }

  /** The declarations of the files by key, in order: their values, and the variables of secrets. */
  async declared(): Promise<Record<string, Record<string, unknown>>> {
    const { declarations, diagnostics } = await loadProject(path.join(this.folder, "linkform.yaml"));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return Object.fromEntries(declarations.map((one) => [keyOf(one), valuesOf(one)]));
  }

  async text(file: string): Promise<string | null> {
    return readFile(path.join(this.folder, file), "utf8").catch(() => null);
  }
}

function keyOf({ domain, name }: Declaration): string {
  return domain === null ? name : `${domain}/${name}`;
}

function valuesOf({ kind, fields, secrets }: Declaration): Record<string, unknown> {
  const inKey = new Set([KEY_FIELD[kind], REFERENCE_FIELD.domain]);
  const said = [...fields].flatMap(([field, { value }]) => (inKey.has(field) ? [] : [[field, value]]));
  return Object.fromEntries([...said, ...[...secrets].map(([field, source]) => [field, source.name])]);
}

/** A project without links, or with more text in its project file and with other files. */
export async function startImport(more = "", files: Readonly<Record<string, string>> = {}): Promise<Importing> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": PROJECT + more, ...files });
  return new Importing(folder);
}

/** Lines of a CSV file with the line ends of a spreadsheet. */
export function lines(...rows: readonly string[]): string {
  return rows.map((row) => `${row}\r\n`).join("");
}
