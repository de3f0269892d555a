// Random accounts. Fails if a plan after a pull is not empty; or if a second pull, after manual changes, edits anything but the
// lines of these changes.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { diffArrays } from "diff";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isMap, isNode, isScalar, LineCounter, parseAllDocuments } from "yaml";
import { changeSome, differingNames, liveInput, randomLive, type LiveSeed } from "../support/live-random.ts";
import { planOf, pullFrom } from "../support/pulling.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { temporaryFolder, textsOf, writeFiles } from "../support/scenario.ts";
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

/** Each line of a file with its block, as `links go/a`. Lines outside blocks have an empty name. */
function linesOf(text: string): { readonly line: string; readonly block: string }[] {
  const lines = text.split("\n").map((line) => ({ line, block: "" }));
  const lineCounter = new LineCounter();
  const documents = [parseAllDocuments(text, { uniqueKeys: false, lineCounter })].flat();
  const sections = documents.flatMap(({ contents }) => (isMap(contents) ? contents.items : []));
  for (const { key: section, value } of sections) {
    for (const { key, value: fields } of isMap(value) ? value.items : []) {
      if (!isScalar(key) || !key.range) continue;
      const [start] = key.range;
      const end = isNode(fields) && fields.range ? fields.range[1] : start + 1;
      const last = lineCounter.linePos(end - 1).line;
      for (const at of lines.slice(lineCounter.linePos(start).line - 1, last))
        at.block = `${String(section)} ${key.source ?? String(key.value)}`;
    }
  }
  // A comment right above a block is the block's.
  for (const [at, one] of [...lines.entries()].toReversed())
    if (one.block === "" && one.line.trim().startsWith("#")) one.block = lines[at + 1]?.block ?? "";
  return lines;
}

/** The changed lines that belong to none of these records. */
function strayLines(old: Map<string, string>, now: Map<string, string>, names: ReadonlySet<string>): string[] {
  // A section is added with its first block and removed with its last one.
  const isHead = (line: string): boolean => /^(links|pixels):( \{\})?$/.test(line.trim());
  return [...now].flatMap(([file, text]) => {
    const isNew = !old.has(file);
    const [was, is] = [linesOf(old.get(file) ?? ""), linesOf(text)];
    const parts = diffArrays(was, is, { comparator: (a, b) => a.line === b.line });
    const lines = parts.flatMap(({ added, removed, value }) => (added || removed ? value : []));
    return lines.flatMap(({ line, block }) => {
      const isAbout = [...names].some((name) => block.endsWith(name));
      const isFrame = line.trim() === "" || isHead(line) || (isNew && !/^(links|pixels) /.test(block));
      return isAbout || isFrame ? [] : [line];
    });
  });
}

it("leaves an empty plan, and later edits only the lines of manual changes", async () => {
  const inputs = [liveInput({ links: 2000, pixels: 40 }), fc.integer({ max: 25, min: 0 })] as const;
  await fc.assert(
    fc.asyncProperty(...inputs, fc.constantFrom(...SPLITS), async (input, count, split) => {
      const random = new Random(input.seed + 3);
      const before = randomLive(input);
      const folder = await temporaryFolder();
      await writeFiles(folder, { "linkform.yaml": 'version: 1\nservice: { base_url: "http://127.0.0.1:9" }\n' });
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
      expect(strayLines(old, now, names)).toEqual([]);
    }),
    { numRuns: runs(6) },
  );
});
