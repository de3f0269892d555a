// Text from the files and the service that a terminal or a CI system would obey, or that nobody can see.

/** Variation selectors and joiners, which are part of an emoji. */
const OF_EMOJI =
  "(?<=\\p{Extended_Pictographic})\\ufe0f|(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})";
/** Characters that a terminal interprets or does not show, and noncharacters, which some Markdown parsers replace. */
const INVISIBLE = `(?! |${OF_EMOJI})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800]`;
const EACH_INVISIBLE = new RegExp(INVISIBLE, "gu");
const SOME_INVISIBLE = new RegExp(INVISIBLE, "u");

/** Matches most texts without a slower test: all characters are visible. */
const PLAIN_TEXT = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;

export function hasUnseen(text: string): boolean {
  return !PLAIN_TEXT.test(text) && SOME_INVISIBLE.test(text);
}

/** Replaces each control or invisible character. */
export function replaceUnseen(text: string, show: (character: string) => string): string {
  return PLAIN_TEXT.test(text) ? text : text.replaceAll(EACH_INVISIBLE, (character) => show(character));
}

/** A character by its code point, as in `\u{200d}`. */
export function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Shows control and invisible characters by their code point. Values come from the service and from pull requests. */
export function visible(text: string): string {
  return replaceUnseen(text, codePoint);
}

/** Color codes. A log viewer may remove them before it looks for commands. */
const COLOR = "\\u001b\\[[\\d;]*m";

/**
 * GitHub's runner executes `::name …::` after nothing but spaces, and `##[name]` anywhere (actions/runner, ActionCommand.cs). Azure
 * Pipelines executes `##vso[` and TeamCity `##teamcity[` anywhere. Those of GitLab need control characters, which are escaped
 * anyway. `::: ` comes before places in reports: no command is named `:`.
 */
const AT_START = new RegExp(
  // Without a color before it, a color behind `:::` is part of the command's name.
  `^(?:( *):(?=:(?!: ))|((?:${COLOR}| )*):(?=(?:${COLOR})*:(?!:(?:${COLOR})* )))`,
  "gm",
);

const ANYWHERE = new RegExp(`(#(?:${COLOR})*)#(?=(?:${COLOR}|[\\w.-])*\\[)`, "g");

/** `ANYWHERE` without color codes. */
const PLAIN = /##(?=[\w.-]*\[)/g;

/** Escapes commands: the character that starts one is shown by its code point. */
export function withoutCommands(text: string): string {
  const quiet = text.includes("::") || text.includes("\u001b") ? text.replaceAll(AT_START, "$1$2\\u{3a}") : text;
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
