// The documents of commands that failed: nothing but the reason.

import * as z from "zod";

/** The document of this schema in which there is nothing: no lists, no numbers, and false. `known` are its other keys. */
export function emptyDocument<Schema extends z.ZodType>(schema: Schema, known: object = {}): z.output<Schema> {
  return schema.parse(Object.assign({}, emptyValue(schema), known));
}

/** Undefined for a key that is left out. */
function emptyValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape)
        .map(([key, one]) => [key, emptyValue(one)] as const)
        .filter(([, value]) => value !== undefined),
    );
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodBoolean) return false;
  return schema instanceof z.ZodNumber ? 0 : undefined;
}
