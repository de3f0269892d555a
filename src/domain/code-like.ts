// The country or language that a text means.

import type { CodeList, KeyShape } from "./field.ts";
import { nearest } from "./nearest.ts";

/** The code that a text means in another case or by its English name; null if there is none. */
export function codeLike(text: string, { pattern, list }: KeyShape): string | null {
  const inCase = [text.toUpperCase(), text.toLowerCase()].find((one) => pattern.test(one));
  if (list === null) return inCase ?? null;
  if (inCase === undefined) return codeNamed(text, list);
  const code = list.meant[inCase]?.code ?? inCase;
  return list.codes.has(code) ? code : null;
}

function codeNamed(text: string, { codes, type }: CodeList): string | null {
  const names = new Intl.DisplayNames(["en"], { type });
  const found = new Map([...codes].map((code) => [names.of(code)?.toLowerCase() ?? "", code]));
  return found.get(nearest(text, found.keys()) ?? "") ?? null;
}
