// Text from the files and the service that a terminal or a CI system would obey, or that nobody can see.

/** Variation selectors and joiners, which are part of an emoji. */
const OF_EMOJI =
  "(?<=\\p{Extended_Pictographic})\\ufe0f|(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})";
/**
 * Signs that a terminal obeys or does not show: control and bidirectional ones, other ends of lines, halves of characters,
 * signs of no width, and all spaces but the common one.
 */
const UNSEEN = `(?! |${OF_EMOJI})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Default_Ignorable_Code_Point}\\u2800]`;
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");
const SOME_UNSEEN = new RegExp(UNSEEN, "u");

/** Matches most texts without a slower test: all characters are visible. */
const SEEN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;

/** Whether a text has a control or invisible character. */
export function hasUnseen(text: string): boolean {
  return !SEEN.test(text) && SOME_UNSEEN.test(text);
}

/** Replaces each control or invisible character. */
export function replaceUnseen(text: string, show: (codePoint: number, sign: string) => string): string {
  if (SEEN.test(text)) return text;
  return text.replaceAll(EACH_UNSEEN, (sign) => show(sign.codePointAt(0) ?? 0, sign));
}

/** Shows control and invisible characters by their code point. Values come from the service and from pull requests. */
export function visible(text: string): string {
  return replaceUnseen(text, (codePoint) => `\\u{${codePoint.toString(16)}}`);
}

/** Colours: whoever takes them out before he looks must not find a command either. */
const COLOUR = "\\u001b\\[[\\d;]*m";

/**
 * GitHub's runner obeys `::name …::` with nothing but spaces before it, and `##[name]` wherever it stands (actions/runner,
 * ActionCommand.cs); Azure Pipelines `##vso[` and TeamCity `##teamcity[` wherever they stand. GitLab's need signs that are
 * shown by number anyway. `::: ` stands before places (frame.ts): no command has the name `:`.
 */
const AT_BEGINNING = new RegExp(
  // Without a color before it, a color behind `:::` is part of the command's name.
  `^(?:( *):(?=:(?!: ))|((?:${COLOUR}| )*):(?=(?:${COLOUR})*:(?!:(?:${COLOUR})* )))`,
  "gm",
);

const ANYWHERE = new RegExp(`(#(?:${COLOUR})*)#(?=(?:${COLOUR}|[\\w.-])*\\[)`, "g");

/** The same without color codes. */
const PLAIN = /##(?=[\w.-]*\[)/g;

/** Escapes commands: the character that starts one is shown by its code point. */
export function withoutCommands(text: string): string {
  const quiet = text.includes("::") || text.includes("\u001b") ? text.replaceAll(AT_BEGINNING, "$1$2\\u{3a}") : text;
  return quiet.includes("#") ? quiet.replaceAll(ANYWHERE, "$1\\u{23}") : quiet;
}

/** Whether a text is a command, or starts one at the start of a line. */
export function isCommandLike(text: string): boolean {
  return text.trimStart().startsWith("::") || text.search(PLAIN) !== -1;
}

/** Escapes commands inside double quotes of JSON or YAML, without changing the value. */
export function escapeCommands(quoted: string): string {
  return quoted.includes("##") ? quoted.replaceAll(PLAIN, "#\\u0023") : quoted;
}
