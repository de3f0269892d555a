// The report of each command: the same data for every format.

import type { Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { ExitCode } from "../errors.ts";
import type { FlagFor } from "./brakes.ts";
import type { Declarable } from "../edit/declare.ts";
import type { ExplainDocument } from "./json/explain.ts";
import type { DoctorDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import type { ChangeDocument, ChangeResult } from "./change-document.ts";
import type { PlanDocument } from "./document.ts";
import type { ListDocument, ShowDocument } from "./json/inspect.ts";
import type { ProjectsReport } from "./projects.ts";
import type { PlanPace } from "./plan-remarks.ts";
import type { UndoSummary } from "./undo.ts";

export interface ValidateReport {
  readonly of: "validate";
  readonly isValid: boolean;
  /** The number of files read. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface PlannedReport {
  /** With its diagnostics about the files, the address and the comparison. */
  readonly plan: Plan;
  /** Tripped brakes, or the errors that stopped a run. */
  readonly problems: readonly Diagnostic[];
  readonly baseUrl: string;
  /** Only for an undo. */
  readonly undo?: UndoSummary;
}

export interface PlanReport extends PlannedReport {
  readonly of: "plan";
  /** Where to pass an allowance. */
  readonly flagFor: FlagFor;
  /** Null without `--show-unmanaged`. */
  readonly unmanaged: readonly Declarable[] | null;
  readonly pace: PlanPace | null;
}

export interface DriftReport extends PlannedReport {
  readonly of: "drift";
}

interface AppliedReport extends PlannedReport {
  /** In the order of the plan. For a saved plan, these are the saved changes, and `plan` has those that were run. */
  readonly results: readonly ChangeResult[];
  /** Null without a saved plan. */
  readonly saved: {
    readonly summary: PlanDocument["summary"];
    /** Changes that the files ask for now and the saved plan does not have. */
    readonly notReviewed: readonly ChangeDocument[];
  } | null;
}

/** The time and requests of a run. */
export interface Cost {
  /** With those that read the account. */
  readonly requests: number;
  /** Seconds since the first change, and how many of them were spent waiting for the rate limit. */
  readonly seconds: number;
  readonly waited: number;
}

/** How a run ended. */
export interface Ended {
  /** The codes of what ended it early. */
  readonly stopped: readonly string[];
  /** The command that continues it. */
  readonly again: string;
  /** The command that shows the pending changes. */
  readonly look: string;
  readonly isUndo?: boolean;
  /** Whether the changed objects were read back. */
  readonly isVerified: boolean;
  /** Clicks of the deleted and replaced links. */
  readonly clicksLost: number;
  readonly cost: Cost;
  readonly exit: ExitCode;
}

export interface ApplyReport extends AppliedReport {
  readonly of: "apply";
  readonly ended: Ended;
  /** Left out if no receipt was written. */
  readonly receipt?: WrittenReceipt;
  /** The tag that `--move-base` moved or found in place; left out if the base stays. */
  readonly movedBase?: MovedBase;
}

/** The tag of the last applied commit. */
export interface MovedBase {
  /** As the user wrote it. */
  readonly ref: string;
  /** Full commit hashes; `from` is null for a new tag. */
  readonly from: string | null;
  readonly to: string;
}

export interface WrittenReceipt {
  /** The path to show. */
  readonly file: string;
  /** The command that reverts the run. */
  readonly undo: string;
}

/** An apply that a brake stopped before the first change. */
export interface HeldReport extends AppliedReport {
  readonly of: "held";
  readonly flagFor: FlagFor;
  readonly pace: PlanPace | null;
}

/** A command that failed before it had a result. */
export interface FailureReport {
  readonly of: "failure";
  readonly command: Exclude<ReportingCommand, "validate" | "doctor" | "merge">;
  readonly diagnostics: readonly Diagnostic[];
  /** Null if it was not known yet. */
  readonly baseUrl: string | null;
}

/** A link or pixel that a command wrote into the files or skipped. */
export type WrittenItem = Readonly<WrittenDocument["items"][number]>;

/** What was written into the files, or would be without `--dry-run`. */
export interface WrittenReport {
  readonly of: "written";
  readonly command: "pull" | "rm" | "import" | "init" | "fmt";
  /** The mapping of the columns of a spreadsheet; only for `import`. */
  readonly columns?: SheetColumns;
  /** False for a dry run and for `fmt --check`: nothing was written. */
  readonly isWritten: boolean;
  readonly edits: readonly FileEdit[];
  readonly items: readonly WrittenItem[];
  /** Environment variables to set before the secrets can be sent. */
  readonly variables: readonly string[];
  /** Sentences on what to do next. */
  readonly next: readonly string[];
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
export type RunReport = ValidateReport | PlanReport | DriftReport | ApplyReport | HeldReport | FailureReport;

export type Report = RunReport | ProjectsReport | PlainReport;

const RUNS: Readonly<Record<RunReport["of"], true>> = {
  validate: true,
  plan: true,
  drift: true,
  apply: true,
  held: true,
  failure: true,
};

export function isRunReport(report: Report): report is RunReport {
  return report.of in RUNS;
}

export interface SheetColumns {
  readonly file: string;
  readonly rows: number;
  /** The name of the character between cells. */
  readonly delimiter: string;
  readonly columns: NonNullable<WrittenDocument["columns"]>;
}

export type ReportingCommand =
  | "validate"
  | "plan"
  | "apply"
  | "drift"
  | "doctor"
  | "pull"
  | "rm"
  | "import"
  | "init"
  | "fmt"
  | "list"
  | "show"
  | "undo"
  | "explain"
  | "merge";

/** A file before and after; null if it does not exist. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
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
