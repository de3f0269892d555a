// Families of links from the files to the service and back. Fails if an apply does not make the plan empty, if `--target`, a base or an
// undo treats a link of a family differently than a block, or if a removed value deletes other links.

import { expect, it } from "vitest";
import { show } from "../../src/inspect/show.ts";
import { plan } from "../../src/cli/plan.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const HEAD = "defaults: { link: { domain: go.example.com } }\nbrake: { updates: 100%, deletes: 100% }\n";

const familyOf = (regions: string, url = "https://example.com/{r}?m={c.medium}", more = ""): string => `families:
  s-{c}-{r}:
    for: { c: { mail: { medium: email }, qr: { medium: print } }, r: [${regions}] }
    url: ${url}
${more}`;

async function start(family: string): Promise<Scenario> {
  const scenario = await startScenario({ seed: { links: [] } });
  await scenario.write(HEAD, { "links/a.yaml": family });
  return scenario;
}

const urlsOf = ({ sandbox }: Scenario): Record<string, string> =>
  Object.fromEntries(sandbox.state().links.map(({ alias, url }) => [alias, url]));

it("single links of a family are planned, shown, created, changed and deleted, and an undo restores them", async () => {
  const scenario = await start(familyOf("de, us"));
  const { changes } = await scenario.planDocument({ target: ["go.example.com/s-qr-*"] });
  expect(changes.map(({ key }) => key)).toEqual(["go.example.com/s-qr-de", "go.example.com/s-qr-us"]);
  expect(changes[0]?.family).toEqual({ pattern: "s-{c}-{r}", combination: { c: "qr", r: "de" } });
  await scenario.converge();
  const before = urlsOf(scenario);
  expect(before).toEqual({
    "s-mail-de": "https://example.com/de?m=email",
    "s-mail-us": "https://example.com/us?m=email",
    "s-qr-de": "https://example.com/de?m=print",
    "s-qr-us": "https://example.com/us?m=print",
  });
  const shown = await runIn(scenario.folder, scenario.env, (world) => show(world, ["go.example.com/s-qr-us"], {}));
  expect(shown.out).toContain("Declared in the family `s-{c}-{r}` at links/a.yaml:2:3. It matches the file.");
  const more = "    exclude: [{ c: qr, r: us }]\nabsent: { links: [s-qr-us] }\n";
  await scenario.write(HEAD, { "links/a.yaml": familyOf("de, us, fr", "https://example.com/new/{r}", more) });
  await scenario.converge();
  expect(Object.keys(urlsOf(scenario)).toSorted().join()).toBe("s-mail-de,s-mail-fr,s-mail-us,s-qr-de,s-qr-fr");
  expect((await scenario.undo({ quiet: true, allowDeletes: 5, allowUpdates: 9 })).exit).toBe(0);
  expect(urlsOf(scenario)).toEqual(before);
});

it("since the base: a removed value removes its links, blocks can replace a family, and lost protection is reported", async () => {
  const scenario = await start(familyOf("de, us"));
  await scenario.converge();
  const repository = await startRepository();
  const project = `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\n${HEAD}prune: removed\n`;
  const planned = async (family: string): Promise<PlanDocument> => {
    await repository.replace({ "linkform.yaml": project, "links/a.yaml": family });
    const env = { ...GIT_ENV, ...scenario.env };
    const { out } = await runIn(repository.folder, env, (world) => plan(world, { base: "HEAD", format: ["json"] }));
    return JSON.parse(out);
  };
  const protect = familyOf("de, us", undefined, "    protect: true\n");
  await repository.commit({ "linkform.yaml": project, "links/a.yaml": protect });
  expect((await planned(familyOf("de, us"))).diagnostics.map(({ message }) => message)).toContain(
    "`protect: true` was removed from 4 links since `HEAD`: `go.example.com/s-mail-de`, `go.example.com/s-mail-us`, `go.example.com/s-qr-de`, `go.example.com/s-qr-us`.",
  );
  await repository.commit({ "linkform.yaml": project, "links/a.yaml": familyOf("de, us") });
  expect((await planned(familyOf("de"))).changes.map(({ action, key, reason }) => [action, key, reason])).toEqual([
    ["delete", "go.example.com/s-mail-us", "removed"],
    ["delete", "go.example.com/s-qr-us", "removed"],
  ]);
  const byHand = ["mail-de", "mail-us", "qr-de", "qr-us"].map((one) => {
    const [c, r] = one.split("-");
    return `  s-${one}: { url: "https://example.com/${r}?m=${c === "mail" ? "email" : "print"}" }\n`;
  });
  expect((await planned(`links:\n${byHand.join("")}`)).changes).toEqual([]);
});

it("an unknown pixel that all links of a family share is reported once", async () => {
  const scenario = await start(familyOf("de, us", undefined, "    pixels: [Gone]\n"));
  const { diagnostics } = await scenario.planDocument();
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "`s-{c}-{r}` uses the pixel `Gone`, which is neither declared nor live.",
  ]);
});
