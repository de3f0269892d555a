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
  it.each([
    [
      'links: "go/x-*", blocked: [bit.ly]',
      "policy-matches-nothing",
      "Match links by domain and alias. `*` matches any characters: `go.example.com/qr-*`.",
    ],
    ["destinations: []", "wrong-type", null],
  ])("{ %s } is %s", async (policy, code, hint) => {
    const { diagnostics } = await loadLinks(policy, { a: "url: https://example.com/" });
    expect(diagnostics.map((one) => [one.code, one.hint, one.place?.line])).toEqual([[code, hint, 5]]);
  });

  it("many policies are too many", async () => {
    const many = Array.from({ length: 51 }, (_, at) => `p${at}: { blocked: [bit.ly] }`);
    expect(found(await load(`${DEFAULTS}policies: { ${many.join(", ")} }\n`, {}, NOW))).toEqual(["error wrong-type 5"]);
  });
});

describe("a waiver", () => {
  const waived = async (waive: string): Promise<string[]> =>
    found(await loadLinks("destinations: [example.com]", { a: `url: https://evil.test/, waive: { ${waive} }` }));

  it.each([
    ["p: { until: 2026-11-21, because: x }", []],
    ["p: { until: 2026-11-20, because: x }", ["error policy/p 7", "error waiver-expired 7"]],
  ])("%s", async (waive, expected) => {
    expect(await waived(waive)).toEqual(expected);
  });

  it("of a policy that does not apply to the link is not needed", async () => {
    const waive = "p: { until: 2027-01-01, because: x }";
    const links = { a: `url: https://evil.test/, waive: { ${waive} }`, b: "url: https://example.com/" };
    expect(found(await loadLinks("links: '*/b', destinations: [example.com]", links))).toEqual([
      "warning waiver-unused 7",
    ]);
  });

  it("without any policy is an error", async () => {
    const text = `${DEFAULTS}links: { a: { url: https://example.com/, waive: { p: { until: 2027-01-01, because: x } } } }\n`;
    const { diagnostics } = await load(text, {}, NOW);
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["unknown-policy", "Remove the waiver. The project has no policies."],
    ]);
  });

  it("ends with its last day in the zone of the files", async () => {
    const links = { a: "url: https://evil.test/, waive: { p: { until: 2026-11-21, because: x } }" };
    // It is already November 22 in Auckland.
    expect(found(await loadLinks("destinations: [example.com]", links, "timezone: Pacific/Auckland\n"))).toEqual([
      "error policy/p 8",
      "error waiver-expired 8",
    ]);
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
