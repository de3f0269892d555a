// The workflows that `linkform init` writes have the project's own values, and are what GitHub and GitLab understand. Fails when a
// place in the examples moves so that a value no longer comes in, when a word of the examples is left that stands for a value, when
// GitHub's own checker has something against a file, or when an input is set that the template does not have.

import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { init, type InitFlags } from "../../src/init/command.ts";
import { ROOT } from "../support/documents.ts";
import { git } from "../support/repository.ts";
import { textsIn } from "../support/beginning.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { complaintsAbout } from "../support/workflow-checker.ts";

const SERVICE = "https://links.acme.example:8443/app";
const PLAIN = { baseUrl: "https://links.acme.example", offline: true, ciSource: "acme/linkform" } as const;
const GITLAB = { ...PLAIN, ci: "gitlab", ciImage: "registry.acme.example/linkform:1" } as const;

interface Written extends Ran {
  readonly texts: Readonly<Record<string, string>>;
}

/** Begins a project in a folder of a new repository. */
async function begun(flags: InitFlags, folder = "", branch = "trunk"): Promise<Written> {
  const root = await temporaryFolder();
  await git(root, "init", "-q", "-b", branch);
  await writeFiles(root, { [path.join(folder, "keep")]: "" });
  const ran = await runIn(path.join(root, folder), {}, (world) => init(world, flags));
  return { ...ran, texts: await textsIn(root) };
}

const workflowsIn = (texts: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(texts).filter(([file]) => file.startsWith(".github/workflows/"));

describe("for GitHub", () => {
  const cases: readonly [string, InitFlags, string, string][] = [
    ["at the root", { ...PLAIN, ci: "github" }, "", "trunk"],
    [
      "in a folder, with values that YAML and GitHub take for something else",
      {
        ...PLAIN,
        ci: "github",
        baseUrl: SERVICE,
        config: "linkform.shop @2.yaml",
      },
      "teams/Märkte - 1",
      "re+lease/#1",
    ],
  ];

  test.each(cases)("%s: GitHub's checker has nothing against them", async (_, flags, folder, branch) => {
    const { exit, err, texts } = await begun(flags, folder, branch);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const workflows = workflowsIn(texts);
    expect(workflows).toHaveLength(3);
    for (const [file, text] of workflows) {
      expect(await complaintsAbout(path.basename(file), text)).toEqual([]);
      expect(text).not.toMatch(/OWNER|Copy to|short\.example\.com/);
      // Other workflows are named as they are.
      for (const [, name] of text.matchAll(/([\w-]+\.yml)/g)) expect(Object.keys(texts).join(" ")).toContain(name);
    }
  });

  test("steps, branch, account and tag are this project's", async () => {
    const flags: InitFlags = { ...PLAIN, ci: "github", baseUrl: SERVICE, config: "linkform.shop.yaml" };
    const { texts, out } = await begun(flags, "teams/Shop A", "re+lease");
    const named = Object.fromEntries(
      workflowsIn(texts).map(([file, text]) => [
        file.replace(".github/workflows/linkform-teams-shop-a-shop-", ""),
        parse(text),
      ]),
    );
    expect(Object.keys(named).toSorted()).toEqual(["deploy.yml", "drift.yml", "pull-request.yml"]);
    const steps = Object.values(named).flatMap(({ jobs }) =>
      Object.values<{ steps: { uses?: string; with?: object }[] }>(jobs).flatMap((job) => job.steps),
    );
    const ours = steps.filter(({ uses = "" }) => uses.startsWith("acme/linkform@"));
    expect(ours).toHaveLength(4);
    for (const step of ours)
      expect(step.with).toMatchObject({ "working-directory": "teams/Shop A", config: "linkform.shop.yaml" });
    const { "deploy.yml": deploy, "drift.yml": drift, "pull-request.yml": request } = named;
    expect(deploy.on.push.branches).toEqual([String.raw`re\+lease`]);
    expect(deploy.concurrency).toEqual({ group: "linkform-links.acme.example-8443-app", queue: "max" });
    expect(drift.concurrency).toEqual(deploy.concurrency);
    expect(deploy.env).toEqual({ APPLIED: "applied-teams-Shop-A-linkform.shop" });
    expect(drift.jobs.drift.steps.find(({ id }: { id?: string }) => id === "drift").with.base).toBe(
      "applied-teams-Shop-A-linkform.shop",
    );
    expect(new Set([deploy.name, drift.name, request.name]).size).toBe(3);
    expect(deploy.name).toContain("teams/Shop A");
    expect(out).toContain(`LINKFORM_BASE_URL=${SERVICE}`);
    expect(out).toContain("It creates the tag applied-teams-Shop-A-linkform.shop.");
  });

  test("no password is named that no file names, and the line for one is there", async () => {
    const { texts } = await begun({ ...PLAIN, ci: "github" });
    const deploy = texts[".github/workflows/linkform-deploy.yml"] ?? "";
    expect(JSON.stringify(parse(deploy))).not.toContain("LINKFORM_SECRET");
    const uncommented = deploy.replace(/# env:\n( +)# {3}/, "env:\n$1  ");
    expect(JSON.stringify(parse(uncommented))).toContain("secrets.LINKFORM_SECRET_EXAMPLE");
    expect(await complaintsAbout("deploy.yml", uncommented)).toEqual([]);
  });

  // Fails when a deploy would stop at a password whose variable the workflow does not pass on.
  test("every password that the files of the project name has its line", async () => {
    const root = await temporaryFolder();
    await git(root, "init", "-q");
    const link = (alias: string, secret: string): string =>
      `  go.example.com/${alias}: { url: https://example.com/, password: ${secret} }\n`;
    await writeFiles(root, {
      "linkform.yaml": `version: 1\nservice: { base_url: https://links.acme.example }\nlinks:\n${link("a", "{ env: LINKFORM_SECRET_B }")}${link("b", "{ env: LINKFORM_SECRET_A }")}${link("c", "{ env: LINKFORM_SECRET_B }")}${link("d", "{ file: secret.txt }")}`,
      "secret.txt": "x",
    });
    const { exit } = await runIn(root, {}, (world) => init(world, { ...PLAIN, ci: "github", yes: true }));
    expect(exit).toBe(0);
    const text = (await textsIn(root))[".github/workflows/linkform-deploy.yml"] ?? "";
    const steps: readonly { id?: string; env?: object }[] = parse(text).jobs.deploy.steps;
    expect(steps.find(({ id }) => id === "apply")?.env).toEqual({
      LINKFORM_SECRET_A: "${{ secrets.LINKFORM_SECRET_A }}",
      LINKFORM_SECRET_B: "${{ secrets.LINKFORM_SECRET_B }}",
    });
    expect(await complaintsAbout("deploy.yml", text)).toEqual([]);
  });

  test("a folder whose name would mean something in a workflow is refused", async () => {
    const { exit, err, texts } = await begun({ ...PLAIN, ci: "github" }, "a ${{ secrets.KEY }}");
    expect(exit).toBe(64);
    expect(err).toContain("characters with a special meaning in workflows");
    expect(Object.keys(texts)).toEqual(["a ${{ secrets.KEY }}/keep"]);
  });
});

describe("for GitLab", async () => {
  const template = await readFile(path.join(ROOT, "templates/linkform.yml"), "utf8");
  const known = Object.keys(parseAllDocuments(template)[0]?.toJS().spec.inputs);

  test("includes a copy of the template, which is the template", async () => {
    const { ciSource: _, ...flags } = GITLAB;
    const { texts, out } = await begun(flags);
    expect(texts[".gitlab/linkform.yml"]).toBe(template);
    const { include, variables } = parse(texts[".gitlab-ci.yml"] ?? "");
    expect(include).toEqual([
      {
        local: "/.gitlab/linkform.yml",
        inputs: { image: GITLAB.ciImage, "resource-group": "linkform-links.acme.example" },
      },
    ]);
    expect(Object.keys(variables)).toContain("LINKFORM_ALLOW_DELETES");
    expect(texts[".gitlab-ci.yml"]).not.toMatch(/OWNER|Copy to|three lines/);
    expect(out).toContain("GITLAB_TOKEN");
  });

  test("or the one of another project, with the inputs of a project in a folder", async () => {
    const { texts } = await begun({ ...GITLAB, config: "linkform.b.yaml" }, "shops/b");
    expect(Object.keys(texts)).not.toContain(".gitlab/linkform.yml");
    const [{ project, inputs }] = parse(texts[".gitlab-ci.yml"] ?? "").include;
    expect(project).toBe("acme/linkform");
    expect(inputs).toMatchObject({
      "working-directory": "shops/b",
      config: "linkform.b.yaml",
      "job-prefix": "linkform-shops-b-b",
      applied: "applied-shops-b-linkform.b",
    });
    for (const name of Object.keys(inputs)) expect(known).toContain(name);
  });

  test("a second project file in a folder has jobs and a tag of its own", async () => {
    const { texts, out } = await begun({ ...GITLAB, config: "linkform.staging.yaml" });
    const [{ inputs }] = parse(texts[".gitlab-ci.yml"] ?? "").include;
    expect(inputs).toMatchObject({ "job-prefix": "linkform-staging", applied: "applied-linkform.staging" });
    expect(out).toContain("It creates the tag applied-linkform.staging.");
    const gitHub = await begun({ ...PLAIN, ci: "github", config: "linkform.staging.yaml" });
    expect(workflowsIn(gitHub.texts).map(([file]) => path.basename(file))).toContain("linkform-staging-deploy.yml");
  });

  test.each([
    [{ ...PLAIN, ci: "gitlab" } as const, "--ci-image"],
    [{ ...GITLAB, ciImage: "an image" }, "is not an image"],
    [{ ...GITLAB, ci: "github" } as const, "`--ci-image` is for GitLab."],
  ])("the image with linkform is named, for GitLab only: %o", async (flags, says) => {
    const { exit, err, texts } = await begun(flags);
    expect({ exit, err, files: Object.keys(texts) }).toEqual({
      exit: 64,
      err: expect.stringContaining(says),
      files: ["keep"],
    });
  });

  test("a pipeline that is there is left, and what to add to it is said", async () => {
    const root = await temporaryFolder();
    await git(root, "init", "-q");
    await writeFiles(root, { ".gitlab-ci.yml": "stages: [build]\n" });
    const ran = await runIn(root, {}, (world) => init(world, GITLAB));
    expect(ran.exit).toBe(0);
    expect(ran.err).toContain(".gitlab-ci.yml already exists");
    expect(ran.out).toMatch(/Add this to the existing \.gitlab-ci\.yml:\n(?: {6}.*\n)* {6}include:\n/);
    expect((await textsIn(root))[".gitlab-ci.yml"]).toBe("stages: [build]\n");
  });
});

test("through a link to the folder, workflows still go to the root of its repository", async () => {
  const [root, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  await git(root, "init", "-q");
  await writeFiles(root, { "deep/shop/keep": "" });
  await symlink(path.join(root, "deep/shop"), path.join(elsewhere, "shop"));
  const flags: InitFlags = { ...GITLAB, config: "shop/linkform.yaml" };
  expect((await runIn(elsewhere, {}, (world) => init(world, flags))).exit).toBe(0);
  expect(Object.keys(await textsIn(root))).toContain(".gitlab-ci.yml");
  expect(Object.keys(await textsIn(root))).toContain("deep/shop/linkform.yaml");
});

test("outside of a repository, workflows are made as for its root, with a warning", async () => {
  const folder = await temporaryFolder();
  const { exit, err } = await runIn(folder, {}, (world) => init(world, { ...PLAIN, ci: "github" }));
  expect(exit).toBe(0);
  expect(err).toContain("is not in a git repository");
});
