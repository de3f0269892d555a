// The documents for people: their fences, tables and code spans, with their places.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export const ROOT: string = path.resolve(import.meta.dirname, "../..");

/** The text between two fences. */
export interface Block {
  /** As in `README.md:13`, the line of the first fence. */
  readonly place: string;
  /** The text after the first fence: `sh`, `console`, `yaml`. */
  readonly language: string;
  readonly text: string;
  /** Its headings, the document's title first. */
  readonly under: readonly string[];
}

/** A word or a line in backticks, in a sentence or a table. */
export interface Span {
  readonly place: string;
  readonly text: string;
}

export interface Table {
  readonly place: string;
  /** Cells by row, without the head. */
  readonly rows: readonly (readonly string[])[];
}

export interface Document {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
  /** Blocks and spans in the order in which they are read. */
  readonly parts: readonly (Block | Span)[];
  readonly blocks: readonly Block[];
  readonly spans: readonly Span[];
  readonly tables: readonly Table[];
  readonly headings: readonly string[];
}

/** Every document of the repository except the changelog, which may name removed things. */
export async function readDocuments(): Promise<readonly Document[]> {
  const folders = await Promise.all(
    ["docs", "examples"].map(async (folder) => {
      const files = await readdir(path.join(ROOT, folder), { recursive: true });
      return files.map((file) => path.join(folder, file));
    }),
  );
  const pages = folders.flat().filter((file) => file.endsWith(".md"));
  const files = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...pages];
  return Promise.all(files.map(async (file) => parseDocument(file, await readFile(path.join(ROOT, file), "utf8"))));
}

function parseDocument(file: string, text: string): Document {
  const parts: (Block | Span)[] = [];
  const under: string[] = [];
  const headings: string[] = [];
  const tables: { place: string; rows: string[][] }[] = [];
  let open: { language: string; indent: string; place: string; lines: string[] } | null = null;
  let wasRow = false;
  for (const [at, line] of text.split("\n").entries()) {
    const place = `${file}:${at + 1}`;
    const [, indent = "", language] = /^( *)```(\S*)/.exec(line) ?? [];
    if (open !== null) {
      if (language === undefined) open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
      else {
        const body = open.lines.map((one) => `${one}\n`).join("");
        parts.push({ place: open.place, language: open.language, text: body, under: [...under] });
        open = null;
      }
      continue;
    }
    if (language !== undefined) {
      open = { language, indent, place, lines: [] };
      continue;
    }
    const [, marks = "", heading = ""] = /^(#+) (.+)$/.exec(line) ?? [];
    if (marks !== "") {
      headings.push(heading);
      under.splice(marks.length - 1, Infinity, heading);
    }
    for (const [, code = ""] of line.matchAll(/`([^`]+)`/g)) parts.push({ place, text: code });
    const isRow = line.startsWith("|");
    if (isRow && !wasRow) tables.push({ place, rows: [] });
    if (isRow) tables.at(-1)?.rows.push(cellsOf(line));
    wasRow = isRow;
  }
  if (open !== null) throw new Error(`${open.place}: this fence is not closed.`);
  return {
    file,
    text,
    parts,
    blocks: parts.filter(isBlock),
    spans: parts.filter((part) => !isBlock(part)),
    // The first two rows are the head and the line below it.
    tables: tables.map((table) => ({ place: table.place, rows: table.rows.slice(2) })),
    headings,
  };
}

export function isBlock(part: Block | Span): part is Block {
  return "language" in part;
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The texts in backticks in a cell. */
export function codesOf(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** The address of a heading in its page. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

/** The YAML files below a folder, by their path from the root, sorted. */
export async function yamlFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name));
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).toSorted();
}
