// What people read of drift that the planner's other rules bring about. Fails if pruning or `allow` hides a difference, or
// a text can speak to the terminal.

import { expect, it } from "vitest";
import { differences, driftText } from "../../src/report/drift.ts";
import { PLAIN } from "../../src/report/screen.ts";
import { create, GO, liveLink, livePixel, place, planOf, remove, update } from "./plans.ts";

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
      "The service does not return, so these can't be compared: link privacy.",
      "",
      "Drift: 1 missing, 1 undeclared. 4 as declared.",
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
