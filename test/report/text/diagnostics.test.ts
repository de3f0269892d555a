// How diagnostics are laid out, beyond the fixtures of test/fixtures/config/invalid: prose on a narrow terminal, colors, many at once, places in
// commits, and the lines of files, in which no secret is shown.

import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { error, warning, type Diagnostic } from "../../../src/domain/diagnostic.ts";
import { SourceText } from "../../../src/domain/place.ts";
import { diagnosticDocument } from "../../../src/report/finding-document.ts";
import { diagnosticsText } from "../../../src/report/text/blocks.ts";
import { createPaint, PLAIN, widthOf } from "../../../src/report/text/screen.ts";
import { character } from "../../support/states.ts";

const TEXT = "links:\n  spring: { url: https://example.com/ }\n  SPRING: { url: https://example.com/ }\n";
const source = new SourceText(TEXT, "links/a.yaml");
const second = source.place(TEXT.indexOf("SPRING"), TEXT.indexOf("SPRING") + 6);
const narrow = { ...PLAIN, columns: 50 };

const long = error(
  "folding-keys",
  "`SPRING` and `spring` are the same link to the service, which folds case and accents.",
  second,
  "Keep one of the two, or write `absent: { links: [spring] }`, or give one of them another key.",
);

describe("a diagnostic", () => {
  // Fails when prose goes over the edge of a terminal, is broken inside what people copy, or loses its indentation.
  test("has its prose broken at words on a terminal", () => {
    expect(diagnosticsText([long], narrow)).toBe(`error[folding-keys] \`SPRING\` and \`spring\` are the
  same link to the service, which folds case and
  accents.
  --> links/a.yaml:3:3
   |
 3 |   SPRING: { url: https://example.com/ }
   |   ^^^^^^
   = Keep one of the two, or write
     \`absent: { links: [spring] }\`, or give one of
     them another key.
`);
  });

  // Fails when a place without its text loses its line, or a diagnostic of no file gets one.
  test("without its text has no frame, and without a place no line", () => {
    const all = [warning("far", "It is far.", { file: "a.yaml", line: 1, column: 1 }), error("no", "No.", null, "Do.")];
    expect(diagnosticsText(all, PLAIN)).toBe("warning[far] It is far.\n  --> a.yaml:1:1\n\nerror[no] No.\n   = Do.\n");
  });

  // Fails when color is needed to see the marked part, or changes the text.
  test("says the same in color", () => {
    const colored = diagnosticsText([long], { paint: createPaint(true), columns: 50 });
    expect(colored).toContain("\u001b[");
    expect(stripVTControlCharacters(colored)).toBe(diagnosticsText([long], narrow));
  });

  // Fails if a program that reads JSON cannot see where the mark ends, or if a line of a commit looks like a line of the file.
  test("in JSON has its end; a line of a commit is not a line of the file", () => {
    expect(diagnosticDocument(long)).toMatchObject({ file: "links/a.yaml", line: 3, column: 3, end_column: 9 });
    const then = new SourceText(TEXT, "links/a.yaml", "v1").place(9, 15);
    expect(diagnosticDocument({ ...long, place: then })).toMatchObject({ file: null, line: null, column: null });
    expect(JSON.stringify(long)).not.toContain("example.com");
  });
});

// Fails if the search for secrets in a line reads a long word again for each of its letters: this one took hours.
test("a line of one word that is as long as a file is read once", () => {
  const word = "x".repeat(2_000_000);
  const text = `note: "${word}"\n`;
  const file = new SourceText(text, "linkform.yaml");
  const shown = diagnosticsText([error("unknown-key", "Not a key.", file.place(0, 4), null)], narrow);
  expect(shown).toContain('\n 1 | note: "xxxx');
});

// Fails when a warning looks as bad as an error, or as harmless as a note.
test.each([
  ["error", "\u001b[31m"],
  ["warning", "\u001b[33m"],
  ["info", "\u001b[36m"],
] as const)("a diagnostic of severity %s has its color", (severity, color) => {
  const diagnostic: Diagnostic = { code: "code", severity, message: "So it is.", place: null, hint: null };
  const [head = ""] = diagnosticsText([diagnostic], { ...PLAIN, paint: createPaint(true) }).split(" ");
  expect(["\u001b[31m", "\u001b[33m", "\u001b[36m"].filter((one) => head.includes(one))).toEqual([color]);
});

/** The line of a file that a frame shows, and the marks below it. */
function frameOf(
  text: string,
  meant: string,
  columns: number | null = null,
): { shown: string; marks: string; all: string } {
  const at = text.lastIndexOf(meant);
  const place = new SourceText(text, "linkform.yaml").place(at, at + meant.length);
  const all = diagnosticsText([error("code", "It is wrong.", place, "Correct it.")], { ...PLAIN, columns });
  const [shown = "", marks = ""] = all.split("\n").slice(3, 5);
  return { shown: shown.slice(5), marks: marks.slice(5), all };
}

test.each([
  ["password: hunter22", "password: ********"],
  ["password: none", "password: none"],
  ["password: { env: LINKFORM_SECRET_A }", "password: { env: LINKFORM_SECRET_A }"],
  ["password: { file: secrets/a }", "password: { file: secrets/a }"],
  ["password: { env: secrets/hunter2 }", "password: ********"],
  ["Passwort: hunter22", "Passwort: ********"],
  ["Kennwort: hunter22", "Kennwort: ********"],
  ["Kunden-Passwort: hunter22", "Kunden-Passwort: ********"],
  ["url: https://me:hunter22@example.com/x", "url: https://********@example.com/x"],
  ["base_url: me:hunter22@short.example.com", "base_url: ********"],
  ["base_url: https://me:hunter/22@short.example.com", "base_url: ********"],
  ["base_url: https://short.example.com/?key=hunter22", "base_url: ********"],
  ["base_url: hunter22", "base_url: ********"],
  ["base_url: https://me:hun,ter/22@short.example.com", "base_url: ********"],
  [`base_url: "https://me:hunter 22@short.example.com"`, "base_url: ********"],
  ["base_url: hunter2", "base_url: hunter2"],
  ["base_url: short.example.com", "base_url: short.example.com"],
])("a secret in %j", (line, shown) => {
  for (const meant of [line.slice(0, 4), line.slice(-2)]) expect(frameOf(line, meant).shown).toBe(shown);
});

test.each([
  ["password:\n  hunter22", "  ********"],
  ["password: # here\n  # or there\n\n  hunter22", "  ********"],
  ["password: { value:\n  hunter22 }", "  ********"],
  ["password: hunter\n  hunter22", "  ********"],
  ["password:\n  token:\n    a\n  hunter22", "  ********"],
])("a secret on the line below, in %j", (text, shown) => {
  expect(frameOf(text, "hunter22").shown).toBe(shown);
});

describe("a frame", () => {
  test("shows an invisible character by its code point, and a tab as wide as it is drawn, with the marks below", () => {
    expect(frameOf("a: \u200bx", "x")).toMatchObject({ shown: "a: \\u{200b}x", marks: "           ^" });
    expect(frameOf("\u0301a: x", "x")).toMatchObject({ shown: "\\u{301}a: x", marks: "          ^" });
    expect(frameOf("a:\tx", "x")).toMatchObject({ shown: "a:→   x", marks: "      ^" });
  });

  /** The columns of characters on a terminal: as Unicode says, and as this test knows by itself. */
  const WIDTHS = new Map([
    ...["a", " ", "é", "e\u0301", "…"].map((one) => [one, 1] as const),
    ...["春", "한", "ｗ", "😀", "👩‍👩‍👧‍👦", "🇩🇪"].map((one) => [one, 2] as const),
  ]);
  const sign = fc.constantFrom(...WIDTHS.keys());
  const widthBy = (signs: readonly string[]): number => signs.reduce((sum, one) => sum + (WIDTHS.get(one) ?? 0), 0);

  // Fails when a character that takes two columns or none shifts the mark, or a character is cut in two.
  test("marks the columns in which the terminal shows the marked text", () => {
    const text = fc.array(sign, { maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (before, meant, after) => {
        // Spaces at the end have no marks.
        const [start, marked] = [`x${before.join("")}`, `[${meant.join("")}]`];
        const line = `${start}${marked}${after.join("")}`;
        const { shown, marks } = frameOf(line, marked, 400);
        expect(shown).toBe(line.trimEnd());
        expect(marks).toBe(`${" ".repeat(1 + widthBy(before))}${"^".repeat(widthBy(meant) + 2)}`);
      }),
    );
  });

  // Fails when the screen breaks a line of a frame, the marked text is cut away, or a control character gets through.
  test("fits the screen, and shows the marked text in it, in any line", () => {
    const text = fc
      .oneof(fc.string({ unit: character, maxLength: 300 }), fc.string({ unit: "grapheme", maxLength: 600 }))
      // What follows a key may be a secret, and is hidden.
      .map((part) => part.replaceAll(/[\r\n:=]/g, ""));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 40, max: 200 }), (before, after, columns) => {
        const { shown, marks, all } = frameOf(`${before}<HERE>${after}`, "<HERE>", columns);
        expect(shown).toContain("<HERE>");
        expect(marks.trim()).toBe("^^^^^^");
        expect(widthOf(shown.slice(0, shown.indexOf("<HERE>")))).toBe(marks.indexOf("^"));
        for (const one of all.split("\n")) expect(widthOf(one)).toBeLessThanOrEqual(columns);
        // oxlint-disable-next-line no-control-regex -- these are what must not be there
        expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

test("a word of a hundred characters is cut in the middle, a shorter one is not", () => {
  const say = (length: number): string => diagnosticsText([error("c", "x".repeat(length), null, null)], PLAIN);
  expect(say(99)).toBe(`error[c] ${"x".repeat(99)}\n`);
  expect(say(100)).toBe(`error[c] ${"x".repeat(48)}…${"x".repeat(16)}\n`);
});

test("a range over several lines is marked to the end of its first line, before the line break", () => {
  for (const end of ["\n", "\r\n"]) {
    const place = new SourceText(`ab${end}cd`, "a.yaml").place(1, 5);
    expect([place.column, place.length]).toEqual([2, 1]);
  }
});
