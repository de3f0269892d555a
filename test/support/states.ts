// Pieces of random states that property tests share.

import fc from "fast-check";

/** The domains of the sandbox that random links are on, by id. */
export const DOMAINS: Readonly<Record<2 | 3, string>> = { 2: "go.example.com", 3: "promo.example.com" };

/** One of a few destinations, so that several links have the same. */
export const url: fc.Arbitrary<string> = fc
  .constantFrom("a", "b", "ü?x[]='1'&y=%20+;(2)*", "c#frag")
  .map((end) => `https://example.com/${end}`);

/** A value or undefined. */
export function optional<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined });
}

/** A password in a file. */
export const secret: fc.Arbitrary<object | string> = fc.constantFrom<object | string>(
  { env: "LINKFORM_SECRET_A" },
  "none",
);

/** Any character. The unit "binary" of fast-check holds 100 MB, which slows starts of git. */
export const character: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/** The number of runs of a property. CI triples it. */
export function runs(few: number): number {
  return few * Number(process.env["LINKFORM_TEST_FACTOR"] ?? 1);
}
