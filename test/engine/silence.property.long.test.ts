// Promise 4 for random links and files: each line that a warning suggests opens only the field that it names.

import fc from "fast-check";
import { expect, it } from "vitest";
import { declaredLink, live } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { Scenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

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

/** A link in a file, with the fields that can keep visitors out. */
const silentBlock: fc.Arbitrary<Block> = declaredLink.map(
  ({ password, privacy, privacy_password, disabled, expiration }) => ({
    url: "https://example.com/",
    password,
    privacy,
    privacy_password,
    disabled,
    expiration,
  }),
);

it("each suggested line opens what it names and nothing else, and then the warning is gone", async () => {
  const folder = await temporaryFolder();
  let advised = 0;
  await fc.assert(
    fc.asyncProperty(live, silentBlock, async (row, block) => {
      const link = { ...row, space: null, pixels: [], url: "https://example.com/", domain: 2, alias: "shut" };
      const seed = { links: [link] };
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
