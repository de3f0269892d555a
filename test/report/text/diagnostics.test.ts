// How diagnostics are laid out: prose on a narrow terminal and in a log, many at once, places in commits and in other files.

import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { besides, error, warning, type Diagnostic } from "../../../src/domain/diagnostic.ts";
import { SourceText } from "../../../src/domain/place.ts";
import { diagnosticDocument } from "../../../src/report/document.ts";
import { diagnosticsText } from "../../../src/report/text/log.ts";
import { createPaint, PLAIN } from "../../../src/report/text/screen.ts";

const TEXT = "links:\n  spring: { url: https://example.com/ }\n  SPRING: { url: https://example.com/ }\n";
const source = new SourceText(TEXT, "links/a.yaml");
const [first, second] = [source.place(9, 15), source.place(TEXT.indexOf("SPRING"), TEXT.indexOf("SPRING") + 6)];
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

  // Fails when a log gets lines broken for a screen that nobody has.
  test("has each sentence on a line of its own where there is no terminal", () => {
    const [head, , , , , hint] = diagnosticsText([long], PLAIN).split("\n");
    expect(head).toBe(`error[folding-keys] ${long.message}`);
    expect(hint).toBe(
      "   = Keep one of the two, or write `absent: { links: [spring] }`, or give one of them another key.",
    );
  });

  // Fails when the other place is lost, stands before what is above it, or is taken for the place of the mistake.
  test("shows other places it speaks of: in the file, in another, and in a commit", () => {
    const other = new SourceText("links:\n  spring: {}\n", "links/b.yaml", "origin/main").place(9, 15);
    const both = besides(
      besides(error("twice", "It is there twice.", second, null), first, "first here"),
      other,
      "here",
    );
    expect(diagnosticsText([both], PLAIN)).toBe(`error[twice] It is there twice.
  --> links/a.yaml:3:3
   |
 2 |   spring: { url: https://example.com/ }
   |   ------ first here
 3 |   SPRING: { url: https://example.com/ }
   |   ^^^^^^
  ::: links/b.yaml:2:3 at origin/main
   |
 2 |   spring: {}
   |   ------ here
`);
  });

  // Fails when a place without its text loses its line, or one that is in no file gets one.
  test("without a text at hand has no frame, and without a place none to name", () => {
    const told = [
      warning("far", "It is far.", { file: "a.yaml", line: 1, column: 1 }),
      error("no", "No.", null, "Do."),
    ];
    expect(diagnosticsText(told, PLAIN)).toBe("warning[far] It is far.\n  --> a.yaml:1:1\n\nerror[no] No.\n   = Do.\n");
  });

  // Fails when colour is needed to see what is marked, or changes what is said.
  test("says the same in colour", () => {
    const coloured = diagnosticsText([long], { paint: createPaint(true), columns: 50 });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(diagnosticsText([long], narrow));
  });

  // Fails when a program that reads JSON can't tell where the mark ends, or takes a line of a commit for one of the file.
  test("in JSON says where it ends; a line of a commit is none of the file", () => {
    expect(diagnosticDocument(long)).toMatchObject({ file: "links/a.yaml", line: 3, column: 3, end_column: 9 });
    const then = new SourceText(TEXT, "links/a.yaml", "v1").place(9, 15);
    expect(diagnosticDocument({ ...long, place: then })).toMatchObject({ file: null, line: null, column: null });
    expect(JSON.stringify(long)).not.toContain("example.com");
  });
});

describe("two hundred mistakes", () => {
  const many = Array.from({ length: 200 }, (_, index): Diagnostic => {
    const place = { ...first, line: 2, column: 3 + (index % 5) };
    return index < 50
      ? warning("early", `Warning ${index}.`, place)
      : error("late", `Error ${index}.`, place, "Mend it.");
  });

  // Fails when a screen is flooded, a mistake is not told at all, or warnings take the room of errors.
  test("are told in full as far as people read, errors first, and in a line each beyond", () => {
    const text = diagnosticsText(many, PLAIN);
    for (const { message } of many)
      expect(text.split("\n").filter((line) => line.endsWith(` ${message}`))).toHaveLength(1);
    const [full = "", short = ""] = text.split("And 170 more, in short:\n");
    expect(full.match(/^error\[late\]/gm)).toHaveLength(30);
    expect(full).not.toContain("warning[");
    expect(short.trimEnd().split("\n")).toHaveLength(170);
    expect(short.split("\n")[0]).toBe("links/a.yaml:2:3 warning[early] Warning 0.");
  });
});

// Fails when what looks for secrets in a line goes back over a long word for each of its letters: this one took hours.
test("a line of one word that is as long as a file is looked at once", () => {
  const word = "x".repeat(2_000_000);
  const text = `note: "${word}"\n`;
  const file = new SourceText(text, "linkform.yaml");
  const told = diagnosticsText([error("unknown-key", "Not a key.", file.place(0, 4), null)], narrow);
  expect(told).toContain('\n 1 | note: "xxxx');
});

// Fails when a warning looks as bad as an error, or as harmless as a note.
test.each([
  ["error", "\u001b[31m"],
  ["warning", "\u001b[33m"],
  ["info", "\u001b[36m"],
] as const)("a diagnostic that is of severity %s has its colour", (severity, color) => {
  const told: Diagnostic = { code: "code", severity, message: "So it is.", place: null, hint: null };
  const [head = ""] = diagnosticsText([told], { ...PLAIN, paint: createPaint(true) }).split(" ");
  expect(["\u001b[31m", "\u001b[33m", "\u001b[36m"].filter((one) => head.includes(one))).toEqual([color]);
});
