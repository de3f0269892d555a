// The errors of the library. Fails if a plan is applied that must not be, or a different one than the caller saw;
// if the library reads a key or secret that was not passed to it, or shows one in an error; or if a failure is lost.

import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  applyPlan,
  createPlan,
  EXIT,
  loadProject,
  planText,
  readLive,
  ServiceError,
  type Notice,
  type Plan,
} from "../../src/index.ts";
import { folderFor, loaded, opened, planFor } from "../support/library.ts";
import { sandboxFor, writesTo } from "../support/sandbox.ts";
import { startProxy } from "../support/proxy.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

const HELLO = "links: { go.example.com/hello: { url: https://example.com/ } }\n";
const SECRET = `links:\n${["A", "B"].map((name) => `  go.example.com/${name}: { url: https://example.com/, password: { env: LINKFORM_SECRET_${name} } }\n`).join("")}`;

/** Two links to delete, and a brake that allows one delete. */
async function braked(): Promise<{ sandbox: Awaited<ReturnType<typeof sandboxFor>>; folder: string }> {
  const links = ["a", "b"].map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` }));
  const sandbox = await sandboxFor({ seed: { links } });
  const lines = "brake: { deletes: 1 }\nabsent: { links: [go.example.com/a, go.example.com/b] }\n";
  return { sandbox, folder: await folderFor(sandbox, lines) };
}

test("files: all mistakes are returned, and the project is null", async () => {
  const folder = await temporaryFolder();
  const text = "version: 1\nservice: { base_url: https://short.example.com }\nlinks:\n  go.example.com/a: { ulr: x }\n";
  await writeFiles(folder, { "linkform.yaml": text, "links/broken.yaml": "links:\n\ta: {}\n" });
  const { project, diagnostics, files } = await loadProject(folder);
  expect(project).toBe(null);
  expect(files).toEqual(["linkform.yaml", "links/broken.yaml"]);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ place }) => place?.file)).toEqual(
    expect.arrayContaining(["linkform.yaml", "links/broken.yaml"]),
  );
});

test("files: a folder without a project file and a base that does not exist are errors", async () => {
  const folder = await temporaryFolder();
  await expect(loadProject(folder)).rejects.toMatchObject({ name: "UserError", code: "no-project" });
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: http://127.0.0.1:9 }\n${HELLO}` });
  const env = { PATH: process.env["PATH"] };
  await expect(loadProject(folder, { base: "main", env })).rejects.toMatchObject({
    code: "base-no-repository",
  });
  await writeFiles(folder, { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/info": "", ".git/refs/heads": "" });
  await expect(loadProject(folder, { base: "main", env: { PATH: folder } })).rejects.toMatchObject({
    code: "base-no-git",
  });
});

describe("the service", () => {
  test("a wrong key is a service error that does not contain the key", async () => {
    const { project } = await opened(HELLO);
    const cause: unknown = await readLive(project, { apiKey: "not-the-key" }).catch((thrown: unknown) => thrown);
    expect(cause).toBeInstanceOf(ServiceError);
    expect(cause).toMatchObject({ code: "unauthenticated", status: 401 });
    expect(String(cause instanceof Error ? cause.stack : "")).not.toContain("not-the-key");
  });

  test("no key, password or proxy is read from the environment of the process", async () => {
    const sandbox = await sandboxFor();
    vi.stubEnv("LINKFORM_API_KEY", sandbox.apiKey);
    vi.stubEnv("LINKFORM_SECRET_A", "hunter2");
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:9");
    onTestFinished(() => void vi.unstubAllEnvs());
    const project = await loaded(await folderFor(sandbox, SECRET));
    await expect(readLive(project, { apiKey: undefined })).rejects.toMatchObject({ code: "no-key" });
    // As a program without types may pass it.
    const nothing: { apiKey: string } = JSON.parse('{"apiKey":null}');
    await expect(readLive(project, nothing)).rejects.toMatchObject({ code: "no-key" });
    expect(sandbox.requests).toEqual([]);
    const plan = await planFor(sandbox, project);
    await expect(applyPlan(plan, { apiKey: sandbox.apiKey })).rejects.toMatchObject({
      code: "secret-missing",
      message: expect.stringMatching(/LINKFORM_SECRET_A.*LINKFORM_SECRET_B/),
    });
    expect(writesTo(sandbox)).toEqual([]);
    // The plan does not count as used: with the missing secrets it can be applied.
    const env = { LINKFORM_SECRET_A: "hunter2", LINKFORM_SECRET_B: "hunter3" };
    expect((await applyPlan(plan, { apiKey: sandbox.apiKey, env })).done).toBe(true);
  });

  test("an invalid proxy and an invalid address are errors before any request", async () => {
    const { sandbox, project, apiKey } = await opened(HELLO);
    const env = { HTTP_PROXY: "http://" };
    await expect(readLive(project, { apiKey, env })).rejects.toMatchObject({ code: "wrong-proxy" });
    for (const baseUrl of ["short", `${sandbox.url}/api/v1`])
      await expect(readLive(project, { apiKey, baseUrl })).rejects.toMatchObject({ code: "wrong-base-url" });
    await expect(readLive(project, { apiKey: "two words" })).rejects.toMatchObject({ code: "wrong-key" });
    expect(sandbox.requests).toEqual([]);
  });

  test("exceeding maxWait and an aborted signal are errors with a reason, and a signal collects no listeners", async () => {
    const { sandbox, project } = await opened(HELLO, { rateLimit: 1 });
    const { signal } = new AbortController();
    const options = { apiKey: sandbox.apiKey, maxWait: 0 };
    await expect(readLive(project, { ...options, signal })).rejects.toMatchObject({
      name: "UserError",
      code: "max-wait",
    });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const aborted = { ...options, signal: AbortSignal.abort("enough") };
    await expect(readLive(project, aborted)).rejects.toMatchObject({ code: "stopped", cause: "enough" });
  });

  test("onNotice reports waits and retries, and can stop the run", async () => {
    const { sandbox, project } = await opened(HELLO);
    const baseUrl = await startProxy(sandbox.url, () => "drop");
    const stop = new AbortController();
    const notices: Notice[] = [];
    const onNotice = (notice: Notice): void => {
      notices.push(notice);
      stop.abort("enough");
    };
    const options = { apiKey: sandbox.apiKey, baseUrl, signal: stop.signal, onNotice };
    await expect(readLive(project, options)).rejects.toMatchObject({ code: "stopped", cause: "enough" });
    expect(notices).toMatchObject([{ what: "retry" }]);
  });
});

describe("plans", () => {
  test("that exceed a limit are refused until they are planned with an allowance", async () => {
    const { sandbox, folder } = await braked();
    const { apiKey } = sandbox;
    const project = await loaded(folder);
    const live = await readLive(project, { apiKey });
    const plan = createPlan(project, live);
    expect(plan.brakes).toMatchObject([{ limits: "deletes", kind: "link", count: 2, limit: 1, flag: 2 }]);
    await expect(applyPlan(plan, { apiKey })).rejects.toMatchObject({
      name: "UserError",
      code: "brake",
      exit: EXIT.refused,
      message: "Too many deletes: 2 links. The brake allows at most 1 (`deletes: 1`, 2 links in total).",
      hint: expect.stringContaining("`allowances: { deletes: 2 }`"),
    });
    expect(writesTo(sandbox)).toEqual([]);
    const allowed = createPlan(project, live, { allowances: { deletes: 2 } });
    expect((await applyPlan(allowed, { apiKey })).done).toBe(true);
    expect(sandbox.state().links).toEqual([]);
  });

  test("that the caller modified are applied as they were planned", async () => {
    const { sandbox, folder } = await braked();
    const plan = await planFor(sandbox, await loaded(folder));
    const before = planText(plan);
    for (const list of [plan.brakes, plan.changes]) Reflect.set(list, "length", 0);
    expect(plan).toMatchObject({ brakes: [], changes: [] });
    await expect(applyPlan(plan, { apiKey: sandbox.apiKey })).rejects.toMatchObject({ code: "brake" });
    expect(planText(plan)).toBe(before);
    const copy: Plan = { ...plan };
    await expect(applyPlan(copy, { apiKey: sandbox.apiKey })).rejects.toMatchObject({ code: "not-made-here" });
    expect(writesTo(sandbox)).toEqual([]);
  });

  test("with an error in the account are empty and refused", async () => {
    const { sandbox, project } = await opened("links: { nowhere.example.com/a: { url: https://example.com/ } }\n");
    const plan = await planFor(sandbox, project);
    expect(plan).toMatchObject({ complete: false, changes: [] });
    const [problem] = plan.diagnostics;
    expect(problem).toMatchObject({ severity: "error", place: { file: "linkform.yaml", line: 3 } });
    await expect(applyPlan(plan, { apiKey: sandbox.apiKey })).rejects.toMatchObject({
      code: "plan-has-errors",
      message: expect.stringContaining(problem?.message ?? "no message"),
    });
    expect(writesTo(sandbox)).toEqual([]);
  });

  test("need a live state that was read for the same project", async () => {
    const sandbox = await sandboxFor();
    const [one, two] = [await loaded(await folderFor(sandbox, HELLO)), await loaded(await folderFor(sandbox, SECRET))];
    const live = await readLive(one, { apiKey: sandbox.apiKey });
    expect(() => createPlan(two, live)).toThrow(expect.objectContaining({ code: "other-project" }));
    expect(() => createPlan(one, { ...live })).toThrow(expect.objectContaining({ code: "not-made-here" }));
  });

  test("cannot be applied twice", async () => {
    const sandbox = await sandboxFor();
    const plan = await planFor(sandbox, await loaded(await folderFor(sandbox, HELLO)));
    const { apiKey } = sandbox;
    const [first, second] = await Promise.allSettled([applyPlan(plan, { apiKey }), applyPlan(plan, { apiKey })]);
    expect(first).toMatchObject({ status: "fulfilled", value: { done: true } });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "plan-used" } });
    expect(writesTo(sandbox)).toHaveLength(1);
  });
});

describe("an apply that fails", () => {
  const PIXEL = `pixels: { Meta: { type: facebook, value: "1234567890123456" } }
links:
  go.example.com/a: { url: https://example.com/a, pixels: [Meta] }
  go.example.com/b: { url: https://example.com/b }
`;

  test("a failed change is an outcome with its line, dependent changes are skipped, and the others are applied", async () => {
    const { sandbox, project } = await opened(PIXEL);
    const plan = await planFor(sandbox, project);
    // Someone else takes the name in the meantime.
    const rival = 'pixels: { META: { type: bing, value: "12345678" } }\n';
    const other = await planFor(sandbox, await loaded(await folderFor(sandbox, rival)));
    await applyPlan(other, { apiKey: sandbox.apiKey });
    const { done, stopped, outcomes } = await applyPlan(plan, { apiKey: sandbox.apiKey });
    expect({ done, stopped }).toEqual({ done: false, stopped: null });
    const byKey = new Map(outcomes.map((outcome) => [outcome.change.key, outcome]));
    expect(byKey.get("Meta")).toMatchObject({ outcome: "failed", failure: { place: { line: 3 } } });
    expect(byKey.get("go.example.com/a")).toMatchObject({
      outcome: "skipped",
      because: expect.stringContaining("Meta"),
    });
    expect(byKey.get("go.example.com/b")).toMatchObject({ outcome: "applied" });
    expect(sandbox.state().links.map(({ alias }) => alias)).toEqual(["b"]);
  });

  test("an aborted signal starts no further change, and the outcomes show which were applied", async () => {
    const { sandbox, project } = await opened(PIXEL);
    const controller = new AbortController();
    const { done, stopped, outcomes } = await applyPlan(await planFor(sandbox, project), {
      apiKey: sandbox.apiKey,
      signal: controller.signal,
      concurrency: 1,
      onOutcome: () => controller.abort(),
    });
    expect({ done, code: stopped?.code }).toEqual({ done: false, code: "stopped" });
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["applied", "skipped", "skipped"]);
    expect(writesTo(sandbox)).toHaveLength(1);
    // Applied changes are kept, and the next plan has the others.
    const rest = await planFor(sandbox, project);
    expect(rest.changes).toHaveLength(2);
    expect((await applyPlan(rest, { apiKey: sandbox.apiKey })).done).toBe(true);
  });

  test("a callback that throws stops the run like a signal, and its error is the cause", async () => {
    const sandbox = await sandboxFor();
    const { apiKey } = sandbox;
    const project = await loaded(await folderFor(sandbox, PIXEL));
    const problem = new Error("the log is full");
    const onOutcome = (): never => {
      throw problem;
    };
    const applied = await applyPlan(await planFor(sandbox, project), { apiKey, concurrency: 1, onOutcome });
    expect(applied.stopped).toMatchObject({ code: "stopped", cause: problem });
    expect(applied.outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["applied", "skipped", "skipped"]);
  });

  test("an invalid concurrency is refused, and the plan can still be applied", async () => {
    const sandbox = await sandboxFor();
    const { apiKey } = sandbox;
    const plan = await planFor(sandbox, await loaded(await folderFor(sandbox, HELLO)));
    for (const concurrency of [0, 1.5, Number.NaN])
      await expect(applyPlan(plan, { apiKey, concurrency })).rejects.toMatchObject({ code: "wrong-concurrency" });
    expect((await applyPlan(plan, { apiKey, concurrency: 1 })).done).toBe(true);
  });
});
