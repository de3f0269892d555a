// Domains and spaces that only links name: a narrow reading must not make them unknown (promise 5).

import { expect, it } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { startScenario, writeFiles, type Scenario } from "../support/scenario.ts";

type SeedLinks = NonNullable<Exclude<SandboxOptions["seed"], string | undefined>["links"]>;

const URL = "https://example.com/";

/** Four pages, none of which names the domain or the space that matters. */
const OTHERS: SeedLinks = Array.from({ length: 350 }, (_, at) => ({ url: URL, domain: 2, alias: `other-${at}` }));

const DOMAINS = [
  { id: 1, name: "short.example.com", shared: true },
  { id: 2, name: "go.example.com" },
];

/** A project without the labels that other scenarios have. */
async function writeProject({ folder, sandbox }: Scenario, text: string): Promise<void> {
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n${text}` });
}

// Fails when a domain that the whole service shares, which no list has (docs/service.md, "Endpoints"), is unknown because the
// links that name it were not read.
it("a shared domain that a link on the last page names", async () => {
  const links = [...OTHERS, { url: URL, domain: 1, alias: "theirs" }];
  const scenario = await startScenario({ seed: { links, domains: DOMAINS } });
  await writeProject(scenario, "links: { short.example.com/new: { url: https://example.com/ } }\n");
  const { changes, diagnostics, summary } = await scenario.planDocument();
  expect([changes.map(({ key }) => key), diagnostics]).toEqual([["short.example.com/new"], []]);
  // All links have been read, so what nobody declares can be counted.
  expect(summary.unmanaged).toBe(351);
  expect((await scenario.plan({ verbose: true })).err).toContain(
    "Reading all links, because some domains and spaces in the files are not confirmed yet.",
  );
  await scenario.converge();
});

// Fails when a label with an id that is another domain's is taken as the files say: the link would be stored there.
it("a shared domain whose id has another name in the files", async () => {
  const links = [...OTHERS, { url: URL, domain: 1, alias: "theirs" }];
  const scenario = await startScenario({ seed: { links, domains: DOMAINS } });
  await writeProject(
    scenario,
    "domains: { promo: { id: 1, name: promo.example.com } }\nlinks:\n  promo/new: { url: https://example.com/ }\n  go.example.com/new: { url: https://example.com/ }\n",
  );
  expect((await scenario.planDocument()).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "wrong-domain The files call domain 1 `promo.example.com`, but the service calls it `short.example.com`.",
  ]);
});

// Fails when the links that name a space are left unread although there is no list of spaces.
it("a space, where the service has no list of them", async () => {
  const links = [...OTHERS, { url: URL, domain: 2, alias: "theirs", space: 2 }];
  const scenario = await startScenario({ seed: { links } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Sales } }\n");
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) =>
    url.startsWith("/api/v1/spaces") ? { status: 404, body: '{"message":"Not found.","status":404}' } : "forward",
  );
  const { exit, err } = await scenario.plan({ baseUrl });
  expect([exit, err]).toEqual([0, ""]);
});

// Fails when all links are read a second time, though no reading can show more.
it("a domain that nothing confirms, after all links have been read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  const keys = ["aaa", "bbb", "ccc", "ddd"].map((alias) => `  nowhere.example.com/${alias}: { url: ${URL} }\n`);
  await writeProject(scenario, `links:\n${keys.join("")}`);
  const { diagnostics, requests } = await scenario.planDocument();
  // Four pages of links, the pixels, the domains.
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-domain"], 6]);
});

// Fails when all links are read although the lists have what is missing.
it("a space that the list has: no more links are read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Sales } }\n");
  const { summary, requests } = await scenario.planDocument();
  // The first page, the look-up of the alias and whether aliases are searched at all, the pixels, the spaces.
  expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, null, 5]);
});

// Fails when a misspelled space costs the pages of all links, none of which can name it.
it("a space that the list does not have: an error, and no more links are read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Salse } }\n");
  const { diagnostics, requests } = await scenario.planDocument();
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-space"], 5]);
});
