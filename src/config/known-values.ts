// The values that a project already uses, as suggestions in the JSON Schema of its files: editors complete them.

import { isObject, type JsonObject } from "../domain/json.ts";
import { compareText } from "../domain/place.ts";
import { pixelNamesOf, type Project } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";

/** The texts that a project uses, each once and sorted, by the titles of their schemas. */
type KnownValues = ReadonlyMap<string, readonly string[]>;

/** Labels, names in declarations, policies, and the UTM values that the project lists. */
export function knownValues({ domains, spaces, declarations, policy, utm }: Project): KnownValues {
  const usedSpaces = declarations.map(({ fields }) => fields.get(REFERENCE_FIELD.space)?.value);
  const domain = [...domains.map(({ label }) => label), ...declarations.flatMap((one) => one.domain ?? [])];
  const space = [...spaces.map(({ label }) => label), ...usedSpaces.filter((value) => typeof value === "string")];
  const pixels = declarations.flatMap((one) => (one.kind === "pixel" ? [one.name] : pixelNamesOf(one)));
  const inScope = { "scope.domains": domain, "scope.spaces": space, "scope.pixels": pixels };
  const lists = { domain, space, pixels, ...inScope, policy: [...policy.linkPolicies.keys()] };
  return new Map([
    ...Object.entries(lists).map(([title, texts]) => [title, [...new Set(texts)].toSorted(compareText)] as const),
    // Patterns are left out: an editor may backtrack without end.
    ...[...utm].flatMap(([key, allowed]) => ("values" in allowed ? [[`utm.${key}`, allowed.values] as const] : [])),
  ]);
}

/** Adds the known values to the schema of a file. Other values stay valid: ids, and pixels that only the account has. */
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
