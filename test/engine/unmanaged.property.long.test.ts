// Random accounts: the lines of --show-unmanaged, pasted into the project, plan no change. Only objects that no file can express stay
// unmanaged. Fails if a value is written differently than it is read, if defaults or zones of the project change the pasted values, or if a
// text of the service breaks out of its line.

import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { liveInput, randomLive, type LiveSeed } from "../support/live-random.ts";
import { randomSoftware, startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const inputs = fc.record({
  software: randomSoftware,
  live: liveInput({ links: 8, pixels: 5 }),
  /** Some records have values that no file can express. */
  isSpoiled: fc.boolean(),
  timezone: fc.constantFrom(undefined, "Europe/Berlin"),
  /** Whether the project sets the time zone of the account. */
  isStated: fc.boolean(),
  defaults: fc.constantFrom<object>(
    {},
    { space: "Marketing", domain: 3 },
    { privacy: "private", disabled: true, expiration: { time: "18:00", clicks: 7 } },
    { password: { env: "LINKFORM_SECRET_SALE_PASSWORD" }, targeting: { country: { DE: "https://de.example" } } },
    { expiration: { date: "2030-01-01", url: "https://example.com/over" } },
  ),
  unspecified: fc.constantFrom("reset", "keep"),
});

type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

function projectOf(
  baseUrl: string,
  { timezone, isStated, defaults, unspecified }: Input,
  { account }: LiveSeed,
): string {
  return JSON.stringify({
    version: 1,
    service: { base_url: baseUrl, ...(isStated && { account_timezone: account.timezone }) },
    ...(timezone !== undefined && { timezone }),
    spaces: { Marketing: 1 },
    unspecified,
    defaults: { link: defaults },
  });
}

/** The YAML sections, without the sentences below them. */
function pasted(out: string): string {
  const start = out.search(/^(pixels|links):$/m);
  if (start < 0) return "";
  const sections = out.slice(start);
  return sections.slice(0, sections.search(/^[A-Z\d]/m));
}

/** Returns the number of links that the pasted lines declare as they are. */
async function check(folder: string, input: Input, live: LiveSeed): Promise<number> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: live });
  const run = async (format: "text" | "json"): Promise<Ran> =>
    runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) =>
      plan(world, { showUnmanaged: true, format: [format] }),
    );
  try {
    await rm(path.join(folder, "links"), { recursive: true, force: true });
    await writeFiles(folder, { "linkform.yaml": projectOf(sandbox.url, input, live) });
    const { out, err } = await run("text");
    expect(err.includes("error[")).toBe(false);
    expect(out.match(/[^\P{Cc}\n]|\u202e/gu)).toBeNull();
    const before: PlanDocument = JSON.parse((await run("json")).out);
    const beyond = (before.unmanaged ?? []).filter(({ declare }) => declare === null);

    await writeFiles(folder, { "links/adopted.yaml": pasted(out) });
    const after: PlanDocument = JSON.parse((await run("json")).out);
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect({ changes: after.changes, unmanaged: after.unmanaged }).toEqual({ changes: [], unmanaged: beyond });
    const kept = (pasted(out).match(/no file can express/g) ?? []).length;
    // Without defaults, files can express everything.
    const isPlain = Object.keys(input.defaults).length === 0;
    if (isPlain && !input.isSpoiled) expect([beyond, kept]).toEqual([[], 0]);
    return live.links.length - beyond.length - kept;
  } finally {
    await sandbox.close();
  }
}

it("pasting the output of --show-unmanaged changes nothing and leaves nothing unmanaged", async () => {
  const folder = await temporaryFolder();
  let [links, whole] = [0, 0];
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const live = randomLive(input.live, { isSpoiled: input.isSpoiled });
      whole += await check(folder, input, live);
      links += live.links.length;
    }),
    { numRuns: runs(100), endOnFailure: false },
  );
  // The property means little if most links cannot be declared.
  expect(whole).toBeGreaterThan(links / 4);
}, 240_000);
