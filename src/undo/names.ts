// What domains, spaces and pixels of a receipt are called now: its ids in words that the planner understands.

import { fold } from "../domain/fold.ts";
import type { LiveState, Named } from "../domain/live.ts";
import type { Label, Project } from "../domain/project.ts";
import type { Pointer } from "../domain/receipt.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { nameOf } from "../plan/names.ts";
import { keyTaken } from "./keys.ts";
import type { UndoStep } from "./step.ts";

/** A pixel as it will be called; `isOther`: it is not the one that the receipt means, but has its name. */
export interface FoundPixel {
  readonly name: string;
  readonly isOther: boolean;
}

export class UndoNames {
  readonly #labels: Readonly<Record<"domain" | "space", readonly Label[]>>;
  readonly #known: Readonly<Record<"domain" | "space", ReadonlyMap<number, string>>>;
  /** By the id they have now, or had when they were deleted. */
  readonly #pixels: ReadonlyMap<number, string>;

  /** `state` is null where nothing has been read yet. */
  constructor(
    steps: readonly UndoStep[],
    { domains, spaces }: Pick<Project, "domains" | "spaces">,
    state: LiveState | null,
  ) {
    this.#known = {
      domain: namedBy("domain", state, state?.domains ?? []),
      space: namedBy("space", state, state?.spaces ?? []),
    };
    this.#labels = { domain: domains, space: spaces };
    this.#pixels = pixelsAfter(steps, state);
  }

  /** The files' labels, but for such as are the id of another row: ids are what stands in the project. */
  labels(of: "domain" | "space"): readonly Label[] {
    const isOther = ({ label, id }: Label): boolean => Number(label) !== id && this.#known[of].has(Number(label));
    return this.#labels[of].filter((label) => !/^\d+$/.test(label.label) || !isOther(label));
  }

  /** Whether a row has this id. */
  isKnown(of: "domain" | "space", id: number): boolean {
    return this.#known[of].has(id) || this.#labels[of].some((label) => label.id === id && label.name !== null);
  }

  /** What stands for this row in the project: the files' label for it, else its id. */
  text(of: "domain" | "space", id: number): string {
    return this.labels(of).find((label) => label.id === id)?.label ?? String(id);
  }

  /** The pixel that is meant; null where none is left that could be. */
  pixel({ id, name }: Pointer): FoundPixel | null {
    const own = id === null ? undefined : this.#pixels.get(id);
    if (own !== undefined) return { name: own, isOther: false };
    const other = [...this.#pixels.values()].find((one) => fold(one) === fold(name));
    return other === undefined ? null : { name: other, isOther: id !== null };
  }
}

function namedBy(of: "domain" | "space", state: LiveState | null, listed: readonly Named[]): Map<number, string> {
  const rows = state === null ? [] : [...state.links, ...state.unreadable];
  const named = rows.flatMap(({ references }) => references.get(REFERENCE_FIELD[of]) ?? []);
  return new Map([...named, ...listed].map(({ id, name }) => [id, name]));
}

/** What pixels will be called: those that stay, under the names they get; those that are made again, under the ids they had. */
function pixelsAfter(steps: readonly UndoStep[], state: LiveState | null): Map<number, string> {
  const names = new Map((state?.pixels ?? []).map((row) => [row.id, nameOf(row)]));
  for (const step of steps) {
    if (step.change.kind !== "pixel") continue;
    if (step.does === "remove") names.delete(step.row.id);
    const key = keyTaken(step);
    if (step.does === "restore" && key !== null) names.set(step.row.id, key.name);
    if (step.does === "make" && key !== null && step.change.id !== null) names.set(step.change.id, key.name);
  }
  return names;
}
