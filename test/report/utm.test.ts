// UTM values in reports, beyond test/fixtures/plans/utm. Fails if a marketer must look for them in a URL, or if different URLs look the same.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { splitUtmWords, type Word, type WordChange } from "../../src/report/values.ts";
import { runs } from "../support/states.ts";

const url = (before: Word, after: Word): WordChange => ({ path: "url", before, after });

it.each<[string, WordChange, [string, Word, Word][]]>([
  [
    "the old value is unknown",
    url({ unknown: true }, "https://example.com/?utm_id=1"),
    [
      ["url", { unknown: true }, "https://example.com/"],
      ["utm.id", { unknown: true }, "1"],
    ],
  ],
  [
    "another encoding",
    url("https://example.com/?utm_source=a+b", "https://example.com/?utm_source=a%20b"),
    [["url", "https://example.com/?utm_source=a+b", "https://example.com/?utm_source=a%20b"]],
  ],
])("the destination of a changed link: %s", (_, word, expected) => {
  expect(splitUtmWords([word]).map(({ path, before, after }) => [path, before, after])).toEqual(expected);
});

it("the destination of a changed link: always shows that URLs differ", () => {
  const parameter = fc.constantFrom(
    "a=1",
    "utm_source=a",
    "utm_source=a+b",
    "utm_source=a%20b",
    "utm_medium=b",
    "utm_id=",
    "",
  );
  const address = fc.array(parameter, { maxLength: 4 }).map((all) => `https://example.com/?${all.join("&")}`);
  fc.assert(
    fc.property(address, address, (before, after) => {
      fc.pre(before !== after);
      expect(splitUtmWords([url(before, after)])).not.toEqual([]);
    }),
    { numRuns: runs(350) },
  );
});
