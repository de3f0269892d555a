// When two texts count as one: the collation behind "unique without regard to case or accents".

/** Letters that the service tells apart although Unicode would decompose them (docs/service.md, "Case and accents"). */
const OWN_LETTERS = new Set(["й", "ї", "ў"]);

/** Letters that the service takes for others although Unicode has no decomposition for them. */
const SAME_AS: Readonly<Record<string, string>> = { ß: "ss", œ: "oe", ς: "σ", ґ: "г" };

const ASCII = /^\p{ASCII}*$/u;

/** One character folded; a combining mark alone folds to nothing. Small letters only, never `toUpperCase`: ı is not i. */
export function foldCharacter(character: string): string {
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
