// How scope and brake are read. What scope, prune, protect and allow do is in fixtures/plans, and invalid values are in
// fixtures/config/invalid/policy-*.
import { describe, expect, test } from "vitest";
import { DEFAULT_BRAKE } from "../../src/domain/project.ts";
import { loadGood } from "./loading.ts";

describe("scope", () => {
  // Fails if a text is read by its YAML value, a label is not found, or null is lost or becomes a text.
  test("keeps source texts, resolves ids and names to labels, and reads null as no space", async () => {
    const { policy } = await loadGood(`domains: { go: { id: 2, name: go.example.com } }
spaces: { Marketing: 1 }
scope:
  domains: [2, GO.example.com, 0123, promo.example.com]
  spaces: [1, null, "null", ~, 2024]
  pixels: [Meta *, 1e3]
`);
    expect(policy.scope?.domains?.map(({ text }) => text)).toEqual(["go", "go", "0123", "promo.example.com"]);
    const spaces = policy.scope?.spaces?.map((space) => space?.text ?? null);
    expect(spaces).toEqual(["Marketing", null, "null", null, "2024"]);
    expect(policy.scope?.pixels?.map(({ text }) => text)).toEqual(["Meta *", "1e3"]);
  });
});

describe("brake", () => {
  // Fails if a form of limit is misread, or a missing limit does not have its default.
  test.each([
    ["{}", {}],
    ["{ deletes: 0 }", { deletes: { count: 0 } }],
    ["{ deletes: '12.5%' }", { deletes: { share: 0.125 } }],
    ["{ deletes: 0.00% }", { deletes: { share: 0 } }],
    // Other whole numbers of YAML.
    ["{ deletes: 1e2 }", { deletes: { count: 100 } }],
    ["{ updates: +3 }", { updates: { count: 3 } }],
    ["{ deletes: 10%, clicks: 100% }", { deletes: { share: 0.1 }, clicks: 1 }],
  ])("%s", async (written, meant) => {
    expect((await loadGood(`brake: ${written}\n`)).policy.brake).toEqual({ ...DEFAULT_BRAKE, ...meant });
  });
});
