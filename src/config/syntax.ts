// Mistakes in YAML's syntax, in words that help: one for each slip, not one for each token that it upsets.

import {
  type Document,
  isCollection,
  isNode,
  isScalar,
  type Node as YamlNode,
  Scalar,
  visit,
  type YAMLParseError,
} from "yaml";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { TOO_DEEP_HINT, type PlaceAt } from "./reader.ts";

type ParsedDocument = Document<YamlNode, boolean>;

/** A source text, and where its offsets lie. */
export interface Source {
  readonly text: string;
  readonly placeAt: PlaceAt;
}

interface Slip {
  readonly code: string;
  /** Which of the parser's sentences; all if left out. */
  readonly says?: RegExp;
  readonly message: string;
  readonly hint: string;
}

/** The first row that fits speaks. `…` in a message stands for the character that the mistake begins with. */
const SLIPS: readonly Slip[] = [
  { code: "TAB_AS_INDENT", message: "A tab stands where spaces indent.", hint: "Indent with spaces." },
  {
    code: "BAD_INDENT",
    says: /^Flow/,
    message: "The bracket that opens here is not closed, or not where it should be.",
    hint: "Close it, or indent the lines in it more.",
  },
  {
    code: "BLOCK_IN_FLOW",
    message: "Inside brackets a comma is missing, or a value holds `: `.",
    hint: "Put a comma between the entries, and quotes around a value that holds `: `.",
  },
  {
    code: "BAD_INDENT",
    says: /^Block scalar/,
    message: "This line is indented less than the text it belongs to.",
    hint: "Indent the lines of the text alike, with spaces.",
  },
  {
    code: "BAD_INDENT",
    message: "This line begins at another column than the lines it belongs to.",
    hint: "Line it up with them.",
  },
  {
    code: "MISSING_CHAR",
    says: /closing .?quote/,
    message: "The quote that opens here is never closed.",
    hint: "Close the quote.",
  },
  {
    code: "MISSING_CHAR",
    says: /map values/,
    message: "This is no `key: value`: a key needs a colon and a space behind it.",
    hint: "Write `key: value`.",
  },
  {
    code: "BLOCK_AS_IMPLICIT_KEY",
    message: "This value holds `: `, as if it were a key.",
    hint: "Put quotes around the value.",
  },
  {
    code: "MULTILINE_IMPLICIT_KEY",
    message: "This is no `key: value`: a key needs a colon and a space behind it, on the same line.",
    hint: "Write `key: value`; a value that goes on over several lines needs quotes.",
  },
  {
    code: "BAD_SCALAR_START",
    message: "A value can't begin with `…`.",
    hint: "Put quotes around the value.",
  },
  {
    code: "BAD_DQ_ESCAPE",
    message: "A backslash in double quotes must begin an escape such as `\\n`.",
    hint: "Use single quotes, or double the backslash.",
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /same line with key/,
    message: "A list can't begin on the line of its key.",
    hint: "Put each `- item` on a line of its own.",
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /flow-(map|seq)-end/,
    message: "`…` closes a bracket that was never opened.",
    hint: "Remove it, or open the bracket.",
  },
  {
    code: "UNEXPECTED_TOKEN",
    message: "`…` does not belong here: what stands before it is complete.",
    hint: "Put quotes around the whole value; inside single quotes, write a quote twice.",
  },
];

const CONFLICT_MARK = /^<{7} /m;

/** These follow from an earlier mistake of the document, where there is one. */
const CONSEQUENCES = ["UNEXPECTED_TOKEN", "MISSING_CHAR"];

/** The mistakes of a document's syntax: at most one a line, and one for a run of lines with the same mistake. */
export function syntaxErrors(document: ParsedDocument, source: Source): Diagnostic[] {
  const exhausted = document.errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (exhausted !== undefined)
    return [
      error("yaml-too-deep", "This is nested too deep.", source.placeAt(document.range?.[0] ?? 0), TOO_DEEP_HINT),
    ];
  const conflict = document.errors.length === 0 ? -1 : source.text.search(CONFLICT_MARK);
  if (conflict >= 0) {
    const hint = "Settle the conflict, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`.";
    return [error("yaml-syntax", "This file holds the marks of a merge conflict.", source.placeAt(conflict), hint)];
  }
  const told: Diagnostic[] = [];
  let last = { code: "", line: 0 };
  for (const problem of document.errors) {
    if (told.length > 0 && CONSEQUENCES.includes(problem.code)) continue;
    const indented = problem.code === "BLOCK_AS_IMPLICIT_KEY" && isIndentedKey(problem, document);
    const diagnostic = indented ? indentedTooFar(problem, source) : describe(problem, document, source);
    const { code } = problem;
    const line = source.placeAt(problem.pos[0]).line;
    const isRepeat = line === last.line || (code === last.code && line === last.line + 1);
    last = { code, line };
    if (!isRepeat) told.push(diagnostic);
  }
  return told;
}

function describe(problem: YAMLParseError, document: ParsedDocument, source: Source): Diagnostic {
  const slip = SLIPS.find(({ code, says }) => code === problem.code && (says?.test(problem.message) ?? true));
  const offset = openingOf(document, problem) ?? problem.pos[0];
  const place = source.placeAt(offset);
  if (slip === undefined) return error("yaml-syntax", sentence(problem.message), place);
  const character = String.fromCodePoint(source.text.codePointAt(problem.pos[0]) ?? 0x20);
  return error("yaml-syntax", slip.message.replace("…", character), place, slip.hint);
}

/** The parser blames the text after a quote or bracket that is never closed; its reader looks for where it opens. */
function openingOf(document: ParsedDocument, problem: YAMLParseError): number | null {
  const isQuote = problem.message.startsWith("Missing closing");
  if (!isQuote && !problem.message.startsWith("Flow ")) return null;
  let offset: number | null = null;
  visit(document, (_, node) => {
    const opens = isQuote
      ? isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE)
      : isCollection(node) && node.flow === true;
    if (opens && isNode(node) && node.range && node.range[0] < problem.pos[0]) offset = node.range[0];
  });
  return offset;
}

/** A key that is indented below a value makes the parser complain twice of one place, the second time over two lines. */
function isIndentedKey(problem: YAMLParseError, document: ParsedDocument): boolean {
  return document.errors.some(({ code, pos }) => code === "MULTILINE_IMPLICIT_KEY" && pos[0] === problem.pos[0]);
}

function indentedTooFar(problem: YAMLParseError, { text, placeAt }: Source): Diagnostic {
  const lineBreak = text.indexOf("\n", problem.pos[0]);
  const key = lineBreak + 1 + text.slice(lineBreak + 1).search(/\S/);
  return error(
    "yaml-syntax",
    "This line is indented below a key that has a value already.",
    placeAt(key),
    "Line it up with that key, or move the value away.",
  );
}

/** The parser's own sentence, without the example lines that some carry. */
function sentence(message: string): string {
  const line = (message.split("\n")[0] ?? message).trim();
  return `${line.replace(/[.:]+$/, "")}.`;
}
