// Random files in many runs, and the same with damage. Fails if formatting throws, takes too long, changes the meaning of a
// file, loses a comment, is not stable, or reports a problem without its line.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatText } from "../../src/edit/format.ts";
import { checkFormat, FILE } from "./formatting.ts";
import { RandomFile, type Dice } from "./random-file.ts";

const RUNS = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 5000);

const dice = fc.gen().map((g): Dice => ({ below: (limit) => g(fc.nat, { max: limit - 1 }) }));

/** Pieces that mean something in YAML. */
const PIECES = "\n¦ ¦  ¦\t¦:¦: ¦- ¦? ¦#¦ #x¦{¦}¦[¦]¦,¦&a ¦*a¦!!str ".split("¦");
const MORE = "\"¦'¦|¦>-¦|2¦---\n¦...\n¦%YAML 1.2\n¦\r\n¦\uFEFF¦<<: ¦null¦~¦\0¦\u2028".split("¦");

function damaged(text: string, one: Dice): string {
  let result = text;
  for (let left = one.below(4); left >= 0; left -= 1) {
    const at = one.below(result.length + 1);
    const piece = [...PIECES, ...MORE][one.below(PIECES.length + MORE.length)] ?? "";
    const end = Math.min(result.length, at + one.below(30));
    const kind = one.below(3);
    if (kind === 0) result = result.slice(0, at) + result.slice(end);
    else if (kind === 1) result = result.slice(0, at) + piece + result.slice(at);
    else result = result.slice(0, at) + result.slice(at, end) + result.slice(at);
  }
  return result;
}

it("formats every random file", () => {
  fc.assert(
    fc.property(dice, (one) => {
      const before = new RandomFile(one).text();
      expect({ before, is: checkFormat(before) }).toEqual({ before, is: "formatted" });
    }),
    { numRuns: RUNS },
  );
});

it("formats a damaged file or reports where it is damaged", () => {
  let refused = 0;
  fc.assert(
    fc.property(dice, (one) => {
      if (checkFormat(damaged(new RandomFile(one).text(), one)) === "refused") refused += 1;
    }),
    { numRuns: RUNS },
  );
  // Rare forms of YAML that cannot be written in another style.
  expect(refused).toBeLessThan(RUNS / 20 + 3);
});

it.each([
  [
    "a long line",
    `links: {${Array.from({ length: 25_000 }, (_, at) => `l${at}: {url: "https://example.com/${at}"}`).join(",")}}`,
  ],
  ["a long list", `protect: [${"a,".repeat(300_000)}a]`],
  ["nested braces", `${"{a: ".repeat(90)}${"[x,".repeat(1)}y]${"}".repeat(90)}`],
  ["many comments", "# x\n".repeat(200_000)],
  ["many empty lines", `a: 1\n${"\n".repeat(500_000)}b: 2\n`],
  ["a line of spaces", `a: 1${" ".repeat(500_000)}# x\nb: 2\n`],
  ["a long text", `note: ${"word ".repeat(200_000)}\n`],
  ["many lines of text", `note: |\n${"  word\n".repeat(200_000)}`],
  ["many quoted texts", `protect:\n${'  - "a b, c"\n'.repeat(30_000)}`],
])("formats %s of a megabyte in time", (_, text) => {
  const result = formatText(text, FILE);
  expect("text" in result && result.text.length).toBeGreaterThan(0);
});
