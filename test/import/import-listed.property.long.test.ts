// `import csv` reads the output of `list --format csv`. Fails if the two commands disagree about a column, or if a value
// changes on the way.

import fc from "fast-check";
import { expect, it } from "vitest";
import { importCsv, type ImportFlags } from "../../src/import/command.ts";
import { list } from "../../src/inspect/list.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { liveInput, randomLive, type LiveSeed } from "../support/live-random.ts";
import { planOf } from "../support/pulling.ts";
import { holds, startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

/** The account without space names that CSV cannot express: duplicates, and names that look like ids. */
function sayable({ spaces, ...rest }: LiveSeed): LiveSeed {
  return {
    ...rest,
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
  const ran = await runIn(folder, env, (world) => importCsv(world, `${kind}.csv`, flags));
  expect({ exit: ran.exit, err: ran.exit === 0 ? "" : ran.err }).toEqual({ exit: 0, err: "" });
}

const HOLE = { "0": { value: "https://example.com/1" }, "2": { value: "https://example.com/2" } };

/** Gives some links values that no file can express; `left` has the id of each link and the path of the field. */
function withLeftOvers(seed: LiveSeed): { readonly seed: LiveSeed; readonly left: readonly string[] } {
  const left: string[] = [];
  const links = seed.links.map((link) => {
    const odd = {
      4: { target_type: 4, rotation: HOLE },
      5: { ends_at: "2027-05-06T07:08:09.000Z" },
    }[link.id % 7];
    const spoiled = { ...link, ...odd };
    // A list that comes as an object has no first entry, or none in the middle.
    const isHeld = holds("several or inactive target groups") || spoiled.target_type === 4;
    if (isHeld && spoiled.rotation !== null && !Array.isArray(spoiled.rotation))
      left.push(`${link.id} targeting.rotation`);
    if (spoiled.ends_at !== link.ends_at) left.push(`${link.id} expiration.time`);
    return spoiled;
  });
  return { seed: { ...seed, links }, left };
}

it("leaves a plan that changes only values that no file can express", async () => {
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 60, pixels: 8 }), async (input) => {
      const plain = sayable(randomLive({ ...input, links: input.links + 1, pixels: input.pixels + 1 }));
      const { seed, left } = withLeftOvers(plain);
      const sandbox = await startSandbox({ rateLimit: 0, seed });
      const folder = await temporaryFolder();
      await writeFiles(folder, {
        "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}", account_timezone: ${seed.account.timezone} }\ntimezone: ${seed.account.timezone}\nbrake: { updates: 100% }\n`,
      });
      await importListed(sandbox, folder, "pixels", {});
      await importListed(sandbox, folder, "links", {});
      const { complete, changes, summary, diagnostics } = await planOf(sandbox, folder);
      await sandbox.close();
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      const changed = changes.flatMap(({ id, fields }) => fields.map(({ path }) => `${id} ${path}`));
      expect({ complete, changed: changed.toSorted(), unmanaged: summary.unmanaged, errors }).toEqual({
        complete: true,
        changed: left.toSorted(),
        unmanaged: 0,
        errors: [],
      });
    }),
    { numRuns: runs(15) },
  );
});

it("keeps names of pixels that look like several names, like none, or like an escape", async () => {
  const names = [
    "Meta, EU",
    "a; b",
    "c;",
    '"quoted"',
    'a "b"',
    "none",
    "'=x",
    "=x",
    "zero\u200bwidth",
    String.raw`\u{200b}`,
  ];
  const seed = {
    pixels: names.map((name) => ({ name, type: "bing", value: "1234567" })),
    links: [...names.map((_, at) => [at + 1]), names.map((_, at) => at + 1), [4, 5], [1, 2]].map((pixels, at) => {
      return { alias: `a${at}`, domain: 2, url: "https://example.com/?a=1,2", pixels };
    }),
  };
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n` });
  await importListed(sandbox, folder, "links", {});
  const { complete, changes, summary } = await planOf(sandbox, folder);
  await sandbox.close();
  expect({ complete, changes, unchanged: summary.unchanged }).toEqual({
    complete: true,
    changes: [],
    unchanged: seed.links.length,
  });
});
