// Checks that an account is exactly as declared: each object once with its values, and everything else unchanged.

import type { State } from "../../src/sandbox/index.ts";
import { ADDED } from "../support/faults.ts";
import { compareStates, plainRow, type Difference } from "../support/undone.ts";

/**
 * Compares an account with the result of the same project and seed without a fault. Records that the project does not change must be
 * identical to the seed. For others, new ids do not matter, nor whether an empty value was never set or cleared. Added records are ignored.
 */
export function differences(actual: State, expected: State, seed: State): Difference[] {
  const seeded = new Set([...seed.links, ...seed.pixels].map((row) => JSON.stringify(row)));
  return compareStates(withoutAdded(actual), withoutAdded(expected), (row, { pixels }, [wanted]) => {
    if (seeded.has(JSON.stringify(wanted))) return row;
    const rows = "alias" in row ? seed.links : seed.pixels;
    // A seeded pixel keeps its identity under another name. The name is compared separately.
    const pixelName = (pixel: number): string =>
      seed.pixels.some(({ id }) => id === pixel) ? `#${pixel}` : `${pixels.find(({ id }) => id === pixel)?.name}`;
    return { ...plainRow(row, pixelName), id: rows.some(({ id }) => id === row.id) ? row.id : "new" };
  });
}

/** The records that a fault has added, as text. They belong to someone else and stay. */
export function addedRows(state: State): string[] {
  return [...state.links, ...state.pixels].filter(isAdded).map((row) => JSON.stringify(row));
}

function withoutAdded({ links, pixels, ...rest }: State): State {
  return { ...rest, links: links.filter((row) => !isAdded(row)), pixels: pixels.filter((row) => !isAdded(row)) };
}

function isAdded(row: State["links"][number] | State["pixels"][number]): boolean {
  return "alias" in row ? row.alias === ADDED.alias : row.name === ADDED.name;
}
