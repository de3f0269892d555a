// Links of families in reports; in text they are in test/fixtures/plans/families. Fails if a report of a plan does not say which links belong to a family, if it puts other links with
// them, or if the JSON document lacks the family of a change.

import { expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const FILES = {
  "links/a.yaml": `families:
  spring-{channel}-{region}:
    for: { channel: [mail, qr], region: [at, ch, de] }
    url: https://shop.example.com/{region}/spring?c={channel}
  two-{x}: { for: { x: [a, b] }, url: "https://two.example.com/{x}" }
links:
  zebra: { url: https://shop.example.com/alone }
`,
};

async function start(): Promise<Scenario> {
  const scenario = await startScenario({ seed: { links: [] }, rateLimit: 0 });
  await scenario.write("defaults: { link: { domain: go.example.com } }\n", FILES);
  return scenario;
}

async function planned({ folder, env }: Scenario, format: string): Promise<string> {
  const { out } = await runIn(folder, env, (world) => plan(world, { format: [format] }));
  return out;
}

it("a comment and a page show a family on one line", async () => {
  const scenario = await start();
  expect(await planned(scenario, "markdown")).toContain(
    "**+** create **6 links** of family `spring-{channel}-{region}`",
  );
  expect(await planned(scenario, "html")).toContain("<b>6 links</b> of family <code>spring-{channel}-{region}</code>");
});

it("the JSON document has the family of each change", async () => {
  const { changes }: PlanDocument = JSON.parse(await planned(await start(), "json"));
  const families = new Map(changes.map(({ key, family }) => [key, family]));
  expect(families.get("go.example.com/zebra")).toBeUndefined();
  expect(families.get("go.example.com/spring-qr-de")).toEqual({
    pattern: "spring-{channel}-{region}",
    combination: { channel: "qr", region: "de" },
  });
});
