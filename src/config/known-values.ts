// The values that a project knows, as suggestions in the JSON Schema of its files: editors complete them.

import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { RULES } from "../domain/rules.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { UtmVocabulary } from "../domain/utm.ts";

/** Texts that the files of a project use, each once and sorted. */
export interface KnownValues {
  readonly domains: readonly string[];
  readonly spaces: readonly string[];
  readonly pixels: readonly string[];
  /** The names of the policies for links. */
  readonly policies: readonly string[];
  readonly utm: UtmVocabulary;
  /** Whether another UTM value is an error. */
  readonly isUtmStrict: boolean;
}

/** A JSON Schema, or a part of one. */
type Part = Readonly<Record<string, unknown>>;

/** The labels of a project, and the names in its declarations. */
export function knownValues({ domains, spaces, declarations, policy, utm }: Project): KnownValues {
  const usedIn = (field: string): string[] =>
    declarations.flatMap(({ kind, fields }) => {
      const value = kind === "link" ? fields.get(field)?.value : null;
      return Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
    });
  return {
    domains: unique([...domains.map(({ label }) => label), ...declarations.flatMap(({ domain }) => domain ?? [])]),
    spaces: unique([...spaces.map(({ label }) => label), ...usedIn(REFERENCE_FIELD.space)]),
    pixels: unique([
      ...declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [name] : [])),
      ...usedIn(REFERENCE_FIELD.pixel),
    ]),
    policies: unique([...policy.linkPolicies.keys()]),
    utm,
    isUtmStrict: (policy.rules.get("utm-value") ?? RULES["utm-value"].level) === "error",
  };
}

/**
 * Adds the known values to the schema of a project or resource file. Other values stay valid: the files may name a domain or space by
 * its id, and a pixel that only the account has.
 */
export function withKnownValues(schema: Part, known: KnownValues): Part {
  return mapPart(schema, (properties) => {
    const isLink = "url" in properties && REFERENCE_FIELD.domain in properties;
    const isFamily = "for" in properties || "when" in properties;
    const isScope = titleOf(properties["domains"]) === "scope.domains";
    return {
      ...properties,
      ...(isLink && {
        [REFERENCE_FIELD.domain]: suggest(properties[REFERENCE_FIELD.domain], known.domains),
        [REFERENCE_FIELD.space]: suggest(properties[REFERENCE_FIELD.space], known.spaces),
        [REFERENCE_FIELD.pixel]: suggestItems(properties[REFERENCE_FIELD.pixel], known.pixels),
        utm: changeMap(properties["utm"], (map) => ({
          ...map,
          properties: utmKeys(map["properties"], known, isFamily),
        })),
        waive: changeMap(properties["waive"], (map) => ({
          ...map,
          propertyNames: suggestKeys(map["propertyNames"], known.policies),
        })),
      }),
      ...(isScope && {
        domains: suggestItems(properties["domains"], known.domains),
        spaces: suggestItems(properties["spaces"], known.spaces),
        pixels: suggestItems(properties["pixels"], known.pixels),
      }),
    };
  });
}

/** Copies a schema, with the keys of each map changed. */
function mapPart(part: Part, change: (properties: Part) => Part): Part {
  return Object.fromEntries(
    Object.entries(part).map(([keyword, value]) => {
      const below = mapValue(value, change);
      return [keyword, keyword === "properties" && isPart(below) ? change(below) : below];
    }),
  );
}

function mapValue(value: unknown, change: (properties: Part) => Part): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValue(item, change));
  return isPart(value) ? mapPart(value, change) : value;
}

/** yaml-language-server joins the titles of alternatives in a hover if all of them match. This one never does. */
const NEVER: Part = { description: "No value.", not: {} };

/** The schema of a value with suggestions in place of its example. Without any, it stays as it is. */
function suggest(schema: unknown, values: readonly string[]): unknown {
  return values.length === 0 ? schema : allow(schema, { enum: values }, [{}, NEVER]);
}

function suggestItems(schema: unknown, values: readonly string[]): unknown {
  if (!isPart(schema) || values.length === 0) return schema;
  const { examples: _, ...rest } = schema;
  return { ...rest, items: suggest(schema["items"], values) };
}

function suggestKeys(schema: unknown, values: readonly string[]): unknown {
  if (!isPart(schema) || values.length === 0) return schema;
  return { ...schema, anyOf: [{ enum: values }, { type: "string" }] };
}

/** Changes the keywords that are for maps. */
function changeMap(schema: unknown, change: (map: Part) => Part): unknown {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  return isPart(schema) && isPart(schema["then"]) ? { ...schema, then: change(schema["then"]) } : schema;
}

/** The keys of `utm` with the listed values of the project. Patterns are left out: an editor may backtrack without end. */
function utmKeys(properties: unknown, { utm, isUtmStrict }: KnownValues, isFamily: boolean): unknown {
  if (!isPart(properties)) return properties;
  const unchecked = isFamily ? [NO_TEXT, WITH_PLACEHOLDER] : [NO_TEXT];
  const keys = [...utm].flatMap(([key, allowed]) => {
    if (!("values" in allowed)) return [];
    const known = { enum: allowed.values, errorMessage: `This must be one of: ${allowed.values.join(", ")}.` };
    return [[key, allow(properties[key], known, isUtmStrict ? unchecked : [{}, NEVER])]];
  });
  return { ...properties, ...Object.fromEntries(keys) };
}

/** Values that only `validate` compares with the vocabulary: `null`, `2027`, and texts with placeholders. */
const NO_TEXT: Part = { type: ["number", "boolean", "null"] };
const WITH_PLACEHOLDER: Part = { pattern: "\\{" };

/** The schema of a value that is known or one of the others, without an example. */
function allow(schema: unknown, known: Part, others: readonly Part[]): unknown {
  if (!isPart(schema)) return schema;
  const { examples: _, ...rest } = schema;
  return { ...rest, anyOf: [known, ...others] };
}

function titleOf(schema: unknown): unknown {
  return isPart(schema) ? schema["title"] : null;
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted(compareText);
}
