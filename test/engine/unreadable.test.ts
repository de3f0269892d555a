// Rows of which some field has no meaning: they stop nothing but what is about them, and are never written.

import { describe, expect, it } from "vitest";
import { apply } from "../../src/commands/apply.ts";
import { plan } from "../../src/commands/plan.ts";
import type { PlanDocument } from "../../src/report/document.ts";
import { startDamaged, type Damage } from "../support/damaged.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";

const link = { url: "https://example.com/", domain: 2 };

/** Plans against the account with damaged rows. */
async function planOf(
  { folder, env }: Scenario,
  baseUrl: string,
): Promise<{ exit: number; document: PlanDocument; text: string }> {
  const { exit, out } = await runIn(folder, env, (world) => plan(world, { baseUrl, format: ["json"] }));
  const text = await runIn(folder, env, (world) => plan(world, { baseUrl }));
  return { exit, document: JSON.parse(out), text: `${text.out}${text.err}` };
}

/** Changes, shortened. */
function changesIn({ changes }: PlanDocument): string[] {
  return changes.map(({ action, key }) => `${action} ${key}`);
}

const half = [{ key: "DE", value: "https://example.com/de" }, { key: "FR" }];

// Fails when one odd row of an account keeps everything else from being planned.
describe("one odd row, which no file means", () => {
  it.each<[string, unknown]>([
    ["domain", null],
    ["alias", null],
    ["url", null],
    ["url", 5],
    ["country_target", half],
    ["country_target", "DE"],
    ["rotation_target", ["https://example.com/"]],
    ["disabled", 2],
    ["disabled", null],
    ["privacy", 3],
    ["expiration_clicks", -1],
    ["ends_at", "soon"],
    ["target_type", 9],
    ["space", { id: 1 }],
    ["pixels", null],
    ["privacy", undefined],
  ])("whose `%s` is %j is named once, and the rest is planned", async (field, value) => {
    const links = [{ ...link, alias: "a" }, { ...link, alias: "odd" }];
    const scenario = await startScenario({ seed: { links } });
    await scenario.write(
      "links: { go.example.com/a: { url: https://example.com/new }, promo.example.com/b: { url: https://example.com/ } }",
    );
    const damage = [{ kind: "link", id: 2, fields: { [field]: value } }] as const;
    const { exit, document, text } = await planOf(scenario, await startDamaged(scenario.sandbox, damage));
    expect(changesIn(document)).toEqual(["update go.example.com/a", "create promo.example.com/b"]);
    expect([exit, document.unreadable?.map(({ id, fields }) => [id, fields.map(({ returned }) => returned)])]).toEqual([
      0,
      [[2, [field]]],
    ]);
    const warnings = document.diagnostics.filter(({ code }) => code === "unreadable-row");
    expect(warnings).toMatchObject([{ severity: "warning", message: expect.stringContaining("link 2") }]);
    expect(text).toContain(`\`${field}\` is `);
  });

  it("is not a statement about the other rows", async () => {
    const links = [{ ...link, alias: "a" }, { ...link, alias: "odd", target_type: 2 }];
    const scenario = await startScenario({ seed: { links } });
    await scenario.write("links: { go.example.com/a: { url: https://example.com/ } }");
    for (const target_type of [null, undefined, {}]) {
      const url = await startDamaged(scenario.sandbox, [{ kind: "link", id: 2, fields: { target_type } }]);
      expect((await planOf(scenario, url)).text).not.toContain("can't be compared");
    }
  });

  it("has no target type, where that is null", async () => {
    const scenario = await startScenario({ seed: { links: [{ ...link, alias: "a" }] } });
    await scenario.write("links: { go.example.com/a: { url: https://example.com/ } }");
    const damage = [{ kind: "link", id: 1, fields: { target_type: null } }] as const;
    const { document } = await planOf(scenario, await startDamaged(scenario.sandbox, damage));
    expect([document.complete, document.changes, document.diagnostics]).toEqual([true, [], []]);
  });

  it("among many is one of a few that the warning names", async () => {
    const links = Array.from({ length: 12 }, (_, at) => ({ ...link, alias: `odd-${at}` }));
    const scenario = await startScenario({ seed: { links } });
    await scenario.write("links: {}");
    const damage = links.map((_, at): Damage => ({ kind: "link", id: at + 1, fields: { disabled: 2 } }));
    const { document } = await planOf(scenario, await startDamaged(scenario.sandbox, damage));
    expect(document.diagnostics).toMatchObject([
      {
        code: "unreadable-row",
        message: expect.stringMatching(/^linkform cannot read 12 rows .*link 5 .*; and 7 more\.$/),
        hint: expect.stringContaining("linkform doctor"),
      },
    ]);
    expect([document.unreadable?.length, document.summary.unmanaged]).toEqual([12, 0]);
  });
});

// Fails when a row that nobody understands is changed, deleted, or created a second time.
describe("a file that means an odd row", () => {
  const url = "{ url: https://example.com/ }";
  it.each<[string, string, Record<string, unknown>]>([
    ["a declaration", `links: { go.example.com/odd: ${url} }`, { disabled: 2 }],
    ["a declaration in other letters", `links: { go.example.com/ODD: ${url} }`, { disabled: 2 }],
    ["a declaration on a domain that may be its own", `links: { promo.example.com/odd: ${url} }`, { domain: null }],
    ["a declaration, by its short URL", `links: { go.example.com/odd: ${url} }`, { alias: null }],
    ["a declaration that may be it", `links: { go.example.com/new: ${url} }`, { alias: null, short_url: null }],
    [
      "a rename of it",
      `links: { go.example.com/new: { url: https://example.com/, renamed_from: go.example.com/odd } }`,
      { disabled: 2 },
    ],
    [
      "a rename to its key",
      `links: { go.example.com/odd: { url: https://example.com/, renamed_from: go.example.com/a } }`,
      { disabled: 2 },
    ],
    ["a tombstone", "absent: { links: [go.example.com/odd] }", { disabled: 2 }],
    ["a tombstone on a domain that may be its own", "absent: { links: [promo.example.com/odd] }", { domain: null }],
    ["a tombstone with its id", "absent: { links: { go.example.com/odd: { id: 2 } } }", { domain: null }],
  ])("is in error: %s", async (_what, text, fields) => {
    const links = [{ ...link, alias: "a" }, { ...link, alias: "odd" }];
    const scenario = await startScenario({ seed: { links } });
    await scenario.write(text);
    const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "link", id: 2, fields }]);
    const { document } = await planOf(scenario, baseUrl);
    expect([document.complete, document.changes]).toEqual([false, []]);
    const errors = document.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([
      { code: "unreadable-row", message: expect.stringMatching(/link 2,? .*`(disabled|domain|alias)`/), line: 5 },
    ]);
    expect(errors[0]?.hint).toMatch(/^Fix the link/);
    const { exit } = await runIn(scenario.folder, scenario.env, (world) => apply(world, { baseUrl, yes: true }));
    expect([exit, scenario.writes()]).toEqual([1, []]);
  });

  it("is not in error where its own row is another one", async () => {
    const links = [{ ...link, alias: "odd", domain: 3 }, { ...link, alias: "odd" }];
    const scenario = await startScenario({ seed: { links } });
    await scenario.write("links: { promo.example.com/odd: { url: https://example.com/new } }");
    const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "link", id: 2, fields: { domain: null } }]);
    expect(changesIn((await planOf(scenario, baseUrl)).document)).toEqual(["update promo.example.com/odd"]);
  });
});

// Fails when pruning deletes a row that nobody understands, or counts it as one that somebody removed.
it("is never pruned, and is no orphan", async () => {
  const links = [{ ...link, alias: "a" }, { ...link, alias: "odd" }, { ...link, alias: "old" }];
  const scenario = await startScenario({ seed: { links } });
  await scenario.write(
    "scope: { domains: [go.example.com] }\nprune: scope\nlinks: { go.example.com/a: { url: https://example.com/ } }",
  );
  const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "link", id: 2, fields: { privacy: 3 } }]);
  const { document } = await planOf(scenario, baseUrl);
  expect(changesIn(document)).toEqual(["delete go.example.com/old"]);
});

describe("a rotation with a hole", () => {
  const rotation = { 1: { value: "https://example.com/r2" } };

  // Fails when a link that answers every visit with an error page looks as declared.
  it("is written again where the file declares its entries", async () => {
    const scenario = await startScenario({ seed: { links: [{ ...link, alias: "a", target_type: 4, rotation }] } });
    await scenario.write(
      "links: { go.example.com/a: { url: https://example.com/, targeting: { rotation: [https://example.com/r2] } } }",
    );
    const document = await scenario.planDocument();
    expect(document.changes.map(({ fields }) => fields)).toEqual([
      [
        {
          path: "targeting.rotation",
          before: ["", "https://example.com/r2"],
          after: ["https://example.com/r2"],
        },
      ],
    ]);
    await scenario.converge();
    expect(scenario.link("a").rotation).toEqual([{ value: "https://example.com/r2" }]);
  });
});

describe("pixels", () => {
  const pixel = { type: "facebook", value: "1234567890123456" };

  it.each<[string, unknown]>([
    ["type", "carrier-pigeon"],
    ["value", null],
    ["name", null],
  ])("an odd one, whose `%s` is %j, stops nothing else", async (field, value) => {
    const pixels = [
      { ...pixel, name: "Meta main" },
      { ...pixel, name: "Odd" },
    ];
    const scenario = await startScenario({ seed: { pixels, links: [{ ...link, alias: "a" }] } });
    await scenario.write("links: { go.example.com/a: { url: https://example.com/, pixels: [Meta main] } }");
    const damage = [{ kind: "pixel", id: 2, fields: { [field]: value } }] as const;
    const { document } = await planOf(scenario, await startDamaged(scenario.sandbox, damage));
    expect(changesIn(document)).toEqual(["update go.example.com/a"]);
    expect(document.unreadable).toMatchObject([{ kind: "pixel", id: 2 }]);
  });

  it("an odd one can be used by its name, and is not planned itself", async () => {
    const pixels = [{ ...pixel, name: "Odd" }];
    const scenario = await startScenario({ seed: { pixels, links: [{ ...link, alias: "a" }] } });
    const uses = "links: { go.example.com/a: { url: https://example.com/, pixels: [Odd] } }";
    await scenario.write(uses);
    const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "pixel", id: 1, fields: { type: "new" } }]);
    const { exit } = await runIn(scenario.folder, scenario.env, (world) =>
      apply(world, { baseUrl, yes: true, quiet: true }),
    );
    expect([exit, scenario.link("a").pixels]).toEqual([0, [1]]);
    await scenario.write(`${uses}\npixels: { Odd: { type: bing, value: "12345678" } }`);
    expect((await planOf(scenario, baseUrl)).document.complete).toBe(false);
  });

  // Fails when a pixel is deleted from under a link that nobody could read.
  it.each<[string, Record<string, unknown>, string]>([
    ["does use", { disabled: 2 }, "pixel-in-use"],
    ["may use", { pixels: "1" }, "pixel-users-unknown"],
  ])("one that an odd link %s is not deleted", async (_what, fields, code) => {
    const scenario = await startScenario({
      seed: { pixels: [{ ...pixel, name: "Old" }], links: [{ ...link, alias: "odd", pixels: [1] }] },
    });
    await scenario.write("absent: { pixels: [Old] }");
    const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "link", id: 1, fields }]);
    const { document } = await planOf(scenario, baseUrl);
    expect(document.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ code }]);
  });
});
