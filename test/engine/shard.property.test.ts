// A drift check in parts, joined by `merge`, says what one drift check of the whole account says, apart from findings in the files.

import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { drift } from "../../src/cli/drift.ts";
import { merge } from "../../src/cli/merge.ts";
import { validate } from "../../src/cli/validate.ts";
import type { DiagnosticDocument, PlanDocument } from "../../src/view/document.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runs } from "../support/states.ts";

/** Enough other links for several pages, between those of the account. */
function spread(seed: SeedState, before: readonly number[]): SeedState {
  const filler = (n: number) => ({ alias: `filler-${n}`, domain: 2 as const, url: "https://example.com/" });
  let made = 0;
  const links = (seed.links ?? []).flatMap((link, at) => [
    ...Array.from({ length: before[at % before.length] ?? 0 }, () => filler(made++)),
    link,
  ]);
  return { ...seed, links: [...links, ...Array.from({ length: 30 }, () => filler(made++))] };
}

/** A part parses only what it needs of the first file. It parses all of the second one, which is written in one line. */
function filesOf(baseUrl: string, input: Account): Record<string, string> {
  const { links, ...project } = projectOf(baseUrl, input);
  const [first, second] = [0, 1].map((half) => ({
    links: Object.fromEntries(Object.entries(links).filter((_, at) => (at % 3 === 0) === (half === 1))),
  }));
  return {
    "linkform.yaml": JSON.stringify(project),
    "links/first.yaml": stringify(first),
    "links/second.yaml": JSON.stringify(second),
  };
}

/**
 * Without findings in the files. A part reads all of its links and so counts the unmanaged ones, which a check that looks up few aliases
 * does not.
 */
function comparable(report: PlanDocument, inFiles: ReadonlySet<string>, counts: boolean): object {
  const { summary, diagnostics } = report;
  return {
    ...report,
    requests: null,
    brakes: null,
    summary: { ...summary, unmanaged: counts ? summary.unmanaged : null },
    diagnostics: diagnostics
      .map((one) => JSON.stringify(one))
      .filter((one) => !inFiles.has(one))
      .toSorted(),
  };
}

async function check(folder: string, input: Account, before: readonly number[], count: number): Promise<string> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: spread(seedOf(input), before) });
  try {
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
    await writeFiles(folder, filesOf(sandbox.url, input));
    const checked = await runIn(folder, env, (world) => validate(world, { format: ["json"] }));
    const found: { diagnostics: DiagnosticDocument[] } = JSON.parse(checked.out);
    const inFiles = new Set(found.diagnostics.map((one) => JSON.stringify(one)));
    const whole = await runIn(folder, env, (world) => drift(world, { format: ["json"] }));
    const files: string[] = [];
    for (let index = 1; index <= count; index += 1) {
      const { out } = await runIn(folder, env, (world) => drift(world, { format: ["json"], shard: { index, count } }));
      const document = JSON.parse(out);
      expect(document.complete).toBe(false);
      if (document.shard === undefined) return document.diagnostics[0]?.code ?? "failed";
      await writeFiles(folder, { [`part-${index}.json`]: out });
      files.push(`part-${index}.json`);
    }
    const joined = await runIn(folder, env, (world) => merge(world, { format: ["json"] }, files));
    const report = JSON.parse(joined.out).projects?.[0]?.report;
    const expected: PlanDocument = JSON.parse(whole.out);
    const counts = expected.summary.unmanaged !== null;
    expect(comparable(report, inFiles, counts)).toEqual(comparable(expected, inFiles, counts));
    expect(joined.exit).toBe(whole.exit);
    return "joined";
  } finally {
    await sandbox.close();
  }
}

it("random accounts in one to five parts", async () => {
  const folder = await temporaryFolder();
  const endings: Record<string, number> = {};
  const before = fc.array(fc.constantFrom(0, 40, 110), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(account, before, fc.integer({ min: 1, max: 5 }), async (input, fillers, count) => {
      const ending = await check(folder, input, fillers, count);
      endings[ending] = (endings[ending] ?? 0) + 1;
    }),
    { numRuns: runs(30), endOnFailure: false },
  );
  expect(endings["joined"]).toBeGreaterThan(10);
});
