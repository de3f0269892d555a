// Countries and languages match the standards, according to the names in ICU.
import { expect, it } from "vitest";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../src/domain/target-keys.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Names that ICU has although ISO 3166-1 only reserves the code, or does not have it. */
const NO_COUNTRIES = ["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"];

// Fails if a code is missing, misspelled, or too many.
it("countries: the 249 of ISO 3166-1", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const isCurrent = (code: string): boolean =>
    names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;
  const known = PAIRS.map((pair) => pair.toUpperCase()).filter(isCurrent);
  const countries = known.filter((code) => !NO_COUNTRIES.includes(code));
  expect([...COUNTRY_CODES.codes].toSorted()).toEqual(countries.toSorted());
  expect(COUNTRY_CODES.codes.size).toBe(249);
});

/** Old codes that ICU still names, although they were replaced, split, or withdrawn. */
const OLD_LANGUAGES = ["bh", "in", "iw", "ji", "jw", "mo", "sh"];

// Fails if a code is missing, misspelled, or too many.
it("languages: the 183 of ISO 639-1", () => {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const named = PAIRS.filter((pair) => names.of(pair) !== undefined && !OLD_LANGUAGES.includes(pair));
  expect([...LANGUAGE_CODES.codes].toSorted()).toEqual(named);
  expect(LANGUAGE_CODES.codes.size).toBe(183);
});

// Fails if a hint replaces one unknown code with another.
it("a suggested code exists, and the code that it replaces does not", () => {
  for (const { codes, meant, refused, retired, refusedBy } of [COUNTRY_CODES, LANGUAGE_CODES]) {
    const instead = Object.values(meant).flatMap(({ code }) => code ?? []);
    expect(instead.filter((code) => !codes.has(code))).toEqual([]);
    expect(Object.keys(meant).filter((code) => codes.has(code))).toEqual([]);
    const isKnown = (code: string): boolean => codes.has(code) || retired.has(code) || refused.codes.has(code);
    expect([...refused.codes].filter((code) => retired.has(code) || Object.hasOwn(refusedBy, code))).toEqual([]);
    expect([...retired].filter((code) => codes.has(code) || Object.hasOwn(refusedBy, code))).toEqual([]);
    expect(Object.keys(refusedBy).filter((code) => isKnown(code) && !codes.has(code))).toEqual([]);
  }
});

// Numbers of the service: 264 countries and 184 languages in 4.1, 263 and 186 in later versions.
it("the number of codes is that of the service", () => {
  const counts = [COUNTRY_CODES, LANGUAGE_CODES].map(({ codes, refused, retired, refusedBy }) => {
    const all = new Set([...codes, ...retired, ...Object.keys(refusedBy)]);
    const inBoth = [...all].filter((code) => !refused.codes.has(code) && !Object.hasOwn(refusedBy, code)).length;
    const only = (version: string): number => Object.values(refusedBy).filter((by) => by !== version).length;
    return [inBoth + only("4.1"), inBoth + only("4.9 and later")];
  });
  expect(counts).toEqual([
    [264, 263],
    [184, 186],
  ]);
});
