// YAML text -> trees of its documents, and every mistake of the syntax.

import { parseAllDocuments } from "yaml";
import { append } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import { NodeReader } from "./reader.ts";
import { CONFLICT_MARK, syntaxErrors } from "./syntax.ts";
import { isNull, type TreeNode } from "./tree.ts";

/** The documents of a file, and which of all that stand there each of them is, from 0. */
export interface ParsedYaml {
  readonly documents: TreeNode[];
  readonly indexes: number[];
  readonly diagnostics: Diagnostic[];
}

/** How files are parsed. */
export const PARSING = {
  // The default is quadratic, and says nothing of the other place; `Reader` does both.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
  schema: "core",
  version: "1.2",
} as const;

/**
 * Parses a file's text, which may hold several documents; empty ones are left out. Every mistake of the syntax is
 * returned, and documents that have one, or are nested or aliased beyond reason, are left out as well. `ref` is the commit that
 * the file stands in, if it is not on disk.
 */
export function parseYaml(text: string, file: string, ref: string | null = null): ParsedYaml {
  const diagnostics: Diagnostic[] = [];
  // The library's own counter loses lines where the syntax is broken.
  const source = new SourceText(text, file, ref);
  const placeAt = (offset: number, end?: number): Place => source.place(offset, end);
  const conflictAt = text.search(CONFLICT_MARK);
  const documents: TreeNode[] = [];
  const indexes: number[] = [];
  for (const [index, document] of parseDocuments(text).entries()) {
    append(diagnostics, syntaxErrors(document, { text, placeAt, conflictAt }));
    if (document.errors.length > 0 || document.contents === null) continue;
    const reader = new NodeReader(placeAt);
    const node = reader.read(document.contents, 0);
    append(diagnostics, reader.diagnostics);
    if (reader.overLimit || isNull(node)) continue;
    documents.push(node);
    indexes.push(index);
  }
  return { documents, indexes, diagnostics };
}

type YamlResult = ReturnType<typeof parseAllDocuments>;

/** With no document at all the library answers with an empty marker instead of a list. */
function parseDocuments(text: string): Extract<YamlResult, readonly unknown[]> | [] {
  const parsed = parseAllDocuments(text, PARSING);
  return Array.isArray(parsed) ? parsed : [];
}
