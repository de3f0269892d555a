// Looking for a text in links and pixels, as the service's search compares.

import { fold } from "./fold.ts";
import type { LiveRecord } from "./live.ts";
import { DESTINATION_FIELD, KEY_FIELD } from "./table.ts";

/** Of a link, what can be searched besides fields: no file says it. */
const TITLE = "title";

/** Where a link can be searched (docs/service.md, "Search and filters"), the default first. */
export const SEARCHED_FIELDS: readonly string[] = [TITLE, KEY_FIELD.link, DESTINATION_FIELD];

/** One of them. */
export type SearchedField = string;

/** What stands in a row where it is searched; null where there is nothing or nobody knows. */
export function searchedText(row: LiveRecord, field: SearchedField): string | null {
  const value = row.kind === "link" && field === TITLE ? row.title : row.values.get(field);
  return typeof value === "string" ? value : null;
}

/**
 * A test whether a text has another one in it. Letter by letter, without case and accents, as the service compares
 * (docs/service.md, "Search and filters"), but without wildcards.
 */
export function contains(wanted: string): (text: string) => boolean {
  const letters = Array.from(wanted, fold);
  if (/^[\x20-\x7e]*$/.test(wanted)) {
    const small = wanted.toLowerCase();
    const inStrange = containsLetters(letters);
    return (text) => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase().includes(small) : inStrange(text));
  }
  return containsLetters(letters);
}

function containsLetters(wanted: readonly string[]): (text: string) => boolean {
  return (text) => {
    const letters = Array.from(text, fold);
    const most = letters.length - wanted.length;
    for (let from = 0; from <= most; from += 1)
      if (wanted.every((letter, at) => letters[from + at] === letter)) return true;
    return false;
  };
}

/**
 * What to search for so that all that has this text in it is found: signs that mean something to the search find more, but a
 * backslash takes that from the next one. Null where nothing is left of it.
 */
export function searchable(wanted: string): string | null {
  const parts = wanted.split("\\").map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
  return longest === "" ? null : longest;
}
