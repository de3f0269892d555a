// How files name what is live, so that they can be read again: keys, domains and spaces.

import type { Live, References } from "../domain/change.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";

/** The text for a domain or space that is shown so: its id where the shown name would be taken for another. */
export function referenceText(shown: string, ids: ReadonlyMap<string, number>): string {
  const id = ids.get(shown);
  // A number is an id to the files; a name that two rows share is shown with one; a slash ends a domain.
  const isAmbiguous = /^\d*$| #\d+$|\/|^\s|\s$/.test(shown);
  return isAmbiguous && id !== undefined ? String(id) : shown;
}

/**
 * The key of a live object as a file writes it: `go.example.com/spring-sale`, or a pixel's name. A link on the domain that is
 * given where it stands has only its alias: `spring-sale`.
 */
export function fileKey({ kind, key, values }: Live, { domains }: References, givenDomain?: Value): string {
  const domain = values.get(REFERENCE_FIELD.domain);
  const name = values.get(KEY_FIELD[kind]);
  if (kind === "pixel" || typeof domain !== "string" || typeof name !== "string") return key;
  // What is read as plain values can't have this one key.
  return domain === givenDomain && name !== "__proto__" ? name : `${referenceText(domain, domains)}/${name}`;
}
