// The JSON Schemas in the package, which editors use.

import path from "node:path";
import { UserError } from "../errors.ts";
import { readFrom } from "../files/location.ts";
import { exists } from "../files/named.ts";

export type SchemaKind = "project" | "resource";

/** The folder beside the bundle, or in the parent folder of the source. */
export function ownSchemas(): string | null {
  for (let at = import.meta.dirname; at !== path.dirname(at); at = path.dirname(at)) {
    const folder = path.join(at, "schemas");
    if (exists(path.join(folder, schemaName("project")))) return folder;
  }
  return null;
}

export function schemaName(kind: SchemaKind): string {
  return `${kind}.schema.json`;
}

/** Throws a user error if the package was installed without its schemas. */
export async function readOwnSchema(kind: SchemaKind): Promise<string> {
  const folder = ownSchemas();
  if (folder === null)
    throw new UserError("no-schemas", "This installation of linkform has no schemas.", {
      hint: "Install the npm package `linkform` again. Its folder `schemas` belongs beside `dist`.",
    });
  const name = schemaName(kind);
  return (await readFrom({ path: path.join(folder, name), shown: name, isConfined: false })).toString("utf8");
}
