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
  it.each(["go/qr-*", "go.example.com/qr-*", "2/qr-*", "GO.example.com/QR-1"])(
    "applies to %s, whatever the spelling of the domain",
    async (glob) => {
      const links = { "qr-1": "url: https://example.com/", other: "url: https://example.com/" };
      expect(found(await loadLinks(`links: "${glob}", require: [note]`, links))).toEqual(["error policy/p 7"]);
    },
  );
});

describe("a mistake in a policy, beyond fixtures/config/invalid/policies-mistakes", () => {
  const many = Array.from({ length: 50 }, (_, at) => `p${at}: { blocked: [bit.ly] }`).join(", ");
  it.each([
    ["no link", 'links: "go/x-*", blocked: [bit.ly]', "warning policy-matches-nothing 5"],
    ["a pattern of 501 characters", `alias: ${"a".repeat(501)}`, "error wrong-pattern 5"],
    ["too many", `blocked: [bit.ly] }, ${many}, last: { blocked: [bit.ly]`, "error wrong-type 5"],
  ])("%s", async (_, policy, expected) => {
    expect(found(await loadLinks(policy, { a: "url: https://example.com/" }))).toEqual([expected]);
  });

  it("is not a glob that may match links of a family that cannot be read", async () => {
    const family = 'families: { "x-{c}": { for: {}, url: https://example.com/ } }\n';
    expect(found(await loadLinks('links: "go/x-*", blocked: [bit.ly]', {}, family))).toEqual(["error wrong-type 5"]);
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

  it("can waive a policy for some combinations", async () => {
    const each = "\n    each: [{ when: { c: qr1 }, waive: { p: { until: 2027-01-01, because: x } } }]";
    const { diagnostics } = await family("\n    note: x\n    owner: x", each);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The alias does not match `x-[a-z]+`, which policy `p` requires (in the combination c=qr2).",
    ]);
  });
});
