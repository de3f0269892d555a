// What the YAML parser complains of, in words that help: a table by its codes.

/** A slip that the parser has a code for, in words that help. */
export interface Slip {
  readonly code: string;
  /** Which of the parser's sentences; all if left out. */
  readonly says?: RegExp;
  readonly message: string;
  readonly hint: string;
  /** What is marked: what the parser blames if left out, else all that indents the line, or the line from there on. */
  readonly marks?: "indent" | "line";
}

/** The first row that fits speaks. `…` in a message stands for the character that the mistake begins with. */
export const SLIPS: readonly Slip[] = [
  { code: "TAB_AS_INDENT", message: "A tab stands where spaces indent.", hint: "Indent with spaces.", marks: "indent" },
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
    marks: "line",
  },
  {
    code: "BAD_INDENT",
    message: "This line begins at another column than the lines it belongs to.",
    hint: "Line it up with those around it: keys of one block begin at one column.",
    marks: "line",
  },
  {
    code: "MISSING_CHAR",
    says: /closing .?quote/,
    message: "The quote that opens here is never closed.",
    hint: "Write the same quote at the end of the value.",
    marks: "line",
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
    marks: "line",
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
  {
    code: "BAD_ALIAS",
    says: /^Alias/,
    message: "A `*` without quotes begins an alias, and no name follows it.",
    hint: 'Put quotes around the text: `"*"`.',
  },
  {
    code: "BAD_ALIAS",
    message: "A `&` without quotes begins an anchor, and no name follows it.",
    hint: "Put quotes around the text.",
  },
  {
    code: "ALIAS_PROPS",
    message: "An alias can have no anchor and no tag of its own.",
    hint: "Remove what stands before the `*`.",
  },
  { code: "MULTIPLE_ANCHORS", message: "A value can have one anchor only.", hint: "Remove one of them." },
  {
    code: "MULTIPLE_TAGS",
    message: "A value can have one tag only.",
    hint: "Remove the tags: none has a meaning here.",
  },
  { code: "BAD_PROP_ORDER", message: "An anchor or a tag stands before a dash.", hint: "Write it behind the dash." },
  {
    code: "BAD_DIRECTIVE",
    message: "A line that begins with `%` is a directive of YAML, and this one is not known.",
    hint: "Remove the line; a text that begins with `%` needs quotes.",
    marks: "line",
  },
  {
    code: "KEY_OVER_1024_CHARS",
    message: "A key has more than 1,024 characters.",
    hint: "Put quotes around a long text that holds `: `.",
  },
  { code: "TAG_RESOLVE_FAILED", message: "The tag does not fit what it stands before.", hint: "Remove the tag." },
  { code: "BAD_COLLECTION_TYPE", message: "The tag does not fit what it stands before.", hint: "Remove the tag." },
];
