// What `explain --format json` prints, made of its report.

import type { Doubt } from "../../domain/visit-facts.ts";
import { basisOf, NOTES, type Basis, type NoteCode } from "../../domain/visit-notes.ts";
import type { Software } from "../../domain/software.ts";
import type { VisitStep } from "../../domain/visit.ts";
import { wallTimeOf } from "../../domain/zone.ts";
import { diagnosticDocument, type DiagnosticDocument } from "../../view/document.ts";
import { doubtsOf, doubtTexts } from "../../view/explain-doubts.ts";
import { answerOf, endText, notesOf, sentenceOf } from "../../view/explain-text.ts";
import {
  byVersion,
  isSameForVisitors,
  metBy,
  metIn,
  sourceOf,
  type Met,
  type SourceDocument,
} from "../../view/explain-outcome.ts";
import type { ExplainedSide, ExplainReport, FoundLink } from "../../view/explanation.ts";

export interface ExplainDocument {
  format_version: "1.0";
  asked: string;
  version: Software | null;
  visitor: { is: Record<string, string | null>; crawler: boolean; at: string; query: string };
  same: boolean | null;
  sides: SideDocument[];
  diagnostics: DiagnosticDocument[];
}

export interface SideDocument extends Met {
  from: ExplainedSide["from"];
  key: string | null;
  id: number | null;
  clicks: number | null;
  source: SourceDocument;
  found: FoundLink["is"];
  renamed_to: string | null;
  says: string;
  by_version: ({ version: Software; says: string } & Met)[];
  lacking: { version: Software; because: string[] }[];
  steps: StepDocument[];
  unknown: { path: string; why: Doubt["why"] }[];
  unknown_says: string[];
  notes: { code: NoteCode; basis: Basis; says: string }[];
}

export interface StepDocument {
  asks: VisitStep["asks"];
  reached: boolean;
  says: string;
  basis: Basis | null;
  source: SourceDocument;
}

/** The document of an explanation. */
export function explainDocument(report: ExplainReport): ExplainDocument {
  const { asked, version, visitor, sides, zone, diagnostics } = report;
  const documents = sides.map((side) => sideDocument(side, asked, zone));
  return {
    format_version: "1.0",
    asked,
    version,
    visitor: {
      is: Object.fromEntries(visitor.is),
      crawler: visitor.isCrawler,
      at: visitor.at,
      query: visitor.query,
    },
    same: isSameForVisitors(sides),
    sides: documents,
    diagnostics: diagnostics.map(diagnosticDocument),
  };
}

function sideDocument(side: ExplainedSide, asked: string, zone: string): SideDocument {
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
    by_version: byVersion(found).map((one) => ({ version: one.version, says: endText(one.visit.end), ...metIn(one) })),
    lacking:
      found.is === "link" ? found.lacking.map(({ version, because }) => ({ version, because: [...because] })) : [],
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
