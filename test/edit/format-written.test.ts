// Files that commands write are in canonical form. Fails if `fmt` would change what `pull` or `init` has just written.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatText } from "../../src/edit/format.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { beginPulling, link } from "../support/pulling.ts";
import { init, type InitFlags } from "../../src/init/command.ts";
import { runIn, temporaryFolder, textsOf } from "../support/scenario.ts";

const RUNS = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 15);

it("pull writes canonical files for random accounts", async () => {
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 30, pixels: 5 }), async (input) => {
      const { folder, pull } = await beginPulling({}, randomLive(input));
      const { exit, err } = await pull();
      expect({ exit, err }).toMatchObject({ exit: 0 });
      for (const [file, text] of await textsOf(folder))
        if (file.startsWith("links/") || file === "pixels.yaml") expect(formatText(text, file)).toEqual({ text });
    }),
    { numRuns: RUNS },
  );
});

it("pull writes the variables of a long alias in canonical form", async () => {
  const { text, pull } = await beginPulling({}, { links: [link("a".repeat(120), { password: "x" })] });
  await pull();
  const written = (await text("links/links.yaml")) ?? "";
  expect(formatText(written, "links/links.yaml")).toEqual({ text: written });
});

it.each<InitFlags>([
  {},
  { domain: ["go.example.com=2", "promo.example.com=3"], space: ["Marketing=1"] },
  { domain: ["go.example.com=2"] },
])("init writes canonical files with %j", async (flags) => {
  const folder = await temporaryFolder();
  const common = { offline: true, yes: true, baseUrl: "https://short.example.com" };
  const { exit } = await runIn(folder, {}, async (world) => init(world, { ...common, ...flags }));
  expect(exit).toBe(0);
  const texts = [...(await textsOf(folder))].filter(([file]) => file.endsWith(".yaml"));
  expect(texts.map(([file]) => file).toSorted()).toEqual(["linkform.yaml", "links/example.yaml"]);
  for (const [file, text] of texts) expect(formatText(text, file)).toEqual({ text });
});
