// Many alike changes told in a line. Fails when the line is not all that becomes of one of them, when one is lost or told
// twice, or when what would fit a line is listed one by one.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collapseEdits, collapseWhole, hostOf, type Collapsible } from "../../src/report/similar-changes.ts";
import type { Word, WordChange } from "../../src/report/values.ts";
import { edited } from "../support/edited.ts";
import { hostileText } from "../support/hostile.ts";

const host = fc.constantFrom(
  "old.example.com",
  "new.example.com",
  "user:pw@old.example.com",
  "old.example.com:8080",
  "h",
);

const query = fc.constantFrom("", "?", "?a=1", "?a=1&b=2", "?a=2", "?b=2&a=1", "?a=1&a=1", "?a", "?old.example.com");
const url = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://"),
    host,
    fc.constantFrom("", "/", "/a", "/a/b", "/c/b"),
    query,
    fc.constantFrom("", "#x"),
  )
  .map((parts) => parts.join(""));
const list = fc.uniqueArray(fc.constantFrom("A", "B", "C"), { maxLength: 3 });
const map = fc.dictionary(fc.constantFrom("DE", "FR"), url);
const secret: fc.Arbitrary<Word> = fc.constantFrom<Word[]>({ secret: "set" }, { secret: "unset" });

const pair = <Value extends Word>(path: string, value: fc.Arbitrary<Value>): fc.Arbitrary<WordChange> =>
  fc.tuple(value, value).map(([before, after]) => ({ path, before, after }));
const change = fc.oneof(
  { weight: 4, arbitrary: pair("url", url) },
  pair("url", hostileText),
  pair("pixels", list),
  pair("targeting.rotation", fc.array(url, { maxLength: 3 })),
  pair("targeting.country", map),
  pair("space", fc.constantFrom<Word[]>(null, "Marketing", "Sales")),
  pair("disabled", fc.boolean()),
  pair("password", secret),
);

const item: fc.Arbitrary<Collapsible> = fc.record({
  kind: fc.constant("link" as const),
  words: fc.uniqueArray(change, { minLength: 1, maxLength: 3, selector: ({ path }) => path }),
  groupKey: fc.constantFrom("one", "one", "one", "other", null),
  family: fc.constantFrom(null, "s-{x}"),
});
const items = fc.array(item, { maxLength: 60 });

describe("a line for many updates", () => {
  test("says all that becomes of each of them", () => {
    fc.assert(
      fc.property(items, (all) => {
        const { groups, rest } = collapseEdits(all);
        expect(new Set([...groups.flatMap((group) => group.items), ...rest])).toEqual(new Set(all));
        expect(groups.reduce((sum, group) => sum + group.items.length, rest.length)).toBe(all.length);
        for (const { description: said, items: those } of groups) {
          expect(those.length).toBeGreaterThanOrEqual(5);
          expect(new Set(those.map(({ groupKey }) => groupKey)).size).toBe(1);
          for (const { words, groupKey } of those) {
            expect(groupKey).not.toBeNull();
            expect(said.map(({ path }) => path)).toEqual(words.map(({ path }) => path));
            for (const [at, { before, after, path }] of words.entries()) {
              const edit = said[at];
              const made = edit === undefined ? undefined : edited(edit, before);
              const inOrder = (word: Word | undefined): unknown =>
                path === "pixels" && Array.isArray(word) ? new Set(word) : word;
              expect(inOrder(made)).toEqual(inOrder(after));
            }
          }
        }
      }),
    );
  });

  const alike = (count: number, words: (at: number) => WordChange[]): Collapsible[] =>
    Array.from({ length: count }, (_, at) => ({ kind: "link", words: words(at), groupKey: "", family: null }));
  const urls = (before: string, after: string) => (at: number) => [
    { path: "url", before: before.replaceAll("N", String(at)), after: after.replaceAll("N", String(at)) },
  ];

  test.each([
    ["https://old.example.com/N?x=N", "https://new.example.com/N?x=N", "host"],
    ["http://a.example.com/N", "https://a.example.com/N", "scheme"],
    ["https://a.example.com/old/N/x", "https://a.example.com/new/N/x", "start"],
    ["http://a.example.com/N", "https://b.example.com/x/N", "start"],
    ["https://a.example.com/N", "https://a.example.com/N?utm_source=mail&b=1", "appended"],
    ["https://a.example.com/N?a=N#x", "https://a.example.com/N?a=N&utm_source=mail#x", "appended"],
    ["https://a.example.com/N?ref=1&a=N", "https://a.example.com/N?a=N", "removed"],
    ["https://a.example.com/?a=N&y=2026", "https://a.example.com/?a=N&y=2027", "parameter"],
    ["https://a.example.com/N", "https://b.example.com/", "becomes"],
    ["https://a.example.com/", "https://b.example.com/", "value"],
  ] as const)("%s becomes %s: %s", (before, after, form) => {
    const { groups, rest } = collapseEdits([
      ...alike(5, urls(before, after)),
      ...alike(4, urls("https://x.example.com/N", "https://y.example.com/other/N-N")),
    ]);
    expect(groups.map(({ description: said, items: those }) => [said.map((edit) => edit.form), those.length])).toEqual([
      [[form], 5],
    ]);
    expect(rest).toHaveLength(4);
  });

  test("a change of more than the others is an exception", () => {
    const moved = urls("https://old.example.com/N", "https://new.example.com/N");
    const exception: Collapsible = {
      kind: "link",
      words: [...moved(99), { path: "disabled", before: false, after: true }],
      groupKey: "",
      family: null,
    };
    const { groups, rest } = collapseEdits([...alike(6, moved), exception]);
    expect(groups.map((group) => group.items.length)).toEqual([6]);
    expect(rest).toEqual([exception]);
  });
});

describe("a line for many new ones", () => {
  test("says what each of them has", () => {
    const created = fc.record({
      kind: fc.constant("link" as const),
      words: fc.tuple(url, fc.constantFrom<Word[]>(null, "Sales")).map(([address, space]) => [
        { path: "url", before: null, after: address },
        { path: "space", before: null, after: space },
      ]),
      groupKey: fc.constantFrom("", null),
      family: fc.constantFrom(null, "s-{x}"),
    });
    fc.assert(
      fc.property(fc.array(created, { maxLength: 120 }), (all) => {
        const { groups, rest } = collapseWhole(all);
        expect(groups.reduce((sum, group) => sum + group.items.length, rest.length)).toBe(all.length);
        for (const { description: said, items: those } of groups) {
          for (const { words } of those) {
            expect(said.map(({ path }) => path)).toEqual(words.map(({ path }) => path));
            for (const [at, { after }] of words.entries()) {
              const common = said[at];
              if (common?.host == null) expect(common?.value).toEqual(after);
              else expect(typeof after === "string" && hostOf(after)).toBe(common.host);
            }
          }
        }
      }),
    );
  });
});
