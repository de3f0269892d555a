// Pruning has the same plan with a narrow reading as with a whole one: the users of a pixel are read on all domains. Fails
// if a pixel that the files no longer name is deleted although a link that was not read uses it, or if a pixel that stays
// costs a request.

import { expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { git, GIT_ENV } from "../support/repository.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";
import { plan } from "../../src/cli/plan.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const GO = "go.example.com";
const PIXELS = ["Kept", "Gone", "Done", "Theirs"].map((name, at) => ({
  id: at + 1,
  name,
  type: "bing",
  value: "1000001",
}));
const BASE = `pixels:
  Kept: { type: bing, value: "1000001" }
  Gone: { type: bing, value: "1000001" }
  Done: { type: bing, value: "1000001", renamed_from: Before }
links: { ${GO}/spring: { url: https://example.com/ }, ${GO}/gone: { url: https://example.com/, pixels: [Gone] } }
`;
const NOW = `pixels: { Kept: { type: bing, value: "1000001" } }
links: { ${GO}/spring: { url: https://example.com/ } }
`;

/** An account of five pages whose last link, on another domain, uses a pixel. */
async function start(pixel: number): Promise<Scenario> {
  const others = Array.from({ length: 400 }, (_, at) => ({
    url: "https://example.com/",
    domain: 2 + (at % 2),
    alias: `other-${at}`,
  }));
  const ours = ["spring", "gone"].map((alias, at) => ({
    url: "https://example.com/",
    domain: 2,
    alias,
    pixels: at === 0 ? [] : [2],
  }));
  const theirs = { url: "https://example.com/", domain: 3, alias: "theirs", pixels: [pixel] };
  return startScenario({ seed: { links: [...others, ...ours, theirs], pixels: PIXELS } });
}

async function planned(
  scenario: Scenario,
): Promise<{ readonly document: PlanDocument; readonly users: readonly string[] }> {
  const { sandbox, folder, env } = scenario;
  await scenario.write(BASE);
  await git(folder, "init", "--quiet");
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "base");
  await scenario.write(`prune: removed\n${NOW}`);
  const before = sandbox.requests.length;
  const { out } = await runIn(folder, { ...env, ...GIT_ENV }, (world) =>
    plan(world, { base: "HEAD", format: ["json"] }),
  );
  return { document: JSON.parse(out), users: usersAsked(sandbox, before) };
}

/** The pixels whose users were requested. */
function usersAsked({ requests }: Sandbox, since: number): string[] {
  return requests.slice(since).flatMap(({ path }) => /[?&]pixel=(\d+)/.exec(path)?.[1] ?? []);
}

it("is deleted with the link that used it, and no other users are requested", async () => {
  const { document, users } = await planned(await start(4));
  expect(document.summary.unmanaged).toBeNull();
  expect(document.changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`)).toEqual([
    `delete link ${GO}/gone`,
    "delete pixel Done",
    "delete pixel Gone",
  ]);
  expect(users).toEqual(["2", "3"]);
});

it.each([
  [2, "Gone"],
  [3, "Done"],
])("is not deleted where a link on another domain uses it: pixel %i", async (id, name) => {
  const { document } = await planned(await start(id));
  expect(document.changes).toEqual([]);
  expect(document.diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []))).toEqual([
    `Pixel \`${name}\` is still used by \`promo.example.com/theirs\`.`,
  ]);
});

// Only the links of one domain are read, and a link on another domain uses the pixel in the scope.
it("is not pruned by scope if a link on another domain uses it", async () => {
  const scenario = await start(2);
  const scope = `prune: scope\nscope: { domains: [${GO}], pixels: [Kept, Gone] }\nbrake: { deletes: 100% }\n`;
  await scenario.write(`${scope}${NOW}`);
  const { diagnostics, complete } = await scenario.planDocument();
  expect([complete, diagnostics.map(({ message }) => message)]).toEqual([
    false,
    ["Pixel `Gone` is still used by `promo.example.com/theirs`."],
  ]);
});
