// Which steps of an undo are possible together: a key that another record has, or a pixel that a link uses, prevents one.

import { append } from "../domain/collections.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordKey, LeftAlone } from "../domain/receipt.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { identityOf, keyOf, type LiveIndex } from "./live.ts";
import type { UndoStep } from "./decide.ts";
import { alone } from "./messages.ts";

/** Leaves out what can't be done, and what can't be done without that. */
export function possible(
  all: readonly UndoStep[],
  live: LiveIndex,
  state: Pick<LiveState, "links" | "unreadable">,
): Free {
  let steps = all;
  const left: LeftAlone[] = [];
  for (;;) {
    const free = withFreeKeys(steps, live);
    const users = usersAfter(free.steps, [...state.links, ...state.unreadable.filter(({ kind }) => kind === "link")]);
    const used = free.steps.flatMap((step) => {
      const by = step.does === "remove" && step.record.kind === "pixel" ? (users.get(step.record.id) ?? []) : [];
      return by.length === 0 ? [] : [{ step, by }];
    });
    append(left, free.left);
    append(
      left,
      used.map(({ step, by }) => stillUsed(step, by)),
    );
    if (used.length === 0) return { steps: free.steps, left };
    const kept = new Set(used.map(({ step }) => step));
    steps = free.steps.filter((step) => !kept.has(step));
  }
}

/** The links that use each pixel once these steps are taken. */
function usersAfter(steps: readonly UndoStep[], links: readonly LiveRecord[]): Map<number, LiveRecord[]> {
  const gone = new Set(steps.flatMap((step) => (step.does === "restore" ? [] : (step.record ?? []))));
  const restored = new Map(
    steps.flatMap((step) => (step.does === "restore" ? [[step.record, step.fields] as const] : [])),
  );
  const users = new Map<number, LiveRecord[]>();
  for (const link of links) {
    if (gone.has(link)) continue;
    const former = restored.get(link)?.get(REFERENCE_FIELD.pixel);
    const used =
      former !== undefined && "pointers" in former ? former.pointers : link.references.get(REFERENCE_FIELD.pixel);
    for (const { id } of used ?? []) if (id !== null) users.set(id, [...(users.get(id) ?? []), link]);
  }
  return users;
}

const MOST = 3;

function stillUsed({ change }: UndoStep, by: readonly LiveRecord[]): LeftAlone {
  const keys = by.slice(0, MOST).map((link) => {
    const { domain, name } = keyOf(link);
    return `\`${domain === null ? name : `${domain.name}/${name}`}\``;
  });
  const more = by.length > MOST ? ` and ${by.length - MOST} more` : "";
  const message = `is not deleted: ${keys.join(", ")}${more} ${by.length === 1 ? "uses" : "use"} it.`;
  return alone(change, "still-used", message, "Take it out of these links first, or leave it so.");
}

/** Steps that can be taken together, and what had to be left. */
export interface Free {
  readonly steps: readonly UndoStep[];
  readonly left: readonly LeftAlone[];
}

/**
 * Leaves out what would take a key that a live record has and goes on having. A record that so keeps its own key may be in the way of
 * another step: it goes on until nothing is in the way.
 */
function withFreeKeys(all: readonly UndoStep[], live: LiveIndex): Free {
  let steps = all;
  const left: LeftAlone[] = [];
  for (;;) {
    const leaving = new Set(steps.flatMap((step) => leavesKey(step) ?? []));
    const next: UndoStep[] = [];
    // Two records can have shared a key; only one of them can have it back.
    const given = new Map<string, UndoStep>();
    let isChanged = false;
    for (const step of steps) {
      const key = keyTaken(step);
      const other = key === null ? undefined : given.get(identityOf(step.change.kind, key));
      const own = step.does === "restore" ? step.record : null;
      const holder =
        key === null
          ? undefined
          : live.at(step.change.kind, key).find((record) => record !== own && !leaving.has(record));
      if (key === null || (holder === undefined && other === undefined)) {
        next.push(step);
        if (key !== null) given.set(identityOf(step.change.kind, key), step);
      } else {
        isChanged = true;
        left.push(
          taken(
            step,
            key,
            holder === undefined
              ? `goes to the row that had id ${other?.change.id}`
              : `now belongs to another row (id ${holder.id})`,
          ),
        );
        if (step.does === "restore" && step.fields.size > 0) next.push({ ...step, name: null });
      }
    }
    if (!isChanged) return { steps, left };
    steps = next;
  }
}

/** The key that a step gives to its record; null where it gives none. */
export function keyTaken(step: UndoStep): RecordKey | null {
  if (step.does === "make") return step.change.was;
  if (step.does === "restore" && step.name !== null) return { ...keyOf(step.record), name: step.name };
  return null;
}

/** The record that has another key after a step, or none. */
function leavesKey(step: UndoStep): LiveRecord | null {
  if (step.does === "remove" || step.does === "make") return step.record;
  const key = keyTaken(step);
  return key === null || identityOf(step.record.kind, key) === identityOf(step.record.kind, keyOf(step.record))
    ? null
    : step.record;
}

/** `why` goes on from the key. */
function taken(step: UndoStep, { domain, name }: RecordKey, why: string): LeftAlone {
  const key = domain === null ? name : `${domain.name}/${name}`;
  const what =
    step.does === "make"
      ? `is not created again (id ${step.change.id}): \`${key}\` ${why}.`
      : `keeps its key: \`${key}\` ${why}.`;
  return alone(step.change, "taken-since", what, "Free the key, or leave it so.");
}
