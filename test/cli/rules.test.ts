// What rules and policies mean for commands: plan and apply report what validate reports, and an error of a rule stops them.

import { expect, it } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { runIn, startWith, type Ran } from "../support/scenario.ts";

const JSON_FLAGS = { format: ["json"] };

const found = ({ out }: Ran): string[] =>
  JSON.parse(out).diagnostics.map(
    ({ code, severity, line }: { code: string; severity: string; line: number }) => `${severity} ${code} ${line}`,
  );

// Fails if a command does not report what validate reports, or if a warning stops it.
it("plan and apply report what validate reports, and continue after warnings", async () => {
  const scenario = await startWith(`pixels: { Main: { type: bing, value: "12" } }
links:
  go.example.com/a: { url: "http://example.com/?utm_source=News", expiration: { date: 2027-01-31, url: https://go.example.com/b } }
  go.example.com/b: { url: https://example.com/ }
`);
  const said = found(await runIn(scenario.folder, {}, (world) => validate(world, JSON_FLAGS)));
  expect(said).toEqual([
    "warning pixel-value 5",
    "warning utm-incomplete 7",
    "warning plain-http 7",
    "warning utm-case 7",
    "warning short-link-chain 7",
  ]);
  expect(found(await scenario.plan(JSON_FLAGS))).toEqual(said);
  const applied = await scenario.apply(JSON_FLAGS);
  expect([applied.exit, found(applied)]).toEqual([0, said]);
});

// Fails if anything is written, or even read, for files that a rule has an error for.
it.each([
  ["by default", "{}", '{ url: "javascript://example.com/%0aalert(1)" }'],
  ["because the project says so", "{ plain-http: error }", "{ url: http://example.com/ }"],
  ["of a policy", "{}\npolicies: { own: { destinations: [example.com] } }", "{ url: https://evil.test/ }"],
])("plan and apply stop before the first request where a rule has an error %s", async (_, rules, link) => {
  const scenario = await startWith(`rules: ${rules}\nlinks: { go.example.com/a: ${link} }\n`);
  expect([(await scenario.plan()).exit, (await scenario.apply()).exit]).toEqual([1, 1]);
  expect(scenario.sandbox.requests).toEqual([]);
});
