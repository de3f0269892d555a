// The ids of each network, at both ends of the lengths in docs/rules.md. Fails if a pattern accepts more or fewer characters than the page,
// or other characters.
import { expect, it } from "vitest";
import { PIXEL_VALUES, PLACEHOLDERS } from "../../src/domain/pixel-fields.ts";

const ID = "0123456789ABCDEFGHIJKL";
const digits = (count: number): string => "2612345678901234567890".slice(0, count);
const capitals = (count: number): string => ID.slice(0, count);

/** Ids that fit, and those that do not. */
const ENDS: Readonly<Record<string, readonly [string[], string[]]>> = {
  adroll: [[`${ID}-${ID}`], [`${ID}-${ID.slice(1)}`, `${ID}0-${ID}`, ID, `${ID}-${ID.toLowerCase()}`]],
  bing: [
    [digits(7), digits(9)],
    [digits(6), digits(10), "1234567a"],
  ],
  facebook: [
    [digits(15), digits(16)],
    [digits(14), digits(17), `${digits(15)}a`],
  ],
  "google-ads": [
    [`AW-${digits(9)}`, `AW-${digits(11)}`],
    [`AW-${digits(8)}`, `AW-${digits(12)}`, `aw-${digits(9)}`, digits(9)],
  ],
  "google-analytics": [
    [`G-${capitals(8)}`, `G-${capitals(12)}`],
    [`G-${capitals(7)}`, `G-${capitals(13)}`, capitals(10), "G-ab12cd34ef"],
  ],
  "google-tag-manager": [
    [`GTM-${capitals(4)}`, `GTM-${capitals(10)}`],
    [`GTM-${capitals(3)}`, `GTM-${capitals(11)}`, capitals(6), "GTM-ab12cd"],
  ],
  linkedin: [
    [digits(4), digits(9)],
    [digits(3), digits(10), "12345a"],
  ],
  pinterest: [[digits(13)], [digits(12), digits(14), `27${digits(13).slice(2)}`]],
  quora: [["0123456789abcdef".repeat(2)], ["0123456789abcdeg".repeat(2), "a".repeat(31), "a".repeat(33)]],
  twitter: [["o8a1b"], ["o8a1", "o8a1bc", "O8A1B"]],
};

it.each(Object.entries(PIXEL_VALUES))("%s", (type, { pattern, example }) => {
  const [ends = [], doNot = []] = ENDS[type] ?? [];
  const fit = [example, ...ends];
  expect([fit, doNot].map((ids) => ids.map((id) => pattern.test(id)))).toEqual([
    fit.map(() => true),
    doNot.map(() => false),
  ]);
  expect(ends.length * doNot.length).toBeGreaterThan(0);
});

// Fails if a real id counts as a placeholder, or a placeholder as an id.
it("placeholders", () => {
  const isPlaceholder = (text: string): boolean => PLACEHOLDERS.some((pattern) => pattern.test(text));
  const yes = "YOUR_ID your-pixel G-XXXXXXXX xxxx <id> TODO change-me id_here G-0000 11111".split(" ");
  const no = "yours GTM-XXX1 G-AXXXXB 12345 111 G-1111A todo-list a<b>c".split(" ");
  expect([yes, no].map((texts) => texts.filter(isPlaceholder))).toEqual([yes, []]);
});
