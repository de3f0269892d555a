// Renames with faults. Fails if a run that was stopped in the middle of a chain leaves a state that
// the next run cannot interpret, gives a record a wrong key, or creates a record twice, or deletes one. Chains without faults are in
// test/fixtures/plans and test/engine/ownership.property.long.test.ts.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { STRIKES } from "../support/faults.ts";
import { violationsOf } from "./matrix.ts";
import { appliedBothWays, appliedSavedAgain, isAny, KILLED_AFTER, KILLED_BEFORE, problemsAfter } from "./struck.ts";
import type { Setting } from "./trial.ts";

// Renames within a domain, of pixels, and of links that do not exist yet, and moves to another domain.
type Row = NonNullable<SeedState["links"]>[number];

const [GO, PROMO] = [2, 3];

/** Older than each run, so that a needless write to a record is visible. */
const DATES = { created_at: "2025-03-01T10:00:00.000Z", updated_at: "2025-04-01T10:00:00.000Z" };

const link = (alias: string, more: Partial<Row> = {}): Row => ({
  alias,
  url: `https://example.com/${alias}`,
  domain: GO,
  ...DATES,
  ...more,
});

const LINKS = [
  // Five renames: each record gets the next key.
  ...["a", "b", "c", "d", "e"].map((alias, index) => link(alias, { clicks: 100 + index })),
  // A move to another domain.
  link("hall", { clicks: 412, pixels: [2] }),
  // Two renames, and all links have one destination.
  link("one", { url: "https://example.com/all", clicks: 1 }),
  link("two", { url: "https://example.com/all", clicks: 2 }),
  // Keys that become free and that new links take.
  link("sale", { clicks: 812 }),
  link("fair", { clicks: 99 }),
  // Declared and unmanaged links that use renamed pixels.
  link("uses", { pixels: [1, 3], clicks: 5 }),
  link("theirs", { pixels: [1, 2, 4], clicks: 7 }),
  link("g", { clicks: 9 }),
];

const FILES = `version: 1
service: { base_url: http://127.0.0.1:9 }
domains: { go.example.com: 2, promo.example.com: 3 }
defaults: { link: { domain: go.example.com } }
brake: { deletes: 100%, updates: 100% }
pixels:
  Meta 2: { type: facebook, value: 1111111, renamed_from: Meta }
  Meta 3: { type: bing, value: 2222222, renamed_from: Meta 2 }
  Meta 4: { type: quora, value: 3333333, renamed_from: Meta 3 }
links:
  b: { url: https://example.com/a, renamed_from: a }
  c: { url: https://example.com/b, renamed_from: b }
  d: { url: https://example.com/c, renamed_from: c }
  e: { url: https://example.com/d, renamed_from: d }
  f: { url: https://example.com/e, renamed_from: e }
  promo.example.com/arena: { url: https://example.com/hall, renamed_from: go.example.com/hall, pixels: [Meta 3] }
  two: { url: https://example.com/all, renamed_from: one }
  three: { url: https://example.com/all, renamed_from: two }
  sale: { url: https://example.com/sale-2027 }
  sale-2026: { url: https://example.com/sale, renamed_from: sale }
  promo.example.com/fair: { url: https://example.com/fair, renamed_from: go.example.com/fair }
  new-1: { url: https://example.com/new, renamed_from: new-0 }
  new-2: { url: https://example.com/new, renamed_from: new-1 }
  uses: { url: https://example.com/uses, pixels: [Meta 2, Meta 4] }
`;

const CHAINS: Setting = {
  seed: {
    domains: [
      { id: GO, name: "go.example.com" },
      { id: PROMO, name: "promo.example.com" },
    ],
    pixels: [
      { name: "Meta", type: "facebook", value: "1111111" },
      { name: "Meta 2", type: "bing", value: "2222222" },
      { name: "Meta 3", type: "quora", value: "3333333" },
      { name: "Theirs", type: "linkedin", value: "4444444" },
    ].map((row) => ({ ...DATES, ...row })),
    links: LINKS,
  },
  files: { "linkform.yaml": FILES },
  secrets: {},
};

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
