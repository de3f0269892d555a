// The values that a project already uses, as suggestions in the JSON Schema of its files: editors complete them.

import { isObject, type JsonObject } from "../domain/json.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";

/** The texts that a project uses, each once and sorted, by the titles of their schemas. */
type KnownValues = ReadonlyMap<string, readonly string[]>;

/** The labels of a project, the names in its declarations, its policies, and the UTM values that it lists. */
export function knownValues({ domains, spaces, declarations, policy, utm }: Project): KnownValues {
  const usedIn = (field: string): string[] =>
    declarations.flatMap(({ kind, fields }) => {
      const value = kind === "link" ? fields.get(field)?.value : null;
      return Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
    });
  const known = {
    domain: [...domains.map(({ label }) => label), ...declarations.flatMap(({ domain }) => domain ?? [])],
    space: [...spaces.map(({ label }) => label), ...usedIn(REFERENCE_FIELD.space)],
    pixels: [
      ...declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [name] : [])),
      ...usedIn(REFERENCE_FIELD.pixel),
    ],
  };
  const lists = { ...known, "scope.domains": known.domain, "scope.spaces": known.space, "scope.pixels": known.pixels };
  const sorted = { ...lists, policy: [...policy.linkPolicies.keys()] };
  return new Map([
    ...Object.entries(sorted).map(([title, texts]) => [title, [...new Set(texts)].toSorted(compareText)] as const),
    // Patterns are left out: an editor may backtrack without end.
    ...[...utm].flatMap(([key, allowed]) => ("values" in allowed ? [[`utm.${key}`, allowed.values] as const] : [])),
  ]);
}

/**
 * Adds the known values to the schema of a project or resource file. Other values stay valid: the files may name a domain or space by
 * its id, and a pixel that only the account has.
 */
export function withKnownValues(schema: unknown, known: KnownValues): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withKnownValues(item, known));
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withKnownValues(value, known)]));
  const title = typeof schema["title"] === "string" ? schema["title"].replace(/^defaults\.link\./, "") : "";
  const values = known.get(title) ?? [];
  const types = [schema["type"]].flat();
  if (values.length === 0 || types.includes("object")) return copy;
  // An example would be proposed, too.
  const { examples: _, ...rest } = copy;
  if (schema["type"] === undefined) return { ...rest, anyOf: [{ enum: values }, { type: "string" }] };
  return types.includes("string") ? { ...rest, anyOf: [{ enum: values }, {}, NEVER] } : rest;
}

/** yaml-language-server joins the titles of alternatives in a hover if all of them match. This one never does. */
const NEVER: JsonObject = { description: "No value.", not: {} };
