// Chains of renames, in every state that a run of their plan can be stopped in. Fails if from any of them the next run comes
// to something else than the first would have: a row under another key, one made twice or deleted, or no plan at all.

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
