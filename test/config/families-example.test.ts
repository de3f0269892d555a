// The example of a family. Fails if its plan is not the plan of the same links written by hand, or if the family becomes long.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startScenario } from "../support/scenario.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const EXAMPLE = path.join(ROOT, "examples/families");

/** The plan of the example's project with these links, without what depends on their places. */
async function planWith(links: string): Promise<unknown> {
  const project = await readFile(path.join(EXAMPLE, "linkform.yaml"), "utf8");
  const seed = { links: [], domains: [{ id: 2, name: "go.example.com" }], spaces: [{ id: 1, name: "Marketing" }] };
  const scenario = await startScenario({ seed, rateLimit: 0 });
  const settings = project.replace(/^version: 1$|^service:\n.*\n/gm, "");
  await scenario.write(settings, { "links/a.yaml": links });
  const { changes, summary, diagnostics, requests } = await scenario.planDocument();
  const own = changes.map(({ source: _source, family: _family, ...change }) => change);
  return { changes: own, summary, diagnostics, requests };
}

it("plans the same changes as the links written by hand", async () => {
  const family = await planWith(await readFile(path.join(EXAMPLE, "links/spring.yaml"), "utf8"));
  const byHand = await planWith(await readFile(path.join(ROOT, "test/fixtures/families/by-hand.yaml"), "utf8"));
  expect(family).toEqual(byHand);
  expect(family).toMatchObject({ summary: { create: 30 }, diagnostics: [] });
});

it("declares 30 links in ten lines", async () => {
  const text = await readFile(path.join(EXAMPLE, "links/spring.yaml"), "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  expect(lines.length).toBeLessThanOrEqual(10);
});
