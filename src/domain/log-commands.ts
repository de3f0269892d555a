// Commands in a log: CI systems obey lines that a program prints. What came from the files or the service is never one.

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

/** The same where there are no colours. */
const PLAIN = /##(?=[\w.-]*\[)/g;

/** Lines of text of which none is a command: the sign that would make it one is shown by its number. */
export function withoutCommands(text: string): string {
  const quiet = text.includes("::") || text.includes("\u001b") ? text.replaceAll(AT_BEGINNING, "$1$2\\u{3a}") : text;
  return quiet.includes("#") ? quiet.replaceAll(ANYWHERE, "$1\\u{23}") : quiet;
}

/** Whether a text would be a command, or begin one where a line begins with it. */
export function isCommandLike(text: string): boolean {
  return text.trimStart().startsWith("::") || text.search(PLAIN) !== -1;
}

/** The same text inside double quotes of JSON or YAML, where a sign may be written by its number and means the same. */
export function escapeCommands(quoted: string): string {
  return quoted.includes("##") ? quoted.replaceAll(PLAIN, "#\\u0023") : quoted;
}
