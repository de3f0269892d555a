// What the block writer and `fmt` share: trees of `yaml` whose scalars are printed as they are in the source.

import { isScalar, Pair, type DocumentOptions, type ParseOptions, type ScalarTag, type SchemaOptions } from "yaml";

/** Options of a parser whose scalars are printed by this function. */
export function parsing(
  schema: "core" | "failsafe",
  stringify: NonNullable<ScalarTag["stringify"]>,
): ParseOptions & DocumentOptions & SchemaOptions {
  return {
    schema,
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    customTags: (tags) =>
      tags.map((tag) => (typeof tag === "object" && tag.collection === undefined ? { ...tag, stringify } : tag)),
  };
}

/** Comments below each other; null if there are none. */
export function joined(...comments: readonly (string | null | undefined)[]): string | null {
  return comments.filter(Boolean).join("\n") || null;
}

/** The key of an entry of a map, without quotes. */
export function keyOf(item: unknown): string | null {
  if (!(item instanceof Pair) || !isScalar(item.key)) return null;
  const { value, source } = item.key;
  return typeof value === "string" ? value : (source ?? String(value));
}
