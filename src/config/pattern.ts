// Patterns in project files. A pull request can bring any pattern, so RE2 matches them: its time is linear in the text, and none can hang a run.

import { RE2JS, RE2JSSyntaxException } from "re2js";

/** A compiled pattern and its source text. */
export interface Pattern {
  readonly text: string;
  /** Whether the pattern matches the whole text. */
  readonly matches: (text: string) => boolean;
}

/** Longer patterns are refused, because compiling one takes memory for each repetition. */
const MAX_LENGTH = 500;

/** Compiles a regular expression in RE2 syntax. A text that is not one returns the problem, in one sentence. */
export function parsePattern(text: string): Pattern | { readonly problem: string } {
  if (text.length > MAX_LENGTH) return { problem: `The pattern is longer than ${MAX_LENGTH} characters.` };
  try {
    const compiled = RE2JS.compile(text);
    return { text, matches: (subject) => compiled.matches(subject) };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    return { problem: `This is not a valid pattern: ${thrown.getDescription()}.` };
  }
}
