// The schemas of `schemas/`, and what they accept.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { ROOT } from "./documents.ts";

/** A schema, or a part of one. */
export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export async function readSchema(name: string): Promise<Part> {
  const read: unknown = JSON.parse(await readFile(path.join(ROOT, "schemas", `${name}.schema.json`), "utf8"));
  if (!isPart(read)) throw new Error(`${name}.schema.json holds no object`);
  return read;
}

const compiled = new Map<string, ValidateFunction>();

/** The errors of a document by its schema; null for none. */
export async function schemaErrors(name: string, document: unknown): Promise<unknown> {
  const validate = compiled.get(name) ?? new Ajv({ strict: false }).compile(await readSchema(name));
  compiled.set(name, validate);
  return validate(document) ? null : validate.errors;
}

/** Refuses a schema with a keyword that is neither draft-7's nor known to editors. */
const strict = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true });
strict.addVocabulary(["markdownDescription", "markdownEnumDescriptions", "defaultSnippets", "errorMessage"]);

/** Checks values by a schema for editors. */
export function compile(schema: Part): ValidateFunction {
  return strict.compile(schema);
}
