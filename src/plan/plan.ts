// The planner: files and live records in, changes out. Pure: no I/O, no clock, no color.

import { append } from "../domain/collections.ts";
import type { Base, Change, Create, Plan } from "../domain/change.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { InheritedProject, Project } from "../domain/project.ts";
import { baseFindings, resolveBase, type ResolvedBase } from "./base.ts";
import { trippedBrakes } from "./brake.ts";
import { circularWaits, datesWithoutZone, notExpressible, pixelsInUse } from "./guards.ts";
import { figures, summarise } from "./summary.ts";
import { inOrderForShow } from "./order.ts";
import { originOf } from "./origin.ts";
import { Planner } from "./planner.ts";
import { idleGlobs, protectedChanges } from "./protect.ts";
import { checkPrune, keptLive, orphansAmong, pruned, unreadableToPrune } from "./prune.ts";
import { Spellings, unmatchedGlobs } from "./key-globs.ts";
import { resolveScope } from "./scope.ts";
import { resolve, type Resolved } from "./resolve.ts";
import { tooLarge } from "./size.ts";
import { choose } from "./withhold.ts";

/**
 * Plans what makes the account say what the files say. `now` is the instant (canonical form) at which expiry is judged.
 * Any error among the diagnostics means that nothing is planned.
 */
export function createPlan(project: Project, state: LiveState, now: string, options: PlanOptions): Plan {
  const settled = resolve(project, state);
  const atBase = (then: Project | null): ResolvedBase => resolveBase(then, project.baseUrl, state, settled);
  const base = options.base && { ...atBase(options.base.project), ...named(options.base) };
  const inherited = (options.base?.inherited ?? []).map((one) => ({ ...one, base: atBase(one.project) }));
  const scope = resolveScope(project.policy.scope, settled.side);
  const spellings = new Spellings(settled.side.domains);
  const planner = new Planner(settled, { now, scope, resendSecrets: options.resendSecrets, spellings });
  const diagnostics = [...settled.diagnostics];
  if (hasErrors(diagnostics)) return notPlanned(settled, state, diagnostics, base);
  planner.run();
  const unnamed = planner.unmanaged();
  const toPrune = pruned(unnamed, settled.staleRecords, project.policy.prune, base, scope);
  append(diagnostics, checkPrune(toPrune, project));
  if (options.base !== null) append(diagnostics, baseFindings(project, options.base));
  for (const { live, reason, source } of toPrune) planner.delete(live, reason, source);

  const all = inOrderForShow(planner.changes.map((change) => withOrigin(change, base, now)));
  const { changes, withheld } = choose(all, project.policy, options, spellings);
  diagnostics.push(
    ...planner.diagnostics,
    ...unmatchedGlobs(options, settled, all, spellings),
    ...protectedChanges(changes, project.policy.protect, settled, spellings, base, inherited),
    ...idleGlobs(project.policy.protect, settled, spellings),
    ...pixelsInUse(changes, settled.live, settled.unreadable, settled.desired),
    ...circularWaits(changes),
    ...datesWithoutZone(changes, settled.zones),
    ...tooLarge(changes),
    ...notExpressible(changes, state.software.version),
  );
  if (hasErrors(diagnostics)) return notPlanned(settled, state, diagnostics, base);
  const unmanaged = toPrune.length === 0 ? unnamed : planner.unmanaged();
  const notPruned = unreadableToPrune(state, settled, project.policy.prune, base, scope);
  const creates = changes.filter((change): change is Create => change.action === "create");
  const orphans = orphansAmong(unmanaged, base, creates, scope);
  return {
    complete: true,
    ...figures(
      changes,
      { unchanged: planner.unchanged, unmanaged: state.isWhole ? unmanaged.length : null },
      base,
      state,
    ),
    base: base && named(base),
    software: knownSoftware(state),
    atStake: planner.managed,
    brakes: trippedBrakes(changes, planner.managed, project.policy.brake, options.allowances),
    orphans,
    withheld,
    keptLive: keptLive(orphans, settled.staleRecords, project.policy.prune, notPruned),
    isPruneBlind: project.policy.prune.mode === "removed" && base === null,
    // After a narrow reading nobody knows what else there is: then nothing is shown as all there is.
    unmanaged: state.isWhole ? unmanaged : [],
    unreadable: settled.unreadable,
    outsideScope: new Set(scope === null ? [] : unmanaged.filter(({ kind, values }) => !scope.has(kind, values))),
    diagnostics: sortDiagnostics(diagnostics),
    unknown: [...planner.unknown].toSorted(compareText),
    secretsCompared: planner.secretsCompared,
    references: settled.references,
    hosts: settled.hosts,
    zones: settled.zones,
  };
}

function named({ ref, commit }: Base): Base {
  return { ref, commit };
}

function knownSoftware({ software }: LiveState): Plan["software"] {
  return software.source === "assumed" ? null : software.version;
}

function withOrigin(change: Change, base: ResolvedBase | null, now: string): Change {
  return base === null ? change : { ...change, origin: originOf(change, base, now) };
}

/** What is left where an error stood in the way: nobody knows what would change, nor whose the live rows are. */
function notPlanned(
  { references, hosts, zones, unreadable }: Resolved,
  state: LiveState,
  diagnostics: readonly Diagnostic[],
  base: Base | null,
): Plan {
  return {
    complete: false,
    changes: [],
    base: base && named(base),
    software: knownSoftware(state),
    atStake: { link: [], pixel: [] },
    brakes: [],
    orphans: [],
    withheld: [],
    keptLive: [],
    isPruneBlind: false,
    summary: summarise([], 0, null, base !== null),
    unmanaged: [],
    unreadable,
    outsideScope: new Set(),
    diagnostics: sortDiagnostics(diagnostics),
    unknown: [],
    secretsCompared: 0,
    secretsNeeded: [],
    requests: { read: state.requests, apply: 0, verify: 0 },
    references,
    hosts,
    zones,
  };
}

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
}

/** A plan of everything, against the files alone. */
export const NO_OPTIONS: PlanOptions = {
  base: null,
  targets: [],
  excludes: [],
  resendSecrets: [],
  allowances: { deletes: null, updates: null, clicks: null },
};
