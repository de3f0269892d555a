// Which aliases and names the service treats as equal, as the client computes it (docs/service.md, "Case and accents").
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../src/domain/fold.ts";
import { DIFFERENT, SAME } from "../support/folding.ts";
import { runs } from "../support/states.ts";

/** Characters that no alias can have, or that were not tested. */
const MORE_SAME: readonly (readonly [string, string])[] = [
  ["Œ", "OE"],
  ["ｶ", "か"],
  ["ǖ", "u"],
];

const MORE_DIFFERENT: readonly (readonly [string, string])[] = [
  ["и\u0306", "и"],
  ["Ї", "і"],
  ["a-b", "a_b"],
  ["a  b", "a b"],
];

describe("fold", () => {
  // Fails if the files may declare two keys that the service treats as equal.
  test.each([...SAME, ...MORE_SAME])("%s and %s are equal, in either order and inside a word", (a, b) => {
    expect(fold(a)).toBe(fold(b));
    expect(fold(`x-${a}-y`)).toBe(fold(`X-${b}-Y`));
  });

  // Fails if two keys that the service distinguishes count as equal: plain NFKD without marks does so for й, ї, ў.
  test.each([...DIFFERENT, ...MORE_DIFFERENT])("%s and %s are different", (a, b) => {
    expect(fold(a)).not.toBe(fold(b));
  });

  // Fails if folding a folded text changes it: then keys and live records would match in one order only.
  test("folding twice is folding once, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: runs(700) },
    );
  });

  // Fails if texts differ because of case or composed letters.
  test("case and composition make no difference, for any Latin or Cyrillic text", () => {
    const letter = fc.oneof(
      fc.integer({ min: 0x41, max: 0x24f }),
      fc.integer({ min: 0x400, max: 0x45f }),
      fc.integer({ min: 0x1e00, max: 0x1eff }),
    );
    const text = fc.array(letter, { maxLength: 8 }).map((codes) => String.fromCodePoint(...codes));
    fc.assert(
      fc.property(text, (written) => {
        expect(fold(written.normalize("NFD"))).toBe(fold(written));
        // The uppercase of ı is I, whose lowercase is i. The service distinguishes ı and i.
        if (!/[ıŉǰẖẗẘẙẚ]/.test(written)) expect(fold(written.toUpperCase())).toBe(fold(written));
      }),
      { numRuns: runs(700) },
    );
  });
});
