// When two aliases, or two pixel names, are the same to the service (docs/service.md, "Case and accents").

/** Letters that the service treats as others although Unicode does not decompose them. */
const EQUAL = new Map([
  ["ß", "ss"],
  ["œ", "oe"],
  ["ς", "σ"],
  ["ґ", "г"],
]);

/** Letters that stay themselves although Unicode decomposes them into a base and a mark. */
const OWN_LETTERS = new Set(["й", "ї", "ў"]);

/** Katakana, which folds to the Hiragana 0x60 code points before it. */
const KATAKANA = /^[\u30a1-\u30f6]/;

/**
 * The form under which two texts are the same to the service: without case, accents and width. Letters that were not tested are not
 * folded: folding too little ends in a refused create, but folding too much would change an unmanaged link.
 */
export function fold(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (const letter of text.normalize("NFKC").replaceAll("İ", "i").toLowerCase().normalize("NFC")) {
    folded += OWN_LETTERS.has(letter) ? letter : foldLetter(letter);
  }
  return folded;
}

function foldLetter(letter: string): string {
  const base = letter.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return KATAKANA.test(base) ? String.fromCodePoint(base.charCodeAt(0) - 0x60) : (EQUAL.get(base) ?? base);
}

/**
 * Letter pairs that another spelling may have as one letter: ß, œ, ĳ, the ǆ of Croatian, ﬁ. Characters that nobody types into an alias
 * (Ⅳ, ㉑) are ignored: such a link is not found by its other spelling, and its create is refused.
 */
const JOINED = "ss|oe|ij|dz|lj|nj|f[fil]";
/** A character that spellings do not share: of a joined pair, each of the two. */
const UNSHARED = new RegExp(`[^a-z0-9-]|(?=${JOINED}).|.(?<=${JOINED})`);

/**
 * The longest part of an alias that all its spellings share, because the service's search compares letter by letter. Wildcards are left
 * out, too. Null if there is none.
 */
export function unmistakablePart(text: string): string | null {
  return longestOf(text.toLowerCase().split(UNSHARED));
}

/** The first of the longest texts; null if all are empty. */
export function longestOf(texts: readonly string[]): string | null {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "") || null;
}

/** The form under which two names of domains or spaces are the same. */
export function foldName(name: string): string {
  return name.trim().toLowerCase();
}
