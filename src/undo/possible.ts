// Steps that can be taken together: a key must be free, and a pixel that goes used by nobody.

import { append } from "../domain/collections.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { LeftAlone } from "../domain/receipt.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { keyOf, type LiveIndex } from "./live.ts";
import { withFreeKeys, type Free } from "./keys.ts";
import type { UndoStep } from "./step.ts";
import { alone } from "./words.ts";

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
      const by = step.does === "remove" && step.row.kind === "pixel" ? (users.get(step.row.id) ?? []) : [];
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
  const gone = new Set(steps.flatMap((step) => (step.does === "restore" ? [] : (step.row ?? []))));
  const restored = new Map(
    steps.flatMap((step) => (step.does === "restore" ? [[step.row, step.fields] as const] : [])),
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
