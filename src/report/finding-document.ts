// Findings and places as JSON documents show them.

import { groupIdentical, moreFindings, MOST_SHOWN, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { DiagnosticDocument, PlaceDocument, ValidateDocument } from "./json/schema.ts";
import type { RunReport } from "./report.ts";
import { excerptOf } from "./redaction.ts";

export function placeDocument({ file, line, column, length, source }: Place): PlaceDocument {
  const end_column = length === undefined ? undefined : column + length;
  return { file, line, column, end_column, ref: source?.ref ?? undefined };
}

/** A diagnostic as JSON shows it. A place in a commit is not a place in the current files. */
export function diagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const { code, severity, message, place, hint, also, owners } = diagnostic;
  const isInCommit = (place?.source?.ref ?? null) !== null;
  const at = isInCommit ? null : place;
  return {
    code,
    severity,
    message,
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    end_column: at?.length === undefined ? null : at.column + at.length,
    hint,
    source: place !== null && isInCommit ? placeDocument(place) : undefined,
    excerpt: place === null ? undefined : excerptOf(place),
    also: also?.map((one) => ({ ...placeDocument(one.place), says: one.says, excerpt: excerptOf(one.place) })),
    owner: owners && [...owners],
  };
}

/** Findings as JSON shows them. Of those that are identical, up to 100 and the number of the others, or all with `listsAll`. */
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
  /** The document has every place of findings that are identical, and not only the first ones. */
  readonly listsAll: boolean;
}

export function findingsReport(result: FindingsResult): RunReport {
  const { command, valid, files, destinations } = result;
  const diagnostics = diagnosticDocuments(result.diagnostics, result.listsAll);
  return { of: "run", command, document: { format_version: "1.0", valid, files, diagnostics, destinations } };
}
