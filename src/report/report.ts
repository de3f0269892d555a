// The report of each command: the same data for every format.

import type { Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { FlagFor } from "./brakes.ts";
import type { ReportingCommand } from "./format.ts";
import type { Declarable } from "../edit/declare.ts";
import type { ExplainDocument } from "./json/explain.ts";
import type { ListDocument, ShowDocument } from "./json/inspect.ts";
import type { ProjectsReport } from "./projects.ts";
import type { Pace } from "./plan-remarks.ts";
import type {
  ApplyDocument,
  ChangeResult,
  DoctorDocument,
  RunDocument,
  UndoDocument,
  ValidateDocument,
} from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";

export interface ValidateReport {
  readonly of: "validate" | "check";
  readonly isValid: boolean;
  /** The number of files read. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** The document has every place of findings that are identical, and not only the first ones. */
  readonly listsAll?: boolean;
  /** Only for `check`; left out if nothing was asked. */
  readonly destinations?: ValidateDocument["destinations"];
}

/** A plan, and what else its report says. */
export interface PlannedReport {
  /** With its diagnostics about the files, the address and the comparison. */
  readonly plan: Plan;
  /** Tripped brakes, or the errors that stopped a run. */
  readonly problems: readonly Diagnostic[];
  readonly baseUrl: string;
  /** Where to pass an allowance. Default: this run. */
  readonly flagFor?: FlagFor;
  /** Null or left out without `--show-unmanaged`. */
  readonly unmanaged?: readonly Declarable[] | null;
  /** Null or left out if the service reports no limit. */
  readonly pace?: Pace | null;
  /** Only for an undo. */
  readonly undo?: UndoDocument;
}

export interface PlanReport extends PlannedReport {
  readonly of: "plan" | "drift";
}

/** An apply or an undo. Its summary and `not_reviewed` are those of a saved plan. */
export interface ApplyReport
  extends
    PlannedReport,
    Partial<Pick<ApplyDocument, "summary" | "not_reviewed" | "record" | "undo_command" | "moved_base">> {
  readonly of: "apply";
  /** In the order of the plan. For a saved plan, these are the saved changes, and `plan` has those that were run. */
  readonly results: readonly ChangeResult[];
  /** Left out if a brake stopped it before the first change. */
  readonly ended?: Ended;
}

/** How a run ended. */
export interface Ended {
  readonly run: RunDocument;
  /** The codes of what ended it early. */
  readonly stopped: readonly string[];
  /** The command that continues it. */
  readonly again: string;
  /** The command that shows the pending changes. */
  readonly look: string;
}

/** A command that failed before it had a result. */
export interface FailureReport {
  readonly of: "failure";
  readonly command: Exclude<ReportingCommand, "validate" | "check" | "doctor" | "merge">;
  readonly diagnostics: readonly Diagnostic[];
  /** Null if it was not known yet. */
  readonly baseUrl: string | null;
}

/** What was written into the files, or would be without `--dry-run`. */
export interface WrittenReport extends Readonly<Pick<WrittenDocument, "command" | "items" | "next" | "columns">> {
  readonly of: "written";
  /** False for a dry run and for `fmt --check`: nothing was written. */
  readonly isWritten: boolean;
  readonly edits: readonly FileEdit[];
  readonly variables: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A report whose document the command makes. */
interface Documented<Command, Document> {
  readonly of: Command;
  readonly document: Document;
}

/** Reports that have only the text and machine-readable formats. */
export type PlainReport =
  | Documented<"doctor", DoctorDocument>
  | Documented<"list", ListDocument>
  | Documented<"show", ShowDocument>
  | Documented<"explain", ExplainDocument>
  | WrittenReport;

/** Reports of a run, which have every format. */
export type RunReport = ValidateReport | PlanReport | ApplyReport | FailureReport;

export type Report = RunReport | ProjectsReport | PlainReport;

export function isRunReport(report: Report): report is RunReport {
  return ["validate", "check", "plan", "drift", "apply", "failure"].includes(report.of);
}

/** A file before and after. `before` is null for a new file. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** True for a copied file: its text is not shown. */
  readonly isCopy?: boolean;
}

/** The first words of the failure report. */
export const NOTHING_DONE: Readonly<Record<FailureReport["command"], string>> = {
  plan: "Nothing was planned",
  apply: "Nothing was applied",
  drift: "Nothing was compared",
  pull: "Nothing was written",
  rm: "Nothing was written",
  import: "Nothing was written",
  init: "Nothing was written",
  fmt: "Nothing was formatted",
  list: "Nothing was read",
  show: "Nothing was read",
  undo: "Nothing was undone",
  explain: "Nothing was explained",
};
