// Checks documents with the JSON Schemas of `schemas/`.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { ROOT } from "./documents.ts";

const compiled = new Map<string, ValidateFunction>();

/** The errors of a document by its schema; null for none. */
export async function schemaErrors(name: string, document: unknown): Promise<unknown> {
  const file = path.join(ROOT, "schemas", `${name}.schema.json`);
  const validate = compiled.get(name) ?? new Ajv({ strict: false }).compile(JSON.parse(await readFile(file, "utf8")));
  compiled.set(name, validate);
  return validate(document) ? null : validate.errors;
}
