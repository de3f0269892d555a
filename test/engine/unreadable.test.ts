// Records with an invalid field stop only changes that need them, and are never written.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { commandIn } from "../support/command.ts";
import { startDamaged, type Damage } from "../support/damaged.ts";
import { startProxy } from "../support/proxy.ts";
import { beginPulling, HEAD, pullFrom } from "../support/pulling.ts";
import { returnedName, testSoftware } from "../support/sandbox.ts";
import { startScenario, textsOf, type Ran, type Scenario, startWith } from "../support/scenario.ts";
import { send, SERVER_ERROR } from "../support/through.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const TARGET_TYPE = returnedName("target_type") ?? "";

const link = { url: "https://example.com/", domain: 2 };
const A = { ...link, alias: "a" };
const ODD = { ...link, alias: "odd" };
const SAME = "links: { go.example.com/a: { url: https://example.com/ } }";

type Fields = Readonly<Record<string, unknown>>;

/** A scenario, and the address of a service that returns these fields for a record. */
async function startOdd(
  text: string,
  seed: SeedState,
  id: number,
  fields: Fields,
  kind: "link" | "pixel" = "link",
): Promise<{ scenario: Scenario; baseUrl: string }> {
  const scenario = await startWith(text, seed);
  return { scenario, baseUrl: await startDamaged(scenario.sandbox, [{ kind, id, fields }]) };
}

async function planOdd(...odd: Parameters<typeof startOdd>): Promise<PlanDocument> {
  const { scenario, baseUrl } = await startOdd(...odd);
  return scenario.planDocument({ baseUrl });
}

/** Changes, shortened. */
function changesIn({ changes }: PlanDocument): string[] {
  return changes.map(({ action, key }) => `${action} ${key}`);
}

const half = [{ key: "DE", value: "https://example.com/de" }, { key: "FR" }];

const HALF_A_GROUP =
  testSoftware === "49" ? { targets_type: "countries", targets: half } : { target_type: 1, country_target: half };

// Fails if one invalid record of an account stops the plan.
describe("an unreadable row that no file names", () => {
  // All forms of invalid values: test/service/rows.test.ts.
  it.each<[string, unknown]>([
    ["domain", null],
    ["alias", null],
    ["url", 5],
    ["privacy", undefined],
    ["space", { id: 1 }],
    ["pixels", null],
    [testSoftware === "49" ? "targets" : "country_target", half],
  ])("whose `%s` is %j is reported once, and the rest is planned", async (field, value) => {
    const country = [{ key: "DE", value: "https://example.com/de" }];
    const odd = { ...ODD, target_type: 1, country, ends_at: "2027-01-01T00:00:00.000Z" };
    const text =
      "links: { go.example.com/a: { url: https://example.com/new }, promo.example.com/b: { url: https://example.com/ } }";
    const document = await planOdd(text, { links: [A, odd] }, 2, { [field]: value });
    expect(changesIn(document)).toEqual(["update go.example.com/a", "create promo.example.com/b"]);
    expect(document.unreadable?.map(({ id, fields }) => [id, fields.map(({ returned }) => returned)])).toEqual([
      [2, [field]],
    ]);
    const warnings = document.diagnostics.filter(({ code }) => code === "unreadable-row");
    expect(warnings).toMatchObject([
      { severity: "warning", message: expect.stringMatching(`link 2.*\`${field}\` is `) },
    ]);
  });

  it.each([null, undefined, {}])("does not affect the comparison of other rows: target type %j", async (type) => {
    const links = [A, { ...ODD, target_type: 2 }];
    const { scenario, baseUrl } = await startOdd(SAME, { links }, 2, { [TARGET_TYPE]: type });
    const { out, err } = await scenario.plan({ baseUrl });
    expect(`${out}${err}`).not.toContain("cannot compare");
  });

  it("among many is one of a few that the warning names", async () => {
    const links = Array.from({ length: 12 }, (_, at) => ({ ...link, alias: `odd-${at}` }));
    const scenario = await startWith("links: {}", { links });
    const damage = links.map((_, at): Damage => ({ kind: "link", id: at + 1, fields: { privacy: 3 } }));
    const document = await scenario.planDocument({ baseUrl: await startDamaged(scenario.sandbox, damage) });
    expect(document.diagnostics).toMatchObject([
      {
        code: "unreadable-row",
        message: expect.stringMatching(/^linkform cannot read 12 records .*link 5 .*; and 7 more\.$/),
        hint: expect.stringContaining("--format json"),
      },
    ]);
    expect([document.unreadable?.length, document.summary.unmanaged]).toEqual([12, 0]);
  });
});

// Fails if an unreadable record is changed, deleted, or created again.
describe("a file that names an unreadable row", () => {
  const url = "{ url: https://example.com/ }";
  const ABSENT_2 = "absent: { links: { go.example.com/odd: { id: 2 } } }";
  const NEW_FROM_A = "links: { go.example.com/new: { url: https://example.com/, renamed_from: go.example.com/a } }";
  const NEW_FROM_ODD = NEW_FROM_A.replace("from: go.example.com/a", "from: go.example.com/odd");
  const NO_ALIAS = { alias: null };
  it.each<[string, string, Fields]>([
    ["a declaration", `links: { go.example.com/odd: ${url} }`, { privacy: 3 }],
    ["a declaration in other letters", `links: { go.example.com/ODD: ${url} }`, { privacy: 3 }],
    ["a rename of it", NEW_FROM_ODD, { privacy: 3 }],
    ["a rename to its key", NEW_FROM_A.replace("/new", "/odd"), { privacy: 3 }],
    ["a tombstone", "absent: { links: [go.example.com/odd] }", { privacy: 3 }],
    ["a tombstone with its id", ABSENT_2, NO_ALIAS],
  ])("has an error: %s", async (_what, text, fields) => {
    const { scenario, baseUrl } = await startOdd(text, { links: [A, ODD] }, 2, fields);
    const document = await scenario.planDocument({ baseUrl });
    expect([document.complete, document.changes]).toEqual([false, []]);
    const errors = document.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([
      { code: "unreadable-row", message: expect.stringMatching(/link 2,? .*`(privacy|domain|alias)`/), line: 5 },
    ]);
    expect(errors[0]?.hint).toMatch(/^Fix the link/);
    const { exit } = await scenario.apply({ baseUrl });
    expect([exit, scenario.writes()]).toEqual([1, []]);
  });

  // Fails if only readable records confirm a domain. The list of domains lacks shared domains.
  it("has no other error on a shared domain without other links", async () => {
    const seed = { links: [{ ...ODD, domain: 1 }], domains: [{ id: 1, name: "short.example.com", shared: true }] };
    const { diagnostics } = await planOdd(`links: { short.example.com/odd: ${url} }`, seed, 1, { privacy: 3 });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code }) => code)).toEqual(["unreadable-row"]);
  });

  const PROMO_ODD = "links: { promo.example.com/odd: { url: https://example.com/new } }";
  it.each<[string, string, number, Fields]>([
    ["update promo.example.com/odd", PROMO_ODD, 2, { domain: null }],
    ["delete go.example.com/odd", ABSENT_2, 3, { privacy: 3 }],
    // Fails if a link without a known key is treated as a pixel to create.
    ["create New", "pixels: { New: { type: bing, value: '1' } }", 1, { ...NO_ALIAS, domain: null }],
  ])("is valid if it means another record: %s", async (change, text, id, fields) => {
    const links = [{ ...ODD, domain: 3 }, ODD, { ...ODD, alias: "Odd" }];
    expect(changesIn(await planOdd(text, { links }, id, fields))).toEqual([change]);
  });
});

// Fails if pruning deletes an unreadable record, or lists it as no longer declared.
it("an unreadable row is never pruned, and not listed as undeclared", async () => {
  const text = `scope: { domains: [go.example.com] }\nprune: scope\n${SAME}`;
  const document = await planOdd(text, { links: [A, ODD, { ...link, alias: "old" }] }, 2, { privacy: 3 });
  expect(changesIn(document)).toEqual(["delete go.example.com/old"]);
});

// Some visits of such a link get an error page.
it("a rotation with a hole is replaced if the file declares its entries", async () => {
  const rotation = { 1: { value: "https://example.com/r2" } };
  const scenario = await startWith(
    "links: { go.example.com/a: { url: https://example.com/, targeting: { rotation: [https://example.com/r2] } } }",
    { links: [{ ...A, target_type: 4, rotation }] },
  );
  expect((await scenario.converge()).changes.map(({ fields }) => fields)).toEqual([
    [{ path: "targeting.rotation", before: ["", "https://example.com/r2"], after: ["https://example.com/r2"] }],
  ]);
  expect(scenario.link("a").rotation).toEqual([{ value: "https://example.com/r2" }]);
});

describe("pixels", () => {
  const pixel = { type: "facebook", value: "1234567890123456" };

  const uses = (name: string): string =>
    `links: { go.example.com/a: { url: https://example.com/, pixels: [${name}] } }`;

  it.each<[string, unknown]>([
    ["type", "carrier-pigeon"],
    ["value", null],
    ["name", null],
  ])("an unreadable one, whose `%s` is %j, stops nothing else", async (field, value) => {
    const pixels = ["Meta main", "Odd"].map((name) => ({ ...pixel, name }));
    const document = await planOdd(uses("Meta main"), { pixels, links: [A] }, 2, { [field]: value }, "pixel");
    expect(changesIn(document)).toEqual(["update go.example.com/a"]);
    expect(document.unreadable).toMatchObject([{ kind: "pixel", id: 2 }]);
  });

  it("an unreadable one can be used by its name, and is not planned itself", async () => {
    const seed = { pixels: [{ ...pixel, name: "Odd" }], links: [A] };
    const { scenario, baseUrl } = await startOdd(uses("Odd"), seed, 1, { type: "new" }, "pixel");
    const { exit } = await scenario.apply({ baseUrl });
    expect([exit, scenario.link("a").pixels]).toEqual([0, [1]]);
    await scenario.write(`${uses("Odd")}\npixels: { Odd: { type: bing, value: "12345678" } }`);
    expect((await scenario.planDocument({ baseUrl })).complete).toBe(false);
  });

  // Fails if a pixel is deleted although an unreadable link uses it.
  it.each<[string, Fields, string]>([
    ["does use", { privacy: 3 }, "pixel-in-use"],
    ["may use", { pixels: "1" }, "pixel-users-unknown"],
  ])("one that an unreadable link %s is not deleted", async (_what, fields, code) => {
    const seed = { pixels: [{ ...pixel, name: "Old" }], links: [{ ...ODD, pixels: [1] }] };
    const { diagnostics } = await planOdd("absent: { pixels: [Old] }", seed, 1, fields);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ code }]);
  });
});

describe("pull", () => {
  const files = {
    "links/a.yaml":
      "links:\n  go.example.com/odd: { url: https://example.com/mine } # mine\n  go.example.com/a: { url: https://example.com/old }\n",
  };

  // Fails if a pull removes the block of an unreadable live record, or writes a part of it.
  it.each<[string, Fields]>([
    ["a flag", { privacy: 3 }],
    ["half a target group", HALF_A_GROUP],
  ])("leaves the block of a row as it is if it cannot read %s", async (_what, fields) => {
    const { sandbox, folder, text } = await beginPulling(files, { links: [ODD, A] });
    const baseUrl = await startDamaged(sandbox, [{ kind: "link", id: 1, fields }]);
    const { exit, out } = await pullFrom(sandbox, folder, { baseUrl });
    expect(exit).toBe(1);
    expect(out).toContain("linkform cannot read it");
    expect(out).toContain("does not change any of the pulled objects, except those that are skipped.");
    expect(await text("links/a.yaml")).toBe(files["links/a.yaml"].replace("/old", "/"));
    // The fix works: after the record becomes readable, it is pulled.
    expect((await pullFrom(sandbox, folder)).exit).toBe(0);
    expect(await text("links/a.yaml")).toContain("odd: { url: https://example.com/ } # mine");
  });

  // Fails if a pull removes a block that may be that of a record whose key it cannot read.
  it("leaves blocks without a live link as they are if it cannot read the key of a link", async () => {
    const { sandbox, folder, text } = await beginPulling(files, { links: [ODD, A] });
    const baseUrl = await startDamaged(sandbox, [{ kind: "link", id: 1, fields: { domain: null } }]);
    const { exit, out } = await pullFrom(sandbox, folder, { baseUrl });
    expect([exit, out]).toEqual([0, expect.stringContaining("blocks without a live link stay unchanged")]);
    expect(await text("links/a.yaml")).toBe(files["links/a.yaml"].replace("/old", "/"));
  });

  // Fails if the block of such a pixel changes, or if a link loses the pixel.
  it.each<[string, Fields]>([
    ["its type", { type: "carrier-pigeon" }],
    ["its value, which is a password", { value: "first secret" }],
  ])("leaves the block of a pixel as it is if it cannot read %s, and the links that use it", async (_what, fields) => {
    const block = 'pixels: { Odd: { type: bing, value: "1" } }\n';
    const text = "links: { go.example.com/a: { url: https://example.com/old, pixels: [Odd] } }\n";
    const seed = { pixels: [{ name: "Odd", type: "bing", value: "2" }], links: [{ ...A, pixels: [1] }] };
    const pulling = await beginPulling({ "pixels.yaml": block, "links/a.yaml": text }, seed);
    const baseUrl = await startDamaged(pulling.sandbox, [{ kind: "pixel", id: 1, fields }]);
    expect((await pullFrom(pulling.sandbox, pulling.folder, { baseUrl })).out).toContain("linkform cannot read it");
    expect(await pulling.text("pixels.yaml")).toBe(block);
    expect(await pulling.text("links/a.yaml")).toBe(text.replace("/old", "/"));
  });

  it("writes no block for an undeclared one, and lists it", async () => {
    const { sandbox, folder, text } = await beginPulling({}, { links: [ODD, { ...link, alias: "new" }] });
    const baseUrl = await startDamaged(sandbox, [{ kind: "link", id: 1, fields: { privacy: 3 } }]);
    const { exit, out } = await pullFrom(sandbox, folder, { baseUrl });
    expect(exit).toBe(0);
    expect(out).toMatch(/go\.example\.com\/odd: linkform cannot read it \(`privacy` is 3\), and no file declares it/);
    const written = [...(await textsOf(folder)).values()].join("\n");
    expect([written.includes("new"), written.includes("odd")]).toEqual([true, false]);
    expect(await text("linkform.yaml")).toBe(HEAD);
  });
});

// Fails if an unreadable record counts as gone and is created again.
it.each<[string, Fields]>([
  ["of which a field", { privacy: 3 }],
  ["of which the domain", { domain: null }],
  ["of which the key", { alias: null, domain: null }],
])("an undo skips a row %s cannot be read, and restores the rest", async (_what, fields) => {
  const scenario = await startScenario({ seed: { links: [A, ODD] } });
  const block = (to: string): string => `{ url: https://example.com/${to} }`;
  await scenario.write(`links: { go.example.com/a: ${block("new")}, go.example.com/odd: ${block("new")} }`);
  const damage: Damage[] = [];
  const baseUrl = await startDamaged(scenario.sandbox, damage);
  expect((await scenario.apply({ baseUrl })).exit).toBe(0);
  damage.push({ kind: "link", id: 2, fields });
  const before = scenario.writes().length;
  const { document } = await scenario.undoDocument({ baseUrl });
  expect(document.undo?.left.map(({ code, key }) => [code, key])).toEqual([["unreadable-row", "go.example.com/odd"]]);
  const hints = document.diagnostics.flatMap(({ code, hint }) => (code === "unreadable-row" ? [hint] : []));
  for (const hint of hints) expect(hint).toContain("in the service's web interface");
  expect(scenario.writes().slice(before)).toEqual(["PUT /api/v1/links/1"]);
  expect([scenario.link("a").url, scenario.link("odd").url]).toEqual([
    "https://example.com/",
    "https://example.com/new",
  ]);
});

const links = [A, { ...ODD, privacy: 1 }];

async function look(fields: Fields, command: string): Promise<Ran> {
  const text = "links: { go.example.com/odd: { url: https://example.com/ } }";
  const { scenario, baseUrl } = await startOdd(text, { links }, 2, fields);
  return commandIn(scenario.folder, [...command.split(" "), "--base-url", baseUrl], scenario.env);
}

const [LIST, SHOW] = ["list links", "show odd"];
const ODD_PRIVACY = { privacy: 3 };
const clicks = { [returnedName("expiration_clicks") ?? ""]: -1 };

it.each<[string, string, Fields, RegExp]>([
  ["marks a row", LIST, ODD_PRIVACY, /✓ *go\.example\.com\/odd .*example\.com.* unreadable/],
  ["marks a row", LIST, { domain: null, alias: null }, /#2 .*unreadable/],
  ["reports what it cannot read", SHOW, ODD_PRIVACY, /linkform cannot read this: `privacy` is 3\./],
  ["cannot compare the declaration", SHOW, ODD_PRIVACY, /unreadable-row/],
  ["reports it", "explain go.example.com/odd --live", clicks, /This answer assumes the default of `expiration.clicks`/],
])("reading %s: `%s` (%o)", async (_what, command, fields, said) => {
  const { exit, out } = await look(fields, command);
  expect([exit, out.replaceAll(/\n +/g, " ")]).toEqual([0, expect.stringMatching(said)]);
});

it("reading `list --format json` has the invalid fields", async () => {
  const { out } = await look(ODD_PRIVACY, "list links --format json");
  expect(JSON.parse(out)).toMatchObject({
    rows: [
      { id: 2, status: [], unreadable: [{ path: "privacy", returned: "privacy", seen: "3" }] },
      { id: 1, status: ["active"] },
    ],
    diagnostics: [{ code: "unreadable-row" }],
  });
});

// Fails if a record counts as declared although it could not be read again.
it("an apply does not verify a row that it cannot read afterwards", async () => {
  const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/new } }", { links: [A] });
  const baseUrl = await startDamaged(scenario.sandbox, [{ kind: "link", id: 1, fields: { privacy: 3 } }], "shows");
  const { exit, out } = await scenario.apply({ baseUrl });
  expect(exit).toBe(4);
  expect(out.replaceAll(/\s+/g, " ")).toContain("linkform cannot read it again: `privacy` is 3");
});

// Fails if a record that may be the stored one does not stop a second store, or if a link on another domain does.
it.each<[string, number | null, Fields, number, number]>([
  ["of the same key", null, { privacy: 3 }, 4, 1],
  ["of an unknown domain", 3, { domain: null }, 4, 1],
  ["of another domain", 3, { privacy: 3 }, 0, 2],
])("after an uncertain store, an unreadable row %s", async (_what, domain, fields, code, stores) => {
  const scenario = await startWith(SAME, { links: domain === null ? [] : [{ ...A, domain }] });
  const damaged = await startDamaged(scenario.sandbox, [{ kind: "link", id: 1, fields }]);
  let sent = 0;
  const baseUrl = await startProxy(damaged, async (method, url, body) => {
    if (method !== "POST") return "forward";
    sent += 1;
    if (domain === null) await send(scenario, method, url, body);
    return sent === 1 ? SERVER_ERROR : "forward";
  });
  const { exit, out } = await scenario.apply({ baseUrl });
  expect([exit, sent, out.includes("may be link 1, which linkform cannot read")]).toEqual([code, stores, code !== 0]);
});
