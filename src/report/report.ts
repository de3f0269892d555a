// What a command has to tell: the same data for every format.

import type { Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Ended } from "./account.ts";
import type { FlagFor } from "./brakes.ts";
import type { Declarable } from "./declare.ts";
import type { Check } from "./doctor.ts";
import type { ChangeDocument, PlanDocument, ToldChange } from "./document.ts";
import type { PlanPace } from "./text.ts";

/** What is wrong with the files. */
export interface ValidateReport {
  readonly of: "validate";
  readonly isValid: boolean;
  /** How many files were read. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Planned {
  /** With its diagnostics: of the files, of the address, of the comparison. */
  readonly plan: Plan;
  /** What the brakes say, or what stopped a run. */
  readonly problems: readonly Diagnostic[];
  readonly baseUrl: string;
}

/** What would be done. */
export interface PlanReport extends Planned {
  readonly of: "plan";
  /** Null where nobody asked for the list. */
  readonly unmanaged: readonly Declarable[] | null;
  readonly pace: PlanPace | null;
}

/** How live differs from the files. */
export interface DriftReport extends Planned {
  readonly of: "drift";
}

interface Applied extends Planned {
  /** In the order of the plan. Of a saved plan these are the saved changes, while `plan` holds what was run of them. */
  readonly told: readonly ToldChange[];
  /** Null where no saved plan was applied. */
  readonly saved: {
    readonly summary: PlanDocument["summary"];
    /** What the files ask for now and the saved plan does not hold. */
    readonly notReviewed: readonly ChangeDocument[];
  } | null;
}

/** What was done. */
export interface ApplyReport extends Applied {
  readonly of: "apply";
  readonly ended: Ended;
}

/** An apply that a brake kept from beginning. */
export interface HeldReport extends Applied {
  readonly of: "held";
  readonly flagFor: FlagFor;
  readonly pace: PlanPace | null;
}

/** Why nothing could be planned or applied. */
export interface FailureReport {
  readonly of: "failure";
  readonly command: "plan" | "apply" | "drift";
  readonly diagnostics: readonly Diagnostic[];
  /** Null where it was not known yet. */
  readonly baseUrl: string | null;
}

/** What works and what does not. */
export interface DoctorReport {
  readonly of: "doctor";
  readonly checks: readonly Check[];
}

export type Report =
  | ValidateReport
  | PlanReport
  | DriftReport
  | ApplyReport
  | HeldReport
  | FailureReport
  | DoctorReport;
