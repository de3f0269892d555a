// A plan cut down to some of its changes, with everything that is reckoned from them.

import type { Base, Change, Plan, Summary } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { BrakeSettings } from "../domain/policy.ts";
import { trippedBrakes } from "./brake.ts";
import { countCalls } from "./calls.ts";
import type { BrakeAllowances } from "./options.ts";
import { secretsNeeded, summarise, verifyRequests } from "./tally.ts";

/** What follows from the changes of a plan, in the order given; the rest of the summary stays as it was. */
export function figures(
  changes: readonly Change[],
  { unchanged, unmanaged }: Pick<Summary, "unchanged" | "unmanaged">,
  base: Base | null,
  state: LiveState,
): Pick<Plan, "changes" | "summary" | "secretsNeeded" | "requests"> {
  return {
    changes,
    summary: summarise(changes, unchanged, unmanaged, base !== null),
    secretsNeeded: secretsNeeded(changes),
    requests: { read: state.requests, apply: countCalls(changes), verify: verifyRequests(changes, state) },
  };
}

/** What the figures of a plan are held against. */
export interface Bounds {
  readonly brake: BrakeSettings;
  readonly allowances: BrakeAllowances;
}

/** The plan with only those of its changes that are in `kept`, in its own order. */
export function narrow(plan: Plan, kept: ReadonlySet<Change>, { brake, allowances }: Bounds, state: LiveState): Plan {
  const changes = plan.changes.filter((change) => kept.has(change));
  return {
    ...plan,
    ...figures(changes, plan.summary, plan.base, state),
    brakes: trippedBrakes(changes, plan.atStake, brake, allowances),
  };
}
