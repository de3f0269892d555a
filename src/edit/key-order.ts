// The canonical order of the keys in files, for `fmt`. Blocks that `pull` and `import` write have it, too.

import { isScalar, Pair } from "yaml";
import type { Form } from "../config/form.ts";
import { projectSchema } from "../config/schema.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";

/** The schema of a value; null if files may have anything there. */
export type ValueSchema = Form | null;

/** The schema of project files. It has all keys of resource files. */
export const FILE_SCHEMA: ValueSchema = projectSchema;

const known = new WeakMap<Form, ReadonlyMap<string, number>>();

/** The rank of each key of a map; null if its keys are names, whose order belongs to the author. */
export function keyRanks(schema: ValueSchema): ReadonlyMap<string, number> | null {
  const keys = schema?.map?.keys;
  if (schema === null || keys === undefined) return null;
  const ranks = known.get(schema) ?? new Map([...keys.keys()].map((key, rank) => [key, rank]));
  known.set(schema, ranks);
  return ranks;
}

export function blockSchema(kind: ResourceKind): ValueSchema {
  return valueSchema(valueSchema(FILE_SCHEMA, SECTION[kind]), "");
}

export function valueSchema(schema: ValueSchema, key: string): ValueSchema {
  return schema?.map?.value ?? schema?.map?.keys?.get(key) ?? null;
}

export function itemSchema(schema: ValueSchema): ValueSchema {
  return schema?.list?.item ?? null;
}

/** The key of an entry of a map, without quotes. */
export function pairKey(item: unknown): string | null {
  if (!(item instanceof Pair) || !isScalar(item.key)) return null;
  const { value, source } = item.key;
  return typeof value === "string" ? value : (source ?? String(value));
}
