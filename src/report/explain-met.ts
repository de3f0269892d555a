// What visitors meet, as data: the first answer, the pages before, and where these lead.

import type { Place } from "../domain/place.ts";
import type { Who } from "../domain/visit-ways.ts";
import type { Explained, Found } from "./explained.ts";

/** A line of the files. */
export type Source = { file: string; line: number; column: number } | null;

/** A page that is shown instead of a redirect, or before it. */
type PageName = "expired" | "disabled" | "password" | "pixels" | "not-found";

/** `status` is that of the first answer; null where nothing is known. */
export interface Met {
  status: 200 | 301 | 404 | null;
  pages: PageName[];
  pixels: string[];
  goes_to: { who: Who; url: string; source: Source }[];
}

/** Whether a visitor meets the same on both sides; null where there are not two, or the files say nothing. */
export function isSameForVisitors(sides: readonly Explained[]): boolean | null {
  const met = sides.map(({ found }) => metBy(found));
  const [one, other] = met;
  if (one === undefined || other === undefined || met.some(({ status }) => status === null)) return null;
  return meeting(one) === meeting(other);
}

function meeting({ status, pages, pixels, goes_to: ways }: Met): string {
  return JSON.stringify([status, pages, pixels, ways.map(({ who, url }) => [who, url])]);
}

/** What a visitor meets: the first answer's status, the pages in their order, and where these lead. */
export function metBy(found: Found): Met {
  const nothing = { pixels: [], goes_to: [] };
  if (found.is === "not declared") return { ...nothing, status: null, pages: [] };
  if (found.is !== "link") return { ...nothing, status: 404, pages: ["not-found"] };
  const { end } = found.visit;
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? { ...nothing, status: 200, pages: ["expired"] }
        : {
            status: 301,
            pages: [],
            pixels: [],
            goes_to: [{ who: { by: "all" }, url: end.to, source: sourceOf(end.place) }],
          };
    case "disabled":
      return { ...nothing, status: 200, pages: ["disabled"] };
    case "sent on": {
      const pages: PageName[] = [
        ...(end.asksPassword ? (["password"] as const) : []),
        ...(end.pixels.length > 0 ? (["pixels"] as const) : []),
      ];
      const ways = end.ways.map(({ who, to, place }) => ({ who: { ...who }, url: to, source: sourceOf(place) }));
      return { status: pages.length === 0 ? 301 : 200, pages, pixels: [...end.pixels], goes_to: ways };
    }
    default:
      return end satisfies never;
  }
}

/** A place as a document has it. */
export function sourceOf(place: Place | null): Source {
  return place === null ? null : { file: place.file, line: place.line, column: place.column };
}
