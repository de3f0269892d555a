// What a stranger's answer says, made fit for a message: one line, nothing that steers a terminal, no secrets.

/** White space, control characters, half characters, marks that turn the direction of a text, and signs of no width. */
const UNFIT = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
const HIDDEN = "(hidden)";
/** Hiding every "a" would hide nothing and spoil the message. */
const SHORTEST_SECRET = 4;
const MOST_KEYS = 8;

/** The text in one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(UNFIT, " ").trim();
  return line.length > most ? `${line.slice(0, most).replace(/\p{Cs}$/u, "")}…` : line;
}

/** The text without these secrets, however it spells them: raw, in JSON, in HTML, in an address or a form. */
export function hide(text: string, secrets: readonly string[]): string {
  // The longest first: of another that it begins with only the rest would be left.
  const longestFirst = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce(
    (left, secret) => left.replaceAll(anySpelling(secret), HIDDEN).replaceAll(anyEncoding(secret), HIDDEN),
    text,
  );
}

/** Finds a text in hexadecimal digits or base64, alone or as a part of a longer text that was encoded. */
function anyEncoding(text: string): RegExp {
  const bytes = Buffer.from(text);
  const digits = Array.from(bytes.toString("hex"), (digit) =>
    /\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`,
  );
  const separated = Array.from({ length: bytes.length }, (_, at) => digits.slice(2 * at, 2 * at + 2).join("")).join(
    "[\\s:,-]?",
  );
  return new RegExp([separated, ...[0, 1, 2].map((before) => base64After(bytes, before))].join("|"), "g");
}

/** The base64 of a text that stands behind others; characters that those have a part in may be any. */
function base64After(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const isWhole = (before + bytes.length) % 3 === 0;
  const first = Math.ceil((before * 8) / 6);
  const last = isWhole ? encoded.length : encoded.length - 1;
  const core = Array.from(encoded.slice(first, last), (character) => {
    if (character === "+") return "(?:[+-]|%2[Bb])";
    return character === "/" ? "(?:\\\\{0,3}[/]|_|%2[Ff])" : character;
  });
  const edge = "[A-Za-z0-9+/_-]";
  return `${before === 0 ? "" : `${edge}?`}${core.join(String.raw`(?:\s|\\{1,3}[rn])*`)}${isWhole ? "" : `${edge}?`}(?:=|%3[Dd]){0,2}`;
}

/** Finds a text in any spelling; where the whole ends in the middle of it, what there is. */
function anySpelling(text: string): RegExp {
  const signs = Array.from(text.matchAll(/\\+|./gsu), ([sign]) => spellings(sign));
  const begins = signs.slice(0, SHORTEST_SECRET).join("");
  const goesOn = signs.slice(SHORTEST_SECRET).reduceRight((more, sign) => `(?:${sign}${more}|${CUT})`, "");
  return new RegExp(`${begins}${goesOn}`, "giu");
}

/** The end of a text that is cut: what its last sign is spelled with may be cut as well. */
const CUT = "(?:[\\\\&%]\\S{0,11})?$";

/** Characters that have a short name in HTML, in JSON or in a form. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  " ": "+",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * A pattern for one character: PHP writes `/` as `\/` and others as `\uXXXX`, and a page may hold JSON in HTML. Of several
 * backslashes nobody can tell which escapes which: they are taken as one. No text fits in two ways, and no repetition is
 * without end: else a page could be made that takes for ever to search.
 */
function spellings(sign: string): string {
  const [first = ""] = sign;
  const code = first.codePointAt(0) ?? 0;
  const units = [...Array(first.length).keys()].map((at) => hex("\\u", first.charCodeAt(at), 4));
  const bytes = [...Buffer.from(first)].map((byte) => hex("%", byte, 2));
  const texts = new Set([first, units.join(""), bytes.join(""), SHORT_NAMES[first] ?? first]);
  const any = `(?:${[...texts].map(literally).join("|")}|&#0{0,4}${code};|${hex("&#x0{0,4}", code, 1)};)`;
  return first === "\\" ? `${any}{1,${4 * sign.length}}` : `\\\\{0,3}${any}`;
}

function hex(before: string, number: number, digits: number): string {
  return `${before}${number.toString(16).padStart(digits, "0")}`;
}

function literally(text: string): string {
  return Array.from(text, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`).join("");
}

/**
 * What kind of JSON this is. Texts are quoted only if `quote` says that they can't be secret: an answer in an unknown
 * form may repeat the request, key and passwords included.
 */
export function describe(json: unknown, quote: boolean): string {
  if (json === undefined) return "it is missing";
  if (typeof json === "string") return quote ? `"${oneLine(json, 60)}"` : "a text";
  if (Array.isArray(json)) return `a list of ${json.length}`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "nothing";
  const keys = Object.keys(json);
  if (keys.length === 0) return "an empty object";
  const shown = keys.slice(0, MOST_KEYS).map((key) => `\`${oneLine(key, 30)}\``);
  return `an object with ${shown.join(", ")}${keys.length > MOST_KEYS ? ", …" : ""}`;
}
