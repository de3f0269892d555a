// YAML text -> trees of its documents, and every mistake of the syntax.

import { parseAllDocuments } from "yaml";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { Reader } from "./reader.ts";
import { syntaxErrors } from "./syntax.ts";
import { isNull, type Node } from "./tree.ts";

/**
 * Parses a file's text, which may hold several documents; empty ones are left out. Every mistake of the syntax is
 * returned, and documents that have one, or are nested or aliased beyond reason, are left out as well.
 */
export function parseYaml(text: string, file: string): { documents: Node[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const placeAt = placesOf(text, file);
  const documents: Node[] = [];
  for (const document of parseDocuments(text)) {
    diagnostics.push(...syntaxErrors(document, { text, placeAt }));
    if (document.errors.length > 0 || document.contents === null) continue;
    const reader = new Reader(placeAt);
    const node = reader.read(document.contents, 0);
    diagnostics.push(...reader.diagnostics);
    if (!reader.overLimit && !isNull(node)) documents.push(node);
  }
  return { documents, diagnostics };
}

type Parsed = ReturnType<typeof parseAllDocuments>;

/** With no document at all the library answers with an empty marker instead of a list. */
function parseDocuments(text: string): Extract<Parsed, readonly unknown[]> | [] {
  const parsed = parseAllDocuments(text, {
    // The default is quadratic, and says nothing of the other place; `Reader` does both.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    schema: "core",
    version: "1.2",
  });
  return Array.isArray(parsed) ? parsed : [];
}

/** Tells where an offset lies. The library's own counter loses lines where the syntax is broken. */
function placesOf(text: string, file: string): (offset: number) => Place {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: Math.min(offset, text.length) - (starts[low] ?? 0) + 1 };
  };
}
