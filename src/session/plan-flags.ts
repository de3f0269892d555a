// The options of a plan, from flags or from a saved plan.

import type { SavedOptions } from "../report/json/schema.ts";
import type { Project } from "../domain/project.ts";
import type { CreatePlanOptions } from "../plan/options.ts";
import { usageError } from "../errors.ts";
import type { GeneratedResources } from "../config/load.ts";
import type { WantedBase } from "../config/base.ts";
import type { ResourceFlags } from "./resources.ts";

/** `auto` is for files with more links than `AUTO_FROM`. */
export type ChangedWhen = "always" | "auto" | "never";

/** A whole reading of more links takes more than half of the requests that a service typically allows in a minute. */
const AUTO_FROM = 3000;

/** Flags that determine the plan. They are not allowed with a saved plan. */
export interface PlanningFlags extends ResourceFlags {
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly base?: string;
  /** When to plan only what differs from the base; true is always. */
  readonly changed?: true | ChangedWhen;
  /** A glob of keys; true if the flag has no value. */
  readonly resendSecrets?: string | true;
  readonly allowDeletes?: number;
  readonly allowUpdates?: number;
  readonly allowClicks?: number;
}

const NAMES = [
  "target",
  "exclude",
  "base",
  "changed",
  "resources",
  "resendSecrets",
  "allowDeletes",
  "allowUpdates",
  "allowClicks",
] as const satisfies readonly (keyof PlanningFlags)[];

/** The given flags as the user wrote them. */
export function planningFlagsOf(flags: PlanningFlags): string[] {
  const given = NAMES.filter((name) => flags[name] !== undefined);
  return given.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}

export interface WantedOptions extends Omit<CreatePlanOptions, "base" | "changed" | "conflicts"> {
  readonly base: WantedBase | null;
  readonly changed: ChangedWhen;
}

export function planOptionsOf(flags: PlanningFlags): WantedOptions {
  const { resendSecrets } = flags;
  return {
    base: flags.base ?? null,
    changed: flags.changed === true ? "always" : (flags.changed ?? "never"),
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

/** The options of a complete plan without a base. */
export const NO_OPTIONS: CreatePlanOptions = { ...planOptionsOf({}), base: null, changed: null };

/** Throws a user error if `--changed` has nothing to compare with, or another flag asks for everything. */
export function checkChanged(flags: PlanningFlags & { readonly showUnmanaged?: boolean }): void {
  const { changed, base, showUnmanaged } = flags;
  if (changed === undefined || changed === "never") return;
  if (base === undefined)
    throw usageError("changed-without-base", "`--changed` needs a base to compare the files with.", {
      hint: "Name a commit, branch or tag: --base origin/main --changed.",
    });
  if (showUnmanaged === true)
    throw usageError("changed-and-unmanaged", "`--show-unmanaged` reads all links, and `--changed` does not.", {
      hint: "Remove one of the two flags.",
    });
}

export function isChangedOnly(when: ChangedWhen, { declarations }: Project): boolean {
  if (when !== "auto") return when === "always";
  return declarations.filter(({ kind }) => kind === "link").length > AUTO_FROM;
}

export function savedOptions(
  { base, changed, targets, excludes, resendSecrets, allowances }: CreatePlanOptions,
  resources: readonly GeneratedResources[],
): SavedOptions {
  return {
    targets: [...targets],
    excludes: [...excludes],
    base: base === null || base.impliedDays !== undefined ? null : { ref: base.ref, commit: base.commit },
    ...(changed !== null && { changed: true as const }),
    resend_secrets: [...resendSecrets],
    allowances: { ...allowances },
    ...(resources.length > 0 && { resources: resources.map(({ name, text }) => ({ name, text })) }),
  };
}

/** The options to make a saved plan again. */
export function savedPlanOptions({ changed, resend_secrets: resendSecrets, ...saved }: SavedOptions): WantedOptions {
  return { ...saved, changed: changed === true ? "always" : "never", resendSecrets };
}
