// The options of a plan, from flags or from a saved plan.

import type { SavedOptions } from "../render/json/schema.ts";
import { writesOf } from "../plan/calls.ts";
import type { CreatePlanOptions } from "../plan/plan.ts";
import type { GeneratedResources } from "../config/load.ts";
import type { ForgeName } from "./forge.ts";
import type { ResourceFlags } from "./resources.ts";
import { checkFormLimits } from "../service/form-limits.ts";

/** Flags that determine the plan. They are not allowed with a saved plan. */
export interface PlanningFlags extends ResourceFlags {
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly base?: string;
  /** A glob of keys; true if the flag has no value. */
  readonly resendSecrets?: string | true;
  readonly allowDeletes?: number;
  readonly allowUpdates?: number;
  readonly allowClicks?: number;
  /** Where to read allowances from labels of merged pull requests. Only for `apply`. */
  readonly allowLabels?: ForgeName;
}

const NAMES: Readonly<Record<keyof PlanningFlags, string>> = {
  target: "--target",
  exclude: "--exclude",
  base: "--base",
  resources: "--resources",
  resendSecrets: "--resend-secrets",
  allowDeletes: "--allow-deletes",
  allowUpdates: "--allow-updates",
  allowClicks: "--allow-clicks",
  allowLabels: "--allow-labels",
};

/** The given flags as the user wrote them. */
export function planningFlagsOf(flags: PlanningFlags): string[] {
  const given = new Set(Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  return Object.entries(NAMES).flatMap(([name, written]) => (given.has(name) ? [written] : []));
}

/** A base that is not open yet: the ref of a flag, or the commit of a saved plan. */
export interface WantedBase {
  readonly ref: string;
  readonly commit: string | null;
}

/** Checks the changes of a plan against the limits of the service. */
export const checkLimits: CreatePlanOptions["checkLimits"] = (changes) =>
  changes.flatMap((change) => (change.action === "delete" ? [] : checkFormLimits(change, writesOf(change))));

/** The options of a complete plan without a base. */
export const NO_OPTIONS: CreatePlanOptions = {
  base: null,
  targets: [],
  excludes: [],
  resendSecrets: [],
  allowances: { deletes: null, updates: null, clicks: null },
  checkLimits,
};

/** The options of a plan before its base is opened. */
export interface WantedOptions extends Omit<CreatePlanOptions, "base" | "checkLimits"> {
  readonly base: WantedBase | null;
}

/** The options of flags. */
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

/** The options to store in a saved plan. */
export function savedOptions(
  { base, targets, excludes, resendSecrets, allowances }: CreatePlanOptions,
  resources: readonly GeneratedResources[],
): SavedOptions {
  return {
    targets: [...targets],
    excludes: [...excludes],
    base: base && { ref: base.ref, commit: base.commit },
    resend_secrets: [...resendSecrets],
    allowances: { ...allowances },
    ...(resources.length > 0 && { resources: resources.map(({ name, text }) => ({ name, text })) }),
  };
}

/** The options to make a saved plan again. */
export function savedPlanOptions({ base, targets, excludes, resend_secrets, allowances }: SavedOptions): WantedOptions {
  return { base, targets, excludes, resendSecrets: resend_secrets, allowances };
}
