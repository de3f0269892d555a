// The workflows of `linkform init` have the project's own values, and are valid for GitHub and GitLab. Fails if a change of the examples
// keeps a value out, if a placeholder remains, if GitHub's own checker complains, or if an input is set that the template does not have.

import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { init, type InitFlags } from "../../src/init/command.ts";
import { ROOT } from "../support/documents.ts";
import { repositoryIn } from "../support/repository.ts";
import { textsIn } from "../support/init-project.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { complaintsAbout } from "../support/workflow-checker.ts";

const SERVICE = "https://links.acme.example:8443/app";
const HASH = "0123456789abcdef0123456789abcdef01234567";
const PLAIN = { baseUrl: "https://links.acme.example", offline: true, ciSource: `acme/linkform@${HASH}` } as const;
const GITLAB = { ...PLAIN, ci: "gitlab", ciImage: "registry.acme.example/linkform:1" } as const;

interface Written extends Ran {
  readonly texts: Readonly<Record<string, string>>;
}

/** Starts a project in a folder of a new repository with these files. */
async function begun(
  flags: InitFlags,
  { folder = "", branch = "trunk", files = {} }: Readonly<{ folder?: string; branch?: string; files?: object }> = {},
): Promise<Written> {
  const root = await temporaryFolder();
  await repositoryIn(root, { branch });
  await writeFiles(root, { [path.join(folder, "keep")]: "", ...files });
  const ran = await runIn(path.join(root, folder), {}, (world) => init(world, flags));
  return { ...ran, texts: await textsIn(root) };
}

const HEAD = "version: 1\nservice: { base_url: https://links.acme.example }\n";
const WORKFLOW = ".github/workflows/linkform.yml";

describe("for GitHub", () => {
  test.each([
    ["at the root", { ...PLAIN, ci: "github" }, "", "trunk", "applied"],
    [
      "in a folder, with values that YAML and GitHub would read as something else",
      { ...PLAIN, ci: "github", baseUrl: SERVICE, config: "linkform.shop @2.yaml" },
      "teams/Märkte - 1",
      "re+lease/#1",
      "applied-teams-Märkte---1-linkform.shop-@2",
    ],
  ] as const)("%s: one workflow for all projects, with the pinned action", async (_, flags, folder, branch, tag) => {
    const { exit, err, out, texts } = await begun(flags, { folder, branch });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(Object.keys(texts).filter((file) => file.startsWith(".github"))).toEqual([WORKFLOW]);
    const text = texts[WORKFLOW] ?? "";
    expect(await complaintsAbout("linkform.yml", text)).toEqual([]);
    expect(text).not.toMatch(/OWNER|Copy/);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(108);
    const { on, jobs } = parse(text);
    expect(on.push.branches).toEqual([branch.replace("+", String.raw`\+`)]);
    const steps = Object.values<{ steps: { uses: string }[] }>(jobs).flatMap((job) => job.steps);
    expect(steps.filter(({ uses }) => uses === flags.ciSource)).toHaveLength(5);
    expect(out).toContain(`LINKFORM_BASE_URL=${flags.baseUrl}.`);
    expect(out).toContain(`start the workflow with \`first-run\`. It creates the tag ${tag}.`);
  });

  test.each([undefined, "acme/linkform", "acme/linkform@v1", `linkform@${HASH}`])(
    "without a commit of the action (%s), one line says what to pass",
    async (ciSource) => {
      const { ciSource: _, ...flags } = { ...PLAIN, ci: "github" as const, yes: true };
      const { exit, err, texts } = await begun({ ...flags, ...(ciSource !== undefined && { ciSource }) });
      expect([exit, Object.keys(texts)]).toEqual([64, ["keep"]]);
      expect(err).toContain("Pass --ci-source OWNER/REPOSITORY@COMMIT");
      expect(err).toContain("git ls-remote https://github.com/OWNER/REPOSITORY");
    },
  );

  test("a project file that the workflow would not find is refused", async () => {
    const { exit, err, texts } = await begun({ ...PLAIN, ci: "github", config: "shop.yaml" });
    expect([exit, Object.keys(texts)]).toEqual([64, ["keep"]]);
    expect(err).toContain("finds files named linkform.yaml or linkform.NAME.yaml, but not `shop.yaml`");
  });

  test("a second project only needs its passwords in the workflow", async () => {
    const text = `${HEAD}links: { go.example.com/a: { url: https://example.com/, password: { env: LINKFORM_SECRET_A } } }\n`;
    const files = { [WORKFLOW]: "mine\n", "shop/linkform.yaml": text };
    const { exit, err, out, texts } = await begun({ ...PLAIN, ci: "github" }, { folder: "shop", files });
    expect([exit, err]).toEqual([0, expect.stringContaining(`../${WORKFLOW} already exists and was not changed.`)]);
    expect(out).toContain("LINKFORM_SECRET_A: ${{ secrets.LINKFORM_SECRET_A }}");
    expect(texts[WORKFLOW]).toBe("mine\n");
  });

  test("no unused password is named, and the line for one is there", async () => {
    const { texts } = await begun({ ...PLAIN, ci: "github" });
    const deploy = texts[WORKFLOW] ?? "";
    expect(JSON.stringify(parse(deploy))).not.toContain("LINKFORM_SECRET");
    const uncommented = deploy.replaceAll(/^ {8}# (?=env:| {2}LINKFORM)/gm, "        ");
    expect(JSON.stringify(parse(uncommented))).toContain("secrets.LINKFORM_SECRET_EXAMPLE");
    expect(await complaintsAbout("deploy.yml", uncommented)).toEqual([]);
  });

  // Fails if a deploy would stop at a password because the workflow does not pass its variable.
  test("every password that the files of the project name has its line", async () => {
    const link = (alias: string, secret: string): string =>
      `  go.example.com/${alias}: { url: https://example.com/, password: ${secret} }\n`;
    const [a, b] = ["{ env: LINKFORM_SECRET_A }", "{ env: LINKFORM_SECRET_B }"];
    const links = [link("a", b), link("b", a), link("c", b), link("d", "{ file: secret.txt }")].join("");
    const files = { "linkform.yaml": `${HEAD}links:\n${links}`, "secret.txt": "x" };
    const { exit, texts } = await begun({ ...PLAIN, ci: "github", yes: true }, { files });
    expect(exit).toBe(0);
    const text = texts[WORKFLOW] ?? "";
    expect(parse(text).jobs.deploy.steps.at(-1).env).toEqual({
      LINKFORM_SECRET_A: "${{ secrets.LINKFORM_SECRET_A }}",
      LINKFORM_SECRET_B: "${{ secrets.LINKFORM_SECRET_B }}",
    });
    expect(await complaintsAbout("deploy.yml", text)).toEqual([]);
  });
});

describe("for GitLab", async () => {
  const template = await readFile(path.join(ROOT, "templates/linkform.yml"), "utf8");

  test("includes a copy of the template, which is the template", async () => {
    const { ciSource: _, ...flags } = GITLAB;
    const { texts, out } = await begun(flags);
    expect(texts[".gitlab/linkform.yml"]).toBe(template);
    const { include, variables } = parse(texts[".gitlab-ci.yml"] ?? "");
    expect(include).toEqual([
      {
        local: "/.gitlab/linkform.yml",
        inputs: { image: GITLAB.ciImage },
      },
    ]);
    expect(Object.keys(variables)).toContain("LINKFORM_ALLOW_DELETES");
    expect(texts[".gitlab-ci.yml"]).not.toMatch(/OWNER|Copy to|three lines/);
    for (const step of ["GITLAB_TOKEN", "Pipeline schedules", "oldest_first", "LINKFORM_FIRST_RUN=true"])
      expect(out).toContain(step);
  });

  test("or that of another project, at a commit", async () => {
    const { texts, out } = await begun({ ...GITLAB, config: "linkform.b.yaml" }, { folder: "shops/b" });
    expect(Object.keys(texts)).not.toContain(".gitlab/linkform.yml");
    const inputs = { image: GITLAB.ciImage };
    expect(parse(texts[".gitlab-ci.yml"] ?? "").include).toEqual([
      { project: "acme/linkform", ref: HASH, file: "/templates/linkform.yml", inputs },
    ]);
    expect(out).toContain("It creates the tag applied-shops-b-linkform.b.");
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

  test("an existing pipeline is not changed, and the output names what to add", async () => {
    const ran = await begun(GITLAB, { files: { ".gitlab-ci.yml": "stages: [build]\n" } });
    expect(ran.exit).toBe(0);
    expect(ran.err).toContain(".gitlab-ci.yml already exists");
    expect(ran.out).toMatch(
      /Add this to the existing \.gitlab-ci\.yml, unless it includes linkform already:\n(?: {6}.*\n)* {6}include:\n/,
    );
    expect(ran.texts[".gitlab-ci.yml"]).toBe("stages: [build]\n");
  });
});

test("through a link to the folder, workflows are still written to the root of its repository", async () => {
  const [root, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  await repositoryIn(root);
  await writeFiles(root, { "deep/shop/keep": "" });
  await symlink(path.join(root, "deep/shop"), path.join(elsewhere, "shop"));
  const flags: InitFlags = { ...GITLAB, config: "shop/linkform.yaml" };
  expect((await runIn(elsewhere, {}, (world) => init(world, flags))).exit).toBe(0);
  expect(Object.keys(await textsIn(root))).toContain(".gitlab-ci.yml");
  expect(Object.keys(await textsIn(root))).toContain("deep/shop/linkform.yaml");
});

test("outside a repository, workflows are written as for its root, with a warning", async () => {
  const folder = await temporaryFolder();
  const { exit, err } = await runIn(folder, {}, (world) => init(world, { ...PLAIN, ci: "github" }));
  expect(exit).toBe(0);
  expect(err).toContain("is not in a git repository");
});
