// What rules and policies mean for commands: plan and apply report what validate reports, an error of a rule stops them, and a command that
// edits files keeps a waiver.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { pull } from "../../src/pull/command.ts";
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

it("`pull` keeps a waiver", async () => {
  const links = [{ alias: "a", domain: 2, url: "https://partner.test/new" }];
  const scenario = await startWith("", { links });
  const text = (to: string): string =>
    `links:\n  go.example.com/a: # printed\n    url: https://partner.test/${to}\n    waive: { own: { until: 2099-01-01, because: Partner page } } # agreed\n`;
  await scenario.write("policies: { own: { destinations: [example.com] } }\n", { "links/a.yaml": text("old") });
  const { exit } = await runIn(scenario.folder, scenario.env, (world) => pull(world, {}, []));
  expect(exit).toBe(0);
  expect(await readFile(path.join(scenario.folder, "links/a.yaml"), "utf8")).toBe(text("new"));
});
