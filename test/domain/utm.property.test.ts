// How UTM values become parameters of a URL, and the way back. Conflicts are in fixtures/config/invalid/utm*.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUtm, isUtmValue, queryParameters, splitUtm, UTM_KEYS, type UtmValues } from "../../src/domain/utm.ts";

const value = fc.oneof(
  fc.constantFrom("news", "2027", "a b", "ü", "a&b=c", "#1", "100%", "😀", "+"),
  fc.string({ minLength: 1 }),
);
const utm = fc
  .record(Object.fromEntries(UTM_KEYS.map((key) => [key, value.filter(isUtmValue)])), { requiredKeys: [] })
  .map(
    (values): UtmValues => new Map(UTM_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]]))),
  );

const scrap = fc.constantFrom(
  ..."a=1¦b=%2F¦c¦¦d=ü¦utm_x=1¦utm_source=¦utm_source=news¦utm_medium=a+b¦?¦utm%5Fid=7¦x=%zz".split("¦"),
);
const url = fc
  .tuple(
    fc.constantFrom("https://example.com/", "http://example.com", "HTTPS://e.example/a;b=c"),
    fc.array(scrap),
    fc.constantFrom("", "#", "#top", "#?utm_source=x"),
  )
  .map(([start, parameters, end]) => `${start}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}${end}`);

describe("applying UTM values", () => {
  it.each([
    ["https://example.com/?UTM_SOURCE=x", "https://example.com/?UTM_SOURCE=x&utm_source=a%20b&utm_id=7"],
    ["shop-app://product/1", "shop-app://product/1"],
  ])("%s", (address, expected) => {
    const values: UtmValues = new Map([
      ["id", "7"],
      ["source", "a b"],
    ]);
    expect(applyUtm(address, values)).toEqual({ url: expected, conflicts: [] });
  });

  // Fails if a character of the URL changes, if a parameter is after the `#`, or if a second run appends again.
  it("appends before the fragment and keeps everything else", () => {
    fc.assert(
      fc.property(url, utm, (address, values) => {
        const applied = applyUtm(address, values).url;
        const [before = "", ...fragment] = address.split("#");
        expect(applied.startsWith(before)).toBe(true);
        expect(applied.split("#").slice(1)).toEqual(fragment);
        expect(applyUtm(applied, values).url).toBe(applied);
        for (const [key, text] of values)
          if (!before.includes("utm")) expect(new URL(applied).searchParams.getAll(`utm_${key}`)).toEqual([text]);
      }),
    );
  });
});

describe("splitting a URL", () => {
  // Fails if a value is lost, or if a URL that linkform wrote cannot be split into what it was made of.
  it("is the reverse of applying", () => {
    fc.assert(
      fc.property(url, utm, (written, values) => {
        const { address } = splitUtm(written);
        fc.pre(!/[?&](#|$)|utm(_|%5F)(source|medium|id)/.test(address));
        expect(splitUtm(applyUtm(address, values).url)).toEqual({ address, utm: values });
      }),
    );
  });

  it.each([
    [
      "https://example.com/?utm_source=a&x=1&utm_medium=b#c",
      "https://example.com/?x=1#c",
      { source: "a", medium: "b" },
    ],
    ["https://example.com/?utm_source=a&utm_source=b", "https://example.com/?utm_source=a&utm_source=b", {}],
    ["https://example.com/?utm_source&utm_id=", "https://example.com/?utm_source&utm_id=", {}],
    ["https://example.com/#?utm_source=a", "https://example.com/#?utm_source=a", {}],
    ["shop-app://product?utm_source=a", "shop-app://product?utm_source=a", {}],
  ])("%s", (written, address, values) => {
    expect(splitUtm(written)).toEqual({ address, utm: new Map(Object.entries(values)) });
  });
});

it("reads the parameters of any query as URLSearchParams does", () => {
  const part = fc.oneof(
    fc.constantFrom("&", "=", "%", "+", "?", "utm_source", "%C3%BC", "%zz", "ü", "\uD83D", "😀"),
    fc.string(),
  );
  const query = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(query, (text) => {
      // Without the `&`, a `?` at the start would be removed.
      expect(queryParameters(text)).toEqual([...new URLSearchParams(`&${text}`)]);
    }),
  );
});
