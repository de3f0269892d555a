// Renames with faults. Fails if a run that was stopped in the middle of a chain leaves a state that
// the next run cannot interpret, gives a record a wrong key, or creates a record twice, or deletes one.

import { describe, expect, it } from "vitest";
import { STRIKES } from "../support/faults.ts";
import { CHAINS } from "./chains.ts";
import { violationsOf } from "./matrix.ts";
import { appliedBothWays, appliedSavedAgain, isAny, KILLED_AFTER, KILLED_BEFORE, problemsAfter } from "./struck.ts";
import { applyWithoutFault } from "./trial.ts";

it("without a fault, each record gets its next key and keeps its id, clicks and pixels", async () => {
  const { declared, seed } = await applyWithoutFault(CHAINS);
  const domains = new Map(declared.domains.map(({ id, name }) => [id, name.split(".")[0]]));
  const rows = declared.links.map(({ domain, alias, url, id, clicks, pixels }) => {
    const shown = seed.links.some((link) => link.id === id) ? `#${id}` : "new";
    return `${domains.get(domain)}/${alias} → ${url.slice("https://example.com/".length)} ${shown}, ${clicks}, [${pixels.join()}]`;
  });
  expect(rows.toSorted()).toEqual([
    "go/b → a #1, 100, []",
    "go/c → b #2, 101, []",
    "go/d → c #3, 102, []",
    "go/e → d #4, 103, []",
    "go/f → e #5, 104, []",
    "go/fair → fair-2027 new, 0, []",
    "go/g → g #15, 9, []",
    "go/hall → stand #6, 3, []",
    "go/new-1 → new new, 0, []",
    "go/new-2 → new new, 0, []",
    "go/sale → sale-2027 new, 0, []",
    "go/sale-2026 → sale #11, 812, []",
    "go/theirs → theirs #14, 7, [1,2,4]",
    "go/two → all #9, 1, []",
    "go/uses → uses #13, 5, [1,3]",
    "promo/arena → hall new, 0, [2]",
    "promo/dome → arena #8, 57, []",
    "promo/fair → fair new, 0, []",
    "promo/three → all new, 0, []",
  ]);
  const pixels = declared.pixels.map(({ id, name }) => `#${id} ${name}`);
  expect(pixels).toEqual(["#1 Meta 2", "#2 Meta 3", "#3 Meta 4", "#4 Theirs"]);
});

// Applying files and applying a plan send the same requests. After each kill, the run is completed in both ways.
describe("after a kill at any request, applying the files or the plan again ends in the declared state", () => {
  it("an apply of a saved plan, before the service has processed it", async () => {
    const faulty = { run: "apply of a saved plan", ...KILLED_BEFORE } as const;
    expect(await problemsAfter(CHAINS, faulty, appliedBothWays)).toEqual([]);
  });

  it("an apply of the files, after the service has processed it", async () => {
    const faulty = { run: "apply", ...KILLED_AFTER, applies: isAny } as const;
    expect(await problemsAfter(CHAINS, faulty, appliedBothWays)).toEqual([]);
  });
});

describe.each(["500-after", "drop-after", "429"] as const)("%s at any request", (fault) => {
  it("of an apply, and a second apply", async () => {
    expect(await violationsOf(CHAINS, fault)).toEqual([]);
  });

  it("of a saved plan that writes, and a second apply of it", async () => {
    const faulty = { run: "apply of a saved plan", strike: STRIKES[fault], ends: null } as const;
    expect(await problemsAfter(CHAINS, faulty, appliedSavedAgain)).toEqual([]);
  });
});
