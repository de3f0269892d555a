// The planner: files and live records in, changes out. Pure: no I/O, no clock, no color.

import { append } from "../domain/collections.ts";
import type { Base, Change, Create, Live, Plan } from "../domain/change.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { mergeShared } from "../domain/shared-findings.ts";
import { baseFindings, countNowManaged, resolveBase, takesOver, type ResolvedBase } from "./base.ts";
import { trippedBrakes } from "./brake.ts";
import type { ChangedPart } from "./changed.ts";
import {
  circularWaits,
  datesWithoutZone,
  notExpressible,
  pixelsInUse,
  refusedAddresses,
  repeatedTimes,
} from "./guards.ts";
import { takeovers } from "./findings.ts";
import { planTotals, summarize } from "./summary.ts";
import { sortForDisplay } from "./order.ts";
import { originOf } from "./origin.ts";
import type { CreatePlanOptions } from "./options.ts";
import { Planner } from "./planner.ts";
import { idleGlobs, protectedChanges } from "./protect.ts";
import { checkPrune, keptLive, orphansAmong, pruned, unreadableToPrune } from "./prune.ts";
import { KeyGlobs, unmatchedGlobs } from "./key-globs.ts";
import { resolveScope } from "./scope.ts";
import { resolve, type Resolved } from "./resolve.ts";
import { withholdChanges } from "./withhold.ts";

/**
 * Plans the changes that make the account match the files. `now` is the instant (canonical form) for expiration. With any error among
 * the diagnostics, nothing is planned.
 */
export function createPlan(project: Project, state: LiveState, now: string, options: CreatePlanOptions): Plan {
  return planResolved(resolve(project, state), project, state, now, options);
}

/** The same for objects that are resolved already. Of `project`, only the policy and the base are used. */
export function planResolved(
  resolved: Resolved,
  project: Project,
  state: LiveState,
  now: string,
  options: CreatePlanOptions,
): Plan {
  const atBase = (then: Project | null): ResolvedBase => resolveBase(then, project.baseUrl, state, resolved);
  const base = options.base && { ...atBase(options.base.project), ...named(options.base) };
  const inherited = (options.base?.inherited ?? []).map((one) => ({ ...one, base: atBase(one.project) }));
  // Only a base that somebody named lets `prune: removed` delete.
  const pruneBase = base?.impliedDays === undefined ? base : null;
  const scope = resolveScope(project.policy.scope, resolved.side);
  const keyGlobs = new KeyGlobs(resolved.side.domains);
  const { resendSecrets, changed } = options;
  const isPlanned = plannedIdentities(resolved, base, changed);
  const planner = new Planner(resolved, { now, scope, resendSecrets, keyGlobs, isPlanned });
  const diagnostics = mergeShared(resolved.diagnostics, project.declarations);
  const braked = {
    atStake: planner.managed,
    notCompared: changed?.notCompared ?? null,
    brakeSettings: project.policy.brake,
    isNewProject: pruneBase !== null && options.base?.project === null,
  };
  if (hasErrors(diagnostics)) return notPlanned(resolved, state, diagnostics, base, braked);
  planner.run();
  const unmanagedNow = (): Live[] => {
    const all = planner.unmanaged();
    return changed === null ? all : all.filter((live) => isPlanned(base?.records.get(live) ?? live));
  };
  const unnamed = unmanagedNow();
  const toPrune = pruned(unnamed, resolved.staleRecords, project.policy.prune, pruneBase, scope);
  append(diagnostics, checkPrune(toPrune, project, braked.notCompared));
  if (options.base !== null) append(diagnostics, baseFindings(project, options.base));
  for (const { live, reason, source } of toPrune) planner.delete(live, reason, source);

  const all = sortForDisplay(planner.changes.map((change) => comparedWithBase(change, base, now)));
  const { changes, withheld } = withholdChanges(all, project.policy, options, keyGlobs);
  diagnostics.push(
    ...planner.diagnostics,
    ...unmatchedGlobs(options, resolved, all, keyGlobs),
    ...protectedChanges(changes, project.policy.protect, resolved, keyGlobs, base, inherited),
    ...(changed === null ? idleGlobs(project.policy.protect, resolved, keyGlobs) : []),
    ...pixelsInUse(changes, resolved.live, resolved.unreadable, resolved.desired),
    ...circularWaits(changes),
    ...datesWithoutZone(changes, resolved.zones),
    ...options.checkLimits(changes),
    ...takeovers(changes, project.policy.rules, options.base),
    ...mergeShared(
      [
        ...notExpressible(changes, state.software.version),
        ...refusedAddresses(changes, project.policy.rules),
        ...repeatedTimes(changes, resolved.claims, resolved.zones, state.software.version),
      ],
      project.declarations,
    ),
  );
  if (hasErrors(diagnostics)) return notPlanned(resolved, state, diagnostics, base, braked);
  const unmanaged = toPrune.length === 0 ? unnamed : unmanagedNow();
  // After a partial reading, the unmanaged objects are not all known.
  const knowsAll = state.isWhole && changed === null;
  const notPruned = unreadableToPrune(resolved, project.policy.prune, pruneBase, scope);
  const creates = changes.filter((change): change is Create => change.action === "create");
  const orphans = orphansAmong(unmanaged, base, creates, scope);
  return {
    complete: true,
    ...planTotals(
      changes,
      {
        unchanged: planner.unchanged,
        unmanaged: knowsAll ? unmanaged.length : null,
        nowManaged: base && countNowManaged(resolved.claims, all, base),
      },
      base,
      state,
    ),
    base: base && named(base),
    software: knownSoftware(state),
    ...braked,
    brakes: trippedBrakes({ ...braked, changes }, options.allowances),
    orphans,
    withheld,
    keptLive: keptLive(orphans, resolved.staleRecords, project.policy.prune, notPruned),
    isPruneBlind: project.policy.prune.mode === "removed" && pruneBase === null,
    unmanaged: knowsAll ? unmanaged : [],
    unreadable: resolved.unreadable,
    outsideScope: new Set(scope === null ? [] : unmanaged.filter(({ kind, values }) => !scope.has(kind, values))),
    diagnostics: sortDiagnostics(diagnostics),
    unknown: [...planner.unknown].toSorted(compareText),
    secretsCompared: planner.secretsCompared,
    references: resolved.references,
    hosts: resolved.hosts,
    zones: resolved.zones,
  };
}

/** Tests whether an object is planned: all are, unless only a changed part is. */
function plannedIdentities(
  { side }: Resolved,
  base: ResolvedBase | null,
  changed: ChangedPart | null,
): (object: Pick<Live, "identity">, isNew?: boolean) => boolean {
  if (changed === null) return () => true;
  const needed = new Set(changed.needed.map((key) => side.keys.of(key).identity));
  const planned = new Set(changed.planned.map((key) => side.keys.of(key).identity));
  // Of links, the base has only planned ones, perhaps on domains that the files no longer name.
  for (const { kind, identity } of base?.desired.values() ?? []) if (kind === "link") planned.add(identity);
  return ({ identity }, isNew = false) => planned.has(identity) || (isNew && needed.has(identity));
}

function named({ ref, commit, impliedDays }: Base): Base {
  return { ref, commit, ...(impliedDays !== undefined && { impliedDays }) };
}

function knownSoftware({ software }: LiveState): Plan["software"] {
  return software.source === "assumed" ? null : software.version;
}

function comparedWithBase(change: Change, base: ResolvedBase | null, now: string): Change {
  return base === null
    ? change
    : { ...change, origin: originOf(change, base, now), takesOver: takesOver(change, base) };
}

/** The plan after an error: changes and unmanaged objects are unknown. */
function notPlanned(
  { references, hosts, zones, unreadable }: Resolved,
  state: LiveState,
  diagnostics: readonly Diagnostic[],
  base: Base | null,
  braked: Pick<Plan, "notCompared" | "brakeSettings" | "isNewProject">,
): Plan {
  return {
    ...braked,
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
    summary: summarize([], { unchanged: 0, unmanaged: null, nowManaged: null }, base !== null),
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
