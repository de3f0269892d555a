// The data of `explain`: where a short URL sends visitors according to the files or the account.

import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { NoteCode, VersionVisit, Visitor, Visits, Who } from "../domain/visit.ts";
import type { Software } from "../domain/software.ts";
import { groupBy } from "../domain/collections.ts";
import { placeDocument } from "./change-document.ts";

/** The link, or why there is none. */
export type FoundLink =
  | ({ readonly is: "link" } & Visits)
  /** No link has the alias. */
  | { readonly is: "missing" }
  /** The files ask for its deletion, or give the link another key. */
  | { readonly is: "deleted" }
  | { readonly is: "renamed"; readonly to: string };

/** The explanation according to the files or the account. */
export interface ExplainedSide {
  readonly from: "files" | "live";
  /** Null if there is no such link. */
  readonly key: string | null;
  /** Null if it is not known. */
  readonly id: number | null;
  /** Its declaration. */
  readonly place: Place | null;
  /** The click count that the explanation assumes; null if it is not known. */
  readonly clicks: number | null;
  readonly found: FoundLink;
  /** Notes about the link, not about a step. */
  readonly notes: readonly NoteCode[];
}

export interface ExplainReport {
  readonly of: "explain";
  /** The argument of the command. */
  readonly asked: string;
  readonly visitor: Visitor;
  /** The time zone of the output. */
  readonly zone: string;
  /** The version of the service; null if it is not known. */
  readonly version: Software | null;
  readonly side: ExplainedSide;
  readonly diagnostics: readonly Diagnostic[];
}

/** A place in the files. */
export type SourceDocument = { file: string; line: number; column: number } | null;

/** A page that is shown before or instead of a redirect. */
type PageName = "expired" | "disabled" | "password" | "warning" | "pixels" | "not-found" | "error";

/** `status` is the HTTP status of the first answer; null if it is not known. */
export interface VisitOutcome {
  status: 200 | 301 | 404 | 500 | null;
  pages: PageName[];
  pixels: string[];
  goes_to: { who: Who; url: string; source: SourceDocument }[];
  /** The destination of visitors who accept tracking; null without pixels. */
  after_consent: { url: string; source: SourceDocument } | null;
}

/** The visits in each version, if the version is not known and the outcomes differ; else none. */
export function differingVersions(found: FoundLink): readonly VersionVisit[] {
  return groupVersions(found).flatMap(({ versions, visit }) => versions.map((version) => ({ version, visit })));
}

/** Versions with the same outcome. */
export interface VersionGroup extends Pick<VersionVisit, "visit"> {
  readonly versions: readonly Software[];
}

/** Like `differingVersions`, grouped by outcome. */
export function groupVersions(found: FoundLink): readonly VersionGroup[] {
  if (found.is !== "link") return [];
  const groups = groupBy([found, ...found.others], (one) => outcomeKey(visitOutcome(one)));
  if (groups.size < 2) return [];
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ visit }) => ({ visit, versions: group.map(({ version }) => version) })),
  );
}

function outcomeKey({ status, pages, pixels, goes_to: destinations, after_consent: after }: VisitOutcome): string {
  return JSON.stringify([status, pages, pixels, destinations.map(({ who, url }) => [who, url]), after?.url]);
}

export function outcomeOf(found: FoundLink): VisitOutcome {
  const nothing = { pixels: [], goes_to: [], after_consent: null };
  return found.is === "link" ? visitOutcome(found) : { ...nothing, status: 404, pages: ["not-found"] };
}

export function visitOutcome({ visit: { end } }: Pick<VersionVisit, "visit">): VisitOutcome {
  const nothing = { pixels: [], goes_to: [], after_consent: null };
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? { ...nothing, status: 200, pages: [...end.passed, "expired"] }
        : {
            ...nothing,
            status: end.passed.length > 0 ? 200 : 301,
            pages: [...end.passed],
            goes_to: [{ who: { by: "all" }, url: end.to, source: sourceDocument(end.place) }],
          };
    case "disabled":
      return { ...nothing, status: 200, pages: [...end.passed, "disabled"] };
    case "sent on": {
      const isBroken = end.ways.length === 0;
      const pages: PageName[] = [
        ...end.passed,
        ...(end.pixels.length > 0 ? (["pixels"] as const) : []),
        ...(isBroken ? (["error"] as const) : []),
      ];
      return {
        status: end.passed.length > 0 || end.pixels.length > 0 ? 200 : isBroken ? 500 : 301,
        pages,
        pixels: [...end.pixels],
        goes_to: end.ways.map(({ who, to, place }) => ({ who: { ...who }, url: to, source: sourceDocument(place) })),
        after_consent: end.accepted && { url: end.accepted.to, source: sourceDocument(end.accepted.place) },
      };
    }
    default:
      return end satisfies never;
  }
}

export function sourceDocument(place: Place | null): SourceDocument {
  return place && placeDocument(place);
}
