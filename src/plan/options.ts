// What a plan is given besides the files, the account and the time.

import type { Base, Change } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { InheritedProject, Project } from "../domain/project.ts";

/** Numbers that raise a brake for one run; null where it stays as the files have it. */
export interface BrakeAllowances {
  readonly deletes: number | null;
  readonly updates: number | null;
  readonly clicks: number | null;
}

export interface PlanOptions {
  /** What the files said at the base; its project is null where they had no such project file. */
  readonly base: (Base & { readonly project: Project | null; readonly inherited: readonly InheritedProject[] }) | null;
  /** Globs of keys to plan for; none: all. */
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  /** Globs of keys whose secrets are sent again. */
  readonly resendSecrets: readonly string[];
  readonly allowances: BrakeAllowances;
  /** Returns errors for changes that the service cannot store whole. */
  readonly checkLimits: (changes: readonly Change[]) => readonly Diagnostic[];
}
