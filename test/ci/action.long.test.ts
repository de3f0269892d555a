// The action alone, for other workflows. Fails if a report of thousands of changes is lost or counted
// wrong, if a value becomes another output or argument, or if the action runs another program than the requested one, or one that the
// checkout chooses.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectSuccess, linksOf, startPipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { forgeFor } from "../support/forge.ts";
import { listen } from "../support/http.ts";
import { run as runProgram } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runSteps, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const SECRETS = { key: "${{ secrets.LINKFORM_API_KEY }}", "base-url": "${{ secrets.LINKFORM_BASE_URL }}" };

const ANY_HASH = `sha512-${"A".repeat(86)}==`;

const linkform = (given: Readonly<Record<string, string>>, occasion: Occasion, action = ROOT): Promise<JobRun> =>
  runSteps([{ id: "it", uses: "OWNER/linkform@v0", with: { ...SECRETS, ...given } }], { ...occasion, action });

test("reads only what differs from the base if the input changed asks for it, and everything without a base", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await pipeline.propose({ "linkform.yaml": `${pipeline.project(linksOf("a"))}# note\n` });
  const occasion = pipeline.occasion("pull_request");
  const asked = async (given: Readonly<Record<string, string>>): Promise<[string, boolean]> => {
    const before = pipeline.sandbox.requests.length;
    const { outcome } = await linkform({ command: "plan", ...given }, occasion);
    return [outcome, pipeline.sandbox.requests.length > before];
  };
  expect(await asked({ base: "HEAD^1", changed: "always" })).toEqual(["success", false]);
  expect(await asked({ base: "HEAD^1" })).toEqual(["success", true]);
  expect(await asked({ changed: "always" })).toEqual(["success", true]);
  expect(await asked({ base: "HEAD^1", changed: "sometimes" })).toEqual(["failure", false]);
});

test("errors are annotations on their lines, with paths from the root of the repository", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "shop/linkform.yaml": pipeline.project('links: { go.example.com/a: { url: "nowhere" } }\n') });
  const run = await linkform({ command: "validate", "working-directory": "shop" }, pipeline.occasion("push"));
  expect(run.log).toContain("::error file=shop/linkform.yaml,line=4,");
});

test.each(["working-directory", "config", "plan-file", "report"])(
  "the input %s cannot lead out of the checkout through a link that a commit added",
  async (name) => {
    const [pipeline, outside] = [await startPipeline(), await temporaryFolder()];
    const canary = `${pipeline.project(linksOf("canary"))}# canary\n`;
    await writeFile(path.join(outside, "linkform.yaml"), canary);
    await symlink(
      name === "working-directory" ? outside : path.join(outside, "linkform.yaml"),
      path.join(pipeline.repository.folder, "linked.yaml"),
    );
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const before = pipeline.sandbox.requests.length;
    const run = await linkform({ command: "plan", [name]: "linked.yaml" }, pipeline.occasion("push"));
    expect(run.outcome).toBe("failure");
    expect(run.log).not.toContain("canary");
    expect(await readFile(path.join(outside, "linkform.yaml"), "utf8")).toBe(canary);
    expect(await readdir(outside)).toEqual(["linkform.yaml"]);
    expect(pipeline.sandbox.requests.length).toBe(before);
  },
);

test("without base-url the key is not sent: the files of a pull request could name any address", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
  for (const command of ["plan", "apply", "drift"]) {
    const run = await linkform({ command, base: "HEAD^1", "base-url": "" }, pipeline.occasion("pull_request"));
    expect([run.outcome, run.step("it").outputs["exit-code"]]).toEqual(["failure", "1"]);
    expect(run.log).toContain("title=linkform%3A unpinned-address::");
  }
  expect(pipeline.sandbox.requests).toEqual([]);
});

test("a plan of 5,000 changes: comment and summary fit, and have the number", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project("") });
  const links = Array.from({ length: 5000 }, (_, at) => `a-rather-long-alias-of-a-link-${at}`);
  await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf(...links)) });
  const run = await linkform({ command: "plan", comment: "true" }, pipeline.occasion("pull_request"));
  expect({ outcome: run.outcome, outputs: run.step("it").outputs }).toMatchObject({
    outcome: "success",
    outputs: { create: "5000", update: "0", "has-changes": "true" },
  });
  const body = pipeline.forge.comments[0]?.body ?? "";
  const { summary } = run.step("it");
  for (const text of [body, summary]) expect(text).toMatch(/5,?000/);
  expect(body).toContain("Full report: [the page of this run](");
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
  expect(Buffer.byteLength(summary)).toBeGreaterThan(1000);
});

test("a saved plan is applied from its file, and the file is an output; a push has no pull request to comment on", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  const occasion = pipeline.occasion("push");
  const planned = await linkform({ command: "plan", "plan-file": "plan.json", comment: "true" }, occasion);
  expectSuccess(planned);
  expect(planned.step("it").outputs["plan-file"]).toBe(path.join(pipeline.repository.folder, "plan.json"));
  expect(planned.log).toContain("No comment, because this run has no pull request.");
  expect(pipeline.forge.requests).toEqual([]);
  const applied = await linkform({ command: "apply", "plan-file": "plan.json" }, occasion);
  expect(applied.step("it").outputs).toMatchObject({ "exit-code": "0", applied: "1" });
});

test("a canceled run reaches linkform, which ends and reports it", async () => {
  const folder = await temporaryFolder();
  // The service never responds, and the request is canceled.
  const server = createServer().once("request", () => child.kill("SIGINT"));
  const base = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${base}" }\n${linksOf("a")}` });
  const forge = await forgeFor();
  await writeFiles(folder, { "event.json": JSON.stringify({ pull_request: { number: 1 } }) });
  const inputs = { INPUT_KEY: "k", INPUT_BASE_URL: base, INPUT_TOKEN: "t", INPUT_COMMENT: "true" };
  const runner = { RUNNER_TEMP: folder, GITHUB_WORKSPACE: folder, GITHUB_EVENT_PATH: path.join(folder, "event.json") };
  const env = { PATH: process.env["PATH"] ?? "", ...forge.env.github, ...runner, ...inputs };
  const child = spawn(process.execPath, [path.join(ROOT, "action/main.mjs")], { env });
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  const exit = await new Promise((resolve) => child.once("close", resolve));
  expect({ exit, said }).toEqual({ exit: 130, said: expect.stringContaining("The run was interrupted.") });
  // The next run comments. Two at once would write two comments.
  expect(forge.requests).toEqual([]);
});

describe("values", () => {
  test("do not become other outputs", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const report = "report\nhas-changes=false\nexit-code<<EOF\n0\nEOF.html";
    const { outputs } = (await linkform({ command: "plan", report }, pipeline.occasion("push"))).step("it");
    expect(outputs).toMatchObject({ "exit-code": "2", "has-changes": "true" });
    expect(outputs["report"]).toBe(path.join(pipeline.repository.folder, report));
  });

  test("do not become arguments or commands", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    const value = "--yes $(touch x) `touch x`; touch x \"' && touch x";
    for (const name of [
      "config",
      "base",
      "allow-deletes",
      "resend-secrets",
      "plan-file",
      "working-directory",
      "report",
    ])
      await linkform({ command: "plan", [name]: value }, pipeline.occasion("push"));
    expect(await pipeline.repository.git("status", "--porcelain", "x")).toBe("");
    expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test.each([
    [{ command: "destroy" }, "The input command must be one of"],
    [{ "working-directory": "nowhere" }, "The folder nowhere does not exist in the checkout"],
    [{ comment: "yes" }, "The input comment must be true or false."],
    [{ command: "merge" }, "The command merge needs the input reports"],
    [{ command: "merge", reports: "nowhere" }, "The folder nowhere does not exist."],
  ])("that it does not know are an error: %o", async (given, said) => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    const run = await linkform(given, pipeline.occasion("push"));
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain(`::error title=linkform::${said}`);
    expect(pipeline.sandbox.requests).toEqual([]);
  });

  test("that linkform refuses fail the job, which says so next to the log", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    const run = await linkform({ command: "plan", "allow-deletes": "many" }, pipeline.occasion("push"));
    expect(run.outcome).toBe("failure");
    expect(run.step("it").outputs).toMatchObject({ "exit-code": "64", "has-changes": "", create: "", report: "" });
    expect(run.log).toContain("::error title=linkform::linkform plan failed with exit code 64");
  });
});

describe("the program", () => {
  const offline = async (): Promise<{ readonly HOME: string } & Readonly<Record<string, string>>> => ({
    HOME: await temporaryFolder(),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  });

  test("is the requested one, if it is a tarball", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const folder = await temporaryFolder();
    const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
    const { out } = await runProgram("npm", pack, ROOT, await offline());
    const version = path.join(folder, out.trim());
    const hash = createHash("sha512").update(await readFile(version));
    const integrity = `sha512-${hash.digest("base64")}`;
    const occasion = pipeline.occasion("push", { env: await offline() });
    const run = await linkform({ command: "plan", version, integrity }, occasion);
    expectSuccess(run);
    expect(run.log).toContain("+ create link go.example.com/a");

    const before = pipeline.sandbox.requests.length;
    const other = await linkform({ command: "plan", version, integrity: ANY_HASH }, occasion);
    expect(other.outcome).toBe("failure");
    expect(other.log).toContain(`has the hash ${integrity}, which is not the one in the input integrity.`);
    const none = await linkform({ command: "plan", version }, occasion);
    expect(none.log).toContain("::error title=linkform::The input version needs the input integrity");
    expect(pipeline.sandbox.requests.length).toBe(before);
  });

  // Fails if a ref of the action without a bundle asks a registry for a package with the name linkform, or runs scripts of packages.
  test("is built once from the action's own checkout, if that has no bundle", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const action = await temporaryFolder();
    const files = [
      "action",
      "action.yml",
      "src",
      "scripts",
      "examples",
      "templates",
      "package.json",
      "package-lock.json",
    ];
    for (const file of files) await cp(path.join(ROOT, file), path.join(action, file), { recursive: true });
    const tools = await temporaryFolder();
    const npm = `#!/bin/sh\necho "npm $*" >> ${tools}/calls\nln -s ${ROOT}/node_modules node_modules\n`;
    await writeFile(path.join(tools, "npm"), npm, { mode: 0o755 });
    const env = { ...(await offline()), PATH: `${tools}:${process.env["PATH"] ?? ""}`, NODE_ENV: "production" };
    const occasion = pipeline.occasion("push", { env });
    for (const _ of [1, 2]) {
      const run = await linkform({ command: "plan" }, occasion, action);
      expect(run.log).toContain("+ create link go.example.com/a");
    }
    expect((await readFile(path.join(tools, "calls"), "utf8")).trim().split("\n")).toEqual([
      "npm ci --global=false --include=dev --ignore-scripts",
    ]);
  });

  test("comes from the registry of the runner, not from the checkout's; if it cannot be installed, the job fails", async () => {
    const pipeline = await startPipeline();
    const [runners, checkouts] = [await forgeFor(), await forgeFor()];
    const files = { "linkform.yaml": pipeline.project(""), ".npmrc": `registry=${checkouts.url}/\n` };
    await pipeline.merge(files);
    const env = { ...(await offline()), npm_config_offline: "false", npm_config_fetch_retries: "0" };
    await writeFiles(env.HOME, { ".npmrc": `registry=${runners.url}/\n` });
    const run = await linkform(
      { command: "plan", version: "0.0.1-none", integrity: ANY_HASH },
      pipeline.occasion("push", { env }),
    );
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("::error title=linkform::The package linkform@0.0.1-none could not be downloaded");
    expect(runners.requests.map(({ path: asked }) => asked)).toContain("/linkform");
    expect(checkouts.requests).toEqual([]);
    // The request is only for the service.
    expect(JSON.stringify(runners.requests)).not.toContain(pipeline.sandbox.apiKey);
  });
});
