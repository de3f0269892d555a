// The collation of the database: when two texts are one key, and what `LIKE` finds.
/** Letters that the service tells apart although Unicode would decompose them (docs/service.md, "Case and accents"). */
const OWN_LETTERS = new Set(["й", "ї", "ў"]);

/** Letters that the service takes for others although Unicode has no decomposition for them. */
const SAME_AS: Readonly<Record<string, string>> = { ß: "ss", œ: "oe", ς: "σ", ґ: "г" };

const ASCII = /^\p{ASCII}*$/u;

/** One character folded; a combining mark alone folds to nothing. Small letters only, never `toUpperCase`: ı is not i. */
function foldCharacter(character: string): string {
  const small = character.toLowerCase();
  if (ASCII.test(small)) return small;
  if (OWN_LETTERS.has(small)) return small;
  return [...small.normalize("NFKD").toLowerCase()]
    .filter((part) => !/\p{Script=Inherited}/u.test(part))
    .map((part) => SAME_AS[part] ?? hiragana(part))
    .join("");
}

/** Two aliases of a domain, or two pixel names, are the same to the service when this is equal for both. */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join("");
}

function hiragana(character: string): string {
  return /^[ァ-ヶ]$/u.test(character) ? String.fromCharCode(character.charCodeAt(0) - 0x60) : character;
}

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
