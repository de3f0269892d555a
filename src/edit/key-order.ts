// The canonical order of the keys in files, for `fmt`. Blocks that `pull` and `import` write have it, too.

import { isScalar, Pair } from "yaml";
import * as z from "zod";
import { linkKeys, projectSchema } from "../config/schema.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";

/** The schema of a value; null if files may have anything there. */
export type ValueSchema = z.core.$ZodType | null;

/** Settings come first, then the resources, from what others refer to down to what is deleted. */
const SECTIONS: readonly string[] = [
  "version",
  "service",
  "timezone",
  "domains",
  "spaces",
  "files",
  "defaults",
  "unspecified",
  "scope",
  "prune",
  "brake",
  "protect",
  "allow",
  "rules",
  "utm",
  "policies",
  "pixels",
  "links",
  "families",
  "absent",
];

/** The schema of project files. It has all keys of resource files. */
export const FILE_SCHEMA: ValueSchema = projectSchema;

const known = new WeakMap<z.core.$ZodType, ReadonlyMap<string, number>>();

/** The rank of each key of a map; null if its keys are names, whose order belongs to the author. */
export function keyRanks(schema: ValueSchema): ReadonlyMap<string, number> | null {
  const object = optionOf(schema, z.ZodObject);
  if (object === null) return null;
  const ranks = known.get(object) ?? rankAll(schema === FILE_SCHEMA ? SECTIONS : Object.keys(object.shape));
  known.set(object, ranks);
  return ranks;
}

/** The keys of a block of this kind. */
export function blockKeys(kind: ResourceKind): readonly string[] {
  return [...(keyRanks(valueSchema(valueSchema(FILE_SCHEMA, SECTION[kind]), ""))?.keys() ?? [])];
}

function rankAll(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, rank) => [key, rank]));
}

/** The schema of the value at a key of a map. */
export function valueSchema(schema: ValueSchema, key: string): ValueSchema {
  const shape = optionOf(schema, z.ZodObject)?.shape;
  if (shape !== undefined) return Object.hasOwn(shape, key) ? linkSchema(shape[key] ?? null, key) : null;
  return optionOf(schema, z.ZodRecord)?.valueType ?? null;
}

/** The fields of a family are checked for each of its links, so the schema of the family allows any value. */
function linkSchema(schema: ValueSchema, key: string): ValueSchema {
  return optionOf(schema, z.ZodUnknown) === null ? schema : (linkKeys[key] ?? null);
}

/** The schema of the items of a list. */
export function itemSchema(schema: ValueSchema): ValueSchema {
  return optionOf(schema, z.ZodArray)?.element ?? null;
}

/** The part of a schema with this type: the schema itself, what it wraps, or one of its alternatives. */
function optionOf<T extends z.core.$ZodType>(
  schema: ValueSchema,
  type: abstract new (...values: never) => T,
): T | null {
  if (schema === null) return null;
  if (schema instanceof type) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return optionOf(schema.unwrap(), type);
  if (!(schema instanceof z.ZodUnion)) return null;
  for (const option of schema.options) {
    const found = optionOf(option, type);
    if (found !== null) return found;
  }
  return null;
}

/** The key of an entry of a map, without quotes. */
export function pairKey(item: unknown): string | null {
  if (!(item instanceof Pair) || !isScalar(item.key)) return null;
  const { value, source } = item.key;
  return typeof value === "string" ? value : (source ?? String(value));
}
