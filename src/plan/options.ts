// The options of a plan.

import type { Base, Counted } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { InheritedProject, Project } from "../domain/project.ts";
import type { ChangedPart } from "./changed.ts";

/** Limits of the brake for one run; null for the limit of the files. */
export type BrakeAllowances = Readonly<Record<Counted, number | null>>;

export interface CreatePlanOptions {
  /** The files at the base. `project` is null if they had no such project file. */
  readonly base: (Base & { readonly project: Project | null; readonly inherited: readonly InheritedProject[] }) | null;
  /** With `--changed`, the part of the files to plan, which is the planned project; null for all. */
  readonly changed: ChangedPart | null;
  /** Globs of keys to plan for; empty for all. */
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  readonly resendSecrets: readonly string[];
  readonly allowances: BrakeAllowances;
  /** Errors because other projects of the run contradict this one. */
  readonly conflicts?: readonly Diagnostic[];
}
