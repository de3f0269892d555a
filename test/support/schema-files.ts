// The published schemas, and their results for a value.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";

type SchemaName = "project" | "resource";
export const SCHEMAS: readonly SchemaName[] = ["project", "resource"];

const FOLDER = path.resolve("schemas");

/** A schema, or a part of one. */
export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export async function readSchema(name: SchemaName): Promise<Part> {
  const read: unknown = JSON.parse(await readFile(path.join(FOLDER, `${name}.schema.json`), "utf8"));
  if (!isPart(read)) throw new Error(`${name}.schema.json holds no object`);
  return read;
}

/** Keywords that editors know and draft-7 does not. */
const EDITOR_KEYWORDS = ["markdownDescription", "markdownEnumDescriptions", "defaultSnippets", "errorMessage"];

/** Checks values. It refuses a schema with a keyword that is neither draft-7's nor known to editors. */
export function compile(schema: Part): ValidateFunction {
  const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true });
  ajv.addVocabulary(EDITOR_KEYWORDS);
  return ajv.compile(schema);
}
