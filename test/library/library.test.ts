// The library in a user's program, with the sandbox. Fails if it plans or applies something else than the commands
// do, if reading or planning writes, or if it uses environment variables that were not passed to it.

import path from "node:path";
import { expect, test } from "vitest";
import { applyPlan, createPlan, loadProject, planDocument, planText, readLive, type Outcome } from "../../src/index.ts";
import { plan as planCommand } from "../../src/cli/plan.ts";
import { folderFor, loaded, opened, planFor } from "../support/library.ts";
import { sandboxFor, writesTo } from "../support/sandbox.ts";
import { CLI, run } from "../support/program.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { runIn, writeFiles } from "../support/scenario.ts";

const SHOP = `pixels:
  Meta main: { type: facebook, value: "1234567890123456" }
links:
  go.example.com/spring: { url: https://example.com/spring, pixels: [Meta main] }
  go.example.com/press:
    url: https://example.com/press
    password: { env: LINKFORM_SECRET_PRESS }
    privacy: password
    privacy_password: { file: secrets/stats.txt }
`;

test("load, read, plan and apply: the files are live, and the next plan is empty", async () => {
  const sandbox = await sandboxFor();
  const folder = await folderFor(sandbox, SHOP);
  await writeFiles(folder, { "secrets/stats.txt": "for the boss\n" });
  const { apiKey } = sandbox;

  const { project, diagnostics, files } = await loadProject(folder);
  expect({ diagnostics, files }).toEqual({ diagnostics: [], files: ["linkform.yaml"] });
  if (project === null) throw new Error("the project has no mistakes");
  expect(project).toMatchObject({ folder, file: "linkform.yaml", baseUrl: sandbox.url, base: null });
  expect(project.declared.map(({ kind, key, place }) => `${kind} ${key} ${place.line}`)).toEqual([
    "pixel Meta main 4",
    "link go.example.com/spring 6",
    "link go.example.com/press 7",
  ]);

  const live = await readLive(project, { apiKey });
  expect(live).toMatchObject({ links: [], pixels: [], isWhole: true });
  const plan = createPlan(project, live);
  expect(plan).toMatchObject({ complete: true, brakes: [], diagnostics: [] });
  expect(plan.changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`).toSorted()).toEqual([
    "create link go.example.com/press",
    "create link go.example.com/spring",
    "create pixel Meta main",
  ]);
  expect(plan.secretsNeeded.map(({ name }) => name)).toEqual(["LINKFORM_SECRET_PRESS", "secrets/stats.txt"]);
  expect(writesTo(sandbox)).toEqual([]);

  const outcomes: Outcome[] = [];
  const env = { LINKFORM_SECRET_PRESS: "for the press" };
  const applied = await applyPlan(plan, { apiKey, env, onOutcome: (outcome) => outcomes.push(outcome) });
  expect(applied).toMatchObject({ done: true, stopped: null });
  expect(applied.outcomes.map(({ change }) => change)).toEqual(plan.changes);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["applied", "applied", "applied"]);
  // The first pixel and the first link are read back.
  expect([writesTo(sandbox).length, plan.requests.apply]).toEqual([3, 5]);
  expect(sandbox.state().links).toMatchObject([
    { alias: "press", password: "for the press", privacy: 2, privacy_password: "for the boss" },
    { alias: "spring", url: "https://example.com/spring", pixels: [1] },
  ]);

  const again = createPlan(project, await readLive(project, { apiKey }));
  expect(again).toMatchObject({ complete: true, changes: [], summary: { unchanged: 3, unmanaged: 0 } });
});

test("planText and planDocument return what the command prints", async () => {
  const links = [
    { url: "https://example.com/old", domain: 2, alias: "spring" },
    { url: "https://example.com/gone", domain: 2, alias: "gone", clicks: 7 },
  ];
  const sandbox = await sandboxFor({ seed: { links } });
  const lines = `brake: { deletes: 0 }\n${SHOP}absent: { links: [go.example.com/gone] }\n`;
  const folder = await folderFor(sandbox, lines);
  const env = { LINKFORM_API_KEY: sandbox.apiKey };
  const reportIn = async (format: string): Promise<string> =>
    (await runIn(folder, env, (world) => planCommand(world, { format: [format] }))).out;
  const plan = await planFor(sandbox, await loaded(folder));
  expect(plan.changes.map(({ action }) => action).toSorted()).toEqual(["create", "create", "delete", "update"]);
  expect(planText(plan)).toBe(await reportIn("text"));
  const narrow = planText(plan, { columns: 40 }).split("\n");
  expect(narrow.length).toBeGreaterThan(planText(plan).split("\n").length);
  expect(planText(plan, { color: true })).toContain("\u001b[");
  const { project: _, command: __, ...document } = JSON.parse(await reportIn("json"));
  expect(planDocument(plan)).toEqual(document);
});

test("with a base, links that were removed from the files are read and deleted, and no others", async () => {
  // In an account of this size, only the links that the files or the base name are read.
  const foreign = Array.from({ length: 300 }, (_, n) => `foreign-${n}`);
  const links = ["kept", ...foreign, "removed"].map((alias) => ({
    alias,
    domain: alias.endsWith("7") ? 3 : 2,
    url: `https://example.com/${alias}`,
  }));
  const sandbox = await sandboxFor({ seed: { links } });
  const head = `version: 1\nservice: { base_url: "${sandbox.url}" }\nprune: removed\nlinks:\n`;
  const link = (alias: string): string => `  go.example.com/${alias}: { url: https://example.com/${alias} }\n`;
  const repository = await startRepository();
  const commit = await repository.commit({ "linkform.yaml": `${head}${link("kept")}${link("removed")}` });
  await repository.commit({ "linkform.yaml": `${head}${link("kept")}` });
  const { folder } = repository;
  const without = await planFor(sandbox, await loaded(folder));
  expect(without.diagnostics).toMatchObject([{ code: "prune-without-base" }]);
  expect(without.changes).toEqual([]);
  const project = await loaded(folder, { base: "HEAD^", env: GIT_ENV });
  expect(project.base).toEqual({ ref: "HEAD^", commit });
  const plan = await planFor(sandbox, project);
  expect(plan.changes).toMatchObject([{ action: "delete", key: "go.example.com/removed", reason: "removed" }]);
  expect((await applyPlan(plan, { apiKey: sandbox.apiKey })).done).toBe(true);
  expect(sandbox.state().links.map(({ alias }) => alias)).toEqual(["kept", ...foreign]);
});

test("a plan is applied to the address that was read, and baseUrl overrides the files", async () => {
  const [named, other] = [await sandboxFor(), await sandboxFor({ apiKey: "other-key" })];
  const project = await loaded(await folderFor(named, "links: { go.example.com/a: { url: https://example.com/ } }\n"));
  const live = await readLive(project, { apiKey: "other-key", baseUrl: `${other.url}/` });
  expect((await applyPlan(createPlan(project, live), { apiKey: "other-key" })).done).toBe(true);
  expect(named.requests).toEqual([]);
  expect(other.state().links).toHaveLength(1);
});

test("the options of a plan work like those of the command line", async () => {
  const links = [{ url: "https://example.com/a", domain: 2, alias: "a", ends_at: "2027-01-01T00:00:00.000Z" }];
  const lines = `links:
  go.example.com/a: { url: https://example.com/a, password: { env: LINKFORM_SECRET_A } }
  go.example.com/b: { url: https://example.com/b }
  go.example.com/c: { url: https://example.com/c }
`;
  const { sandbox, project } = await opened(lines, { seed: { links } });
  const live = await readLive(project, { apiKey: sandbox.apiKey });
  const keys = (options: Parameters<typeof createPlan>[2]): string[] =>
    createPlan(project, live, options).changes.map(({ key }) => key.slice(-1));
  expect(keys({})).toEqual(["a", "b", "c"]);
  expect(keys({ targets: ["go.example.com/b"] })).toEqual(["b"]);
  expect(keys({ excludes: ["go.example.com/b"] })).toEqual(["a", "c"]);
  // A field that the files omit never revives an expired link. `now` decides whether it has expired.
  const warned = (now: string): string[] =>
    createPlan(project, live, { now: new Date(now) }).diagnostics.map(({ code }) => code);
  expect(warned("2027-02-01T00:00:00Z")).not.toEqual(warned("2026-12-01T00:00:00Z"));
});

test("only the links that the project needs are read, except with `all`", async () => {
  const links = Array.from({ length: 400 }, (_, at) => ({
    url: "https://example.com/",
    domain: 2,
    alias: `other-${at}`,
  }));
  const { project, apiKey } = await opened("links: { go.example.com/mine: { url: https://example.com/ } }\n", {
    seed: { links },
  });
  const few = await readLive(project, { apiKey });
  const all = await readLive(project, { apiKey, all: true });
  expect([few.isWhole, all.isWhole, all.links.length]).toEqual([false, true, 400]);
  expect(few.requests).toBeLessThan(all.requests);
});

test("a plan has the warnings of the files, and lost clicks have their own allowance", async () => {
  const links = [{ url: "https://example.com/", domain: 2, alias: "gone", clicks: 2000 }];
  const lines = `brake: { deletes: 1, clicks: 1% }\nlinks: { go.example.com/a: { url: "http://example.com/" } }
absent: { links: [go.example.com/gone] }\n`;
  const { sandbox, project } = await opened(lines, { seed: { links } });
  const live = await readLive(project, { apiKey: sandbox.apiKey });
  const plan = createPlan(project, live);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(["plain-http"]);
  expect(plan.brakes).toMatchObject([{ limits: "clicks", count: 2000, flag: 2000 }]);
  expect(createPlan(project, live, { allowances: { deletes: 2000, updates: 2000 } }).brakes).toHaveLength(1);
  expect(createPlan(project, live, { allowances: { clicks: 2000 } }).brakes).toEqual([]);
});

test("a program that uses the library keeps the dispatcher of Node's fetch", async () => {
  const sandbox = await sandboxFor();
  const folder = await folderFor(sandbox, SHOP);
  const library = JSON.stringify(path.join(path.dirname(CLI), "index.js"));
  const program = `import { loadProject, readLive } from ${library};
    const live = await readLive((await loadProject(".")).project, { apiKey: "${sandbox.apiKey}" });
    console.log(live.requests > 0, Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => /dispatcher/i.test(name)));`;
  const ran = await run(process.execPath, ["--input-type=module", "-e", program], folder, {});
  expect(ran).toEqual({ exit: 0, out: "true []\n", err: "" });
});
