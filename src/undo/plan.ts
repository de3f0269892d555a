// A receipt as a project: what it takes to have the former state again, in the form that the planner plans from.

import { fold } from "../domain/fold.ts";
import { fieldsText, type LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import type { LeftAlone, Loss, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { keyTaken } from "./keys.ts";
import { keyOf, LiveIndex } from "./live.ts";
import { UndoNames } from "./names.ts";
import { policyOf } from "./policy.ts";
import { possible } from "./possible.ts";
import { leave, type Decision, type DecideOptions, type UndoStep } from "./step.ts";
import { decide } from "./steps.ts";
import { alone, lineFor } from "./words.ts";
import { UndoWriter } from "./writer.ts";

/** What to plan, and what there is to say before. */
export interface Undo {
  /** To be planned against the very state it was made of. */
  readonly project: Project;
  /** Globs of keys whose secrets are sent although one is set. */
  readonly resendSecrets: readonly string[];
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** Changes of which only live tells whether this apply made them. */
  readonly doubtful: readonly ReceiptChange[];
  /** How many changes are taken back already, or were never made. */
  readonly already: number;
}

/**
 * The project whose plan takes an apply back. `files` are the project's own: their policy holds, what they declare does not. A row is named by
 * its id, so that nothing but what the receipt speaks of is touched.
 */
export function undoProject(
  receipt: Receipt,
  files: Project,
  state: LiveState,
  options: Omit<DecideOptions, "accountZone">,
): Undo {
  const live = new LiveIndex(state);
  const accountZone = files.accountZone ?? state.accountZone;
  const decisions = receipt.changes.map((change) => {
    const unreadable = unreadableRowOf(change, state.unreadable);
    return { change, ...(unreadable ?? decide(change, live, { ...options, accountZone })) };
  });
  const decided = decisions.flatMap(({ step }) => step ?? []);
  const known = new UndoNames(decided, files, state);
  const homeless = decided.flatMap((step) => withoutDomain(step, known) ?? []);
  const { steps, left } = possible(
    decided.filter((step) => withoutDomain(step, known) === null),
    live,
    state,
  );
  const names = new UndoNames(steps, files, state);
  const writer = new UndoWriter(names);
  const declarations = steps.flatMap((step) => (step.does === "remove" ? [] : (writer.declaration(step) ?? [])));
  const tombstones = steps.flatMap((step) => (step.does === "remove" ? writer.tombstone(step) : []));
  const resendSecrets = steps.flatMap((step) =>
    step.does === "restore" && step.isResent ? writer.keyAfter(step) : [],
  );
  // What is not made again after all comes back in no other way either.
  const taken = new Set(steps.map(({ change }) => change));
  const said = decisions.filter(({ change, step }) => step?.does !== "make" || taken.has(change));
  return {
    project: { ...policyOf(files, names), declarations, tombstones },
    resendSecrets,
    losses: [...said.flatMap(({ losses }) => losses), ...writer.losses],
    left: [...said.flatMap((one) => one.left), ...homeless, ...left],
    doubtful: decisions.flatMap(({ change, isDoubtful }) => (isDoubtful ? [change] : [])),
    already: decisions.filter((one) => one.step === null && one.left.length === 0).length,
  };
}

/** What is left of a change whose row, or whose key, is that of a row that can't be read; null where there is none. */
function unreadableRowOf(change: ReceiptChange, rows: LiveState["unreadable"]): Decision | null {
  if (change.outcome === "skipped" || change.mayHaveActed === false) return null;
  const row = rows.find((one) => {
    if (one.kind !== change.kind) return false;
    if (one.id === change.id || one.id === change.newId) return true;
    const { domain, name } = keyOf(one);
    return [change.was, change.is].some(
      (key) =>
        key !== null &&
        fold(key.name) === fold(name) &&
        (domain === null || key.domain === null || domain.id === key.domain.id),
    );
  });
  if (row === undefined) return null;
  const message = `is left as it is: linkform cannot read ${row.kind} ${row.id} (${fieldsText(row.unreadable)}).`;
  const hint = `Fix the ${row.kind} on the service's own pages, then run the undo again.`;
  return leave(alone(change, "unreadable-row", message, hint));
}

/** What is left of a link because its domain is gone, for all that can be seen: of one without links that takes a list of domains. */
function withoutDomain(step: UndoStep, names: UndoNames): LeftAlone | null {
  const domain = keyTaken(step)?.domain ?? null;
  if (domain === null || (domain.id !== null && names.isKnown("domain", domain.id))) return null;
  const message = `is not made again: nothing that was read confirms its domain \`${domain.name}\`.`;
  return alone(step.change, "gone-since", message, lineFor("domain", domain));
}
