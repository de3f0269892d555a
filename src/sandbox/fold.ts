// The collation of the database: which texts are the same key, and what `LIKE` finds.
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

/**
 * A test whether `wanted` occurs in a text. Case and accents are folded, `%` and `_` are wildcards, `\` escapes them, also the
 * `%` that the service appends (docs/service.md, "Search and filters"). Compared character by character, as LIKE does: ß does
 * not match ss here, though the two are one alias.
 */
export function containing(wanted: string): (subject: string) => boolean {
  // What is between two `%`; null is any character.
  const runs: (string | null)[][] = [[]];
  for (const token of `${wanted}%`.match(/\\.|./gsu) ?? []) {
    if (token === "%") runs.push([]);
    else if (token === "_") runs.at(-1)?.push(null);
    else runs.at(-1)?.push(foldCharacter(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token));
  }
  return (subject) => {
    const characters = Array.from(subject, foldCharacter);
    let at = 0;
    return runs.every((run, index) => {
      // Each run is best at its first match, and the last one must reach the end.
      if (index === runs.length - 1) at = Math.max(at, characters.length - run.length);
      const isHere = (): boolean =>
        run.every((character, offset) => character === null || character === characters[at + offset]);
      while (at + run.length <= characters.length && !isHere()) at += 1;
      at += run.length;
      return at <= characters.length;
    });
  };
}
