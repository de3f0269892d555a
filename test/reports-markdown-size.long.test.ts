// A plan of 5,000 changes as comments of several lengths. Fails when one is longer than asked for, is cut where a reader would
// see it, has wrong counts, shows less than a shorter one, or forgets to say that it is not all.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plan } from "../src/cli/plan.ts";
import { manyChanges } from "./support/many.ts";
import { Rendered } from "./support/rendered.ts";
import { startSandbox } from "./support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "./support/scenario.ts";

const COUNT = 5000;
const LENGTHS = [1000, 2000, 5000, 20_000, 65_536, 1_048_576];

test("5,000 changes fit, with right counts, and more room shows more", async () => {
  const { files, seed, counts } = manyChanges(COUNT);
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  const pages: { length: number; keys: number; items: number }[] = [];
  for (const maxLength of LENGTHS) {
    const flags = {
      format: ["markdown=plan.md", "html=all.html"],
      baseUrl: sandbox.url,
      allowUpdates: COUNT,
      allowDeletes: COUNT,
      maxLength,
    };
    const { exit, err } = await runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) => plan(world, flags));
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
    const written = await readFile(path.join(folder, "plan.md"), "utf8");
    const page = new Rendered(written);

    expect(written.length).toBeLessThanOrEqual(maxLength);
    const summary = page.texts("p").slice(0, 2).join(" ");
    // Of each hundred one is disabled.
    const disabled = COUNT / 100;
    const numbers = [counts.create, disabled, counts.update - disabled, counts.delete, counts.delete + disabled];
    const [create, disable, update, remove, breaking] = numbers.map((number) => number.toLocaleString("en-US"));
    expect(summary).toContain(
      `${create} to create, ${disable} to disable, ${update} other updates, ${remove} to delete.`,
    );
    expect(summary).toContain(`⛔ ${breaking} short URLs will stop working`);
    expect(page.elements("details")).toHaveLength(page.elements("summary").length);
    expect(written.match(/<\/details>/g)?.length ?? 0).toBe(page.elements("details").length);
    expect(page.text("code", "pre")).not.toMatch(/\*\*|```|^#|\|.*\||<\/?\w/m);
    if (maxLength <= 65_536) expect(page.texts("em").at(-1)).toContain("Full report: all.html");
    const codes = page.texts("code");
    const keys = new Set(codes.filter((text) => text.startsWith("go.example.com/l"))).size;
    pages.push({ length: written.length, keys, items: page.elements("li").length });
  }
  for (const measure of ["length", "keys", "items"] as const) {
    const sizes = pages.map((page) => page[measure]);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  }
  expect(pages[4]?.keys).toBeGreaterThan(400);
  expect(pages[0]?.keys).toBeGreaterThan(0);
});
