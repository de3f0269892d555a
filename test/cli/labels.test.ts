// Labels of pull and merge requests: those that `linkform comment --labels` sets, and those that raise the limits of a deploy.
import { describe, expect, it, onTestFinished } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { forgeFor, MARKER, report, say } from "../support/commenting.ts";
import type { ForgeOptions, Forge } from "../support/forge.ts";
import { startRepository, type Repository } from "../support/repository.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, type Ran } from "../support/scenario.ts";

const FORGES = [
  { forge: "github", sign: "#", flags: { github: true } },
  { forge: "gitlab", sign: "!", flags: { gitlab: true } },
] as const;
type ForgeName = (typeof FORGES)[number]["forge"];

const BREAKS = "linkform: breaks URLs";
const NOTHING = "linkform: no changes";

/** A plan of a project that breaks short URLs, changes something, or changes nothing. */
const planOf = (status: string, project = "a"): string =>
  report(status, `<!-- linkform plan ${project} -->\n<!-- linkform status: ${status} -->`);

describe.each(FORGES)("labels of a request on $forge", ({ forge, flags }) => {
  const labeled = async (options: ForgeOptions, body: string): Promise<{ labels: readonly string[]; err: string }> => {
    const there = await forgeFor({ requests: [{ number: 1, labels: ["mine"] }], ...options });
    const { exit, err } = await say(body, there.env[forge], { ...flags, labels: true });
    expect(exit).toBe(0);
    return { labels: there.labelsOf(1), err };
  };

  it("follow the plan of a single project", async () => {
    const there = await forgeFor({ requests: [{ number: 1, labels: ["mine"] }] });
    const found: (readonly string[])[] = [];
    for (const status of ["breaks", "changes", "none", "breaks"]) {
      await say(planOf(status), there.env[forge], { ...flags, labels: true });
      found.push(there.labelsOf(1));
    }
    expect(found).toEqual([["mine", BREAKS], ["mine"], ["mine", NOTHING], ["mine", BREAKS]]);
  });

  it("are about all projects of the request, by linkform's own comments only", async () => {
    const comments = [
      { body: planOf("breaks", "b") },
      { body: planOf("breaks", "c"), author: "mallory" },
      { body: report("drift", "<!-- linkform drift d -->\n<!-- linkform status: breaks -->") },
    ];
    expect((await labeled({ comments }, planOf("none"))).labels).toEqual(["mine", BREAKS]);
    expect((await labeled({ comments: comments.slice(1) }, planOf("none"))).labels).toEqual(["mine", NOTHING]);
    expect((await labeled({ comments: [{ body: planOf("changes", "b") }] }, planOf("none"))).labels).toEqual(["mine"]);
  });

  it("that the token may not set are a line in the log", async () => {
    const answer: ForgeOptions["answer"] = ({ method, path }) =>
      method !== "GET" && /labels$|merge_requests\/1$/.test(path)
        ? { status: 403, json: { message: "Forbidden" } }
        : null;
    const { labels, err } = await labeled({ answer }, planOf("breaks"));
    expect(labels).toEqual(["mine"]);
    expect(err).toContain("The labels were not set. ");
  });

  it("cannot be set for an issue", async () => {
    const there = await forgeFor();
    const { problem } = await say(planOf("none"), there.env[forge], { ...flags, labels: true, issue: true });
    expect(problem).toMatchObject({ code: "labels-of-issue" });
  });
});

/** Twelve links, all of which the files change, so that the brake stops the deploy. */
const COUNT = 12;
const aliases = Array.from({ length: COUNT }, (_, at) => `link-${at}`);

interface Deploy {
  readonly repository: Repository;
  /** The commits since the tag `applied`, the oldest first. */
  readonly commits: readonly string[];
  readonly run: (there: Forge, forge: ForgeName, more?: Readonly<Record<string, string>>) => Promise<Ran>;
}

/** A repository with two merged commits since the last deploy, of which the second changes every link. */
async function startDeploy(): Promise<Deploy> {
  const seed = { links: aliases.map((alias) => ({ alias, domain: 2, url: `https://x.example/${alias}` })) };
  const sandbox = await startSandbox({ rateLimit: 0, seed });
  onTestFinished(() => sandbox.close());
  const project = (path: string): string =>
    `version: 1\nservice: { base_url: "${sandbox.url}" }\nlinks:\n${aliases
      .map((alias) => `  go.example.com/${alias}: { url: "https://x.example/${path}${alias}" }\n`)
      .join("")}`;
  const repository = await startRepository();
  await repository.commit({ "linkform.yaml": project("") });
  await repository.git("tag", "applied");
  const commits = [
    await repository.commit({ "linkform.yaml": `${project("")}# reviewed\n` }),
    await repository.commit({ "linkform.yaml": project("new/") }),
  ];
  const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_BASE_URL: sandbox.url };
  return {
    repository,
    commits,
    run: async (there, forge, more = {}) => {
      const sha = commits.at(-1) ?? "";
      const branch = { GITHUB_REF_NAME: "main", GITHUB_SHA: sha, CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: sha };
      const flags = { yes: true, base: "applied", allowLabels: forge, receipt: false } as const;
      return runIn(repository.folder, { ...env, ...there.env[forge], ...branch, ...more }, (world) =>
        apply(world, { ...flags, format: ["text"] }),
      );
    },
  };
}

const label = (count: number, what = "updates"): string => `linkform: allow ${count} ${what}`;

describe.each(FORGES)("a deploy that the brake stops, on $forge", ({ forge, sign }) => {
  const merged = (number: number, commits: readonly string[], by: Readonly<Record<string, string>>): object => ({
    number,
    mergedInto: "main",
    commits,
    labels: Object.keys(by),
    labeled: Object.entries(by).map(([name, person]) => ({ label: name, by: person })),
  });
  const deploy = async (
    requests: (commits: readonly string[]) => readonly object[],
    options: ForgeOptions = {},
  ): Promise<Ran> => {
    const started = await startDeploy();
    const there = await forgeFor({
      requests: requests(started.commits).map((one) => ({ number: 0, ...one })),
      people: { ada: "write", grace: "maintain", tim: "triage" },
      ...options,
    });
    return started.run(there, forge);
  };

  it("runs if a person with write access allowed it, and the report says who", async () => {
    const { exit, out, err } = await deploy(([first = "", second = ""]) => [
      merged(5, [first], {}),
      merged(6, [second], { [label(12)]: "ada" }),
    ]);
    expect({ exit, err }).toMatchObject({ exit: 0 });
    expect(`${out}${err}`).toContain(`Up to 12 updates allowed by \`@ada\` with a label on \`${sign}6\`.`);
  });

  it("adds up the allowances of several requests, but not of one", async () => {
    const both = await deploy(([first = "", second = ""]) => [
      merged(5, [first], { [label(4)]: "ada", [label(5)]: "grace" }),
      merged(6, [second], { [label(7)]: "grace" }),
    ]);
    expect(both.exit).toBe(0);
    const one = await deploy(([, second = ""]) => [merged(6, [second], { [label(5)]: "ada", [label(7)]: "grace" })]);
    expect(one.exit).toBe(3);
  });

  it.each<[string, (commits: readonly string[]) => object]>([
    ["a person without write access", ([, second = ""]) => merged(6, [second], { [label(12)]: "tim" })],
    ["a stranger", ([, second = ""]) => merged(6, [second], { [label(12)]: "../admin" })],
    ["too few", ([, second = ""]) => merged(6, [second], { [label(11)]: "ada" })],
    ["another kind", ([, second = ""]) => merged(6, [second], { [label(12, "deletes")]: "ada" })],
    [
      "another text",
      ([, second = ""]) =>
        merged(6, [second], { "Linkform: allow 12 updates": "ada", "linkform: allow 12 updates ": "ada" }),
    ],
    [
      "a request into another branch",
      ([, second = ""]) => ({ ...merged(6, [second], { [label(12)]: "ada" }), mergedInto: "next" }),
    ],
    [
      "a request that is not merged",
      ([, second = ""]) => ({ ...merged(6, [second], { [label(12)]: "ada" }), mergedInto: null }),
    ],
  ])("stays stopped: %s", async (_, request) => {
    const { exit, out } = await deploy((commits) => [request(commits)]);
    expect(exit).toBe(3);
    expect(out).toContain("Too many updates: 12 links.");
  });

  it("reports a label that has no effect", async () => {
    const { err } = await deploy(([, second = ""]) => [merged(6, [second], { [label(12)]: "tim" })]);
    expect(err).toContain(`The label \`${label(12)}\` on \`${sign}6\` has no effect: \`@tim\` may not push.`);
  });

  it("stays stopped if the forge cannot be asked, and says why", async () => {
    const answer: ForgeOptions["answer"] = () => ({ status: 403, json: { message: "Forbidden" } });
    const { exit, out, err } = await deploy(() => [], { answer });
    expect(exit).toBe(3);
    expect(out).toContain("Too many updates: 12 links.");
    expect(err).toMatch(/^warning\[labels-unreadable\] The labels of the merged pull requests could not be read\. /);
  });
});

describe.each(FORGES)("after the apply on $forge", ({ forge, flags }) => {
  const applied = report("Done", MARKER.replace("plan", "apply"));
  const COMMIT = "a".repeat(40);
  const branch = { GITHUB_REF_NAME: "main", GITHUB_SHA: COMMIT, CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: COMMIT };

  it("the comment of the plan becomes the comment of the apply, and stays one", async () => {
    const there = await forgeFor({
      comments: [{ body: report("Plan") }, { body: report("Other", "<!-- linkform plan other -->") }],
      requests: [{ number: 1, mergedInto: "main", commits: [COMMIT] }],
    });
    for (let run = 0; run < 2; run += 1)
      expect(await say(applied, { ...there.env[forge], ...branch }, { ...flags, merged: true })).toMatchObject({
        exit: 0,
      });
    expect(there.comments.map(({ body }) => body)).toEqual([applied, report("Other", "<!-- linkform plan other -->")]);
  });

  it("a commit without a merged request gets no comment", async () => {
    const there = await forgeFor({ requests: [{ number: 1, commits: [COMMIT] }] });
    const { exit, err } = await say(applied, { ...there.env[forge], ...branch }, { ...flags, merged: true });
    expect({ exit, err }).toEqual({
      exit: 0,
      err: "No pull request with this commit was merged, so there is no comment.\n",
    });
    expect(there.writes()).toEqual([]);
  });
});
