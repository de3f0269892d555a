// The JSON Schemas of `schemas/`, as programs that read the documents use them.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { ROOT } from "./documents.ts";

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a document according to its schema; null if nothing is. */
export async function schemaErrors(name: string, document: unknown): Promise<unknown> {
  const file = path.join(ROOT, "schemas", `${name}.schema.json`);
  const validate = compiled.get(name) ?? new Ajv({ strict: false }).compile(JSON.parse(await readFile(file, "utf8")));
  compiled.set(name, validate);
  return validate(document) ? null : validate.errors;
}
