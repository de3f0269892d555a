// Plans and findings as text, for a terminal or a log.

import type { Plan } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { FlagFor } from "../brakes.ts";
import { composeLog, findingLog, type ComposeContext } from "../compose.ts";
import { diagnosticDocuments } from "../document.ts";
import type { RenderContext } from "../format.ts";
import { runDocument } from "../json/index.ts";
import type { PlanPace } from "../plan-remarks.ts";
import type { UndoSummary } from "../undo.ts";
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
  return drawBlocks(findingLog(diagnosticDocuments(diagnostics), logContext(screen)), screen);
}

export interface PlanTextOptions {
  /** Where to pass an allowance of the brake. Default: this run. */
  readonly flagFor?: FlagFor;
  /** Null if the service does not report a rate limit. */
  readonly pace?: PlanPace | null;
  /** Only for an undo. */
  readonly undo?: UndoSummary;
}

/** The whole plan without its findings. The last line has the counts. */
export function planText(plan: Plan, screen: Screen, options: PlanTextOptions = {}): string {
  const { flagFor = "this run", pace = null, undo } = options;
  const report = {
    plan,
    problems: [],
    baseUrl: "",
    flagFor,
    unmanaged: null,
    pace,
    ...(undo !== undefined && { undo }),
  };
  const document = runDocument({ of: "plan", ...report });
  return drawBlocks(composeLog(document, undo === undefined ? "plan" : "undo", logContext(screen), false), screen);
}
