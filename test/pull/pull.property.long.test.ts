// Random accounts that are pulled, pulled again after manual changes, pulled in two parts, or declared by the lines of --show-unmanaged. Fails
// if a plan is not empty, if a later pull changes other lines, if a record is missing or declared twice, if a hidden value is left out, if a
// text of the service breaks out of its line, or if `fmt` would change a file.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import { plan } from "../../src/cli/plan.ts";
import { formatText } from "../../src/edit/format.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";
import { changeSome, differingNames, liveInput, randomLive, type LiveSeed } from "../support/live-random.ts";
import { HEAD, isWithin, planOf, pullFrom } from "../support/pulling.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, textsOf, writeFiles, type Ran } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const SPLITS = [undefined, "domain", "space", "file"] as const;

/** Adds comments on their own lines and after values. */
function annotated(text: string, random: Random): string {
  return text
    .split("\n")
    .flatMap((line, at) => {
      const indent = /^ */.exec(line)?.[0] ?? "";
      const isKey = /^ +[^\s#-][^#]*:( |$)/.test(line) && !/[|>][-+]?$/.test(line);
      const above = isKey && random.chance(0.1) ? [`${indent}# above ${at}, kept`] : [];
      const isPlain = isKey && !/["'\\]/.test(line) && !line.endsWith(":") && random.chance(0.1);
      return [...above, isPlain ? `${line} # behind ${at}, kept` : line];
    })
    .join("\n");
}

/** Pulls, and expects an empty plan. */
async function pullAll(seed: LiveSeed, folder: string, split: (typeof SPLITS)[number]): Promise<void> {
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  const { exit, err } = await pullFrom(sandbox, folder, { quiet: true, ...(split && { split }) });
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const { complete, changes, summary, diagnostics } = await planOf(sandbox, folder);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect({ complete, changes, unmanaged: summary.unmanaged, errors }).toEqual({
    complete: true,
    changes: [],
    unmanaged: 0,
    errors: [],
  });
  await sandbox.close();
}

/** The lines that are not about these records. A comment above a block is part of it. Empty lines and heads of sections are left out. */
function otherLines(text: string, names: ReadonlySet<string>): string[] {
  const keys = new Map<number, string>();
  for (const root of parseYaml(text, "a.yaml").documents)
    for (const section of root.type === "map" ? root.entries : []) {
      keys.set(section.keyPlace.line, "");
      for (const { key, keyPlace } of section.value.type === "map" ? section.value.entries : [])
        keys.set(keyPlace.line, key);
    }
  const lines = text.split("\n");
  let name = "";
  return lines.filter((line, at) => {
    const isAbove = /^ {0,2}#/.test(line);
    const own = isAbove ? at + lines.slice(at).findIndex((one) => !one.trimStart().startsWith("#")) : at;
    name = keys.get(own + 1) ?? name;
    const isAbout = [...names].some((one) => name.endsWith(one));
    return line.trim() !== "" && !/^(links|pixels):/.test(line) && !isAbout;
  });
}

it("leaves an empty plan, and later edits only the lines of manual changes", async () => {
  const inputs = [liveInput({ links: 2000, pixels: 40 }), fc.integer({ max: 25, min: 0 })] as const;
  await fc.assert(
    fc.asyncProperty(...inputs, fc.constantFrom(...SPLITS), async (input, count, split) => {
      const random = new Random(input.seed + 3);
      const before = randomLive(input);
      const folder = await temporaryFolder();
      await writeFiles(folder, { "linkform.yaml": HEAD });
      await pullAll(before, folder, split);
      for (const [file, text] of await textsOf(folder))
        if (file.startsWith("links")) await writeFile(path.join(folder, file), annotated(text, random));
      const old = await textsOf(folder);

      const after = changeSome(before, random, count);
      // A pull does not treat the last links of an unlisted domain as deleted.
      const domains = after.domains.map((one) => ({
        ...one,
        shared: (one.shared ?? false) && after.links.some(({ domain }) => domain === one.id),
      }));
      await pullAll({ ...after, domains }, folder, split);
      const names = differingNames(before, after);
      const now = await textsOf(folder);
      if (names.size === 0) expect(now).toEqual(old);
      for (const [file, text] of old) expect(otherLines(now.get(file) ?? "", names)).toEqual(otherLines(text, names));
    }),
    { numRuns: runs(6) },
  );
});

const PROJECTS = [
  "",
  "timezone: Europe/Berlin\nunspecified: keep\n",
  "domains: { go: { id: 2, name: go.example.com } }\nspaces: { Team: { id: 1, name: Marketing } }\ndefaults: { link: { domain: go, space: Team } }\n",
  'defaults: { link: { domain: 3, privacy: private, disabled: true, pixels: [], expiration: { time: "18:00", clicks: 7 } } }\n',
  "defaults: { link: { targeting: { country: { DE: https://example.com/de } }, password: { env: LINKFORM_SECRET_A }, space: Nowhere } }\n",
] as const;

it("declares every record and hidden value, and keeps the lines of existing files", async () => {
  const seen = { added: 0, skipped: 0, files: 0 };
  await fc.assert(
    fc.asyncProperty(
      liveInput({ links: 120, pixels: 12 }),
      fc.constantFrom(...PROJECTS),
      fc.constantFrom(...SPLITS),
      fc.constantFrom("[a-c]*", "[a-m]*", "[!a-m]*", "*"),
      fc.boolean(),
      async (input, text, split, alias, isSpoiled) => {
        const sandbox = await startSandbox({ rateLimit: 0, seed: randomLive(input, { isSpoiled }) });
        try {
          const folder = await temporaryFolder();
          await writeFiles(folder, { "linkform.yaml": HEAD + text });
          const flags = { format: ["json"], ...(split && { split }) };
          await pullFrom(sandbox, folder, { ...flags, alias: [alias] });
          const before = await textsOf(folder);
          const { exit, out } = await pullFrom(sandbox, folder, flags);
          const { items, diagnostics } = JSON.parse(out);
          expect({ exit, errors: diagnostics.filter((one: { severity: string }) => one.severity === "error") }).toEqual(
            {
              exit: 0,
              errors: [],
            },
          );
          for (const [file, old] of before)
            expect(isWithin(old.split("\n"), (await textsOf(folder)).get(file) ?? "")).toBe(true);
          // Files that commands write are in canonical form.
          for (const [file, now] of await textsOf(folder))
            if (file !== "linkform.yaml") expect(formatText(now, file)).toEqual({ text: now });
          const skipped = items.filter(({ what }: { what: string }) => what === "skipped").length;
          const planned = await planOf(sandbox, folder);
          expect(planned).toMatchObject({ complete: true, changes: [] });
          if (!isSpoiled) expect([skipped, planned.summary.unmanaged]).toEqual([0, 0]);
          expect(planned.diagnostics.filter(({ code }) => code.startsWith("kept"))).toEqual([]);
          seen.added += items.length - skipped;
          seen.skipped += skipped;
          seen.files += (await textsOf(folder)).size - before.size;
        } finally {
          await sandbox.close();
        }
      },
    ),
    { numRuns: runs(30), endOnFailure: false },
  );
  // Make sure that the property was tested with enough cases.
  expect(Object.values(seen).every((count) => count > 5)).toBe(true);
}, 240_000);

/** The YAML sections of a plan, without the sentences below them. */
function sectionsOf(out: string): string {
  const [, sections = ""] = /^((?:pixels|links):$[^]*)/m.exec(out) ?? [];
  return sections.slice(0, sections.search(/^[A-Z\d]/m));
}

it("the lines of --show-unmanaged plan no change and leave only what no file can express", async () => {
  let [links, whole] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      liveInput({ links: 8, pixels: 5 }),
      fc.constantFrom(...PROJECTS),
      fc.boolean(),
      async (input, text, isSpoiled) => {
        const live = randomLive(input, { isSpoiled });
        const sandbox = await startSandbox({ rateLimit: 0, seed: live });
        const folder = await temporaryFolder();
        const run = (format: "text" | "json"): Promise<Ran> =>
          runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" }, (world) =>
            plan(world, { showUnmanaged: true, baseUrl: sandbox.url, format: [format] }),
          );
        await writeFiles(folder, { "linkform.yaml": HEAD + text });
        const { out, err } = await run("text");
        expect(err).not.toContain("error[");
        expect(out.match(/[^\P{Cc}\n]|\u202e/gu)).toBeNull();
        const before: PlanDocument = JSON.parse((await run("json")).out);
        const beyond = (before.unmanaged ?? []).filter(({ declare }) => declare === null);

        await writeFiles(folder, { "links/adopted.yaml": sectionsOf(out) });
        const after: PlanDocument = JSON.parse((await run("json")).out);
        await sandbox.close();
        expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect({ changes: after.changes, unmanaged: after.unmanaged }).toEqual({ changes: [], unmanaged: beyond });
        const kept = (sectionsOf(out).match(/no file can express/g) ?? []).length;
        // Without defaults, files can express everything.
        if (text === "" && !isSpoiled) expect([beyond, kept]).toEqual([[], 0]);
        whole += live.links.length - beyond.length - kept;
        links += live.links.length;
      },
    ),
    { numRuns: runs(60), endOnFailure: false },
  );
  // The property means little if most links cannot be declared.
  expect(whole).toBeGreaterThan(links / 4);
}, 240_000);
