// Pieces of random states that property tests share.

import fc from "fast-check";

/** The domains of the sandbox that random links are on, by id. */
export const DOMAINS: Readonly<Record<2 | 3, string>> = { 2: "go.example.com", 3: "promo.example.com" };

/** A destination, of few, so that several links have the same. */
export const url: fc.Arbitrary<string> = fc
  .constantFrom("a", "b", "ü?x[]='1'&y=%20+;(2)*", "c#frag")
  .map((end) => `https://example.com/${end}`);

/** A value or silence. */
export function optional<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined });
}

/** What a file may say of a password. */
export const secret: fc.Arbitrary<object | string> = fc.constantFrom<object | string>(
  { env: "LINKFORM_SECRET_A" },
  "none",
);

/** How often properties are put to the test: so many times, or as the environment says. */
export function runs(most: number): number {
  return Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? most);
}
