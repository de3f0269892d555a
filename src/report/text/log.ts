// Plans and findings as text, for a terminal or a log.

import type { Plan } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { composeLog, findingLog } from "../compose.ts";
import type { ComposeContext } from "../compose-changes.ts";
import { diagnosticDocuments } from "../document.ts";
import type { RenderContext } from "../format.ts";
import { runDocument } from "../json/index.ts";
import type { PlannedReport } from "../report.ts";
import { drawBlocks } from "./blocks.ts";
import type { Screen } from "./screen.ts";

/** How a log is composed. */
export function logContext(
  { isVerbose = false }: Screen,
  { origin = null }: Partial<RenderContext> = {},
): ComposeContext {
  return { project: "", runUrl: null, blobUrl: null, origin, isLog: true, isVerbose };
}

/** The findings in their order, with an empty line between two of them; ends with a line break. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  return drawBlocks(findingLog(diagnosticDocuments(diagnostics, screen.isVerbose), logContext(screen)), screen);
}

/** The whole plan without its findings. The last line has the counts. */
export function planText(
  plan: Plan,
  screen: Screen,
  about: Pick<PlannedReport, "flagFor" | "pace" | "undo"> = {},
): string {
  const document = runDocument({ of: "plan", plan, problems: [], baseUrl: "", ...about });
  const command = about.undo === undefined ? "plan" : "undo";
  return drawBlocks(composeLog(document, command, logContext(screen), false), screen);
}
