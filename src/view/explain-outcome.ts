// What visitors meet, as data: the first answer, the pages before, and where these lead.

import { groupBy } from "../domain/collections.ts";
import type { Place } from "../domain/place.ts";
import type { Software } from "../domain/software.ts";
import type { VersionVisit, Who } from "../domain/visit.ts";
import type { ExplainedSide, FoundLink } from "./explanation.ts";

/** A line of the files. */
export type SourceDocument = { file: string; line: number; column: number } | null;

/** A page that is shown instead of a redirect, or before it. */
type PageName = "expired" | "disabled" | "password" | "warning" | "pixels" | "not-found" | "error";

/** `status` is that of the first answer; null where nothing is known. */
export interface Met {
  status: 200 | 301 | 404 | 500 | null;
  pages: PageName[];
  pixels: string[];
  goes_to: { who: Who; url: string; source: SourceDocument }[];
  /** Where visitors go who accept tracking; null without pixels. */
  after_consent: { url: string; source: SourceDocument } | null;
}

/** Whether a visitor meets the same on both sides, on each version; null where there are not two, or the files say nothing. */
export function isSameForVisitors(sides: readonly ExplainedSide[]): boolean | null {
  const met = sides.map(({ found }) => metBy(found));
  const [one, other] = met;
  if (one === undefined || other === undefined || met.some(({ status }) => status === null)) return null;
  const [first, second] = sides.map(({ found }) => [metBy(found), ...otherVisits(found).map(metIn)].map(meeting));
  return JSON.stringify(first) === JSON.stringify(second);
}

function otherVisits(found: FoundLink): readonly VersionVisit[] {
  return found.is === "link" ? found.others : [];
}

/** What visitors meet on each version, if the version is not known and the versions differ; else nothing. */
export function byVersion(found: FoundLink): readonly VersionVisit[] {
  return sameByVersion(found).flatMap(({ versions, visit }) => versions.map((version) => ({ version, visit })));
}

/** Versions for which visitors meet the same. */
export interface SameVersions extends Pick<VersionVisit, "visit"> {
  readonly versions: readonly Software[];
}

/** As `byVersion`, with versions that answer the same together. */
export function sameByVersion(found: FoundLink): readonly SameVersions[] {
  if (found.is !== "link") return [];
  const groups = groupBy([found, ...found.others], (one) => meeting(metIn(one)));
  if (groups.size < 2) return [];
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ visit }) => ({ visit, versions: same.map(({ version }) => version) })),
  );
}

function meeting({ status, pages, pixels, goes_to: ways, after_consent: after }: Met): string {
  return JSON.stringify([status, pages, pixels, ways.map(({ who, url }) => [who, url]), after?.url]);
}

/** What a visitor meets: the first answer's status, the pages in their order, and where these lead. */
export function metBy(found: FoundLink): Met {
  const nothing = { pixels: [], goes_to: [], after_consent: null };
  if (found.is === "not declared") return { ...nothing, status: null, pages: [] };
  return found.is === "link" ? metIn(found) : { ...nothing, status: 404, pages: ["not-found"] };
}

/** The same of one version's visit. */
export function metIn({ visit: { end } }: Pick<VersionVisit, "visit">): Met {
  const nothing = { pixels: [], goes_to: [], after_consent: null };
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? { ...nothing, status: 200, pages: [...end.passed, "expired"] }
        : {
            ...nothing,
            status: end.passed.length > 0 ? 200 : 301,
            pages: [...end.passed],
            goes_to: [{ who: { by: "all" }, url: end.to, source: sourceOf(end.place) }],
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
        goes_to: end.ways.map(({ who, to, place }) => ({ who: { ...who }, url: to, source: sourceOf(place) })),
        after_consent: end.accepted && { url: end.accepted.to, source: sourceOf(end.accepted.place) },
      };
    }
    default:
      return end satisfies never;
  }
}

/** A place as a document has it. */
export function sourceOf(place: Place | null): SourceDocument {
  return place === null ? null : { file: place.file, line: place.line, column: place.column };
}
