// What GitLab shows in a merge request beyond the fixtures of test/reports.test.ts: findings as Code Quality, a plan as terraform's counts.
// Fails when GitLab would not read a report, when it would show old findings as new because a line moved, or when a plan that could not be
// made has counts.

import { expect, test } from "vitest";
import { validate } from "../../../src/cli/validate.ts";
import { gitlab } from "../../../src/report/gitlab/index.ts";
import { runIn, temporaryFolder, writeFiles } from "../../support/scenario.ts";
import { planOf } from "../plans.ts";
import { failureReport } from "../../../src/report/failure.ts";
import { CONTEXT, planReport } from "../reports.ts";

interface Finding {
  readonly fingerprint: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";

/** The report of a project in the folder `marketing` of a repository. */
async function reported(links: string, head = HEAD): Promise<readonly Finding[]> {
  const root = await temporaryFolder();
  await writeFiles(root, { ".git/HEAD": "", "marketing/linkform.yaml": head, "marketing/links/a.yaml": links });
  const { out } = await runIn(`${root}/marketing`, {}, (world) => validate(world, { format: ["gitlab"] }));
  const findings: readonly Finding[] = JSON.parse(out);
  expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
  return findings;
}

const prints = (findings: readonly Finding[]): string[] => findings.map(({ fingerprint }) => fingerprint).toSorted();

const POSTER = (name: string): string =>
  `  go.example.com/${name}: { url: "https://example.com/?utm_source=poster" }\n`;

test("findings without a line are at the first line of the project file", async () => {
  const findings = await reported("links: {}\n", `${HEAD}files: ["nowhere/*.yaml"]\n`);
  expect(findings.length).toBeGreaterThan(0);
  for (const { location } of findings) expect(location.path).toBe("marketing/linkform.yaml");
});

test("findings keep their fingerprints when other lines come", async () => {
  const links = `links:\n${POSTER("a")}${POSTER("b")}  GO.example.com/A: { url: https://example.com/ }\n`;
  const before = await reported(links);
  expect(before.length).toBeGreaterThan(2);
  const after = await reported(`# A word on these links.\n\n${links}`);
  expect(prints(after)).toEqual(prints(before));
  expect(after.map(({ location }) => location.lines.begin)).not.toEqual(
    before.map(({ location }) => location.lines.begin),
  );
});

test("each of several findings that are alike has another fingerprint, which goes when it is fixed", async () => {
  const twins = (...names: readonly string[]): string => `links:\n${names.map(POSTER).join("")}`;
  const all = prints(await reported(twins("one", "two", "three", "four")));
  const left = prints(await reported(twins("one", "three", "four")));
  expect(all).toEqual(expect.arrayContaining(left));
  expect(all.length - left.length).toBe(all.length / 4);
});

test("a plan that could not be made has no counts, which GitLab shows as a report that failed", () => {
  const plan = planOf([], { complete: false });
  expect(gitlab(planReport(plan), CONTEXT)).toBe("{}\n");
  expect(gitlab(failureReport({ command: "plan", diagnostics: [], baseUrl: null }), CONTEXT)).toBe("{}\n");
});
