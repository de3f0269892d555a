// Promise 4 for random links and files: each line that a warning suggests opens only the field that it names.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { holds, startSandbox } from "../support/sandbox.ts";
import { Scenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { optional, runs, secret } from "../support/states.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

type Block = Record<string, object | string | boolean | undefined>;

/** A block with a line of a hint added to it, as a person would. */
function withLine(block: Block, line: string): Block {
  const [, key = "", rest = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
  const members = /^\{ (.*) \}$/.exec(rest)?.[1];
  if (members === undefined) return { ...block, [key]: rest === "false" ? false : rest };
  const added = Object.fromEntries(members.split(", ").map((member) => member.split(": ")));
  return { ...block, [key]: { ...(typeof block[key] === "object" ? block[key] : {}), ...added } };
}

const linesOf = ({ diagnostics }: PlanDocument): string[] =>
  diagnostics
    .filter(({ code }) => code === "kept")
    .flatMap(({ hint }) => [...(hint ?? "").matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line));

const pathsOf = ({ changes }: PlanDocument): Set<string> =>
  new Set(changes.flatMap(({ fields }) => fields.map(({ path }) => path)));

/** Whether a line names the field at this path. */
function isNamed(line: string, path: string): boolean {
  const [group = "", member] = path.split(".");
  if (!line.startsWith(`${group}: `)) return false;
  if (member === undefined || !line.includes("{")) return true;
  return line.includes(`${member === "time" ? "date" : member}: `);
}

const silentBlock: fc.Arbitrary<Block> = fc.record({
  url: fc.constant("https://example.com/"),
  password: optional(secret),
  privacy: optional(fc.constantFrom("public", "private", "password")),
  privacy_password: optional(secret),
  disabled: holds("disabled links") ? optional(fc.boolean()) : fc.constant(undefined),
  expiration: optional(
    fc.record(
      {
        date: fc.constantFrom("2026-01-01", "2027-01-01", "none"),
        clicks: fc.constantFrom(3, 8, "none"),
        url: fc.constantFrom("https://example.com/over", null),
      },
      { requiredKeys: [] },
    ),
  ),
});

const closedLink: fc.Arbitrary<Partial<SeedLink>> = fc.record({
  password: fc.constantFrom(null, "old"),
  privacy: fc.constantFrom(0, 1, 2),
  privacy_password: fc.constantFrom(null, "old"),
  disabled: fc.constantFrom(0, 1),
  ends_at: fc.constantFrom(null, "2026-01-01T23:59:00.000Z", "2027-06-01T00:00:00.000Z"),
  expiration_clicks: fc.constantFrom(null, 5, 10),
  expiration_url: fc.constantFrom(null, "https://example.com/then"),
  clicks: fc.constantFrom(0, 5, 12),
});

it("each suggested line opens what it names and nothing else, and then the warning is gone", async () => {
  const folder = await temporaryFolder();
  let advised = 0;
  await fc.assert(
    fc.asyncProperty(closedLink, silentBlock, async (row, block) => {
      const seed = { links: [{ ...row, url: "https://example.com/", domain: 2, alias: "shut" }] };
      const sandbox = await startSandbox({ rateLimit: 0, seed });
      try {
        const scenario = new Scenario(sandbox, folder);
        const planned = async (said: Block): Promise<PlanDocument> => {
          const project = {
            version: 1,
            service: { base_url: sandbox.url },
            brake: { deletes: "100%", updates: "100%" },
            links: { "go.example.com/shut": said },
          };
          await writeFiles(folder, { "linkform.yaml": JSON.stringify(project) });
          const document = await scenario.planDocument();
          expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          return document;
        };
        const before = await planned(block);
        const lines = linesOf(before);
        for (const line of lines) {
          const after = await planned(withLine(block, line));
          expect(linesOf(after)).toEqual(lines.filter((other) => other !== line));
          const [then, now] = [pathsOf(before), pathsOf(after)];
          for (const path of now) expect([path, then.has(path) || isNamed(line, path)]).toEqual([path, true]);
          expect([...now].some((path) => isNamed(line, path))).toBe(true);
          advised += 1;
        }
        const all = await planned(lines.reduce(withLine, block));
        expect(linesOf(all)).toEqual([]);
        expect(await scenario.apply()).toMatchObject({ exit: 0 });
        expect((await scenario.planDocument()).changes).toEqual([]);
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(100) },
  );
  expect(advised).toBeGreaterThan(20);
}, 240_000);
