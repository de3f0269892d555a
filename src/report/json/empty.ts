// The documents of commands that failed, which contain only the reason.

import * as z from "zod";

/** The empty document of a schema: empty lists, zeros, nulls and `false`. `known` has the values of other keys. */
export function emptyDocument<Schema extends z.ZodType>(schema: Schema, known: object = {}): z.output<Schema> {
  return schema.parse(Object.assign({}, emptyValue(schema), known));
}

/** Returns undefined for a key that the document leaves out. */
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
