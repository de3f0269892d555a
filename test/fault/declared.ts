// Checks that an account is exactly as declared: each object once with its values, and everything else unchanged.

import type { State } from "../../src/sandbox/index.ts";
import { ADDED } from "../support/list-faults.ts";

type Row = State["links"][number] | State["pixels"][number];

/** A difference of the object with this key, as a sentence. */
export interface Difference {
  /** `link go.example.com/sale` or `pixel Meta main`. */
  readonly key: string;
  readonly says: string;
}

/**
 * Compares an account with the result of the same project and seed without a fault. Records that the project does not change
 * must be identical to the seed. For the others, new ids do not matter, nor how an empty
 * group or limit is stored: never set, or cleared. Records that a fault added are ignored.
 */
export function differences(actual: State, expected: State, seed: State): Difference[] {
  const [is, should, was] = [keyed(actual), keyed(expected), keyed(seed)];
  return [...new Set([...is.keys(), ...should.keys()])].toSorted().flatMap((key) => {
    const rows = is.get(key) ?? [];
    const [wanted] = should.get(key) ?? [];
    const [row] = rows;
    if (row === undefined) return [{ key, says: "is not there" }];
    if (wanted === undefined) return [{ key, says: "is there" }];
    if (rows.length > 1) return [{ key, says: `is there ${rows.length} times` }];
    const isUntouched = (was.get(key) ?? []).some((seeded) => JSON.stringify(seeded) === JSON.stringify(wanted));
    return isUntouched
      ? fieldDifferences(key, row, wanted)
      : fieldDifferences(key, plainRow(row, actual, seed), plainRow(wanted, expected, seed));
  });
}

/** The records that a fault has added, as text. They belong to someone else and stay. */
export function addedRows({ links, pixels }: State): string[] {
  const added = [
    ...links.filter(({ alias }) => alias === ADDED.alias),
    ...pixels.filter(({ name }) => name === ADDED.name),
  ];
  return added.map((row) => JSON.stringify(row));
}

/** Records by key. The service may have an alias twice, also in two spellings. */
function keyed({ links, pixels, domains }: State): Map<string, Row[]> {
  const rows = new Map<string, Row[]>();
  const domainNames = new Map(domains.map(({ id, name }) => [id, name]));
  const keep = (key: string, row: Row): void => void rows.set(key, [...(rows.get(key) ?? []), row]);
  for (const pixel of pixels) if (pixel.name !== ADDED.name) keep(`pixel ${pixel.name}`, pixel);
  for (const link of links)
    if (link.alias !== ADDED.alias) keep(`link ${domainNames.get(link.domain)}/${link.alias}`, link);
  return rows;
}

/** A record without the allowed differences: new ids, and the two forms of an empty value. */
function plainRow(row: Row, { pixels }: State, seed: State): object {
  const seeded: readonly Row[] = "alias" in row ? seed.links : seed.pixels;
  const id = seeded.some((one) => one.id === row.id) ? row.id : "new";
  if (!("alias" in row)) return { ...row, id };
  // A seeded pixel keeps its identity under another name. The name is compared separately.
  const used = row.pixels.map((pixel) =>
    seed.pixels.some((one) => one.id === pixel) ? `#${pixel}` : `${pixels.find((one) => one.id === pixel)?.name}`,
  );
  return {
    ...row,
    id,
    pixels: used.toSorted(),
    expiration_clicks: row.expiration_clicks ?? 0,
    country: Object.values(row.country ?? []),
    platform: Object.values(row.platform ?? []),
    language: Object.values(row.language ?? []),
    rotation: Object.values(row.rotation ?? []),
  };
}

function fieldDifferences(key: string, actual: object, expected: object): Difference[] {
  const values = new Map(Object.entries(actual).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.entries(expected).flatMap(([name, value]) => {
    const [is, should] = [values.get(name), JSON.stringify(value)];
    return is === should ? [] : [{ key, says: `has ${name} ${is}, not ${should}` }];
  });
}
