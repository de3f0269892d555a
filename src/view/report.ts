// What a command has to tell: the same data for every format.

import type { Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { ExitCode } from "../errors.ts";
import type { FlagFor } from "./brakes.ts";
import type { Declarable } from "../edit/declare.ts";
import type { ExplainReport } from "./explanation.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { ChangeDocument, ChangeResult, PlanDocument } from "./document.ts";
import type { ListReport, ShowReport } from "./inspect.ts";
import type { PlanPace } from "./plan-remarks.ts";
import type { UndoSummary } from "./undo.ts";

/** What is wrong with the files. */
export interface ValidateReport {
  readonly of: "validate";
  readonly isValid: boolean;
  /** How many files were read. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface PlannedReport {
  /** With its diagnostics: of the files, of the address, of the comparison. */
  readonly plan: Plan;
  /** What the brakes say, or what stopped a run. */
  readonly problems: readonly Diagnostic[];
  readonly baseUrl: string;
  /** Only where the plan takes an apply back. */
  readonly undo?: UndoSummary;
}

/** What would be done. */
export interface PlanReport extends PlannedReport {
  readonly of: "plan";
  /** Null where nobody asked for the list. */
  readonly unmanaged: readonly Declarable[] | null;
  readonly pace: PlanPace | null;
}

/** How live differs from the files. */
export interface DriftReport extends PlannedReport {
  readonly of: "drift";
}

interface AppliedReport extends PlannedReport {
  /** In the order of the plan. Of a saved plan these are the saved changes, while `plan` holds what was run of them. */
  readonly results: readonly ChangeResult[];
  /** Null where no saved plan was applied. */
  readonly saved: {
    readonly summary: PlanDocument["summary"];
    /** What the files ask for now and the saved plan does not hold. */
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
  /** What takes it back; left out where no receipt was written. */
  readonly receipt?: WrittenReceipt;
  /** The tag that `--move-base` moved, or found in place; left out if the base stays where it is. */
  readonly movedBase?: MovedBase;
}

/** A tag that names the commit that was applied last. */
export interface MovedBase {
  /** As the user wrote it. */
  readonly ref: string;
  /** Commits by their full name. */
  readonly from: string;
  readonly to: string;
}

/** The receipt of a run. */
export interface WrittenReceipt {
  /** The file, as a person would write its path. */
  readonly file: string;
  /** The command that takes the run back. */
  readonly undo: string;
}

/** An apply that a brake kept from beginning. */
export interface HeldReport extends AppliedReport {
  readonly of: "held";
  readonly flagFor: FlagFor;
  readonly pace: PlanPace | null;
}

/** Why a command could not do what it is for. */
export interface FailureReport {
  readonly of: "failure";
  readonly command: Exclude<ReportingCommand, "validate" | "doctor">;
  readonly diagnostics: readonly Diagnostic[];
  /** Null where it was not known yet. */
  readonly baseUrl: string | null;
}

/** What works and what does not. */
export interface DoctorReport {
  readonly of: "doctor";
  readonly checks: readonly Check[];
}

/** What became of one link or pixel in the files. */
export interface WrittenItem {
  readonly what: "added" | "changed" | "removed" | "tombstoned" | "skipped";
  readonly kind: ResourceKind;
  /** As people write it; null where it is not known. */
  readonly key: string | null;
  /** The file, relative to the project folder; null where it is in none. */
  readonly file: string | null;
  /** More about it, as a sentence; null where there is nothing to say. */
  readonly note: string | null;
}

/** What was written into files, or would be. */
export interface WrittenReport {
  readonly of: "written";
  readonly command: "pull" | "rm" | "import" | "init";
  /** What the columns of a sheet were taken for, where there is one. */
  readonly columns?: SheetColumns;
  /** False where nothing was to be written: the files are as they were. */
  readonly isWritten: boolean;
  readonly edits: readonly FileEdit[];
  readonly items: readonly WrittenItem[];
  /** Variables that must be set before these secrets can be sent. */
  readonly variables: readonly string[];
  /** Sentences on what to do next. */
  readonly next: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reports that people read on a terminal, and programs: they are not drawn for a pull request. */
export type PlainReport = DoctorReport | WrittenReport | ListReport | ShowReport | ExplainReport;

export type Report = ValidateReport | PlanReport | DriftReport | ApplyReport | HeldReport | FailureReport | PlainReport;

const PLAIN: Readonly<Record<PlainReport["of"], true>> = {
  doctor: true,
  written: true,
  list: true,
  show: true,
  explain: true,
};

/** Whether a report has no drawn form: its commands have no such formats. */
export function isPlainReport(report: Report): report is PlainReport {
  return report.of in PLAIN;
}

/** A column, and the field it is taken for. */
export interface ColumnDocument {
  column: string;
  /** `url`, `expiration.date`, `key`, `note`; null where it is left out. */
  field: string | null;
  /** Why: a flag, or its name; `unknown`: it is left out because its name is not known. */
  because: "flag" | "name" | "unknown";
  /** The first value that there is; null for passwords, and for what is left out. */
  example: string | null;
  /** It holds passwords, which go into no file. */
  secret: boolean;
}

/** The columns of a sheet. */
export interface SheetColumns {
  readonly file: string;
  readonly rows: number;
  /** The sign between cells, as people call it. */
  readonly delimiter: string;
  readonly columns: readonly ColumnDocument[];
}

/** One thing that was looked at; `hint` is a sentence on what to do, or null. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly message: string;
  readonly hint: string | null;
}

/** The commands that have a report. */
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
  | "list"
  | "show"
  | "undo"
  | "explain";
/** A file before and after; null where it is not there. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** True for what is copied and nobody reads: it is named, and its text is not shown. */
  readonly isCopy?: boolean;
}

/** The beginning of a sentence. */
export const NOTHING_DONE: Readonly<Record<FailureReport["command"], string>> = {
  plan: "Nothing was planned",
  apply: "Nothing was applied",
  drift: "Nothing was compared",
  pull: "Nothing was written",
  rm: "Nothing was written",
  import: "Nothing was written",
  init: "Nothing was written",
  list: "Nothing was read",
  show: "Nothing was read",
  undo: "Nothing was undone",
  explain: "Nothing was explained",
};
