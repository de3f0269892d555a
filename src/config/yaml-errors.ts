// YAML syntax errors: one diagnostic for each mistake, where the parser reports several.

import { YAMLException } from "js-yaml";
import {
  isCollection,
  isNode,
  isScalar,
  parseAllDocuments,
  visit,
  type Document,
  type Node as YamlNode,
  type YAMLParseError,
} from "yaml";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText } from "../domain/place.ts";
import { keyBeforeColon, readEvents, tooDeep, type ReadYaml } from "./yaml-events.ts";

type ParsedDocument = Document<YamlNode, boolean>;

const PARSING = {
  // yaml's check takes quadratic time and does not give the other place. `EventReader` checks keys.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
  schema: "core",
  version: "1.2",
} as const;

/** As `readYaml`, at once. */
export function parseYaml(text: string, file: string): ReadYaml {
  const source = new SourceText(text, file);
  const read = readEvents(text, source);
  return read instanceof YAMLException ? explain(text, source, read) : read;
}

/**
 * All mistakes in a text that js-yaml refuses, as `yaml` finds them. If it finds none, reads the text as js-yaml may accept it: with
 * closing brackets on the line before them, because it requires that they are indented.
 */
export function explain(text: string, source: SourceText, { reason, mark }: YAMLException): ReadYaml {
  const documents = reason.startsWith("nesting exceeded") ? null : parseDocuments(text);
  if (documents === null) return withoutDocuments(tooDeep(source.place(mark?.position ?? 0)));
  const mistakes = documents.flatMap((document) => syntaxErrors(document, text, source));
  const conflict = text.search(CONFLICT_MARK);
  if (mistakes.length > 0 && conflict >= 0) {
    const message = "This file contains an unresolved merge conflict.";
    const hint = "Resolve the conflict, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.";
    return withoutDocuments(error("yaml-syntax", message, source.place(conflict, text.length), hint));
  }
  if (mistakes.length > 0) return withoutDocuments(...mistakes);
  const again = readEvents(joinBrackets(text, documents), source);
  if (!(again instanceof YAMLException)) return again;
  const place = source.place(again.mark?.position ?? 0);
  return withoutDocuments(error("yaml-syntax", sentence(again.reason), place, FIX_SYNTAX));
}

function withoutDocuments(...diagnostics: Diagnostic[]): ReadYaml {
  return { documents: [], diagnostics };
}

const FIX_SYNTAX = "Fix the YAML syntax here.";

/** Null if the text is nested so deeply that the parser, which is recursive, exceeds the stack. */
function parseDocuments(text: string): readonly ParsedDocument[] | null {
  try {
    return parseAllDocuments(text, PARSING);
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/** Replaces tabs in a line, and comments and line breaks before closing brackets, by spaces. Texts and all offsets stay. */
function joinBrackets(text: string, documents: readonly ParsedDocument[]): string {
  let joined = "";
  const joinTo = (end: number): void => {
    const between = text.slice(joined.length, end);
    const blank = (some: string): string => " ".repeat(some.length);
    if (/^[ \t]*[\]}]/m.test(between)) joined += between.replaceAll(/(?<=^|\s)#.*|(?<!\s)\s+(?=[\]}])|\t/gm, blank);
    else joined += between.includes("\n") ? between : between.replaceAll("\t", " ");
  };
  for (const document of documents)
    visit(document, {
      Scalar: (_, { range }) => {
        if (!range) return;
        joinTo(range[0]);
        joined += text.slice(joined.length, range[1]);
      },
    });
  joinTo(text.length);
  return joined;
}

/** The first line that git writes into a merge conflict. */
const CONFLICT_MARK = /^<{7} /m;

/** Errors that follow from an earlier one in the same document. */
const CONSEQUENCES = ["UNEXPECTED_TOKEN", "MISSING_CHAR"];

/** At most one for each line, and one for consecutive lines with the same mistake. */
function syntaxErrors(document: ParsedDocument, text: string, source: SourceText): Diagnostic[] {
  const exhausted = document.errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (exhausted !== undefined) return [tooDeep(source.place(exhausted.pos[0]))];
  if (document.errors.length === 0) return [];
  const findings: Diagnostic[] = [];
  const openingOf = openingFinder(document);
  const outOfLine = new Set(
    document.errors.flatMap(({ code, pos }) => (code === "MULTILINE_IMPLICIT_KEY" ? [pos[0]] : [])),
  );
  let last = { code: "", line: 0 };
  for (const problem of document.errors) {
    const { code, pos } = problem;
    if (findings.length > 0 && CONSEQUENCES.includes(code)) continue;
    // yaml's LineCounter loses lines after syntax errors.
    const { line } = source.place(pos[0]);
    const isRepeat = line === last.line || (code === last.code && line === last.line + 1);
    last = { code, line };
    if (isRepeat) continue;
    // The parser reports a key that is indented below a value twice, the second time across two lines.
    const isIndented = code === "BLOCK_AS_IMPLICIT_KEY" && outOfLine.has(pos[0]);
    findings.push(
      isIndented ? indentedTooFar(problem, text, source) : describe(problem, openingOf(problem), text, source),
    );
  }
  return findings;
}

/** `opening` is the offset of a quote or bracket that is not closed. */
function describe(
  { code, message, pos: [from, to] }: YAMLParseError,
  opening: number | null,
  text: string,
  source: SourceText,
): Diagnostic {
  const [, known, hint = FIX_SYNTAX, marks] = SYNTAX_MESSAGES.find(([of]) => of.test(`${code} ${message}`)) ?? [];
  const start = opening ?? from;
  const written = start + Math.max(0, text.slice(start).search(/[^ \t]/));
  const end = opening === null ? to : opening + 1;
  const place =
    marks === "line"
      ? source.place(text[written] === "\n" ? start : written, text.length)
      : marks === "indent"
        ? source.place(start, written)
        : source.place(start, start + text.slice(start, end).trimEnd().length);
  if (known === undefined) return error("yaml-syntax", sentence(message), place, hint);
  const key = keyBeforeColon(text.slice(from, from + 100));
  if (key !== null && ["MISSING_CHAR", "MULTILINE_IMPLICIT_KEY"].includes(code))
    return error("yaml-syntax", "A key needs a space after its colon.", place, `Write \`${key}: …\`.`);
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0x20);
  return error("yaml-syntax", known.replace("…", character), place, hint);
}

function indentedTooFar({ pos: [from] }: YAMLParseError, text: string, source: SourceText): Diagnostic {
  const lineBreak = text.indexOf("\n", from);
  const key = lineBreak + 1 + text.slice(lineBreak + 1).search(/\S/);
  const message = "This line is indented below a key that already has a value.";
  const hint = "Align it with that key, or move the key's value.";
  const tooFar = error("yaml-syntax", message, source.place(key, text.length), hint);
  return besides(tooFar, source.place(from, text.length), "the value");
}

/** The quote or bracket that is not closed is the last one before the text that the parser reports. */
function openingFinder(document: ParsedDocument): (problem: YAMLParseError) => number | null {
  const quotes: number[] = [];
  const brackets: number[] = [];
  visit(document, (_, node) => {
    if (!isNode(node) || !node.range) return;
    if (isScalar(node) && node.type?.startsWith("QUOTE_") === true) quotes.push(node.range[0]);
    else if (isCollection(node) && node.flow === true) brackets.push(node.range[0]);
  });
  return ({ message, pos }) => {
    const isQuote = message.startsWith("Missing closing");
    if (!isQuote && !message.startsWith("Flow ")) return null;
    const offsets = isQuote ? quotes : brackets;
    // Offsets ascend. A binary search, because a file may have many such errors.
    let [low, high] = [0, offsets.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((offsets[middle] ?? Infinity) < pos[0]) low = middle + 1;
      else high = middle;
    }
    return offsets[low - 1] ?? null;
  };
}

/** Without the example lines that some messages have. */
function sentence(message: string): string {
  const line = (message.split("\n")[0] ?? message).trim();
  return `${line.charAt(0).toUpperCase()}${line.slice(1).replace(/[.:]+$/, "")}.`;
}

/** What the report underlines: the indentation, the rest of the line, or by default the parser's range. */
type Marks = "indent" | "line";

/** The first entry whose expression matches the parser's code and message is used. `…` is replaced by the character at the error. */
const SYNTAX_MESSAGES: readonly (readonly [of: RegExp, message: string, hint: string, marks?: Marks])[] = [
  [/^TAB_AS_INDENT/, "This line is indented with a tab.", "Indent with spaces.", "indent"],
  [
    /^BAD_INDENT Flow/,
    "This bracket is not closed, or is closed in the wrong place.",
    "Close it, or indent the lines inside it further.",
  ],
  [
    /^BLOCK_IN_FLOW/,
    "A comma is missing inside brackets, or a value contains `: `.",
    "Put commas between the items, and quotes around a value that contains `: `.",
  ],
  [
    /^BAD_INDENT Block scalar/,
    "This line is indented less than the text it belongs to.",
    "Indent all lines of the text by the same number of spaces.",
    "line",
  ],
  [
    /^BAD_INDENT/,
    "This line does not start in the same column as the lines it belongs to.",
    "Align it with the lines around it. All keys of a block start in the same column.",
    "line",
  ],
  [
    /^MISSING_CHAR .*closing .?quote/,
    "This quote is never closed.",
    "Add the same quote at the end of the value.",
    "line",
  ],
  [/^BLOCK_AS_IMPLICIT_KEY/, "This value contains `: `, as if it were a key.", "Put quotes around the value.", "line"],
  [
    /^(?:MULTILINE_IMPLICIT_KEY|MISSING_CHAR .*map values)/,
    "This is not `key: value`. A key needs a colon and a space after it, on the same line.",
    "Write `key: value`. Put quotes around a value that spans several lines.",
  ],
  [/^BAD_SCALAR_START/, "A value cannot start with `…`.", "Put quotes around the value."],
  [
    /^UNEXPECTED_TOKEN .*same line with key/,
    "A list cannot start on the same line as its key.",
    "Put each `- item` on a separate line.",
  ],
  [
    /^UNEXPECTED_TOKEN .*flow-(?:map|seq)-end/,
    "`…` closes a bracket that was never opened.",
    "Remove it, or add the opening bracket.",
  ],
  [
    /^UNEXPECTED_TOKEN/,
    "Unexpected `…`: the value before it is already complete.",
    "Put quotes around the whole value. Inside single quotes, write a single quote twice.",
  ],
  [
    /^BAD_ALIAS Alias/,
    "A `*` without quotes starts a YAML alias, but no name follows it.",
    'Put quotes around the text: `"*"`.',
  ],
];
