// Frames of random lines: whatever signs a line is made of and however long it is, the mark stands below what is meant, nothing
// goes over the screen or is obeyed by it, and a password in a file is never shown.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validate } from "../../../src/cli/validate.ts";
import { error } from "../../../src/domain/diagnostic.ts";
import { SourceText } from "../../../src/domain/place.ts";
import { diagnosticsText } from "../../../src/report/text/log.ts";
import { PLAIN } from "../../../src/report/text/screen.ts";
import { widthOf } from "../../../src/report/text/width.ts";
import { runIn, temporaryFolder, writeFiles } from "../../support/scenario.ts";

/** Columns of a terminal for each: as Unicode says, and as this test knows by itself. */
const SIGNS = {
  a: 1,
  " ": 1,
  é: 1,
  "e\u0301": 1,
  "…": 1,
  春: 2,
  한: 2,
  ｗ: 2,
  "😀": 2,
  "👩‍👩‍👧‍👦": 2,
  "🇩🇪": 2,
} as const;
const KNOWN = new Map<string, number>(Object.entries(SIGNS));
const sign = fc.constantFrom(...KNOWN.keys());

function widthBy(signs: readonly string[]): number {
  return signs.reduce((sum, one) => sum + (KNOWN.get(one) ?? 0), 0);
}

/** The line of a frame and what stands below it, for a stretch of the second line of a file. */
function frame(
  line: string,
  from: number,
  length: number,
  columns: number,
): { shown: string; marks: string; all: string } {
  const source = new SourceText(`first: line\n${line}\nlast: line\n`, "a.yaml");
  const offset = "first: line\n".length + from;
  const all = diagnosticsText([error("code", "It is wrong.", source.place(offset, offset + length), "Correct it.")], {
    ...PLAIN,
    columns,
  });
  const [, , , shown = "", marks = ""] = all.split("\n");
  return { shown: shown.slice(" 2 | ".length), marks: marks.slice("   | ".length), all };
}

describe("a frame", () => {
  // Fails when a sign that takes two columns or none shifts the mark, or a sign is cut in two.
  test("marks the columns in which the terminal shows what is meant", () => {
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 20 }),
        fc.array(sign, { minLength: 1, maxLength: 9 }),
        fc.array(sign),
        (before, meant, after) => {
          // Spaces at the end are not marked by themselves.
          const line = `x${before.join("")}[${meant.join("")}]${after.join("")}`;
          const { shown, marks } = frame(line, 1 + before.join("").length, meant.join("").length + 2, 400);
          expect(shown).toBe(line.trimEnd());
          expect(marks).toBe(`${" ".repeat(1 + widthBy(before))}${"^".repeat(widthBy(meant) + 2)}`);
        },
      ),
    );
  });

  // Fails when a line of a frame is broken by the screen, the marked text is cut away, or a control character gets through.
  test("fits the screen, and shows what is meant in it, whatever the line is", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 3000 }),
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 40, max: 200 }), (before, after, columns) => {
        const clean = (part: string): string => part.replaceAll(/[\r\n]/g, "");
        const line = `${clean(before)}<HERE>${clean(after)}`;
        const { shown, marks, all } = frame(line, clean(before).length, "<HERE>".length, columns);
        expect(shown).toContain("<HERE>");
        expect(marks.trim()).toBe("^^^^^^");
        expect(widthOf(shown.slice(0, shown.indexOf("<HERE>")))).toBe(marks.indexOf("^"));
        for (const one of all.split("\n")) expect(widthOf(one)).toBeLessThanOrEqual(columns);
        // oxlint-disable-next-line no-control-regex -- these are what must not be there
        expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  // Fails when a long value is shown to its end, or only its end is.
  test("of a URL of 2,000 characters shows how it begins, and says that it goes on", () => {
    const url = `https://example.com/?${"q".repeat(2000)}`;
    const { shown, marks } = frame(`    url: ${url}`, 9, url.length, 80);
    expect(shown).toMatch(/^ {4}url: https:\/\/example\.com\/\?q+…$/);
    expect(marks).toBe(`         ${"^".repeat(66)}`);
  });
});

const PASSWORD = fc
  .string({ unit: fc.constantFrom(..."abcXYZ0189!$%&()*+,-./:;<=>?@[]^_`|~#{}'"), minLength: 6, maxLength: 30 })
  .map((text) => `Zq${text}7w`);

/** Where a password may stand, right and wrong, in files that can be read and in files that can't. */
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => `links:\n  a:\n    url: x\n    password: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: "${secret}"\n    privacy_password: '${secret}'\n`,
  (secret) =>
    `links:\n  a:\n    url: x\n    pasword: ${secret}\n    passwort: ${secret}\n    privacy-password: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:\n      ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: |\n      ${secret}\n     ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: { env: "${secret}" }\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: { value: "${secret}", env: LINKFORM_SECRET_A }\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:\n      env: "${secret}"\n      file: "${secret}"\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: ["${secret}"]\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: "${secret}\n    disabled: yes\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password = ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n\tpassword: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: ${secret}\n      disabled: true\n`,
  (secret) => `links:\n  a: { url: x, password: "${secret}", disabeld: true }\n`,
  (secret) => `links:\n  a: { password: "${secret}" url: x }\n`,
  (secret) => `links: { a: { url: x, password:\n  "${secret}", nope: 1 } }\n`,
  (secret) => `links: { a: { url: x, password: {\n  value: "${secret}" } } }\n`,
  (secret) => `defaults: { link: { password: "${secret}" } }\n`,
  (secret) => `api_key: ${secret}\ntoken: "${secret}"\n`,
  (secret) => `service: { base_url: "https://me:${encodeURIComponent(secret)}@short.example.com" }\n`,
  (secret) => `service:\n  base_url: "https://short.example.com/?key=${encodeURIComponent(secret)}"\n`,
  (secret) => `service: { base_url: "${encodeURIComponent(secret)}" }\n`,
];

describe("a password that somebody has written into a file", () => {
  // Fails when a frame or a message shows a secret, however it was written and whatever else is wrong with the file.
  test.each(PLACES.map((write) => [JSON.stringify(write("PASSWORD")), write] as const))("%s", async (_, write) => {
    const folder = await temporaryFolder();
    await fc.assert(
      fc.asyncProperty(PASSWORD, async (secret) => {
        const head = "version: 1\n";
        const text = write(secret);
        const service = text.includes("service:") ? "" : "service: { base_url: https://short.example.com }\n";
        await writeFiles(folder, { "linkform.yaml": `${head}${service}${text}` });
        const { exit, out, err } = await runIn(folder, {}, (world) => validate(world, {}));
        expect([exit, err]).toEqual([1, ""]);
        for (const form of [secret, encodeURIComponent(secret)]) expect(out).not.toContain(form);
      }),
      { numRuns: 60 },
    );
  });
});
