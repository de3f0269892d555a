// A run of several projects: what it sends, what it reports, and what one bad project does to the others. Fails when a run needs more
// requests than single runs, exceeds an account's limit, sends a key to another address, or hides a project behind the error of another.

import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { linkform } from "../support/program.ts";
import { git as runGit, GIT_ENV, startRepository } from "../support/repository.ts";
import { startSandbox } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const NAMES = ["ONE", "TWO", "THREE"] as const;

interface Accounts {
  readonly folder: string;
  readonly sandboxes: readonly Sandbox[];
  readonly env: Readonly<Record<string, string>>;
}

/** Projects p01, p02, …, on three accounts in turn, each with one link. */
async function accounts(projects: number, rateLimit: number): Promise<Accounts> {
  const sandboxes = await Promise.all(NAMES.map(() => startSandbox({ rateLimit })));
  onTestFinished(async () => void (await Promise.all(sandboxes.map((sandbox) => sandbox.close()))));
  const folder = await temporaryFolder();
  const files: Record<string, string> = {};
  for (let at = 0; at < projects; at += 1) {
    const name = `p${String(at + 1).padStart(2, "0")}`;
    const baseUrl = sandboxes[at % NAMES.length]?.url ?? "";
    files[`${name}/linkform.yaml`] =
      `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks: { go.example.com/${name}: { url: https://example.com/${name} } }\n`;
  }
  await writeFiles(folder, files);
  const env: Record<string, string> = { CI: "true" };
  for (const [at, name] of NAMES.entries()) {
    env[`LINKFORM_BASE_URL_${name}`] = sandboxes[at]?.url ?? "";
    env[`LINKFORM_API_KEY_${name}`] = sandboxes[at]?.apiKey ?? "";
  }
  return { folder, sandboxes, env };
}

const counts = (sandboxes: readonly Sandbox[]): number[] => sandboxes.map(({ requests }) => requests.length);

interface Document {
  readonly projects: readonly {
    readonly project: string;
    readonly name: string;
    readonly exit_code: number;
    readonly report: { readonly diagnostics: readonly { readonly code: string }[]; readonly result?: object };
  }[];
  readonly exit_code: number;
  readonly summary: Readonly<Record<string, number>>;
}

function parse(text: string): Document {
  const document: Document = JSON.parse(text);
  return document;
}

test("12 projects on 3 accounts need no more requests than single runs, and no account refuses one", async () => {
  const { folder, sandboxes, env } = await accounts(12, 100);
  const start = counts(sandboxes);
  for (let at = 1; at <= 12; at += 1) {
    const config = `p${String(at).padStart(2, "0")}/linkform.yaml`;
    expect((await linkform(folder, ["plan", "--config", config, "--quiet"], env)).exit).toBe(0);
  }
  const single = counts(sandboxes);
  const file = path.join(folder, "report.md");
  const args = [
    "plan",
    "--config",
    "p*/linkform.yaml",
    "--json",
    "--format",
    `markdown=${file}`,
    "--detailed-exitcode",
  ];
  const joint = await linkform(folder, args, env);
  expect([joint.exit, joint.err]).toEqual([2, ""]);
  const both = counts(sandboxes);
  for (const at of NAMES.keys())
    expect((both[at] ?? 0) - (single[at] ?? 0)).toBeLessThanOrEqual((single[at] ?? 0) - (start[at] ?? 0));
  const document = parse(joint.out);
  expect(document.projects.map(({ name }) => name)).toEqual(
    Array.from({ length: 12 }, (_, at) => `p${String(at + 1).padStart(2, "0")}`),
  );
  expect(document.summary).toMatchObject({ projects: 12, failed: 0, create: 12 });
  expect(sandboxes.flatMap(({ requests }) => requests.filter(({ status }) => status === 429))).toEqual([]);
});

test("an apply plans all projects before the first write, and a failing project does not stop the others", async () => {
  const { folder, sandboxes, env } = await accounts(6, 0);
  await writeFiles(folder, { "p02/linkform.yaml": "version: 1\nlinks: 12\n" });
  const ran = await linkform(folder, ["apply", "--config", "*/linkform.yaml", "--yes", "--json"], env);
  const document = parse(ran.out);
  expect(document.projects.map(({ exit_code }) => exit_code)).toEqual([0, 1, 0, 0, 0, 0]);
  expect([ran.exit, document.exit_code]).toEqual([1, 1]);
  for (const { requests } of sandboxes) {
    const methods = requests.map(({ method }) => method);
    expect(methods.includes("POST")).toBe(true);
  }
  const [first] = sandboxes;
  const writes = (first?.requests ?? []).flatMap(({ method }, at) => (method === "POST" ? [at] : []));
  expect(writes).toHaveLength(2);
  const again = await linkform(folder, ["plan", "--config", "p01/linkform.yaml", "--config", "p0?/linkform.yaml"], env);
  expect(again.out).toContain("p01/linkform.yaml: no changes");
  expect(again.out).toContain("p02/linkform.yaml: not planned");
});

test("a key is sent only to the address beside it", async () => {
  const { folder, env, sandboxes } = await accounts(2, 0);
  const { LINKFORM_BASE_URL_TWO: address = "", ...rest } = env;
  const half = await linkform(folder, ["plan", "--config", "*/linkform.yaml"], rest);
  expect([half.exit, half.err]).toEqual([64, expect.stringContaining("LINKFORM_API_KEY_TWO is set")]);
  const twice = await linkform(folder, ["plan", "--config", "*/linkform.yaml"], {
    ...env,
    LINKFORM_BASE_URL_ONE: address,
  });
  expect([twice.exit, twice.err]).toEqual([64, expect.stringContaining("account-twice")]);
  const { LINKFORM_API_KEY_TWO: key = "", ...unpinned } = rest;
  const other = await linkform(folder, ["plan", "--config", "*/linkform.yaml", "--json"], {
    ...unpinned,
    LINKFORM_API_KEY: key,
  });
  const document = parse(other.out);
  expect(document.projects.map(({ report }) => report.diagnostics.map(({ code }) => code))).toEqual([
    [],
    ["other-address"],
  ]);
  expect(sandboxes[1]?.requests).toEqual([]);
});

test("one file is a single run, and flags of a single run are refused for several", async () => {
  const { folder, env } = await accounts(2, 0);
  const one = await linkform(folder, ["plan", "--config", "p01/linkform.yaml"], env);
  expect(one.out).toContain("Plan: 1 to create.");
  const missing = await linkform(folder, ["plan", "--config", "q*/linkform.yaml"], env);
  expect([missing.exit, missing.err]).toEqual([1, expect.stringContaining("`q*/linkform.yaml` matches no file")]);
  for (const args of [
    ["plan", "--out", "x.plan"],
    ["apply"],
    ["apply", "--yes", "x.plan"],
    ["apply", "--yes", "--format", "ndjson"],
    ["plan", "--base-url", "https://short.example.com"],
    ["doctor"],
  ]) {
    const refused = await linkform(folder, [...args, "--config", "*/linkform.yaml"], env);
    expect([args, refused.exit, `${refused.err}${refused.out}`]).toEqual([
      args,
      64,
      expect.stringContaining("one-project"),
    ]);
  }
});

test("reports of single jobs, merged, are the report of one run", async () => {
  const { folder, env } = await accounts(4, 0);
  await writeFiles(folder, { "p03/linkform.yaml": "version: 1\nlinks: 12\n" });
  const reports: string[] = [];
  for (const name of ["p04", "p02", "p03", "p01"]) {
    const report = `${name}.json`;
    await linkform(folder, ["plan", "--config", `${name}/linkform.yaml`, "--format", `json=${report}`], env);
    reports.push(report);
  }
  const joint = await linkform(folder, ["plan", "--config", "*/linkform.yaml", "--format", "markdown"], env);
  const merged = await linkform(folder, ["merge", ...reports, "--name", "*/linkform.yaml", "--format", "markdown"]);
  expect(merged.out.split("\n")[0]).toBe("<!-- linkform plan *%2Flinkform.yaml -->");
  expect(merged.out).toBe(joint.out);
  expect([merged.exit, joint.exit]).toEqual([1, 1]);
  for (const format of ["text", "html", "github", "gitlab"])
    expect((await linkform(folder, ["merge", ...reports, "--format", format])).out).not.toBe("");
  const whole = await linkform(folder, ["merge", ...reports, "--format", "json=all.json"]);
  expect(whole.exit).toBe(1);
  const again = await linkform(folder, ["merge", "all.json", "--name", "*/linkform.yaml", "--format", "markdown"]);
  expect(again.out).toBe(merged.out);
});

test("merge refuses what is no report, names the file, and takes each project once", async () => {
  const folder = await temporaryFolder();
  const valid = { format_version: "1.0", valid: true, files: 1, diagnostics: [] };
  const named = { ...valid, project: "a/linkform.yaml", command: "validate" };
  const files: Readonly<Record<string, string>> = {
    "good.json": JSON.stringify(named),
    "same.json": JSON.stringify(named),
    "text.json": "plan",
    "list.json": "[]",
    "old.json": JSON.stringify({ ...named, format_version: "0.9" }),
    "unnamed.json": JSON.stringify(valid),
    "shape.json": JSON.stringify({ ...named, project: "b/linkform.yaml", diagnostics: [{ code: 1 }] }),
  };
  await writeFiles(folder, files);
  expect(await linkform(folder, ["merge", "good.json"])).toMatchObject({ exit: 0 });
  for (const [file, says] of [
    ["same.json", "has a report of a/linkform.yaml, but so has good.json"],
    ["text.json", "is not valid JSON"],
    ["list.json", "is not a JSON report"],
    ["old.json", "another format version"],
    ["unnamed.json", "does not name its project"],
    ["shape.json", "(at `diagnostics.0.code`)"],
    ["absent.json", "cannot be read"],
  ] as const) {
    const refused = await linkform(folder, ["merge", "good.json", file]);
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining(says)]);
    expect(refused.err).toContain(file);
  }
});

test("`projects --changed` lists the projects that differ from a commit, also by a file that only the base has", async () => {
  const repository = await startRepository();
  const project = (name: string): Record<string, string> => ({
    [`${name}/linkform.yaml`]: `version: 1\nservice: { base_url: https://${name}.example.com }\nfiles: ["links/*.yaml"]\n`,
    [`${name}/links/a.yaml`]: "links: { go.example.com/a: { url: https://example.com/ } }\n",
    [`${name}/links/b.yaml`]: "links: { go.example.com/b: { url: https://example.com/ } }\n",
  });
  const files = { ...project("same"), ...project("edited"), ...project("shrunk"), "same/notes.txt": "a" };
  await repository.commit(files);
  await repository.git("tag", "before");
  await repository.git("tag", "applied/same");
  const rest = Object.fromEntries(Object.entries(files).filter(([file]) => file !== "shrunk/links/b.yaml"));
  await repository.commit({
    ...rest,
    ...project("new"),
    "edited/links/a.yaml": "links: { go.example.com/a: { url: https://example.com/2 } }\n",
    "same/notes.txt": "b",
  });
  const listed = async (...args: readonly string[]): Promise<unknown> => {
    const ran = await linkform(repository.folder, ["projects", "--json", ...args], GIT_ENV);
    expect([ran.exit, ran.err]).toEqual([0, ""]);
    return JSON.parse(ran.out);
  };
  const entry = (name: string): object => ({
    config: `${name}/linkform.yaml`,
    name,
    base_url: `https://${name}.example.com`,
    changed: true,
  });
  expect(await listed("--changed", "--base", "before")).toEqual({
    format_version: "1.0",
    projects: [entry("edited"), entry("new"), entry("shrunk")],
  });
  expect(await listed("--config", "s*/linkform.yaml", "--changed", "--base", "applied/{project}")).toEqual({
    format_version: "1.0",
    projects: [entry("shrunk")],
  });
  const text = await linkform(repository.folder, ["projects"], GIT_ENV);
  expect(text.out).toBe("edited/linkform.yaml\nnew/linkform.yaml\nsame/linkform.yaml\nshrunk/linkform.yaml\n");
  const wrong = await linkform(repository.folder, ["projects", "--changed", "--base", "absent"], GIT_ENV);
  expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining("base-missing")]);
});

test("each project's base tag moves alone, after its own complete run", async () => {
  const { folder, env } = await accounts(2, 0);
  const git = async (...args: readonly string[]): Promise<string> => runGit(folder, ...args);
  await git("init", "--quiet", "--initial-branch", "main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "start");
  for (const name of ["p01", "p02"]) await git("tag", `applied/${name}`);
  const before = await git("rev-parse", "HEAD");
  await writeFiles(folder, { "p02/linkform.yaml": "version: 1\nlinks: 12\n" });
  await git("commit", "--quiet", "--all", "--message", "break p02");
  const head = await git("rev-parse", "HEAD");
  const args = ["apply", "--config", "p*/linkform.yaml", "--base", "applied/{project}", "--move-base", "--yes"];
  expect((await linkform(folder, args, { ...GIT_ENV, ...env })).exit).toBe(1);
  expect(await git("rev-parse", "applied/p01", "applied/p02")).toBe(`${head}\n${before}`);
});
