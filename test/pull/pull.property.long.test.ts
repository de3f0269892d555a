// Random accounts. Fails if a plan after a pull is not empty; or if a second pull, after manual changes, edits anything but the
// lines of these changes.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { diffArrays } from "diff";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changeSome, type HandChange } from "../support/live-changes.ts";
import { liveInput, randomLive, type LiveInput, type LiveSeed } from "../support/live-random.ts";
import { linesOf, planOf, pullFrom } from "../support/pulling.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { temporaryFolder, textsOf, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const SPLITS = [undefined, "domain", "space", "file", "alias-prefix"] as const;

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

async function inTwoAccounts(
  input: LiveInput,
  count: number,
  run: (before: LiveSeed, after: ReturnType<typeof changeSome>, folder: string, random: Random) => Promise<void>,
): Promise<void> {
  const random = new Random(input.seed + 3);
  const before = randomLive(input);
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": 'version: 1\nservice: { base_url: "http://127.0.0.1:9" }\n' });
  await run(before, changeSome(before, random, count), folder, random);
}

/** The blocks that a manual change affects: those of the records, and of links that use a renamed pixel. */
function touched(before: LiveSeed, after: LiveSeed, changes: readonly HandChange[]): ReadonlySet<string> {
  const names = [before, after].flatMap((state) =>
    changes.flatMap(({ kind, id }) => {
      const rows =
        kind === "link"
          ? state.links.map(({ id: one, alias }) => [one, alias] as const)
          : state.pixels.map(({ id: one, name }) => [one, name] as const);
      return rows.flatMap(([one, name]) => (one === id ? [name] : []));
    }),
  );
  const renamed = new Set(
    changes.flatMap(({ kind, id, how, fields }) =>
      kind === "pixel" && (how !== "changed" || fields.includes("name")) ? [id] : [],
    ),
  );
  const users = [...before.links, ...after.links].filter(({ pixels }) => pixels.some((id) => renamed.has(id)));
  return new Set([...names, ...users.map(({ alias }) => alias)]);
}

it("leaves an empty plan, and later edits only the lines of manual changes", async () => {
  await fc.assert(
    fc.asyncProperty(
      liveInput({ links: 2000, pixels: 40 }),
      fc.integer({ min: 0, max: 25 }),
      fc.constantFrom(...SPLITS),
      async (input, count, split) => {
        await inTwoAccounts(input, count, async (before, { state: after, changes }, folder, random) => {
          const flags = split === undefined ? {} : { split };
          const first = await startSandbox({ rateLimit: 0, seed: before });
          const pulled = await pullFrom(first, folder, { quiet: true, ...flags });
          expect({ exit: pulled.exit, err: pulled.err }).toEqual({ exit: 0, err: "" });
          const empty = { complete: true, changes: [], unmanaged: 0, diagnostics: [] };
          const said = ({
            complete,
            changes: left,
            summary,
            diagnostics,
          }: Awaited<ReturnType<typeof planOf>>): unknown => ({
            complete,
            changes: left,
            unmanaged: summary.unmanaged,
            diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
          });
          expect(said(await planOf(first, folder))).toEqual(empty);
          await first.close();

          for (const [file, text] of await textsOf(folder))
            if (file.startsWith("links")) await writeFile(path.join(folder, file), annotated(text, random));
          const old = await textsOf(folder);
          // A pull does not treat the last links of an unlisted domain as deleted.
          const domains = after.domains?.map((one) => ({
            ...one,
            shared: (one.shared ?? false) && (after.links ?? []).some(({ domain }) => domain === one.id),
          }));
          const second = await startSandbox({ rateLimit: 0, seed: { ...after, ...(domains && { domains }) } });
          const again = await pullFrom(second, folder, { quiet: true, ...flags });
          expect({ exit: again.exit, err: again.err }).toEqual({ exit: 0, err: "" });
          expect(said(await planOf(second, folder))).toEqual(empty);
          await second.close();

          const names = touched(before, after, changes);
          const isAbout = (block: string): boolean => [...names].some((name) => block.endsWith(name));
          // A section is added with its first block and removed with its last one.
          const isHead = (line: string): boolean => /^(links|pixels):( \{\})?$/.test(line.trim());
          const now = await textsOf(folder);
          const strangers = [...now].flatMap(([file, text]) => {
            const isNew = !old.has(file);
            const [was, is] = [linesOf(old.get(file) ?? ""), linesOf(text)];
            const parts = diffArrays(was, is, { comparator: (a, b) => a.line === b.line });
            return parts
              .filter(({ added, removed }) => added || removed)
              .flatMap(({ value }) =>
                value.filter(
                  ({ line, block }) =>
                    !isAbout(block) &&
                    line.trim() !== "" &&
                    !isHead(line) &&
                    !(isNew && !/^(links|pixels) /.test(block)),
                ),
              );
          });
          if (changes.length === 0) expect(now).toEqual(old);
          expect(strangers).toEqual([]);
        });
      },
    ),
    { numRuns: runs(6) },
  );
});
