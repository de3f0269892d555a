// Patterns in project files. A pull request can bring any pattern, so RE2 matches them: its time is linear in the text, and none can hang a run.

import { RE2JS, RE2JSSyntaxException } from "re2js";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { textOf, type TreeNode } from "./yaml.ts";

interface Pattern {
  readonly pattern: string;
  /** Whether the pattern matches the whole text. */
  readonly matches: (text: string) => boolean;
}

/** Longer patterns are refused, because compiling one takes memory for each repetition. */
const MAX_LENGTH = 500;

/** Reads a regular expression, or reports a text that is not one. */
export function readPattern(node: TreeNode, diagnostics: Diagnostic[]): Pattern | null {
  const pattern = textOf(node) ?? "";
  const wrong = (problem: string): null => {
    const hint = "Write a regular expression in RE2 syntax, such as `[a-z0-9-]+`.";
    diagnostics.push(error("wrong-pattern", problem, node.place, hint));
    return null;
  };
  if (pattern.length > MAX_LENGTH) return wrong(`The pattern is longer than ${MAX_LENGTH} characters.`);
  try {
    const compiled = RE2JS.compile(pattern);
    return { pattern, matches: (text) => compiled.matches(text) };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    return wrong(`This is not a valid pattern: ${thrown.getDescription()}.`);
  }
}
