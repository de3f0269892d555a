// Texts that people read are plain English: `npm run messages` lists those of the source. Fails if one has a word to avoid.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "./support/documents.ts";

interface SourceText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Catalog {
  readonly textsOf: (files: readonly string[]) => readonly SourceText[];
  readonly filesIn: (...paths: readonly string[]) => readonly string[];
}

const { textsOf, filesIn }: Catalog = await import(pathToFileURL(path.join(ROOT, "scripts/messages.mjs")).href);

/** Words to avoid, and what to write instead. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tells?|told|says? of)\b/i, "reports, shows, explains"],
  [/\b(?:stands?|stood|can stand)\b(?! (?:for|in for|alone))/i, "is, appears"],
  [/\bsigns?\b(?! in)/i, "character"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bwhatever\b/i, "the noun"],
  [/\b(?:that|those) of\b/i, "the noun"],
  [/\b(?:as it did|by then|anew|besides|in all|for good)\b/i, "rephrase"],
  [
    /\b(?:(?:is|are) taken for|(?:is|are) held against|holds? (?:it|them|this|the \w+) against)\b/i,
    "compare, treat as",
  ],
  [/\bspeaks? to\b/i, "connect to, call"],
  [/\b(?:declared ones|the other ones?|of (?:its|their|your) own)\b/i, "name the thing"],
  [/\bwhat is live\b/i, "the live state"],
  [/\bhand-?made\b/i, "manual"],
  [/\b(?:so many|as many)\b(?! as)/i, "the number"],
  [/\b(?:colour|honour|licence|behaviour)/i, "American spelling"],
];

const sourceTexts = textsOf(filesIn("src/*.ts", "action/*.mjs", "scripts/ci-texts.mjs"));

/** Every line of the pages, workflows and examples, with the blocks of code: they are output and files of the program. */
async function documentTexts(): Promise<SourceText[]> {
  const files = filesIn(
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ".github",
    "docs/*.md",
    "action.yml",
    "templates",
    "examples",
  );
  const texts = await Promise.all(files.map((file) => readFile(path.join(ROOT, file), "utf8")));
  return files.flatMap((file, at) =>
    (texts[at] ?? "").split("\n").map((text, index) => ({ file, line: index + 1, text })),
  );
}

test("no text of the program, its pages or its workflows has a word to avoid", async () => {
  const all = [...sourceTexts, ...(await documentTexts())];
  expect(sourceTexts.length).toBeGreaterThan(2000);
  const found = all.flatMap(({ file, line, text }) =>
    AVOIDED.flatMap(([word, better]) => {
      const [match] = word.exec(text) ?? [];
      return match === undefined ? [] : [`${file}:${line}: "${match}" (${better}) in: ${text}`];
    }),
  );
  expect(found).toEqual([]);
});
