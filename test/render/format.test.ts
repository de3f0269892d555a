// The number of a text is what FNV-1a of 64 bits makes of it, so that markers and fingerprints stay the same from version to version.
// Fails when it is computed otherwise.

import fc from "fast-check";
import { expect, test } from "vitest";
import { fnv1a } from "../../src/render/format.ts";

test.each([
  ["", "cbf29ce484222325"],
  ["a", "af63dc4c8601ec8c"],
  ["foobar", "85944171f73967e8"],
])("of %j it is %s", (text, number) => {
  expect(fnv1a(text)).toBe(number);
});

test("of any text it is what its definition says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const units = Array.from({ length: text.length }, (_, at) => BigInt(text.charCodeAt(at)));
      const hash = units.reduce((sum, unit) => BigInt.asUintN(64, (sum ^ unit) * 0x100000001b3n), 0xcbf29ce484222325n);
      expect(fnv1a(text)).toBe(hash.toString(16).padStart(16, "0"));
    }),
  );
});
