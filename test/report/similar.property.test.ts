// Similar changes in one item. Fails if its sentence is not all that becomes of one of them, if one is lost or shown twice, or if changes
// that are alike are listed one by one.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShownChange } from "../../src/report/document.ts";
import { groupSimilar, type Edit } from "../../src/report/rows.ts";
import type { Word, WordChange } from "../../src/report/values.ts";
import { hostileText } from "../support/hostile.ts";
import { resultOf } from "./reports.ts";

const host = fc.constantFrom(
  "old.example.com",
  "new.example.com",
  "user:pw@old.example.com",
  "old.example.com:8080",
  "h",
);
const url = fc
  .tuple(fc.constantFrom("https://", "http://"), host, fc.constantFrom("", "/", "/a", "/c/b?a=1", "?h", "#x"))
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
  pair("password", secret),
);

const changeOf = (fields: WordChange[], more: Partial<ShownChange> = {}): ShownChange => ({
  ...resultOf({ action: "update", key: "go.example.com/a", outcome: "applied", error: null }),
  fields,
  ...more,
});

const item: fc.Arbitrary<ShownChange> = fc
  .record({
    action: fc.constantFrom("create" as const, "update" as const),
    fields: fc.uniqueArray(change, { minLength: 1, maxLength: 3, selector: ({ path }) => path }),
    because: fc.constantFrom("one", "one", "one", "other"),
    previous_key: fc.constantFrom(null, null, null, "go.example.com/was"),
    pattern: fc.constantFrom(null, "s-{x}"),
  })
  .map(({ fields, pattern, ...more }) =>
    changeOf(fields, { ...more, ...(pattern !== null && { family: { pattern, combination: {} } }) }),
  );

/** What an edit makes of a value: what a reader of the report would do. */
function edited({ after, start }: Edit, before: Word): Word {
  const moved = (text: string, was: string, is: string): string =>
    text.startsWith(was) && /^([/?#]|$)/.test(text.slice(was.length)) ? `${is}${text.slice(was.length)}` : text;
  if (start === undefined) return after;
  return typeof before === "string" && typeof after === "string" ? moved(before, start, after) : null;
}

test("similar changes are shown once each, with all that becomes of them", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), (all) => {
      const { groups, rest } = groupSimilar(all, "plan");
      const grouped = groups.flatMap(({ members }) => members.map((one) => one.change));
      expect(new Set([...grouped, ...rest])).toEqual(new Set(all));
      expect(grouped.length + rest.length).toBe(all.length);
      for (const { edits, members, differing } of groups) {
        expect(members.length).toBeGreaterThanOrEqual(5);
        expect(new Set(members.map((one) => one.change.because)).size).toBe(1);
        for (const { words, change: one } of members) {
          expect(one.previous_key).toBeNull();
          if (one.action === "create") {
            const same = words.filter(({ path }) => !differing.has(path)).map(({ after }) => after);
            const first = members[0]?.words.filter(({ path }) => !differing.has(path)).map(({ after }) => after);
            expect(same).toEqual(first);
            continue;
          }
          expect(edits.map(({ path }) => path)).toEqual(words.map(({ path }) => path));
          for (const [at, { before, after }] of words.entries()) {
            const edit = edits[at];
            const made = edit === undefined ? undefined : edited(edit, before);
            expect(made).toEqual(after);
          }
        }
      }
    }),
  );
});
