// Every code in docs/troubleshooting.md is a code of the program, and every message that it quotes is a message of the program. Fails if
// the source changes and the page does not, because people search the page for the code. The codes and questions in other pages are
// checked, too.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { codesOf, readDocuments, ROOT } from "./support/documents.ts";

interface SourceText {
  readonly code: string | null;
  readonly text: string;
}

interface Catalog {
  readonly textsOf: (files: readonly string[]) => readonly SourceText[];
  readonly filesIn: (...paths: readonly string[]) => readonly string[];
}

const { textsOf, filesIn }: Catalog = await import(pathToFileURL(path.join(ROOT, "scripts/messages.mjs")).href);

const sources = filesIn("src/*.ts");
const texts = textsOf(sources);
const allSource = (await Promise.all(sources.map((file) => readFile(path.join(ROOT, file), "utf8")))).join("\n");

const documents = await readDocuments();
const page = documents.find(({ file }) => file === "docs/troubleshooting.md");
/** A brake or a skipped change, which are printed without a code. */
const QUOTED = /^(?:‼ |· .+? skipped: )(.+)$/;
/** The codes that an item of a list begins with. */
const items = [...(page?.text.matchAll(/^- ((?:`[a-z0-9-]+`,? ?)+):/gm) ?? [])].flatMap(([, codes]) => codesOf(codes));
const quotes = (page?.blocks ?? []).flatMap(({ place, text, under }) =>
  text
    .trim()
    .split("\n")
    .map((line) => ({ place, line, section: under.at(-1) ?? "" })),
);

/** Texts with fewer letters outside their computed parts match almost anything. A text with its code is one of few. */
const FEWEST_LETTERS = 8;
const FEWEST_LETTERS_WITH_CODE = 5;

/** A pattern for a text of the source, with anything in the place of a computed part. Null if it has too few words. */
function patternOf({ code, text }: SourceText): RegExp | null {
  const parts = text.split(/\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/);
  const letters = parts.join("").replaceAll(/[^a-z]/gi, "").length;
  if (letters < (code === null ? FEWEST_LETTERS : FEWEST_LETTERS_WITH_CODE)) return null;
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(".*")}$`);
}

const patterns = texts.flatMap((one) => {
  const pattern = patternOf(one);
  return pattern === null ? [] : [{ code: one.code, pattern }];
});

/** The files that name jobs, environments, inputs and artifacts, which pages name as they name codes. */
const ciFiles = ["action.yml", "action/main.mjs", "examples/ci/github/linkform.yml", "templates/linkform.yml"];
const ciText = (await Promise.all(ciFiles.map((file) => readFile(path.join(ROOT, file), "utf8")))).join("\n");

function isCiName(name: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(ciText);
}

/** Whether the program has this code, as it is or with a computed end. */
function isCode(code: string): boolean {
  return allSource.includes(`"${code}"`) || allSource.includes(`\`${code.replace(/-[^-]*$/, "")}-\${`);
}

/** Whether the program has this message under this code, or in a text whose code the catalog does not know. */
function isMessage(code: string, message: string): boolean {
  return patterns.some((one) => (one.code === null || one.code === code) && one.pattern.test(message));
}

describe("docs/troubleshooting.md", () => {
  test("explains codes, and quotes messages that are printed without one", () => {
    expect(items.length).toBeGreaterThan(55);
    expect(quotes.length).toBeGreaterThan(1);
  });

  test.each(items)("%s is a code", (code) => {
    expect(isCode(code)).toBe(true);
  });

  test.each(quotes)("$place: $line", ({ line, section }) => {
    const code = section.replaceAll("`", "");
    const [, message = ""] = QUOTED.exec(line) ?? [];
    expect(isCode(code), `the code ${code}`).toBe(true);
    expect(isMessage(code, message), `the message ${message}`).toBe(true);
  });

  const questions = (documents.find(({ file }) => file === "docs/safety.md")?.blocks ?? []).filter(
    ({ language }) => language === "text",
  );
  test.each(questions)("$place is a question of the program", ({ text }) => {
    expect(patterns.some(({ pattern }) => pattern.test(text.replace("\n", " ")))).toBe(true);
  });
});

/** Pages that name codes in sentences and tables. */
const NAMES_CODES = [
  "ci",
  "ownership",
  "safety",
  "saved-plans",
  "secrets",
  "security-model",
  "troubleshooting",
  "undo",
];

describe("codes in the pages on safety", () => {
  const isPage = (file: string): boolean => NAMES_CODES.some((name) => file === `docs/${name}.md`);
  const named = documents.filter(({ file }) => isPage(file)).flatMap(({ spans }) => spans);
  const codes = named.filter(({ text }) => /^[a-z]+(?:-[a-z]+)+$/.test(text));

  test("are named", () => {
    expect(codes.length).toBeGreaterThan(80);
  });

  test.each(codes)("$place: $text", ({ text }) => {
    expect(isCode(text) || isCiName(text)).toBe(true);
  });
});
