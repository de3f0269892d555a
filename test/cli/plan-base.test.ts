// What a plan says of its base: a branch that lacks commits of it, and a base that is missing. Fails when somebody else's new
// links are deleted without a word, or when the way out that is named does not help.

import { expect, test } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { sandboxFor } from "../support/library.ts";
import { runIn } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\nprune: removed\n";
const link = (alias: string): string => `  go.example.com/${alias}: { url: https://example.com/${alias} }\n`;

test("a branch behind its base: what others declared there looks removed, and the plan says why", async () => {
  const seed = {
    links: ["ours", "theirs"].map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` })),
  };
  const sandbox = await sandboxFor({ seed });
  const repository = await startRepository();
  const fork = await repository.commit({ "linkform.yaml": `${HEAD}links:\n${link("ours")}` });
  await repository.commit({ "linkform.yaml": `${HEAD}links:\n${link("ours")}${link("theirs")}` });
  await repository.git("tag", "target");
  await repository.git("reset", "--quiet", "--hard", fork);
  const env = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey };
  const planned = async (base: string): Promise<PlanDocument> => {
    const flags = { base, baseUrl: sandbox.url, format: ["json"] };
    return JSON.parse((await runIn(repository.folder, env, (world) => plan(world, flags))).out);
  };
  const behind = await planned("target");
  expect(behind.changes.map(({ action, key, reason }) => [action, key, reason])).toEqual([
    ["delete", "go.example.com/theirs", "removed"],
  ]);
  expect(behind.diagnostics).toMatchObject([
    { code: "base-ahead", severity: "warning", hint: expect.stringContaining("$(git merge-base target HEAD)") },
  ]);
  const parted = await repository.git("merge-base", "target", "HEAD");
  const { changes, diagnostics } = await planned(parted.trim());
  expect({ changes, diagnostics }).toEqual({ changes: [], diagnostics: [] });
});
