// What `explain` has to tell: where visitors of a short URL are sent, as the files declare it, as it is live, or both.

import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { NoteCode, Visitor, Visits } from "../domain/visit.ts";
import type { Software } from "../domain/software.ts";

/** A link, or what there is in its place. */
export type FoundLink =
  | ({ readonly is: "link" } & Visits)
  /** No link has the alias. */
  | { readonly is: "missing" }
  /** No file declares it. */
  | { readonly is: "not declared" }
  /** The files ask for its deletion, or give the link another key. */
  | { readonly is: "deleted" }
  | { readonly is: "renamed"; readonly to: string };

/** One side: the files, or the account. */
export interface ExplainedSide {
  readonly from: "files" | "live";
  /** As people write it; null where there is no such link. */
  readonly key: string | null;
  /** The service's id; null where it is not known. */
  readonly id: number | null;
  /** Where the files say it. */
  readonly place: Place | null;
  /** Clicks that were reckoned with; null where nobody says. */
  readonly clicks: number | null;
  readonly found: FoundLink;
  /** What holds of the link as a whole. */
  readonly notes: readonly NoteCode[];
}

export interface ExplainReport {
  readonly of: "explain";
  /** As it was written. */
  readonly asked: string;
  readonly visitor: Visitor;
  /** The zone in which times are shown. */
  readonly zone: string;
  /** Of the service; null where nobody knows it. */
  readonly version: Software | null;
  /** One side, or the files and the account. */
  readonly sides: readonly ExplainedSide[];
  readonly diagnostics: readonly Diagnostic[];
}
