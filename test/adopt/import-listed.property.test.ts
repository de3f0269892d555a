// What `list` writes as CSV, `import` takes as it is: the plan is empty then. Fails if a column of the one means something else to the
// other, or if a value is not the same once it has been through a spreadsheet's file.

import fc from "fast-check";
import { expect, it } from "vitest";
import { importCsv, type ImportFlags } from "../../src/commands/import.ts";
import { list } from "../../src/commands/list.ts";
import { hasUnseen } from "../../src/report/unseen.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { liveInput, randomLive, type LiveSeed } from "../support/live-random.ts";
import { planOf } from "../support/pulling.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

/** The account without what CSV has no words for: signs that nobody sees, and names of spaces that two have or the files take for ids. */
function sayable({ pixels, spaces, ...rest }: LiveSeed): LiveSeed {
  return {
    ...rest,
    pixels: pixels.map((pixel) => (hasUnseen(pixel.name) ? { ...pixel, name: `Pixel ${pixel.id}` } : pixel)),
    spaces: spaces.map((space) =>
      /^\d+$|#|\/|^sales$/.test(space.name) ? { ...space, name: `Space ${space.id}` } : space,
    ),
  };
}

async function importListed(
  sandbox: Sandbox,
  folder: string,
  kind: "links" | "pixels",
  flags: ImportFlags,
): Promise<void> {
  const env = { LINKFORM_API_KEY: sandbox.apiKey };
  const format = { format: [`csv=${kind}.csv`], baseUrl: sandbox.url };
  const listed = await runIn(folder, env, (world) => list(world, kind, format));
  expect({ exit: listed.exit, err: listed.exit === 0 ? "" : listed.err }).toEqual({ exit: 0, err: "" });
  const ran = await runIn(folder, env, (world) => importCsv(world, `${kind}.csv`, { quiet: true, ...flags }));
  expect({ exit: ran.exit, err: ran.err }).toEqual({ exit: 0, err: "" });
}

it("is empty to a plan", async () => {
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 60, pixels: 8 }), async (input) => {
      const seed = sayable(randomLive({ ...input, links: input.links + 1, pixels: input.pixels + 1 }));
      const sandbox = await startSandbox({ rateLimit: 0, seed });
      const folder = await temporaryFolder();
      await writeFiles(folder, {
        "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}", account_timezone: ${seed.account.timezone} }\ntimezone: ${seed.account.timezone}\n`,
      });
      await importListed(sandbox, folder, "pixels", { kind: "pixels" });
      await importListed(sandbox, folder, "links", {});
      const { complete, changes, summary, diagnostics } = await planOf(sandbox, folder);
      await sandbox.close();
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect({ complete, changes, unmanaged: summary.unmanaged, errors }).toEqual({
        complete: true,
        changes: [],
        unmanaged: 0,
        errors: [],
      });
    }),
    { numRuns: runs(15) },
  );
});

it("keeps a pixel's name that has a comma in one", async () => {
  const seed = {
    pixels: [{ name: "Meta, EU", type: "bing", value: "1234567" }],
    links: [{ alias: "a", domain: 2, url: "https://example.com/?a=1,2", pixels: [1] }],
  };
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n` });
  await importListed(sandbox, folder, "links", {});
  const { complete, changes, summary } = await planOf(sandbox, folder);
  await sandbox.close();
  expect({ complete, changes, unchanged: summary.unchanged }).toEqual({ complete: true, changes: [], unchanged: 1 });
});
