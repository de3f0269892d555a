// A pull request against its base. Fails if errors of the base block the pull request that repairs it, if protection of the base is lost, if
// a plan that may lack deletes can be applied, if a weaker setting, policy or waiver is not reported before everything else, or if a link
// that a wider scope takes in looks like somebody else's change.

import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { commandIn } from "../support/command.ts";
import { GIT_ENV, startEdited, startRepository, type Repository } from "../support/repository.ts";
import { sandboxFor, writesTo } from "../support/sandbox.ts";
import { runIn, type Ran } from "../support/scenario.ts";
import type { DiagnosticDocument, PlanDocument } from "../../src/report/json/schema.ts";

type Files = Readonly<Record<string, string>>;

const head = (address = "https://short.example.com"): string => `version: 1\nservice: { base_url: ${address} }\n`;
const HEAD = head();
/** A link in a block of links. */
const link = (alias: string, more = ""): string =>
  `  go.example.com/${alias}: { url: https://example.com/${alias.toLowerCase()}${more} }\n`;
/** A file with one link. */
const file = (alias: string, more = ""): string => `links:\n${link(alias, more)}`;

interface Changed {
  readonly repository: Repository;
  /** Runs a command against the base. An apply must write nothing. */
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** Plans in a folder of the repository. */
  readonly planned: (flags?: PlanFlags, folder?: string) => Promise<PlanDocument>;
}

/** A repository with these files at its base, the tag `base`, and others now. Some links are live. */
async function changed(base: Files, now: Files): Promise<Changed> {
  const aliases = ["sale", "gone", "qr-1", "a", "b", "theirs"];
  const links = aliases.map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` }));
  const sandbox = await sandboxFor({ seed: { links } });
  const repository = await startEdited(base, now);
  const env = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey };
  const run = async (command = "", ...args: readonly string[]): Promise<Ran> => {
    const address = command === "validate" ? [] : ["--base-url", sandbox.url];
    const against = args.some((arg) => arg.endsWith(".json")) && command === "apply" ? [] : ["--base", "base"];
    const ran = await commandIn(repository.folder, [command, ...address, ...against, ...args], env);
    expect(writesTo(sandbox)).toEqual([]);
    return ran;
  };
  const planned: Changed["planned"] = async (flags, folder = "") => {
    const all = { base: "base", baseUrl: sandbox.url, format: ["json"], ...flags };
    return JSON.parse((await runIn(path.join(repository.folder, folder), env, (world) => plan(world, all))).out);
  };
  return { repository, run, planned };
}

const changesOf = ({ changes }: PlanDocument): string[] => changes.map(({ action, key }) => `${action} ${key}`);
const safetyOf = (diagnostics: readonly DiagnosticDocument[]): string[] =>
  diagnostics.flatMap(({ code, message }) => (code === "safety-changed" ? [message] : []));

/** The exit code, the diagnostics that are not notes, and the keys of the changes, of which a report of `validate` has none. */
function outline({ exit, out }: Ran): unknown {
  const { diagnostics, changes }: PlanDocument = { changes: [], ...JSON.parse(out) };
  const codes = diagnostics.flatMap(({ severity, code }) => (severity === "info" ? [] : [`${severity} ${code}`]));
  return [exit, codes, changes.map(({ action, key }) => `${action} ${key}`)];
}

describe("a base with errors", () => {
  const PROJECT = `${HEAD}domains: { go.example.com: 2 }\nprune: removed\nbrake: { deletes: 100% }\n`;
  const KEPT = { "linkform.yaml": PROJECT, "links/a.yaml": file("sale") };
  const INVALID = "warning base-invalid";
  const PARTIAL = "warning base-partial";
  const GONE = ["delete go.example.com/gone"];
  const REFUSED = [1, ["error base-invalid"], []];

  /** What is wrong at the base, and what its repair plans. */
  test.each<[string, { base: Files; now?: Files; codes: string[]; changes?: string[] }]>([
    ["two merges that declare one key", { base: { ...KEPT, "links/b.yaml": file("Sale") }, codes: [INVALID] }],
    [
      "the same, and the repair removes both",
      {
        base: { ...KEPT, "links/b.yaml": file("Sale") },
        now: { ...KEPT, "links/a.yaml": file("new") },
        codes: [INVALID],
        changes: ["delete go.example.com/sale", "create go.example.com/new"],
      },
    ],
    [
      "an unknown key in a block",
      { base: { ...KEPT, "links/b.yaml": file("gone", ", ulr: x") }, codes: [INVALID], changes: GONE },
    ],
    [
      "a link of the project file",
      { base: { ...KEPT, "linkform.yaml": PROJECT + file("gone", ", pixels: 7") }, codes: [INVALID], changes: GONE },
    ],
    [
      "a glob that matches no file",
      { base: { ...KEPT, "linkform.yaml": `${PROJECT}files: [links/*.yaml, more/*.yaml]\n` }, codes: [INVALID] },
    ],
    [
      "a file that does not parse",
      {
        base: { ...KEPT, "links/b.yaml": `${file("gone")}<<<<<<< HEAD\n`, "links/c.yaml": file("gone") },
        codes: [INVALID, PARTIAL],
        changes: GONE,
      },
    ],
    [
      "a block whose key cannot be read",
      {
        base: { ...KEPT, "links/b.yaml": "links: { gone: { url: https://example.com/ } }\n" },
        codes: [INVALID, PARTIAL],
      },
    ],
  ])("does not block the pull request that repairs %s", async (_, { base, now = KEPT, codes, changes = [] }) => {
    const { repository, run } = await changed(base, now);
    expect(outline(await run("plan", "--format", "json", "--out", "plan.json"))).toEqual([0, codes, changes]);
    expect(outline(await run("validate", "--format", "json"))).toEqual([0, codes, []]);
    // A deploy must not take this commit for one that was applied.
    const isSaved = !codes.includes(PARTIAL);
    expect(existsSync(path.join(repository.folder, "plan.json"))).toBe(isSaved);
    if (isSaved) expect(outline(await run("apply", "plan.json", "--format", "json"))).toEqual(REFUSED);
  });

  test.each([
    ["all blocks", file("Sale")],
    ["only some blocks", "links: ["],
  ])("is an error for apply and drift if it has %s", async (_, text) => {
    const { run } = await changed({ ...KEPT, "links/b.yaml": text }, KEPT);
    for (const args of [["apply", "--yes"], ["drift"]])
      expect([args, outline(await run(...args, "--format", "json"))]).toEqual([args, REFUSED]);
  });

  const OTHER = "links/b.yaml";
  const WRONG = file("x", ", ulr: x");
  test.each<[string, Files]>([
    ["of a glob", { ...KEPT, "linkform.yaml": `${PROJECT}protect: ["*/sale"]\n`, [OTHER]: WRONG }],
    ["of a block with another error", { ...KEPT, "links/a.yaml": file("sale", ", protect: true, ulr: x") }],
    [
      "of one of two blocks with the same key",
      { ...KEPT, "links/a.yaml": file("sale", ", protect: true"), [OTHER]: file("Sale") },
    ],
    ["of a block, with a value that is not valid", { ...KEPT, "links/a.yaml": file("sale", ", protect: yes please") }],
    [
      "of another project of the service",
      { ...KEPT, "team/linkform.yaml": HEAD + file("sale", ", protect: true, ulr: x") },
    ],
  ])("still protects: protection %s", async (_, base) => {
    const { run } = await changed(base, { "linkform.yaml": `${PROJECT}absent: { links: [go.example.com/sale] }\n` });
    expect(outline(await run("plan", "--format", "json"))).toEqual([
      1,
      expect.arrayContaining(["error protected"]),
      [],
    ]);
  });

  test.each([
    ["an unknown setting", `${PROJECT}protct: ["*/sale"]\n`],
    ["a syntax error", `${PROJECT}protect: [\n`],
    ["a second document", `${PROJECT}---\nprotect: ["*/sale"]\n`],
  ])("is an error if its settings cannot be read: %s", async (_, text) => {
    const { run } = await changed({ ...KEPT, "linkform.yaml": text }, KEPT);
    for (const command of ["plan", "validate"])
      expect(outline(await run(command, "--format", "json"))).toEqual(REFUSED);
  });

  test("and a project with errors that the commit does not touch is not among the changed ones", async () => {
    const broken = { ...KEPT, "links/b.yaml": file("Sale") };
    const { folder } = await startEdited(broken, { ...broken, "README.md": "" });
    const ran = await commandIn(folder, ["projects", "--changed", "--base", "base"], GIT_ENV);
    expect([ran.exit, ran.out]).toEqual([0, ""]);
  });
});

test("a branch behind its base: what others declared there looks removed, and the plan says why", async () => {
  const text = `${HEAD}prune: removed\nlinks:\n${link("a")}`;
  const { repository, planned } = await changed({ "linkform.yaml": text }, { "linkform.yaml": text + link("theirs") });
  await repository.git("tag", "target");
  await repository.git("reset", "--quiet", "--hard", "base");
  const behind = await planned({ base: "target" });
  expect(behind.changes).toMatchObject([{ action: "delete", key: "go.example.com/theirs", reason: "removed" }]);
  expect(behind.diagnostics).toMatchObject([
    { code: "base-ahead", severity: "warning", hint: expect.stringContaining("$(git merge-base target HEAD)") },
  ]);
  const parted = await repository.git("merge-base", "target", "HEAD");
  expect(await planned({ base: parted })).toMatchObject({ changes: [], diagnostics: [] });
});

const END = "absent: { links: [go.example.com/qr-1] }\n";
const GUARDED = `${HEAD}protect: ["go.example.com/qr-*"]\n${file("qr-1")}`;
const TEAM = "team/linkform.yaml";

describe("a link that the base protects can't be deleted", () => {
  const OWN = HEAD + file("a");
  const from = (alias: string): string => `, renamed_from: go.example.com/${alias}`;
  const UNDECIDED = `links:\n${link("qr-1", from("x")).replace("/qr-1,", "/other,")}${link("z", from("qr-1"))}`;
  const LABELED = `${HEAD}domains: { go: { id: 2, name: go.example.com } }\nprotect: ["go/qr-*"]\n${file("a").replace("go.example.com", "go")}`;

  test.each<{ readonly of: string; readonly base?: Files; readonly now?: Files; readonly flags?: PlanFlags }>([
    { of: "by a new project in a folder below", now: { "linkform.yaml": GUARDED, [TEAM]: HEAD + END } },
    { of: "by the project file, moved into a folder" },
    { of: "by the project file, renamed", now: { "x.yaml": HEAD + END }, flags: { config: "x.yaml" } },
    {
      of: "by a project in another folder that says it has another address",
      base: { "one/linkform.yaml": GUARDED },
      now: { [TEAM]: head("https://staging.example.com") + END },
    },
    { of: "by a label of the other project", base: { "linkform.yaml": LABELED } },
    {
      of: "by a project that is there already, where another one declares and protects it",
      base: { "linkform.yaml": GUARDED, [TEAM]: OWN },
      now: { "linkform.yaml": HEAD, [TEAM]: OWN + END },
    },
    {
      of: "by a project that is there already, whose renames do not show which link is meant",
      base: { "linkform.yaml": `${HEAD}protect: ["go.example.com/qr-*"]\n${UNDECIDED}`, [TEAM]: OWN },
      now: { "linkform.yaml": HEAD, [TEAM]: OWN + END },
    },
  ])("$of", async ({ base = { "linkform.yaml": GUARDED }, now = { [TEAM]: HEAD + END }, flags }) => {
    const { complete, changes, diagnostics } = await (await changed(base, now)).planned(flags, flags ? "" : "team");
    expect({ complete, changes }).toEqual({ complete: false, changes: [] });
    const message = /`go.example.com\/qr-1` is protected \(by `.*linkform.yaml`, line \d+ at base\)/;
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "protected", message: expect.stringMatching(message) },
    ]);
  });

  test("and another project that cannot be read at the base is an error, not a way around it", async () => {
    const { planned } = await changed({ "linkform.yaml": "version: 1\nprotect: [" }, { [TEAM]: HEAD + END });
    expect((await planned({}, "team")).diagnostics).toMatchObject([
      { code: "base-invalid", message: expect.stringContaining("linkform.yaml:2") },
    ]);
  });

  test("and so is one of the service that --base-url names, for a new project", async () => {
    const now = { [TEAM]: head("https://staging.example.com") + END };
    const { planned } = await changed({ "one/linkform.yaml": `${HEAD}protect: 7\n` }, now);
    expect((await planned({ baseUrl: "https://short.example.com/" }, "team")).diagnostics).toMatchObject([
      { code: "base-invalid", message: expect.stringContaining("one/linkform.yaml:3") },
    ]);
  });

  test("but projects that have nothing to do with each other are left alone", async () => {
    const base = {
      // Not a project, and one that is broken, elsewhere.
      "docs/linkform-notes.yaml": "hello: there\n",
      "fixtures/linkform.yaml": "version: 1\nprotect: [",
      // A project that protects what this one has always been free to delete.
      "other/linkform.yaml": `${HEAD}protect: ["go.example.com/*"]\n${file("b")}`,
      [TEAM]: OWN,
    };
    const { planned } = await changed(base, { [TEAM]: OWN + END, "other/linkform.yaml": HEAD });
    const document = await planned({}, "team");
    expect([changesOf(document), document.diagnostics]).toEqual([["delete go.example.com/qr-1"], []]);
  });
});

describe("a change to a safety setting", () => {
  const BASE = `${HEAD}protect: ["go.example.com/qr-*"]\nprune: removed\nscope: { domains: [go.example.com] }\nallow: [create, update]\nbrake: { deletes: 10% }\nlinks:\n${link("a", ", protect: true")}${link("b")}`;
  const NOW = `${HEAD}prune: none\nscope: { domains: [go.example.com, promo.example.com] }\nallow: [create, update, delete]\nbrake: { deletes: 90%, clicks: 5% }\nrules: { plain-http: off }\ndomains: { promo.example.com: 3 }\nlinks:\n${link("a")}${link("b", ", protect: true")}`;

  test("is reported with before and after, ahead of all other findings", async () => {
    const { diagnostics } = await (await changed({ "linkform.yaml": BASE }, { "linkform.yaml": NOW })).planned();
    const expected = [
      "`protect` changed from [go.example.com/qr-*] to none since `base`.",
      "`prune` changed from removed to none since `base`.",
      "`scope.domains` changed from [go.example.com] to [go.example.com, promo.example.com (3)] since `base`.",
      "`allow` changed from [create, update] to [create, delete, update] since `base`.",
      "`brake.deletes` changed from 10% to 90% since `base`.",
      "`brake.clicks` changed from not limited to 5% since `base`.",
      "`rules.plain-http` changed from warning to off since `base`.",
      "`protect: true` was removed from 1 link since `base`: `go.example.com/a`.",
      "`protect: true` was added to 1 link since `base`: `go.example.com/b`.",
    ];
    expect(safetyOf(diagnostics)).toEqual(expected);
    expect(safetyOf(diagnostics.slice(0, 9))).toEqual(expected);
    expect(diagnostics[1]).toMatchObject({ severity: "warning", file: "linkform.yaml", line: 3 });
    expect(diagnostics.slice(7, 9)).toMatchObject([{ line: 10 }, { line: 11 }]);
  });

  test("has its place in each report", async () => {
    const now = { "linkform.yaml": `${HEAD}prune: removed\n${file("a")}` };
    const { run } = await changed({ "linkform.yaml": GUARDED }, now);
    for (const [command, format, first, second] of [
      ["plan", "text", /safety-changed/, /error\[protected/],
      ["plan", "markdown", /safety settings changed/, /is protected/],
      ["plan", "html", /safety/, /is protected/],
      ["plan", "github", /^::error.*protected/, /^::warning.*safety-changed/m],
      ["validate", "json", /safety-changed/, /"code": "orphan"/],
      ["validate", "gitlab", /safety-changed/, /"check_name": "orphan"/],
    ] as const) {
      const { out, err } = await run(command, "--format", format);
      // A page begins with its styles.
      const report = (format === "text" ? err : out).replace(/[^]*<main/, "");
      const [at, then] = [first, second].map((text) => report.search(text));
      expect([format, at !== -1, Number(then) > Number(at)]).toEqual([format, true, true]);
    }
  });

  test("is not one if only the words differ", async () => {
    const before = `${HEAD}brake: { deletes: 30% }\nallow: [create, update]\nscope: { domains: [go.example.com] }\n`;
    const after = `${HEAD}allow: [update, create]\nscope: { domains: [ "go.example.com" ] }\nbrake: { updates: 30% }\nprune: none\nprotect: []\nrules: { plain-http: warning }\n`;
    const { planned } = await changed({ "linkform.yaml": before }, { "linkform.yaml": after });
    expect(safetyOf((await planned()).diagnostics)).toEqual([]);
  });

  test("is seen where a part of the project file is moved and changed at once", async () => {
    const now = { [TEAM]: BASE.replace("deletes: 10%", "deletes: 100%").replace(link("a", ", protect: true"), "") };
    const { planned } = await changed({ "linkform.yaml": BASE }, now);
    expect(safetyOf((await planned({}, "team")).diagnostics)).toEqual([
      "This project file is new since `base`. Its settings are compared with the settings in `linkform.yaml` at `base`.",
      "`brake.deletes` changed from 10% to 100% since `base`.",
    ]);
  });
});

const GO = "scope: { domains: [go.example.com] }\n";
test.each([
  ["declared here if `prune` changed", "", `prune: scope\n${GO}`, "declared here"],
  [
    "declared here if `scope` changed",
    "prune: scope\nscope: { domains: [promo.example.com] }\n",
    `prune: scope\n${GO}`,
    "declared here",
  ],
  ["drift if the base would have deleted it, too", `prune: scope\n${GO}`, `prune: scope\n${GO}`, "drift"],
])("a link that no file has named and that is deleted is %s", async (_, base, now, origin) => {
  const own = `domains: { promo.example.com: 3 }\nlinks:\n${["a", "b", "qr-1", "sale", "gone"].map((one) => link(one)).join("")}`;
  const { planned } = await changed({ "linkform.yaml": HEAD + base + own }, { "linkform.yaml": HEAD + now + own });
  expect((await planned({ allowDeletes: 10 })).changes).toMatchObject([{ key: "go.example.com/theirs", origin }]);
});

const POLICIES = "policies:\n  own: { destinations: [example.com] }\n  noted: { links: '*', require: [note] }\n";
const noted = (alias: string, more = ""): string => link(alias, `, note: x${more}`);
const waive = (until: string): string => `, waive: { own: { until: ${until}, because: Partner page } }`;

/** The changes since a project file that `validate` reports, by kind, and the codes in their order. */
async function findings(
  before: string,
  after: Readonly<Record<string, string>>,
): Promise<Record<string, { messages: string[]; codes: string[] }>> {
  const repository = await startRepository();
  await repository.commit({ "linkform.yaml": HEAD + before });
  const found: Awaited<ReturnType<typeof findings>> = {};
  for (const [what, text] of Object.entries(after)) {
    await repository.replace({ "linkform.yaml": HEAD + text });
    const args = ["validate", "--base", "HEAD", "--format", "json"];
    const { diagnostics }: PlanDocument = JSON.parse((await commandIn(repository.folder, args, GIT_ENV)).out);
    found[what] = { messages: safetyOf(diagnostics), codes: diagnostics.map(({ code }) => code) };
  }
  return found;
}

const CHANGES: readonly (readonly [what: string, now: string, messages: readonly string[]])[] = [
  ["a policy that is gone", POLICIES.replace(/ {2}own.*\n/, ""), ["Policy `own` was removed since `HEAD`."]],
  ["all policies", "", ["Policy `own` was removed since `HEAD`.", "Policy `noted` was removed since `HEAD`."]],
  ["a new policy", `${POLICIES}  new: { blocked: [bit.ly] }\n`, ["Policy `new` was added since `HEAD`."]],
  [
    "a wider list",
    POLICIES.replace("[example.com]", "[evil.test, example.com]"),
    ["`policies.own.destinations` changed from [example.com] to [evil.test, example.com] since `HEAD`."],
  ],
  [
    "a lower severity",
    POLICIES.replace("[example.com]", "[example.com], severity: warning"),
    ["`policies.own.severity` changed from error to warning since `HEAD`."],
  ],
  [
    "fewer links",
    POLICIES.replace("links: '*'", "links: 'go.example.com/a'"),
    ["`policies.noted.links` changed from * to go.example.com/a since `HEAD`."],
  ],
  ["nothing but the reason", POLICIES.replace("[example.com]", "[example.com], reason: Trust"), []],
];

test("a change to a policy is reported", async () => {
  const links = `links:\n${noted("a")}`;
  const found = await findings(POLICIES + links, Object.fromEntries(CHANGES.map(([what, now]) => [what, now + links])));
  for (const [what, , messages] of CHANGES) expect([what, found[what]?.messages]).toEqual([what, messages]);
});

test("a change to a policy that waives it for a link is reported if it is new or longer, before other findings", async () => {
  const at = (name: string, more: string): string =>
    `${POLICIES}links:\n${noted(name, more).replace("https://example.com", "https://evil.test")}${noted("c")}`;
  const plain = noted("d").replace("https", "http");
  const january = waive("2027-01-15");
  const found = await findings(at("a", january), {
    new: at("a", january) + noted("new", january).replace("https://example.com", "https://evil.test") + plain,
    longer: at("a", waive("2027-02-01")) + plain,
    shorter: at("a", waive("2027-01-01")) + plain,
    "of a renamed link": at("b", `${january}, renamed_from: a`) + plain,
  });
  const message = (alias: string, until: string): string =>
    `1 waiver of \`own\` is new or longer since \`HEAD\`: \`go.example.com/${alias}\` until ${until} (Partner page).`;
  expect(found).toEqual({
    new: { messages: [message("new", "2027-01-15")], codes: ["safety-changed", "plain-http"] },
    longer: { messages: [message("a", "2027-02-01")], codes: ["safety-changed", "plain-http"] },
    shorter: { messages: [], codes: ["plain-http"] },
    "of a renamed link": { messages: [], codes: ["plain-http"] },
  });
});
