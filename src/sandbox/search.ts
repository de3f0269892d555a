// The database's LIKE: what the list parameter `search` finds.
import { foldCharacter } from "./fold.ts";

type Part = "any run" | "any one" | { readonly folded: string };

/**
 * A test whether `wanted` occurs in a text. Case and accents are folded, `%` and `_` are wildcards, `\` escapes them
 * (docs/service.md, "Search and filters"). Compared character by character, as LIKE does: ß does not match ss here, though the
 * two are one alias.
 */
export function containing(wanted: string): (subject: string) => boolean {
  const parts = parse(`%${wanted}%`);
  return (subject) => {
    // reached[p]: the pattern's first p parts match what has been read of the subject
    let reached = follow([], parts, true);
    for (const character of subject) {
      const folded = foldCharacter(character);
      const ends = parts.map((part, at) => (part === "any run" ? reached[at + 1] : reached[at] && takes(part, folded)));
      reached = follow(ends, parts, false);
    }
    return reached.at(-1) === true;
  };
}

/** A run may also be empty: whatever reaches it reaches what stands behind it. */
function follow(ends: readonly (boolean | undefined)[], parts: readonly Part[], start: boolean): boolean[] {
  const reached = [start];
  for (const [at, part] of parts.entries()) reached.push(ends[at] || (part === "any run" && reached[at] === true));
  return reached;
}

function takes(part: Part, folded: string): boolean {
  return typeof part === "string" || part.folded === folded;
}

function parse(pattern: string): Part[] {
  const tokens = pattern.match(/\\.|./gsu) ?? [];
  return tokens.map((token) => {
    if (token === "%") return "any run";
    if (token === "_") return "any one";
    return { folded: foldCharacter(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token) };
  });
}
