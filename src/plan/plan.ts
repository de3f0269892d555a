// The one planner: files and live rows in, changes out. Pure: no I/O, no clock, no colour.

import type { Base, Plan } from "../domain/change.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { countCalls } from "./calls.ts";
import type { PlanOptions } from "./options.ts";
import { compareForShow } from "./order.ts";
import { Planner } from "./planner.ts";
import { settle, type Settled } from "./settle.ts";
import { secretsNeeded, summarise, verifyRequests } from "./tally.ts";

/**
 * Plans what makes the account say what the files say. `now` is the instant (canonical form) at which expiry is judged.
 * Any error among the diagnostics means that nothing is planned.
 */
export function createPlan(project: Project, state: LiveState, now: string, options: PlanOptions): Plan {
  const settled = settle(project, state);
  const planner = new Planner(settled, now);
  if (!hasErrors(settled.diagnostics)) planner.run();
  const diagnostics = sortDiagnostics([...settled.diagnostics, ...planner.diagnostics]);
  const base = options.base && { ref: options.base.ref, commit: options.base.commit };
  if (hasErrors(diagnostics)) return notPlanned(settled, state, diagnostics, base);
  const changes = planner.changes.toSorted(compareForShow);
  // After a narrow reading nobody knows what else there is: then nothing is counted.
  const unmanaged = (state.isWhole ? settled.live : [])
    .filter((live) => !planner.managed.has(live))
    .toSorted((a, b) => compareText(b.kind, a.kind) || compareText(a.key, b.key));
  return {
    complete: true,
    changes,
    base,
    brakes: [],
    orphans: [],
    withheld: [],
    summary: summarise(changes, planner.unchanged, state.isWhole ? unmanaged.length : null),
    unmanaged,
    diagnostics,
    unknown: [...planner.unknown].toSorted(compareText),
    secretsCompared: planner.secretsCompared,
    secretsNeeded: secretsNeeded(changes),
    requests: {
      read: state.requests,
      apply: countCalls(changes),
      verify: verifyRequests(changes, state),
    },
    references: settled.references,
    zones: settled.zones,
  };
}

/** What is left where an error stood in the way: nobody knows what would change, nor whose the live rows are. */
function notPlanned(
  { references, zones }: Settled,
  state: LiveState,
  diagnostics: readonly Diagnostic[],
  base: Base | null,
): Plan {
  return {
    complete: false,
    changes: [],
    base,
    brakes: [],
    orphans: [],
    withheld: [],
    summary: summarise([], 0, null),
    unmanaged: [],
    diagnostics,
    unknown: [],
    secretsCompared: 0,
    secretsNeeded: [],
    requests: { read: state.requests, apply: 0, verify: 0 },
    references,
    zones,
  };
}
