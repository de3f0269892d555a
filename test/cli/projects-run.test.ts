// A run of several projects: what it sends and reports, and what one does to the others. Fails if it needs more
// requests than single runs, exceeds an account's limit, sends a key to another address, or hides a project behind the error of another.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { ProjectsDocument } from "../../src/report/json/schema.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { commandIn } from "../support/command.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const NAMES = ["ONE", "TWO", "THREE"] as const;

interface Accounts {
  readonly folder: string;
  readonly sandboxes: readonly Sandbox[];
  readonly env: Readonly<Record<string, string>>;
}

/** Projects p01, p02, …, on three accounts in turn, each with one link. */
async function accounts(projects: number, rateLimit: number): Promise<Accounts> {
  const sandboxes = await Promise.all(NAMES.map(() => sandboxFor({ rateLimit })));
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

const parse = (text: string): ProjectsDocument => JSON.parse(text);

test("6 projects on 3 accounts need no more requests than single runs, and no account refuses one", async () => {
  const { folder, sandboxes, env } = await accounts(6, 100);
  const start = counts(sandboxes);
  for (let at = 1; at <= 6; at += 1) {
    const config = `p${String(at).padStart(2, "0")}/linkform.yaml`;
    expect((await commandIn(folder, ["plan", "--config", config, "--quiet"], env)).exit).toBe(0);
  }
  const single = counts(sandboxes);
  const file = path.join(folder, "report.md");
  const outputs = ["--json", "--format", `markdown=${file}`];
  const args = ["plan", "--config", "p*/linkform.yaml", ...outputs, "--detailed-exitcode"];
  const joint = await commandIn(folder, args, env);
  expect([joint.exit, joint.err]).toEqual([2, ""]);
  const both = counts(sandboxes);
  for (const at of NAMES.keys())
    expect((both[at] ?? 0) - (single[at] ?? 0)).toBeLessThanOrEqual((single[at] ?? 0) - (start[at] ?? 0));
  const document = parse(joint.out);
  expect(document.projects.map(({ name }) => name)).toEqual(
    Array.from({ length: 6 }, (_, at) => `p${String(at + 1).padStart(2, "0")}`),
  );
  expect(document.summary).toMatchObject({ projects: 6, failed: 0, create: 6 });
  expect(sandboxes.flatMap(({ requests }) => requests.filter(({ status }) => status === 429))).toEqual([]);
});

test("an apply plans all projects before the first write, and a failing project does not stop the others", async () => {
  const { folder, sandboxes, env } = await accounts(6, 0);
  await writeFiles(folder, { "p02/linkform.yaml": "version: 1\nlinks: 12\n" });
  const ran = await commandIn(folder, ["apply", "--config", "*/linkform.yaml", "--yes", "--json"], env);
  const document = parse(ran.out);
  expect(document.projects.map(({ exit_code }) => exit_code)).toEqual([0, 1, 0, 0, 0, 0]);
  expect([ran.exit, document.exit_code]).toEqual([1, 1]);
  for (const { requests } of sandboxes) expect(requests.map(({ method }) => method)).toContain("POST");
  const [first] = sandboxes;
  const writes = (first?.requests ?? []).flatMap(({ method }, at) => (method === "POST" ? [at] : []));
  expect(writes).toHaveLength(2);
  const again = await commandIn(
    folder,
    ["plan", "--config", "p01/linkform.yaml", "--config", "p0?/linkform.yaml"],
    env,
  );
  expect(again.out).toMatch(/^6 projects, none with changes, 1 failed\. /);
  expect(again.out).toContain("p01/linkform.yaml · No changes. 1 unchanged.\n");
  expect(again.out).toMatch(/\np02\/linkform\.yaml\n[^]*\nNothing was planned: 2 errors\.\n/);
});

test("a key is sent only to the address beside it", async () => {
  const { folder, env, sandboxes } = await accounts(2, 0);
  const { LINKFORM_BASE_URL_TWO: address = "", ...rest } = env;
  const half = await commandIn(folder, ["plan", "--config", "*/linkform.yaml"], rest);
  expect([half.exit, half.err]).toEqual([64, expect.stringContaining("LINKFORM_API_KEY_TWO is set")]);
  const twice = await commandIn(folder, ["plan", "--config", "*/linkform.yaml"], {
    ...env,
    LINKFORM_BASE_URL_ONE: address,
  });
  expect([twice.exit, twice.err]).toEqual([64, expect.stringContaining("account-twice")]);
  const { LINKFORM_API_KEY_TWO: key = "", ...unpinned } = rest;
  const other = await commandIn(folder, ["plan", "--config", "*/linkform.yaml", "--json"], {
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
  const one = await commandIn(folder, ["plan", "--config", "p01/linkform.yaml"], env);
  expect(one.out).toContain("Plan: 1 to create.");
  const missing = await commandIn(folder, ["plan", "--config", "q*/linkform.yaml"], env);
  expect([missing.exit, missing.err]).toEqual([1, expect.stringContaining("`q*/linkform.yaml` matches no file")]);
  for (const args of [
    ["plan", "--out", "x.plan"],
    ["apply"],
    ["apply", "--yes", "--format", "ndjson"],
    ["plan", "--base-url", "https://short.example.com"],
    ["doctor"],
  ]) {
    const refused = await commandIn(folder, [...args, "--config", "*/linkform.yaml"], env);
    expect([args, refused.exit, `${refused.err}${refused.out}`]).toEqual([
      args,
      64,
      expect.stringContaining("one-project"),
    ]);
  }
});

/** Projects of one account that has 60 links `l1` to `l60`: `main` declares the first 30, and the files of `more` declare more. */
async function sharing(more: Readonly<Record<string, string>>, main = ""): Promise<Accounts> {
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
  const url = "https://example.com/";
  const links = numbers.map((id) => ({ id, alias: `l${id}`, url, domain: 2, ...(id < 4 && { space: 1 }) }));
  const sandbox = await sandboxFor({ seed: { links } });
  const repository = await startRepository();
  const head = `version: 1\nservice: { base_url: "${sandbox.url}" }\n`;
  const declared = numbers.slice(0, 30).map((id) => `  go.example.com/l${id}: { url: ${url} }\n`);
  await repository.commit({ "main/linkform.yaml": `${head}unspecified: keep\n${main}links:\n${declared.join("")}` });
  const files = Object.entries(more).map(([name, text]) => [`${name}/linkform.yaml`, `${head}${text}`]);
  await writeFiles(repository.folder, Object.fromEntries(files));
  const env = { ...GIT_ENV, LINKFORM_BASE_URL: sandbox.url, LINKFORM_API_KEY: sandbox.apiKey };
  return { folder: repository.folder, sandboxes: [sandbox], env };
}

/** Tombstones of three links in each of `count` projects, from `l31` on. */
const tombstones = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const keys = [31, 32, 33].map((id) => `go.example.com/l${id + 3 * at}`);
      return [`t${at}`, `absent: { links: [${keys.join(", ")}] }\n`];
    }),
  );

const codesOf = ({ projects }: ProjectsDocument): string[][] =>
  projects.map(({ report }) => report.diagnostics.flatMap(({ code }) => (code === "brake" ? [code] : [])));

test("one brake counts the deletes of all projects of an account, with the smallest limit, before the first write", async () => {
  const { folder, sandboxes, env } = await sharing({
    ...tombstones(7),
    other: "links: { go.example.com/new: { url: https://example.com/ } }\n",
  });
  const [sandbox] = sandboxes;
  const all = ["--config", "*/linkform.yaml"];
  const planned = await commandIn(folder, ["plan", ...all, "--json"], env);
  const applied = await commandIn(folder, ["apply", ...all, "--yes", "--json"], env);
  const held = ["main: ", "other: brake", ...Array.from({ length: 7 }, (_, at) => `t${at}: brake`)];
  for (const ran of [planned, applied]) {
    const document = parse(ran.out);
    expect([ran.exit, document.projects.map(({ name }, at) => `${name}: ${codesOf(document)[at]?.join()}`)]).toEqual([
      3,
      held,
    ]);
    expect(document.projects[2]?.report.diagnostics[0]?.message).toBe(
      "Too many deletes: 21 links in 9 projects of this account. The brake allows at most 15 (`deletes: 30%`, 51 links in total). Nothing in this plan is applied.",
    );
  }
  expect(sandbox?.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  // An allowance is for all projects together.
  const less = await commandIn(folder, ["plan", ...all, "--allow-deletes", "20"], env);
  expect(less.exit).toBe(3);
  // The limit of the strictest project counts, also for the others.
  await writeFiles(folder, {
    "z/linkform.yaml": `version: 1\nservice: { base_url: "${sandbox?.url}" }\nbrake: { deletes: 2 }\n`,
  });
  const some = ["--config", "t0/linkform.yaml"];
  expect((await commandIn(folder, ["plan", ...some], env)).exit).toBe(0);
  expect((await commandIn(folder, ["plan", ...some, "--config", "z/linkform.yaml"], env)).exit).toBe(3);
  expect((await commandIn(folder, ["apply", ...all, "--yes", "--allow-deletes", "21"], env)).exit).toBe(0);
  expect(sandbox?.state().links).toHaveLength(40);
});

test("in a project file that the base does not have, deletes and broken URLs need --allow-deletes", async () => {
  const renamed = "links: { go.example.com/x1: { url: https://example.com/, renamed_from: l40 } }\n";
  const { folder, env } = await sharing({
    ...tombstones(2),
    renamed,
    quiet: "links: { go.example.com/l50: { url: https://example.com/ } }\n",
  });
  const plan = (name: string, ...flags: readonly string[]): ReturnType<typeof commandIn> =>
    commandIn(folder, ["plan", "--config", `${name}/linkform.yaml`, ...flags], env);
  expect((await plan("t0")).exit).toBe(0);
  for (const [name, count] of [
    ["t0", 3],
    ["renamed", 1],
  ] as const) {
    const refused = await plan(name, "--base", "HEAD");
    expect([refused.exit, refused.out]).toEqual([
      3,
      expect.stringContaining("The base does not have the project file, so all deletes in it must be allowed."),
    ]);
    expect(refused.out).toContain(`--allow-deletes ${count}`);
    expect((await plan(name, "--base", "HEAD", "--allow-deletes", String(count))).exit).toBe(0);
  }
  expect((await plan("quiet", "--base", "HEAD")).exit).toBe(0);
  // An allowance for one file does not allow the deletes of another one, and files without deletes are not stopped.
  const document = parse((await plan("*", "--base", "HEAD", "--allow-deletes", "3", "--json")).out);
  expect(document.projects.map(({ name }, at) => [name, codesOf(document)[at]?.length])).toEqual([
    ["main", 0],
    ["quiet", 0],
    ["renamed", 1],
    ["t0", 1],
    ["t1", 1],
  ]);
  expect((await plan("*", "--base", "HEAD", "--allow-deletes", "7")).exit).toBe(0);
});

// Fails if two projects can revert each other, or if one deletes what the other declares.
test.each<[string, string, string, string, readonly string[]]>([
  [
    "the same link, by another label and case",
    "",
    "domains: { go: { id: 2, name: go.example.com } }\nlinks: { go/L7: { url: https://example.com/2 } }\n",
    "The link `go/L7` is declared here, but the project main/linkform.yaml also declares it (main/linkform.yaml:11:3).",
    ["plan", "apply"],
  ],
  [
    "a link that is not live yet",
    'pixels: { P: { type: bing, value: "1" } }\n',
    'pixels: { p: { type: bing, value: "2" } }\n',
    "The pixel `p` is declared here, but the project main/linkform.yaml also declares it (main/linkform.yaml:4:11).",
    ["validate", "plan"],
  ],
  [
    "a tombstone of a declared link",
    "",
    "absent: { links: [go.example.com/l7] }\n",
    "The link `go.example.com/l7` is deleted here, but the project main/linkform.yaml declares it (main/linkform.yaml:11:3).",
    ["validate", "plan"],
  ],
  [
    "a rename of a declared link",
    "",
    "links: { go.example.com/x: { url: https://example.com/, renamed_from: l7 } }\n",
    "The link `go.example.com/l7` is renamed here, but the project main/linkform.yaml declares it (main/linkform.yaml:11:3).",
    ["validate", "plan"],
  ],
  [
    "a pruned scope that covers declared links, by another label",
    "spaces: { M: 1 }\n",
    "scope: { spaces: [Marketing] }\nprune: scope\nlinks: { go.example.com/x: { url: https://example.com/, space: Marketing } }\n",
    "The project other/linkform.yaml prunes its scope (other/linkform.yaml:3:1), which would delete `go.example.com/l1` and 2 more of main/linkform.yaml (main/linkform.yaml:6:3).",
    ["plan", "apply"],
  ],
])("projects that conflict are refused: %s", async (_title, main, other, message, commands) => {
  const { folder, sandboxes, env } = await sharing(
    { other, apart: "links: { go.example.com/l60: { url: https://example.com/2 } }\n" },
    main,
  );
  for (const command of commands) {
    const args = [command, "--config", "*/linkform.yaml", "--json", ...(command === "apply" ? ["--yes"] : [])];
    const { exit, out } = await commandIn(folder, args, env);
    const { projects } = parse(out);
    expect([command, exit, projects.map(({ exit_code }) => exit_code)]).toEqual([command, 1, [0, 1, 1]]);
    const found = projects.map(({ report }) => report.diagnostics.filter(({ code }) => code === "project-conflict"));
    expect(found.map(({ length }) => length)).toEqual([0, 1, 1]);
    expect(found[2]?.[0]?.message).toBe(message);
  }
  const changed = sandboxes[0]?.requests.flatMap(({ method, path: asked }) => (method === "GET" ? [] : [asked]));
  expect(changed).toEqual(commands.includes("apply") ? ["/api/v1/links/60"] : []);
});

test("a link that moves to another project is not deleted as removed from the first one", async () => {
  const { folder, env } = await sharing({}, "prune: removed\n");
  const main = await readFile(path.join(folder, "main/linkform.yaml"), "utf8");
  const moved = /^ {2}go.example.com\/l30: .*\n/m.exec(main)?.[0] ?? "";
  const files = (prune: string): Promise<void> =>
    writeFiles(folder, {
      "main/linkform.yaml": main.replace(moved, "").replace("prune: removed", `prune: ${prune}`),
      "other/linkform.yaml": `${main.split("prune")[0]}links:\n${moved}`,
    });
  const args = ["plan", "--config", "*/linkform.yaml", "--base", "HEAD"];
  await files("removed");
  const refused = await commandIn(folder, args, env);
  expect([refused.exit, refused.out]).toEqual([
    1,
    expect.stringContaining("write `prune: none` in main/linkform.yaml until"),
  ]);
  await files("none");
  expect((await commandIn(folder, args, env)).exit).toBe(0);
});

test("reports of single jobs, merged, are the report of one run", async () => {
  const { folder, env } = await accounts(4, 0);
  await writeFiles(folder, { "p03/linkform.yaml": "version: 1\nlinks: 12\n" });
  const reports: string[] = [];
  for (const name of ["p04", "p02", "p03", "p01"]) {
    const report = `${name}.json`;
    await commandIn(folder, ["plan", "--config", `${name}/linkform.yaml`, "--format", `json=${report}`], env);
    reports.push(report);
  }
  const joint = await commandIn(folder, ["plan", "--config", "*/linkform.yaml", "--format", "markdown"], env);
  const merged = await commandIn(folder, ["merge", ...reports, "--name", "*/linkform.yaml", "--format", "markdown"]);
  expect(merged.out.split("\n")[0]).toBe("<!-- linkform plan *%2Flinkform.yaml -->");
  expect(merged.out).toBe(joint.out);
  expect([merged.exit, joint.exit]).toEqual([1, 1]);
  for (const format of ["text", "html", "github", "gitlab"])
    expect((await commandIn(folder, ["merge", ...reports, "--format", format])).out).not.toBe("");
  const whole = await commandIn(folder, ["merge", ...reports, "--format", "json=all.json"]);
  expect(whole.exit).toBe(1);
  const again = await commandIn(folder, ["merge", "all.json", "--name", "*/linkform.yaml", "--format", "markdown"]);
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
    "old.json": JSON.stringify({ ...named, format_version: "0.9" }),
    "unnamed.json": JSON.stringify(valid),
    "shape.json": JSON.stringify({ ...named, project: "b/linkform.yaml", diagnostics: [{ code: 1 }] }),
  };
  await writeFiles(folder, files);
  expect(await commandIn(folder, ["merge", "good.json"])).toMatchObject({ exit: 0 });
  for (const [file, says] of [
    ["same.json", "has a report of a/linkform.yaml, but so has good.json"],
    ["text.json", "is not valid JSON"],
    ["old.json", "(at `format_version`)"],
    ["unnamed.json", "(at `project`)"],
    ["shape.json", "(at `diagnostics.0.code`)"],
    ["absent.json", "cannot be read"],
  ] as const) {
    const refused = await commandIn(folder, ["merge", "good.json", file]);
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
  await repository.commit(files, "refs/tags/before", "refs/tags/applied-same");
  const rest = Object.fromEntries(Object.entries(files).filter(([file]) => file !== "shrunk/links/b.yaml"));
  await repository.commit({
    ...rest,
    ...project("new"),
    "edited/links/a.yaml": "links: { go.example.com/a: { url: https://example.com/2 } }\n",
    "same/notes.txt": "b",
  });
  const listed = async (...args: readonly string[]): Promise<unknown> => {
    const ran = await commandIn(repository.folder, ["projects", "--json", ...args], GIT_ENV);
    expect([ran.exit, ran.err]).toEqual([0, ""]);
    return JSON.parse(ran.out);
  };
  const entry = (name: string): object => ({
    config: `${name}/linkform.yaml`,
    name,
    tag: `applied-${name}`,
    base_url: `https://${name}.example.com`,
    changed: true,
  });
  expect(await listed("--changed", "--base", "before")).toEqual({
    format_version: "1.0",
    projects: [entry("edited"), entry("new"), entry("shrunk")],
  });
  expect(await listed("--config", "s*/linkform.yaml", "--changed", "--base", "applied-{project}")).toEqual({
    format_version: "1.0",
    projects: [entry("shrunk")],
  });
  const text = await commandIn(repository.folder, ["projects"], GIT_ENV);
  expect(text.out).toBe("edited/linkform.yaml\nnew/linkform.yaml\nsame/linkform.yaml\nshrunk/linkform.yaml\n");
  const wrong = await commandIn(repository.folder, ["projects", "--changed", "--base", "absent"], GIT_ENV);
  expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining("base-missing")]);
});

test("the tag of each project is the one that a plan uses, and all of them can exist together", async () => {
  const repository = await startRepository();
  const folders = ["", "shop/", "shop/eu/", "my shop/", "a..b/", "x.lock/", "end./", "@{x}/"];
  const files = [...folders.map((folder) => `${folder}linkform.yaml`), "shop/linkform.staging.yaml"];
  const text = "version: 1\nservice: { base_url: https://short.example.com }\n";
  await repository.commit(Object.fromEntries(files.map((file) => [file, text])));
  const { out, err } = await commandIn(repository.folder, ["projects", "--json"], GIT_ENV);
  expect(err).toBe("");
  const projects: { config: string; tag: string }[] = JSON.parse(out).projects;
  const tags = projects.map(({ tag }) => tag);
  expect([tags.length, tags]).toEqual([files.length, expect.arrayContaining(["applied", "applied-shop-eu"])]);
  for (const tag of tags) await repository.git("tag", tag);
  for (const { config, tag } of projects) {
    const implied = await commandIn(repository.folder, ["validate", "--config", config], GIT_ENV);
    expect(implied.out).toContain(`\`${tag}\``);
  }
  const all = ["validate", "--config", "**/linkform*.yaml", "--base", "applied-{project}"];
  expect(await commandIn(repository.folder, all, GIT_ENV)).toMatchObject({ exit: 0 });
});

test("projects whose tags have the same name are refused", async () => {
  const { folder, env, sandboxes } = await accounts(1, 0);
  const text = await readFile(path.join(folder, "p01/linkform.yaml"), "utf8");
  await writeFiles(folder, { "p/01/linkform.yaml": text, "p-01/linkform.yaml": text });
  const args = ["plan", "--config", "**/linkform.yaml", "--base", "applied-{project}"];
  const { exit, err } = await commandIn(folder, args, env);
  const message = "p-01/linkform.yaml and p/01/linkform.yaml have the same base `applied-p-01`.";
  expect([exit, err]).toEqual([1, expect.stringContaining(message)]);
  expect(counts(sandboxes)).toEqual([0, 0, 0]);
});

test("in a pull request, a braked project is a warning, only new findings are listed, and the base is named", async () => {
  const links = ["a", "b", "c", "d"].map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` }));
  const sandbox = await sandboxFor({ seed: { links } });
  const repository = await startRepository();
  const project = (rest: string): string =>
    `version: 1\nservice: { base_url: "${sandbox.url}" }\ndefaults: { link: { domain: go.example.com } }\n${rest}`;
  const plain = project("links: { new: { url: http://example.com/ } }\n");
  const named = "links: { a: { url: https://example.com/a }, b: { url: https://example.com/b } }\n";
  await repository.commit({ "one/linkform.yaml": project(named), "two/linkform.yaml": plain });
  await writeFiles(repository.folder, {
    "one/linkform.yaml": project("absent: { links: [a, b, c, d] }\n"),
    "event.json": JSON.stringify({ pull_request: { user: { login: "octo" }, head: { sha: "5d1c2a7" } } }),
  });
  const env = {
    ...GIT_ENV,
    LINKFORM_BASE_URL: sandbox.url,
    LINKFORM_API_KEY: sandbox.apiKey,
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: "event.json",
  };
  const run = async (format: string): Promise<string> => {
    const args = ["plan", "--config", "*/linkform.yaml", "--base", "HEAD", "--format", format];
    const { exit, out } = await commandIn(repository.folder, args, env);
    expect(exit).toBe(3);
    return out;
  };
  const comment = await run("markdown");
  expect(comment).toContain("**The brake will stop the deploy of: `one/linkform.yaml`, `two/linkform.yaml`**");
  expect(comment).toMatch(/2 projects, 2 with changes\. Plan: /);
  expect(comment).toContain(" Stopped by the brake: nothing is applied. 1 finding in `linkform validate`.");
  expect(comment).not.toMatch(/failed|plain-http|Applies after/i);
  const annotations = await run("github");
  expect(annotations).toMatch(/^::warning [^\n]*title=linkform%3A brake::/m);
  expect(annotations).not.toMatch(/^::error|plain-http/m);
});
