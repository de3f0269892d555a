// Findings and places as JSON documents show them.

import { groupIdentical, moreFindings, MOST_SHOWN, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { DiagnosticDocument, PlaceDocument, ValidateDocument } from "./json/schema.ts";
import type { RunReport } from "./format.ts";
import { excerptOf } from "./redaction.ts";

export function placeDocument({ file, line, column, length, source }: Place): PlaceDocument {
  const end_column = length === undefined ? undefined : column + length;
  return { file, line, column, end_column, ref: source?.ref ?? undefined };
}

/** A place in a commit is not a place in the current files. */
export function diagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const { code, severity, message, place, hint, also, owners } = diagnostic;
  const all = place === null ? undefined : placeDocument(place);
  const at = all?.ref === undefined ? all : undefined;
  return {
    code,
    severity,
    message,
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    end_column: at?.end_column ?? null,
    hint,
    source: at === undefined ? all : undefined,
    excerpt: place === null ? undefined : excerptOf(place),
    also: also?.map((one) => ({ ...placeDocument(one.place), says: one.says, excerpt: excerptOf(one.place) })),
    owner: owners && [...owners],
  };
}

/** Of findings that are identical, up to 100 and the number of the others, or all with `listsAll`. */
export function diagnosticDocuments(diagnostics: readonly Diagnostic[], listsAll = false): DiagnosticDocument[] {
  if (listsAll) return diagnostics.map(diagnosticDocument);
  return groupIdentical(diagnostics).flatMap((all) => {
    const left = all.slice(MOST_SHOWN);
    const more = moreFindings(left).map((one) => ({ ...diagnosticDocument(one), more: left.length }));
    return [...all.slice(0, MOST_SHOWN).map(diagnosticDocument), ...more];
  });
}

export interface FindingsResult extends Pick<ValidateDocument, "valid" | "files" | "destinations"> {
  readonly command: "validate" | "check";
  readonly diagnostics: readonly Diagnostic[];
  readonly listsAll: boolean;
}

export function findingsReport(result: FindingsResult): RunReport {
  const { command, valid, files, destinations, listsAll } = result;
  const diagnostics = diagnosticDocuments(result.diagnostics, listsAll);
  return { of: "run", command, document: { format_version: "1.0", valid, files, diagnostics, destinations } };
}
