// Findings as text, for a terminal or a log. Most runs of `validate` load no other report.

import { withoutCommands } from "../../domain/control-characters.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { sentences } from "../blocks.ts";
import type { ComposeContext } from "../compose-changes.ts";
import { findingList, severityCounts, validity } from "../compose-findings.ts";
import { diagnosticDocuments } from "../finding-document.ts";
import type { Format, RenderContext } from "../format.ts";
import { drawBlocks } from "./blocks.ts";
import type { Screen } from "./screen.ts";

export function logContext({ isVerbose = false }: Screen, origin: RenderContext["origin"] = null): ComposeContext {
  return { project: "", runUrl: null, blobUrl: null, origin, isLog: true, isVerbose };
}

export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  return drawBlocks(findingList(diagnosticDocuments(diagnostics, screen.isVerbose), logContext(screen)), screen);
}

export const validateText: Format = (report, { screen }) => {
  if (report.of !== "run") return "";
  const { diagnostics, valid = false, files = 0 } = report.document;
  const result = validity(valid, files, severityCounts(diagnostics));
  const blocks = [...findingList(diagnostics, logContext(screen)), ...sentences(valid ? "good" : "bad", [result])];
  return withoutCommands(drawBlocks(blocks, screen));
};
