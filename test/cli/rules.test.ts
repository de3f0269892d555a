// What rules mean for commands: plan and apply say what validate says, an error of a rule stops them, and a base is not
// judged by them.
import { describe, expect, it } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { runIn, startScenario, type Ran } from "../support/scenario.ts";

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly line: number;
}

const found = ({ out }: Ran): Found[] =>
  JSON.parse(out).diagnostics.map(({ code, severity, line }: Found) => ({ code, severity, line }));
const JSON_FLAGS = { format: ["json"] };

describe("plan and apply", () => {
  // Fails when a command keeps to itself what validate says, or when a warning holds it back.
  it("say what validate says, and go on after warnings", async () => {
    const scenario = await startScenario();
    await scenario.write(`pixels: { Main: { type: bing, value: "12" } }
links:
  go.example.com/a: { url: "http://example.com/?utm_source=News", expiration: { date: 2027-01-31, url: https://go.example.com/b } }
  go.example.com/b: { url: https://example.com/ }
`);
    const checked = await runIn(scenario.folder, {}, (world) => validate(world, JSON_FLAGS));
    const said = found(checked);
    expect(said.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning pixel-value",
      "warning utm-incomplete",
      "warning plain-http",
      "warning utm-case",
      "warning short-link-chain",
    ]);
    expect(found(await scenario.plan(JSON_FLAGS))).toEqual(said);
    const applied = await scenario.apply(JSON_FLAGS);
    expect(applied.exit).toBe(0);
    expect(found(applied)).toEqual(said);
  });

  // Fails when anything is written, or even read, for files that a rule has an error for.
  it.each([
    ["by default", "{}", '{ url: "javascript://example.com/%0aalert(1)" }'],
    ["because the project says so", "{ plain-http: error }", "{ url: http://example.com/ }"],
    ["of a policy", "{}\npolicies: { own: { destinations: [example.com] } }", "{ url: https://evil.test/ }"],
  ])("stop before the first request where a rule has an error %s", async (_, rules, link) => {
    const scenario = await startScenario();
    await scenario.write(`rules: ${rules}\nlinks: { go.example.com/a: ${link} }\n`);
    expect([(await scenario.plan()).exit, (await scenario.apply()).exit]).toEqual([1, 1]);
    expect(scenario.sandbox.requests).toEqual([]);
  });
});

describe("--base", () => {
  const head = "version: 1\nservice: { base_url: https://short.example.com }\n";
  const link = (url: string): string => `links: { go.example.com/a: { url: "${url}" } }\n`;
  const bad = link("javascript://example.com/%0aalert(1)");

  // Fails when a pull request that mends what a rule forbids can't be compared with what it mends.
  it("may break rules, those of then and those of now", async () => {
    const repository = await startRepository();
    await repository.commit({ "linkform.yaml": `${head}rules: { unsafe-scheme: error }\n${bad}` });
    await repository.replace({ "linkform.yaml": `${head}${link("https://example.com/")}` });
    const run = (): Promise<Ran> =>
      runIn(repository.folder, GIT_ENV, (world) => validate(world, { ...JSON_FLAGS, base: "HEAD" }));
    expect(found(await run())).toEqual([]);
    // And the settings of the base are not those of now.
    await repository.replace({ "linkform.yaml": `${head}rules: { unsafe-scheme: warning }\n${bad}` });
    expect(found(await run())).toEqual([
      { code: "safety-changed", severity: "warning", line: 3 },
      { code: "unsafe-scheme", severity: "warning", line: 4 },
    ]);
  });
});
