// Chains of renames, in every state in which a run can stop. Fails if the next run has another result than the first would have: a record
// with another key, a duplicate, a deleted record, or no plan.

import { expect, it } from "vitest";
import { casesOn, problemsOf } from "./stops.ts";

it.each([1, 2] as const)(
  "on %d domains, stopped anywhere and begun anew: it ends as it would have",
  (domains) => {
    const found = casesOn(domains).map(problemsOf);
    expect(found.filter((problems) => problems !== null).length).toBeGreaterThan(500 * domains);
    expect(found.flatMap((problems) => problems ?? []).slice(0, 20)).toEqual([]);
  },
  120_000,
);
