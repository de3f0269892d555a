// Random families and random manual changes of their links. Fails if a plan after a pull is not empty, if a second pull writes anything,
// or if a line outside of `exclude` and `each` of the families changes.

import fc from "fast-check";
import { expect, it } from "vitest";
import { loadProject } from "../../src/config/load.ts";
import type { Declaration } from "../../src/domain/project.ts";
import { HEAD, isWithin, link, planOf, pullFrom } from "../support/pulling.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { temporaryFolder, textsOf, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

type Row = ReturnType<typeof link>;

const FILE = "links/a.yaml";
const SPACES = ["Marketing", "Sales"];

/** A file with one to three families, and links beside them. */
function randomFile(random: Random): string {
  const families = Array.from({ length: random.between(1, 3) }, (_, at) => randomFamily(random, at));
  const blocks = ["links:", "  # alone", "  go.example.com/alone: { url: https://example.com/alone } # stays"];
  const parts = [["families: # all of them", ...families.flat()], blocks];
  return ["# The campaign.", ...(random.chance(0.5) ? parts : parts.toReversed()).flat(), "# The end.", ""].join("\n");
}

function randomFamily(random: Random, at: number): string[] {
  const regions = ["de", "fr", "007"].slice(0, random.between(1, 3));
  const isOne = random.chance(0.3);
  const key = `f${at}-{c}${isOne ? "" : "-{r}"}`;
  const query = random.pick(["", "?m={c.medium}", "?a=1&utm_content={c}"]);
  const place = isOne ? "all" : "{r}";
  const optional = [
    'utm: { source: "{c}", medium: "{c.medium}" } # shared',
    "expiration: { clicks: 5, url: https://example.com/over }",
    'expiration: { clicks: "{c.limit}" }',
    "space: Marketing",
    "disabled: false # on",
  ].filter(() => random.chance(0.4));
  const each = [
    "- { when: { c: qr }, space: Sales } # first",
    "- when: { c: mail }\n        disabled: true # off\n        expiration: { clicks: 9 }",
    ...(isOne ? [] : ['- { when: { c: mail, r: de }, url: "https://example.com/{c}/own" }']),
    "# a comment\n      - { when: { c: qr }, utm: { source: paper } }",
  ].filter(() => random.chance(0.4));
  return [
    `  go.example.com/${key}: # family ${at}`,
    "    # values",
    "    for:",
    "      c: { mail: { medium: email, limit: 3 }, qr: { medium: print, limit: 4 }, post: { medium: social, limit: 7 } }",
    ...(isOne ? [] : [`      r: [${regions.join(", ")}] # regions`]),
    `    url: https://example.com/${place}${query} # the shop`,
    ...[...new Map(optional.map((line) => [line.split(":")[0], line])).values()].map((line) => `    ${line}`),
    ...(random.chance(0.4) ? ["    exclude: # not these", "      - { c: post }"] : []),
    ...(each.length === 0 ? [] : ["    each:", ...each.map((one) => `      ${one}`)]),
  ];
}

/** The row that an apply of a declaration would make. */
function rowOf({ name, fields }: Declaration): Row {
  const valueOf = (path: string): unknown => fields.get(path)?.value;
  const space = SPACES.indexOf(String(valueOf("space"))) + 1;
  return link(name, {
    url: String(valueOf("url")),
    expiration_clicks: Number(valueOf("expiration.clicks") ?? 0) || null,
    expiration_url: typeof valueOf("expiration.url") === "string" ? String(valueOf("expiration.url")) : null,
    disabled: valueOf("disabled") === true ? 1 : 0,
    space: space === 0 ? null : space,
  });
}

/** The row after a manual change; null for a deleted one. */
function changed(row: Row, random: Random): Row | null {
  const { url } = row;
  const changes: readonly (() => Row | null)[] = [
    () => ({ ...row, url: `https://example.com/new/${row.alias}` }),
    () => ({ ...row, url: url.replace(/utm_source=[^&]*/, "utm_source=by-hand") }),
    () => ({ ...row, url: url.replace(/[?&]utm_medium=[^&]*/, "") }),
    () => ({ ...row, url: url.split("?")[0] ?? url }),
    () => ({ ...row, disabled: row.disabled === 1 ? 0 : 1 }),
    () => ({ ...row, space: random.pick([null, 1, 2]) }),
    () => ({ ...row, expiration_clicks: random.pick([null, 1, 8]) }),
    () => ({ ...row, alias: `${row.alias}-renamed` }),
    () => ({ ...row, target_type: 4, rotation: [{ value: "https://example.com/a" }] }),
    () => ({ ...row, password: "secret" }),
    () => null,
  ];
  return random.pick(changes)();
}

/** The lines outside of `exclude` and `each`. */
function fixedLines(text: string): string[] {
  let isInside = false;
  return text.split("\n").filter((line) => {
    if (/^ {0,4}\S/.test(line)) isInside = /^ {4}(exclude|each):/.test(line);
    return !isInside;
  });
}

it("a pull of changed links makes the plan empty, and keeps everything else", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(seed);
      const text = randomFile(random);
      const folder = await temporaryFolder();
      await writeFiles(folder, { "linkform.yaml": HEAD, [FILE]: text });
      const { declarations, diagnostics } = await loadProject(`${folder}/linkform.yaml`);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const rows = declarations.map(rowOf);
      const links = rows.flatMap((row) =>
        row.alias !== "alone" && random.chance(0.3) ? (changed(row, random) ?? []) : row,
      );
      const spaces = SPACES.map((name, at) => ({ id: at + 1, name }));
      const sandbox = await startSandbox({ rateLimit: 0, seed: { links, spaces } });
      try {
        const { exit, err } = await pullFrom(sandbox, folder, { quiet: true });
        expect({ text, exit, err }).toEqual({ text, exit: 0, err: "" });
        const after = (await textsOf(folder)).get(FILE) ?? "";
        expect((await planOf(sandbox, folder)).changes, `${text}\n=>\n${after}`).toEqual([]);
        expect(isWithin(fixedLines(text), after), `${text}\n=>\n${after}`).toBe(true);
        await pullFrom(sandbox, folder, { quiet: true });
        expect((await textsOf(folder)).get(FILE)).toBe(after);
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(8), endOnFailure: true },
  );
});
