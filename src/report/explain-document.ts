// What `explain --format json` prints, made of its report.

import type { Place } from "../domain/place.ts";
import type { Doubt } from "../domain/visit-facts.ts";
import { basisOf, NOTES, type Basis, type NoteCode } from "../domain/visit-notes.ts";
import type { Step } from "../domain/visit.ts";
import type { Who } from "../domain/visit-ways.ts";
import { wallTimeOf } from "../domain/zone.ts";
import { diagnosticDocument, type DiagnosticDocument } from "./document.ts";
import { doubtsOf, doubtTexts } from "./explain-doubts.ts";
import { answerOf, notesOf, sentenceOf } from "./explain-words.ts";
import type { Explained, ExplainReport, Found } from "./explained.ts";

type Source = { file: string; line: number; column: number } | null;

/** A page that is shown instead of a redirect, or before it. */
export type PageName = "expired" | "disabled" | "password" | "pixels" | "not-found";

export interface ExplainDocument {
  format_version: "1.0";
  asked: string;
  visitor: { is: Record<string, string | null>; at: string; query: string };
  same: boolean | null;
  sides: SideDocument[];
  diagnostics: DiagnosticDocument[];
}

export interface SideDocument {
  from: Explained["from"];
  key: string | null;
  id: number | null;
  clicks: number | null;
  source: Source;
  found: Found["is"];
  renamed_to: string | null;
  says: string;
  status: 200 | 301 | 404 | null;
  pages: PageName[];
  pixels: string[];
  goes_to: { who: Who; url: string; source: Source }[];
  steps: StepDocument[];
  unknown: { path: string; why: Doubt["why"] }[];
  unknown_says: string[];
  notes: { code: NoteCode; basis: Basis; says: string }[];
}

export interface StepDocument {
  asks: Step["asks"];
  reached: boolean;
  says: string;
  basis: Basis | null;
  source: Source;
}

/** The document of an explanation. */
export function explainDocument(report: ExplainReport): ExplainDocument {
  const { asked, visitor, sides, zone, diagnostics } = report;
  const documents = sides.map((side) => sideDocument(side, asked, zone));
  const [one, other] = documents.map(meeting);
  return {
    format_version: "1.0",
    asked,
    visitor: { is: Object.fromEntries(visitor.is), at: visitor.at, query: visitor.query },
    same: other === undefined ? null : one === other,
    sides: documents,
    diagnostics: diagnostics.map(diagnosticDocument),
  };
}

/** Equal for two sides on which a visitor meets the same. */
function meeting({ status, pages, pixels, goes_to: ways }: SideDocument): string {
  return JSON.stringify([status, pages, pixels, ways.map(({ who, url }) => [who, url])]);
}

function sideDocument(side: Explained, asked: string, zone: string): SideDocument {
  const { from, key, id, clicks, place, found } = side;
  const steps = found.is === "link" ? found.visit.steps : [];
  return {
    from,
    key,
    id,
    clicks,
    source: sourceOf(place),
    found: found.is,
    renamed_to: found.is === "renamed" ? found.to : null,
    says: answerOf(side, asked),
    ...metBy(found),
    steps: steps.map((step) => ({
      asks: step.asks,
      reached: step.isReached,
      says: sentenceOf(step, (at) => `${wallTimeOf(at, zone).replace("T", " ")} (${zone})`),
      basis: step.notes.length === 0 ? null : basisOf(step.notes),
      source: sourceOf(step.place),
    })),
    unknown: doubtsOf(side).map(({ path, why }) => ({ path, why })),
    unknown_says: doubtTexts(side),
    notes: notesOf(side).map((code) => ({ code, ...NOTES[code] })),
  };
}

/** What a visitor meets: the first answer's status, the pages in their order, and where these lead. */
function metBy(found: Found): Pick<SideDocument, "status" | "pages" | "pixels" | "goes_to"> {
  const nothing = { pixels: [], goes_to: [] };
  if (found.is === "not declared") return { ...nothing, status: null, pages: [] };
  if (found.is !== "link") return { ...nothing, status: 404, pages: ["not-found"] };
  const { end } = found.visit;
  switch (end.kind) {
    case "expired":
      return end.to === null
        ? { ...nothing, status: 200, pages: ["expired"] }
        : { status: 301, pages: [], pixels: [], goes_to: [{ who: { by: "all" }, url: end.to, source: null }] };
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

function sourceOf(place: Place | null): Source {
  return place === null ? null : { file: place.file, line: place.line, column: place.column };
}
