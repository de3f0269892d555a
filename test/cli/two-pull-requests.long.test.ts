// Two pull requests at once, with a real repository and the built program: A and B are planned side by side, A is merged and
// applied, and then B's plan, made before, is applied. Fails if that takes anything of A back, makes what B's reviewer has
// not seen, or does not say what it left.

import { describe, expect, it } from "vitest";
import type { Sandbox, State } from "../../src/sandbox/index.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import { linkform } from "../support/program.ts";
import { startRepository, type Repository } from "../support/repository.ts";
import { endings } from "../support/saved.ts";
import { sandboxFor } from "../support/library.ts";
import { writeFiles, type Ran } from "../support/scenario.ts";

const link = (alias: string, more: object = {}): { alias: string; url: string; domain: number } => ({
  alias,
  url: `https://example.com/${alias}`,
  domain: 2,
  ...more,
});

/** As the files of `main` say, and one link that is nobody's. */
const LIVE = [
  link("both", { clicks: 1 }),
  link("fair", { clicks: 2 }),
  link("flyer", { clicks: 3 }),
  link("old", { clicks: 4 }),
  link("poster", { clicks: 5 }),
  link("spring", { clicks: 6 }),
  link("theirs", { clicks: 7 }),
];

const block = (alias: string, more = ""): string => `  ${alias}:\n    url: https://example.com/${alias}\n${more}`;
const file = (...blocks: readonly string[]): string => `links:\n${blocks.join("")}`;

/** A link on which A changes the first line, and B the last. */
const both = (url: string, space: string): string =>
  `  both:\n    url: https://example.com/${url}\n    disabled: false\n    password: none\n    privacy: public\n    space: ${space}\n`;

const MAIN = {
  "links/autumn.yaml": file(block("spring")),
  "links/both.yaml": file(both("both", "null")),
  "links/events.yaml": file(block("fair"), block("old"), block("poster")),
  "links/print.yaml": file(block("flyer")),
};

/** A changes a link, creates one, renames one. */
const A = {
  "links/autumn.yaml": file("  autumn:\n    url: https://example.com/spring\n    renamed_from: spring\n"),
  "links/both.yaml": file(both("both-a", "null")),
  "links/print.yaml": file("  flyer:\n    url: https://example.com/flyer-a\n", block("leaflet")),
};

/** B does, too, and removes one. */
const B = {
  "links/both.yaml": file(both("both", "Marketing")),
  "links/events.yaml": file(
    "  expo:\n    url: https://example.com/fair\n    renamed_from: fair\n",
    "  poster:\n    url: https://example.com/poster-b\n",
    block("winter"),
  ),
};

interface Story {
  readonly sandbox: Sandbox;
  readonly repository: Repository;
  readonly linkform: (...args: readonly string[]) => Promise<Ran>;
}

/** C does away with what A gives another name. */
const C = { "links/autumn.yaml": "links: {}\n" };

/** Until A is merged and applied, and the other plans lie there. */
async function tell(): Promise<Story> {
  const seed = { links: LIVE, spaces: [{ id: 1, name: "Marketing" }] };
  const sandbox = await sandboxFor({ seed });
  const repository = await startRepository();
  const { folder } = repository;
  const run = (...args: readonly string[]): Promise<Ran> =>
    linkform(folder, args, { LINKFORM_API_KEY: sandbox.apiKey });
  const project = `version: 1
service: { base_url: "${sandbox.url}" }
domains: { go.example.com: 2 }
spaces: { Marketing: 1 }
defaults: { link: { domain: go.example.com } }
prune: removed
`;
  await repository.commit({ "linkform.yaml": project, ...MAIN, ".gitignore": "plan-*.json\n" });
  for (const [branch, files] of Object.entries({ a: A, b: B, c: C })) {
    await repository.git("checkout", "--quiet", "-b", branch, "main");
    await writeFiles(folder, files);
    await repository.commitAll();
    const { exit, err } = await run("plan", "--base", "main", "--out", `plan-${branch}.json`, "--allow-deletes", "9");
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
  }
  await repository.git("checkout", "--quiet", "main");
  await repository.git("merge", "--quiet", "--no-edit", "--no-ff", "a");
  const { exit, err } = await run("apply", "plan-a.json");
  expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
  return { sandbox, repository, linkform: run };
}

/** Applies a plan that was made before A was applied, from what is checked out. */
async function applyPlan(
  { linkform: run }: Story,
  plan: string,
): Promise<{ readonly exit: number; readonly err: string; readonly document: ApplyDocument }> {
  const { exit, out, err } = await run("apply", plan, "--format", "json");
  return { exit, err, document: JSON.parse(out) };
}

/** `spring → spring #6, 6 clicks`: alias, destination, id and clicks. */
function rows({ links }: State): string[] {
  const show = ({ alias, url, id, clicks, space }: State["links"][number]): string =>
    `${alias} → ${url.slice("https://example.com/".length)} #${id}, ${clicks} clicks${space === null ? "" : ", in a space"}`;
  return links.map(show).toSorted();
}

/** What A has made, and what is nobody's. */
const OF_A = ["autumn → spring #6, 6 clicks", "flyer → flyer-a #3, 3 clicks", "leaflet → leaflet #8, 0 clicks"];
const THEIRS = "theirs → theirs #7, 7 clicks";

describe("a plan that was made before A was applied", () => {
  it("from B's own checkout, which does not have A: makes only B's changes, and A's changes stay", async () => {
    const story = await tell();
    await story.repository.git("checkout", "--quiet", "b");
    const { exit, document, err } = await applyPlan(story, "plan-b.json");
    expect(endings(document)).toEqual([
      "update go.example.com/expo: applied",
      "delete go.example.com/old: applied",
      "update go.example.com/poster: applied",
      "update go.example.com/both: moved `url` would also change (https://example.com/both-a → https://example.com/both).",
      "create go.example.com/winter: applied",
    ]);
    expect(document.not_reviewed).toMatchObject([
      {
        action: "update",
        key: "go.example.com/flyer",
        fields: [{ path: "url", before: "https://example.com/flyer-a", after: "https://example.com/flyer" }],
      },
      { action: "create", key: "go.example.com/spring" },
    ]);
    expect(err).toContain(
      "Not reviewed, left for the next plan:\n    update link go.example.com/flyer\n    create link go.example.com/spring\n",
    );
    expect([exit, document.result]).toEqual([4, { applied: 4, failed: 0, skipped: 1, complete: false }]);
    expect(rows(story.sandbox.state())).toEqual(
      [
        ...OF_A,
        "both → both-a #1, 1 clicks",
        "expo → fair #2, 2 clicks",
        "poster → poster-b #5, 5 clicks",
        "winter → winter #9, 0 clicks",
        THEIRS,
      ].toSorted(),
    );
  });

  it("from the merge of A and B, and of more that nobody has planned: makes all of B, and leaves the rest", async () => {
    const story = await tell();
    await story.repository.git("merge", "--quiet", "--no-edit", "--no-ff", "b");
    await writeFiles(story.repository.folder, { "links/late.yaml": file(block("late")) });
    await story.repository.commitAll();
    const { exit, document, err } = await applyPlan(story, "plan-b.json");
    expect(document.changes.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => "applied"));
    expect(document.not_reviewed).toMatchObject([{ action: "create", key: "go.example.com/late" }]);
    expect(err).toContain("Not reviewed, left for the next plan:\n    create link go.example.com/late\n");
    expect([exit, document.result]).toEqual([0, { applied: 5, failed: 0, skipped: 0, complete: false }]);
    expect(rows(story.sandbox.state())).toEqual(
      [
        ...OF_A,
        "both → both-a #1, 1 clicks, in a space",
        "expo → fair #2, 2 clicks",
        "poster → poster-b #5, 5 clicks",
        "winter → winter #9, 0 clicks",
        THEIRS,
      ].toSorted(),
    );
    const left = await story.linkform("plan", "--format", "json");
    const { changes }: PlanDocument = JSON.parse(left.out);
    expect(changes).toMatchObject([{ action: "create", key: "go.example.com/late" }]);
  });

  it("that deletes what A has given another name deletes nothing: it has moved", async () => {
    const story = await tell();
    const before = rows(story.sandbox.state());
    await story.repository.git("checkout", "--quiet", "c");
    const { exit, document } = await applyPlan(story, "plan-c.json");
    expect(endings(document)).toEqual(["delete go.example.com/spring: moved Its deletion is no longer planned."]);
    expect([exit, document.result]).toEqual([3, { applied: 0, failed: 0, skipped: 1, complete: false }]);
    expect(rows(story.sandbox.state())).toEqual(before);
  });
});
