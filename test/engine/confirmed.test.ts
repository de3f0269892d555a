// Domains and spaces that only links name: reading few links must not make them unknown (promise 5).

import { expect, it } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { startScenario, writeFiles, type Scenario } from "../support/scenario.ts";

type SeedLinks = NonNullable<Exclude<SandboxOptions["seed"], string | undefined>["links"]>;

const URL = "https://example.com/";

/** Four pages without the domain or space of the test. */
const OTHERS: SeedLinks = Array.from({ length: 350 }, (_, at) => ({ url: URL, domain: 2, alias: `other-${at}` }));

const DOMAINS = [
  { id: 1, name: "short.example.com", shared: true },
  { id: 2, name: "go.example.com" },
];

/** A project without the labels of other scenarios. */
async function writeProject({ folder, sandbox }: Scenario, text: string): Promise<void> {
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n${text}` });
}

// Fails if a shared domain, which is in no list (docs/service.md, "Endpoints"), is unknown because the links on it were not read.
it("a shared domain that a link on the last page names", async () => {
  const links = [...OTHERS, { url: URL, domain: 1, alias: "theirs" }];
  const scenario = await startScenario({ seed: { links, domains: DOMAINS } });
  await writeProject(scenario, "links: { short.example.com/new: { url: https://example.com/ } }\n");
  const { changes, diagnostics, summary } = await scenario.planDocument();
  expect([changes.map(({ key }) => key), diagnostics]).toEqual([["short.example.com/new"], []]);
  // All links were read, so undeclared ones can be counted.
  expect(summary.unmanaged).toBe(351);
  await scenario.converge();
});

// Fails if a label with the id of another domain is accepted: the link would be stored there.
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

// Fails if the links of a space are not read although there is no list of spaces.
it("a space, if the service has no list of them", async () => {
  const links = [...OTHERS, { url: URL, domain: 2, alias: "theirs", space: 2 }];
  const scenario = await startScenario({ seed: { links } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Sales } }\n");
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) =>
    url.startsWith("/api/v1/spaces") ? { status: 404, body: '{"message":"Not found.","status":404}' } : "forward",
  );
  const { exit, err } = await scenario.plan({ baseUrl });
  expect([exit, err]).toEqual([0, ""]);
});

// Fails if all links are read again, although that cannot show more.
it("a domain that is unconfirmed after all links have been read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  const keys = ["aaa", "bbb", "ccc", "ddd"].map((alias) => `  nowhere.example.com/${alias}: { url: ${URL} }\n`);
  await writeProject(scenario, `links:\n${keys.join("")}`);
  const { diagnostics, requests } = await scenario.planDocument();
  // Four pages of links, the pixels, the domains.
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-domain"], 6]);
});

// Fails if all links are read although the lists have the missing names.
it("a space in the list: no more links are read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Sales } }\n");
  const { summary, requests } = await scenario.planDocument();
  // The first page, the look-up of the alias, the check that aliases are searched, the pixels, the spaces.
  expect([summary.create, summary.unmanaged, requests.read]).toEqual([1, null, 5]);
});

// Fails if linkform reads all pages of links because of a misspelled space.
it("a space that is not in the list: an error, and no more links are read", async () => {
  const scenario = await startScenario({ seed: { links: OTHERS } });
  await writeProject(scenario, "links: { go.example.com/new: { url: https://example.com/, space: Salse } }\n");
  const { diagnostics, requests } = await scenario.planDocument();
  expect([diagnostics.map(({ code }) => code), requests.read]).toEqual([["unconfirmed-space"], 5]);
});
