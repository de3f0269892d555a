// The ids of each network, at both ends of the lengths in docs/rules.md. Fails if a pattern accepts more or fewer characters than the page,
// or other characters.
import { expect, it } from "vitest";
import { PIXEL_VALUES, PLACEHOLDERS } from "../../src/domain/pixel-fields.ts";

const ID = "0123456789ABCDEFGHIJKL";
const DIGITS = "2612345678901234567890";
const digits = (count: number): string => DIGITS.slice(0, count);
const capitals = (count: number): string => ID.slice(0, count);

interface Ends {
  readonly fit: readonly string[];
  readonly doNot: readonly string[];
}

const ENDS: Readonly<Record<string, Ends>> = {
  adroll: { fit: [`${ID}-${ID}`], doNot: [`${ID}-${ID.slice(1)}`, `${ID}0-${ID}`, ID, `${ID}-${ID.toLowerCase()}`] },
  bing: { fit: [digits(7), digits(9)], doNot: [digits(6), digits(10), "1234567a"] },
  facebook: { fit: [digits(15), digits(16)], doNot: [digits(14), digits(17), `${digits(15)}a`] },
  "google-ads": {
    fit: [`AW-${digits(9)}`, `AW-${digits(11)}`],
    doNot: [`AW-${digits(8)}`, `AW-${digits(12)}`, `aw-${digits(9)}`, digits(9)],
  },
  "google-analytics": {
    fit: [`G-${capitals(8)}`, `G-${capitals(12)}`],
    doNot: [`G-${capitals(7)}`, `G-${capitals(13)}`, capitals(10), "G-ab12cd34ef"],
  },
  "google-tag-manager": {
    fit: [`GTM-${capitals(4)}`, `GTM-${capitals(10)}`],
    doNot: [`GTM-${capitals(3)}`, `GTM-${capitals(11)}`, capitals(6), "GTM-ab12cd"],
  },
  linkedin: { fit: [digits(4), digits(9)], doNot: [digits(3), digits(10), "12345a"] },
  pinterest: { fit: [digits(13)], doNot: [digits(12), digits(14), `27${digits(13).slice(2)}`] },
  quora: { fit: ["0123456789abcdef".repeat(2)], doNot: ["0123456789abcdeg".repeat(2), "a".repeat(31), "a".repeat(33)] },
  twitter: { fit: ["o8a1b"], doNot: ["o8a1", "o8a1bc", "O8A1B"] },
};

it.each(Object.entries(PIXEL_VALUES))("%s", (type, { pattern }) => {
  const { fit, doNot } = ENDS[type] ?? { fit: [], doNot: [] };
  expect(fit.length * doNot.length).toBeGreaterThan(0);
  expect(fit.filter((text) => !pattern.test(text))).toEqual([]);
  expect(doNot.filter((text) => pattern.test(text))).toEqual([]);
});

// Fails if a real id counts as a placeholder, or a placeholder as an id.
it("placeholders", () => {
  const isPlaceholder = (text: string): boolean => PLACEHOLDERS.some((pattern) => pattern.test(text));
  const yes = [
    "YOUR_ID",
    "your-pixel",
    "G-XXXXXXXX",
    "xxxx",
    "<id>",
    "TODO",
    "change-me",
    "id_here",
    "G-0000",
    "11111",
  ];
  const no = ["yours", "GTM-XXX1", "G-AXXXXB", "12345", "111", "G-1111A", "todo-list", "a<b>c"];
  expect(yes.filter((text) => !isPlaceholder(text))).toEqual([]);
  expect(no.filter(isPlaceholder)).toEqual([]);
});
