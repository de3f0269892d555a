// What visitors of a live link notice. Fails if a visible change is reported as invisible, or if an invisible one alarms the reader: an
// inactive target group, a new link, a note.

import { expect, it } from "vitest";
import { isNoticed } from "../../src/domain/change.ts";
import { create, GO, liveLink, remove, update } from "../report/plans.ts";

const COUNTRY = { path: "targeting.country", before: null, after: [["DE", "https://example.com/de"]] } as const;

/** A link whose active target group is `before`, and then `after`. */
function targeted(before: string | undefined, after: string | undefined): boolean {
  const values = (active: string | undefined): Partial<Record<"targeting.active", string>> =>
    active === undefined ? {} : { "targeting.active": active };
  const change = update(liveLink("a", { values: values(before) }), { fields: [COUNTRY] });
  return isNoticed({ ...change, desired: { ...change.desired, values: new Map(Object.entries(values(after))) } });
}

it.each([
  ["country", "country", true],
  ["platform", "country", true],
  ["country", "platform", true],
  ["platform", "platform", false],
  ["country", undefined, true],
  ["platform", undefined, false],
  [undefined, undefined, true],
])("a destination of a country, if %s is active before and %s after", (before, after, isMet) => {
  expect(targeted(before, after)).toBe(isMet);
});

it("visitors notice the destination, but not fields for owners", () => {
  const live = liveLink("a", { values: { "targeting.active": "platform" } });
  const change = (path: string): boolean => isNoticed(update(live, { fields: [{ path, before: null, after: "x" }] }));
  expect([change("url"), change("targeting.active"), change("space")]).toEqual([true, true, false]);
});

it("visitors notice the end of a short URL, and nothing of a new link", () => {
  expect(isNoticed(remove(liveLink("a")))).toBe(true);
  expect(isNoticed(update(liveLink("a"), { breaksUrl: true }))).toBe(true);
  expect(isNoticed(create(`${GO}/new`, { fields: [COUNTRY] }))).toBe(false);
});
