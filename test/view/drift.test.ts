// What people read of drift that the planner's other rules bring about. Fails if pruning or `allow` hides a difference, or
// a text can speak to the terminal.

import { expect, it } from "vitest";
import { differences, groupByOwner } from "../../src/view/drift.ts";
import { driftText } from "../../src/render/text/drift.ts";
import { PLAIN } from "../../src/render/text/screen.ts";
import { create, GO, liveLink, livePixel, place, planOf, remove, replace, update } from "../render/plans.ts";

it("what lies in scope and is not declared, and what `allow` leaves out, are differences", () => {
  const plan = planOf([remove(liveLink("stray"), { reason: "undeclared" })], {
    withheld: [{ change: create(`${GO}/not-allowed`), because: "allow" }],
    unknown: ["link privacy"],
  });
  expect(differences(plan)).toHaveLength(2);
  expect(driftText(plan, PLAIN)).toBe(
    [
      `undeclared link ${GO}/stray #7`,
      "    It has 12 clicks.",
      "    links/a.yaml:3:3",
      "",
      `missing link ${GO}/not-allowed`,
      "    links/a.yaml:3:3",
      "",
      "The service does not return this field, so linkform cannot compare it: link privacy.",
      "",
      "Drift: 1 missing, 1 undeclared. 4 objects match the files.",
      "",
    ].join("\n"),
  );
});

it("hostile names don't speak to the terminal", () => {
  const name = "x\u001b[2J\u202e\ny";
  const fields = [{ path: "value", before: name, after: name }] as const;
  const plan = planOf([update(livePixel(name), { previousKey: name, fields, source: place(1, name) })]);
  const lines = driftText(plan, PLAIN).split("\n");
  expect(lines).toHaveLength(7);
  expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
});

// Fails when what is declared and what is live change places, when a state is called by another's name, or when the
// moment is said otherwise than to the minute.
it("each difference says how it is declared, then how it is, under its own name", () => {
  const changedAt = "2026-11-20T09:30:59Z";
  const fields = [{ path: "expiration.url", before: "live words", after: "declared" }] as const;
  const old = liveLink("old", { updatedAt: changedAt });
  const plan = planOf([
    update(liveLink("a", { updatedAt: changedAt }), { fields }),
    update(old, { key: `${GO}/new`, previousKey: `${GO}/old`, reason: "renamed" }),
    replace(liveLink("fair", { updatedAt: null }), "promo.example.com/fair"),
    remove(liveLink("gone", { clicks: null }), { reason: "removed" }),
  ]);
  expect(driftText(plan, PLAIN)).toBe(
    [
      `changed link ${GO}/a #7`,
      "    declared → live",
      "    expiration.url  declared → live words",
      "    last changed at the service on 2026-11-20 09:30 UTC",
      "    links/a.yaml:3:3",
      "",
      `not renamed yet link ${GO}/new, still ${GO}/old #7`,
      "    last changed at the service on 2026-11-20 09:30 UTC",
      "    links/a.yaml:3:3",
      "",
      `not moved yet link promo.example.com/fair, still ${GO}/fair #7`,
      "    links/a.yaml:3:3",
      "",
      `not deleted yet link ${GO}/gone #7`,
      "    links/a.yaml:3:3",
      "",
      "Drift: 1 changed, 1 not renamed yet, 1 not moved yet, 1 not deleted yet. 4 objects match the files.",
      "",
    ].join("\n"),
  );
});

it("groups by owner, sorted, with those of nobody last", () => {
  const group = (...owners: readonly string[][]): unknown => groupByOwner(owners, (one) => one);
  expect(group(["b"], [], ["a"], ["b"], ["b", "a"])).toEqual([
    { heading: "a", items: [["a"]] },
    { heading: "b", items: [["b"], ["b"]] },
    { heading: "b, a", items: [["b", "a"]] },
    { heading: "Without an owner", items: [[]] },
  ]);
  expect(group([], [])).toEqual([{ heading: null, items: [[], []] }]);
  expect(group()).toEqual([{ heading: null, items: [] }]);
  expect(group(["\u001b[2J"])).toEqual([{ heading: "\\u{1b}[2J", items: [["\u001b[2J"]] }]);
});
