// Policies and waivers, beyond fixtures/config/invalid/policies*. Fails if a link that breaks a policy has no finding, if a link that
// follows it has one, or if a waiver is not checked.
import { describe, expect, it } from "vitest";
import type { Loaded } from "../../src/config/load.ts";
import { load } from "./loading.ts";

const NOW = "2026-11-21T12:00:00Z";
const DEFAULTS = "domains: { go: { id: 2, name: go.example.com } }\ndefaults: { link: { domain: go } }\n";

/** Loads a project with one policy named `p`, and the fields of links by alias. */
async function loadLinks(policy: string, links: Readonly<Record<string, string>>, more = ""): Promise<Loaded> {
  const blocks = Object.entries(links).map(([alias, fields]) => `  ${alias}: { ${fields} }\n`);
  return load(`${DEFAULTS}${more}policies: { p: { ${policy} } }\nlinks:\n${blocks.join("")}`, {}, NOW);
}

/** The code and line of each finding. */
const found = ({ diagnostics }: Loaded): string[] =>
  diagnostics.map(({ code, severity, place }) => `${severity} ${code} ${place === null ? "" : place.line}`);

describe("a policy", () => {
  it("checks values that come from defaults", async () => {
    const loaded = await load(
      "defaults: { link: { domain: go, space: Sales } }\npolicies: { p: { require: { space: Sales } } }\nlinks: { a: { url: https://example.com/ } }\n",
      {},
      NOW,
    );
    expect(found(loaded)).toEqual([]);
  });

  it.each([
    ["go/qr-*", "go/qr-1"],
    ["go.example.com/qr-*", "go/qr-1"],
    ["2/qr-*", "go/qr-1"],
    ["GO.example.com/QR-1", "go/qr-1"],
  ])("applies to %s, whatever the spelling of the domain", async (glob) => {
    const links = { "qr-1": "url: https://example.com/", other: "url: https://example.com/" };
    expect(found(await loadLinks(`links: "${glob}", require: [note]`, links))).toEqual(["error policy/p 7"]);
  });

  it("has the same finding of many links beyond the limit of findings that differ", async () => {
    const links = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, "url: https://evil.test/"]));
    expect((await loadLinks("destinations: [example.com]", links)).diagnostics).toHaveLength(500);
  });
});

describe("a mistake in a policy, beyond fixtures/config/invalid/policies-mistakes", () => {
  const MATCH = "Match links by domain and alias. `*` matches any characters: `go.example.com/qr-*`.";
  const many = Array.from({ length: 50 }, (_, at) => `p${at}: { blocked: [bit.ly] }`).join(", ");
  it.each([
    ["no link", 'links: "go/x-*", blocked: [bit.ly]', "policy-matches-nothing", MATCH],
    ["no destination", "destinations: []", "wrong-type", null],
    ["too many", `blocked: [bit.ly] }, ${many}, last: { blocked: [bit.ly]`, "wrong-type", null],
  ])("%s", async (_, policy, code, hint) => {
    const { diagnostics } = await loadLinks(policy, { a: "url: https://example.com/" });
    expect(diagnostics.map((one) => [one.code, one.place?.line])).toEqual([[code, 5]]);
    if (hint !== null) expect(diagnostics[0]?.hint).toBe(hint);
  });
});

describe("a waiver", () => {
  it.each([
    ["2026-11-21", "", []],
    ["2026-11-20", "", ["error policy/p 7", "error waiver-expired 7"]],
    // It is already November 22 in Auckland.
    ["2026-11-21", "timezone: Pacific/Auckland\n", ["error policy/p 8", "error waiver-expired 8"]],
  ])("until %s, %j", async (until, zone, expected) => {
    const links = { a: `url: https://evil.test/, waive: { p: { until: ${until}, because: x } }` };
    expect(found(await loadLinks("destinations: [example.com]", links, zone))).toEqual(expected);
  });

  it("of a policy that does not apply to the link is not needed", async () => {
    const waive = "p: { until: 2027-01-01, because: x }";
    const links = { a: `url: https://evil.test/, waive: { ${waive} }`, b: "url: https://example.com/" };
    expect(found(await loadLinks("links: '*/b', destinations: [example.com]", links))).toEqual([
      "warning waiver-unused 7",
    ]);
  });

  it.each([
    ["p", "Remove the waiver. The project has no policies."],
    ["dead-destinaton", "Did you mean `dead-destination`?"],
  ])("without any policy is an error: %s", async (name, expected) => {
    const text = `${DEFAULTS}links: { a: { url: https://example.com/, waive: { ${name}: { until: 2027-01-01, because: x } } } }\n`;
    const { diagnostics } = await load(text, {}, NOW);
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([["unknown-policy", expected]]);
  });
});

describe("a family", () => {
  const family = (more: string, each = ""): Promise<Loaded> =>
    load(
      `${DEFAULTS}policies: { p: { alias: "x-[a-z]+" }, q: { require: [note, owner] } }\nfamilies:\n  x-{c}:\n    for: { c: [mail, qr1, qr2] }\n    url: https://example.com/${more}${each}\n`,
      {},
      NOW,
    );

  it("has one finding for all of its links, which names a combination if only some break the policy", async () => {
    const { diagnostics } = await family("");
    expect(diagnostics.map(({ message }) => message).toSorted()).toEqual([
      "Policy `q` requires `note`.",
      "Policy `q` requires `owner`.",
      "The alias does not match `x-[a-z]+`, which policy `p` requires (in the combination c=qr1, and 1 other).",
    ]);
  });

  it("needs its waiver if one of its links needs it", async () => {
    const fields = "\n    note: x\n    owner: x\n    waive: { p: { until: 2027-01-01, because: x } }";
    expect(found(await family(fields))).toEqual([]);
    const unneeded = "\n    note: x\n    owner: x\n    waive: { q: { until: 2027-01-01, because: x } }";
    expect(found(await family(unneeded))).toEqual(["error policy/p 7", "warning waiver-unused 12"]);
  });

  it("can waive a policy for some combinations", async () => {
    const each = "\n    each: [{ when: { c: qr1 }, waive: { p: { until: 2027-01-01, because: x } } }]";
    const { diagnostics } = await family("\n    note: x\n    owner: x", each);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The alias does not match `x-[a-z]+`, which policy `p` requires (in the combination c=qr2).",
    ]);
  });
});
