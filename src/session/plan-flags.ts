// What a plan is to be made with, as flags or a saved plan say it.

import type { SavedOptions } from "../view/document.ts";
import type { PlanOptions } from "../plan/plan.ts";

/** Flags that belong to the plan: with a saved one they can't be given again. */
export interface PlanningFlags {
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly base?: string;
  /** A glob of keys; true without one. */
  readonly resendSecrets?: string | true;
  readonly allowDeletes?: number;
  readonly allowUpdates?: number;
  readonly allowClicks?: number;
}

const NAMES: Readonly<Record<keyof PlanningFlags, string>> = {
  target: "--target",
  exclude: "--exclude",
  base: "--base",
  resendSecrets: "--resend-secrets",
  allowDeletes: "--allow-deletes",
  allowUpdates: "--allow-updates",
  allowClicks: "--allow-clicks",
};

/** Those of these flags that are given, as a person writes them. */
export function planningFlagsOf(flags: PlanningFlags): string[] {
  const given = new Set(Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  return Object.entries(NAMES).flatMap(([name, written]) => (given.has(name) ? [written] : []));
}

/** A base that has not been opened: what a person names, or the very commit that a saved plan was made with. */
export interface WantedBase {
  readonly ref: string;
  readonly commit: string | null;
}

/** The options of a plan before its base is opened. */
export interface WantedOptions extends Omit<PlanOptions, "base"> {
  readonly base: WantedBase | null;
}

/** The options that flags ask for. */
export function planOptionsOf(flags: PlanningFlags): WantedOptions {
  const { resendSecrets } = flags;
  return {
    base: flags.base === undefined ? null : { ref: flags.base, commit: null },
    targets: flags.target ?? [],
    excludes: flags.exclude ?? [],
    resendSecrets: resendSecrets === undefined ? [] : [resendSecrets === true ? "*" : resendSecrets],
    allowances: {
      deletes: flags.allowDeletes ?? null,
      updates: flags.allowUpdates ?? null,
      clicks: flags.allowClicks ?? null,
    },
  };
}

/** What a saved plan says it was made with. */
export function savedOptions({ base, targets, excludes, resendSecrets, allowances }: PlanOptions): SavedOptions {
  return {
    targets: [...targets],
    excludes: [...excludes],
    base: base && { ref: base.ref, commit: base.commit },
    resend_secrets: [...resendSecrets],
    allowances: { ...allowances },
  };
}

/** The options to make such a plan with once more. */
export function savedPlanOptions({ base, targets, excludes, resend_secrets, allowances }: SavedOptions): WantedOptions {
  return { base, targets, excludes, resendSecrets: resend_secrets, allowances };
}
