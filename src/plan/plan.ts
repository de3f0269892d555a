// The planner: files and live records in, changes out. Pure: no I/O, no clock, no color.

import { append } from "../domain/collections.ts";
import type { Base, Live, Plan } from "../domain/change.ts";
import { hasErrors, sortDiagnostics } from "../domain/diagnostic.ts";
import { mergeNamed } from "../domain/family-findings.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { baseFindings, countNowManaged, originOf, resolveBase, takesOver, type ResolvedBase } from "./base.ts";
import { trippedBrakes } from "./brake.ts";
import type { ChangedPart } from "./changed.ts";
import {
  checkFormLimits,
  datesWithoutZone,
  notExpressible,
  pixelsInUse,
  refusedAddresses,
  repeatedTimes,
} from "./guards.ts";
import { takeovers } from "./findings.ts";
import { planTotals } from "./summary.ts";
import { sortForDisplay } from "./order.ts";
import type { CreatePlanOptions } from "./options.ts";
import { Planner } from "./planner.ts";
import { idleGlobs, protectedChanges } from "./protect.ts";
import { checkPrune, keptLive, orphansAmong, pruned } from "./prune.ts";
import { KeyGlobs, unmatchedGlobs } from "./key-globs.ts";
import { resolveScope } from "./scope.ts";
import type { Resolved } from "./resolve.ts";
import { withholdChanges } from "./withhold.ts";

/**
 * Plans the changes that make the account match the files. `now` is the instant (canonical form) for expiration. With any error among
 * the diagnostics, nothing is planned.
 */
export function createPlan(resolved: Resolved, now: string, options: CreatePlanOptions): Plan {
  const { project, state, side } = resolved;
  const atBase = (then: Project | null): ResolvedBase => resolveBase(then, resolved);
  const base = options.base && { ...atBase(options.base.project), ...named(options.base) };
  const inherited = (options.base?.inherited ?? []).map((one) => ({ ...one, base: atBase(one.project) }));
  // Only a base that somebody named lets `prune: removed` delete.
  const pruneBase = base?.impliedDays === undefined ? base : null;
  const scope = resolveScope(project.policy.scope, side);
  const keyGlobs = new KeyGlobs(side.domains);
  const { resendSecrets, changed } = options;
  const isPlanned = plannedIdentities(resolved, base, changed);
  const planner = new Planner(resolved, { now, scope, resendSecrets, keyGlobs, isPlanned });
  const diagnostics = mergeNamed(resolved.diagnostics, project.declarations);
  // The plan after an error: changes and unmanaged objects are unknown.
  const unplanned: Plan = {
    complete: false,
    ...planTotals([], { unchanged: 0, unmanaged: null, nowManaged: null }, base, state),
    base: base && named(base),
    software: state.software.source === "assumed" ? null : state.software.version,
    atStake: { link: [], pixel: [] },
    notCompared: changed?.notCompared ?? null,
    brakeSettings: project.policy.brake,
    isNewProject: pruneBase !== null && options.base?.project === null,
    brakes: [],
    orphans: [],
    withheld: [],
    keptLive: [],
    isPruneBlind: false,
    unmanaged: [],
    unreadable: resolved.unreadable,
    outsideScope: new Set(),
    diagnostics: sortDiagnostics(diagnostics),
    unknown: [],
    secretsCompared: 0,
    references: resolved.references,
    hosts: side.domains.names,
    zones: resolved.zones,
  };
  if (hasErrors(diagnostics)) return unplanned;
  planner.run();
  const unmanagedNow = (): Live[] => {
    const all = planner.unmanaged();
    return changed === null ? all : all.filter((live) => isPlanned(base?.records.get(live) ?? live));
  };
  const unnamed = unmanagedNow();
  const toPrune = pruned(unnamed, resolved.staleRecords, project.policy.prune, pruneBase, scope);
  append(diagnostics, checkPrune(toPrune, project, unplanned.notCompared));
  if (options.base !== null) append(diagnostics, baseFindings(project, options.base));
  for (const { live, reason, source } of toPrune) planner.delete(live, reason, source);

  const all = sortForDisplay(
    base === null
      ? planner.changes
      : planner.changes.map((change) => ({
          ...change,
          origin: originOf(change, base, now),
          takesOver: takesOver(change, base),
        })),
  );
  const { changes, withheld } = withholdChanges(all, project.policy, options, keyGlobs);
  const written = changes.filter((change) => change.action !== "delete");
  append(diagnostics, [
    ...planner.diagnostics,
    ...unmatchedGlobs(options, resolved, all, keyGlobs),
    ...protectedChanges(changes, project.policy.protect, resolved, keyGlobs, base, inherited),
    ...(changed === null ? idleGlobs(project.policy.protect, resolved, keyGlobs) : []),
    ...pixelsInUse(changes, resolved.live, resolved.unreadable, resolved.desired),
    ...datesWithoutZone(changes, resolved.zones),
    ...checkFormLimits(written),
    ...(options.conflicts ?? []),
    ...takeovers(changes, project.policy.rules, options.base),
    ...mergeNamed(
      [
        ...notExpressible(written, state.software.version),
        ...refusedAddresses(written, project.policy.rules),
        ...repeatedTimes(written, resolved.zones),
      ],
      project.declarations,
    ),
  ]);
  const found = { ...unplanned, diagnostics: sortDiagnostics(diagnostics) };
  if (hasErrors(diagnostics)) return found;
  const unmanaged = toPrune.length === 0 ? unnamed : unmanagedNow();
  // After a partial reading, the unmanaged objects are not all known.
  const knowsAll = state.isWhole && changed === null;
  const creates = changes.filter((change) => change.action === "create");
  const orphans = orphansAmong(unmanaged, base, creates, scope);
  const atStake = planner.managed;
  return {
    ...found,
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
    atStake,
    brakes: trippedBrakes({ ...unplanned, atStake, changes }, options.allowances),
    orphans,
    withheld,
    keptLive: keptLive(resolved, orphans, project.policy.prune.mode, pruneBase, scope),
    isPruneBlind: project.policy.prune.mode === "removed" && pruneBase === null,
    unmanaged: knowsAll ? unmanaged : [],
    outsideScope: new Set(scope === null ? [] : unmanaged.filter(({ kind, values }) => !scope.has(kind, values))),
    unknown: [...planner.unknown].toSorted(compareText),
    secretsCompared: planner.secretsCompared,
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
