// Files that are copied into other repositories are valid for GitHub, GitLab and pre-commit. Fails if a workflow uses an unknown input,
// output or key, puts an expression into a script, has too many permissions, or if the action, the template and the package have different
// versions. GitHub's own checker checks GitHub's part.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readDocuments, ROOT } from "../support/documents.ts";
import { commandIn } from "../support/command.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { complaintsAbout } from "../support/workflow-checker.ts";
import type { Step } from "../support/workflow-runner.ts";

const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");
const version: string = JSON.parse(await read("package.json")).version;

interface Workflow {
  readonly on: Readonly<Record<string, { readonly inputs?: Readonly<Record<string, unknown>> } | null>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly concurrency?: Readonly<Record<string, unknown>>;
        readonly steps: readonly Step[];
      }
    >
  >;
}

const NAME = "linkform.yml";
const text = await read(`examples/ci/github/${NAME}`);
const workflow: Workflow = parse(text);
const jobs = Object.values(workflow.jobs);

const actionText = await read("action.yml");
const action: {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
} = parse(actionText);
const isOurs = ({ uses = "" }: Step): boolean => uses.startsWith("OWNER/linkform@");

describe("GitHub's checker", async () => {
  test.each([
    ["action.yml", actionText],
    [NAME, text],
  ])("accepts %s", async (name, content) => {
    expect(await complaintsAbout(name, content)).toEqual([]);
  });

  // Without these, a checker that accepts everything would pass.
  test.each([
    ["an input that the action does not have", NAME, "comment: true", "coment: true", /coment/],
    ["a step of the action without its shell", "action.yml", "      shell: bash\n", "", /shell/],
  ])("refuses %s", async (_, name, good, bad, complaint) => {
    const content = name === "action.yml" ? actionText : text;
    expect(content).toContain(good);
    expect((await complaintsAbout(name, content.replace(good, bad))).join("\n")).toMatch(complaint);
  });

  const blocks = (await readDocuments()).flatMap((document) =>
    document.blocks.filter(({ language }) => language === "yml"),
  );
  test.each(blocks.filter((block) => block.text.includes("uses:")))("accepts the steps of $place", async (block) => {
    const steps = block.text.replaceAll(/^/gm, "      ");
    const job = `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;
    expect(await complaintsAbout("documented.yml", /^(?:on|jobs):/m.test(block.text) ? block.text : job)).toEqual([]);
  });
});

describe("action.yml", () => {
  const [step] = action.runs.steps;

  test("passes every input but the name of the artifact to the script, which reads them all and has no expression", async () => {
    for (const { run = "" } of action.runs.steps) expect(run).not.toContain("${{");
    const script = await read("action/inputs.mjs");
    const names = Object.keys(action.inputs).filter((name) => name !== "artifact");
    const variables = names.map((name) => name.toUpperCase().replaceAll("-", "_"));
    const handed = names.map((name, at) => [`INPUT_${variables[at]}`, `\${{ inputs.${name} }}`]);
    expect(step?.env).toEqual(Object.fromEntries(handed));
    const asked = [...script.matchAll(/input\("([A-Z_]+)"\)/g)].map(([, name = ""]) => name);
    expect([...new Set(asked)].toSorted()).toEqual(variables.toSorted());
  });

  test("has its outputs from the step of the same name", () => {
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.linkform.outputs.${name} }}`);
  });
});

describe("the workflow", () => {
  test("has at most 108 lines, and no shell", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(108);
    expect(jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))).toEqual([]);
  });

  test("has no trigger that gives secrets to forks", () => {
    for (const event of ["pull_request_target", "workflow_run"]) expect(Object.keys(workflow.on)).not.toContain(event);
  });

  test("has no unnecessary permission", () => {
    for (const { permissions = {}, steps } of jobs) {
      const ours = steps.filter(isOurs).map(({ with: given }) => given ?? {});
      expect(permissions).toEqual({
        contents: ours.some((given) => given["move-base"] !== undefined) ? "write" : "read",
        ...(ours.some((given) => given["comment"] === true) && { "pull-requests": "write" }),
        ...(ours.some((given) => given["drift-mode"] === "issue" || given["issue"] === true) && { issues: "write" }),
      });
    }
  });

  test("fetches the base in every job", () => {
    for (const { steps } of jobs) expect(steps[0]?.with).toEqual({ "fetch-depth": 0, "persist-credentials": false });
  });

  test("sets both the key and its address, or neither", () => {
    for (const { with: given = {} } of jobs.flatMap(({ steps }) => steps).filter(isOurs))
      expect([given["key"], given["base-url"]]).toEqual(
        given["command"] === "validate" || given["command"] === "check"
          ? [undefined, undefined]
          : ["${{ secrets.LINKFORM_API_KEY }}", "${{ secrets.LINKFORM_BASE_URL }}"],
      );
  });

  test("lets deploy and drift wait for each other, and drops no run", () => {
    const { deploy, drift } = workflow.jobs;
    expect(deploy?.concurrency).toEqual({ group: "linkform", queue: "max" });
    expect(drift?.concurrency).toEqual(deploy?.concurrency);
  });

  test("has an input for the first run, and for every allowance, which is its default in the action", () => {
    const allowances = Object.keys(action.inputs).filter((name) => /^(?:allow-|resend-)/.test(name));
    expect(Object.keys(workflow.on["workflow_dispatch"]?.inputs ?? {})).toEqual(["first-run", ...allowances]);
    for (const name of allowances)
      expect(action.inputs[name]).toMatchObject({ default: `\${{ github.event.inputs.${name} }}` });
  });
});

// Fails if a job that asks many destinations of one host is canceled, and reports nothing.
test.each([
  ["action/inputs.mjs", "examples/ci/github/linkform.yml", /check:\n[^]*?timeout-minutes: (\d+)/],
  ["templates/linkform.yml", "templates/linkform.yml", /:check":\n[^]*?timeout: (\d+) minutes/],
])("%s stops asking before the job has to end", async (script, job, limit) => {
  const seconds = Number(/--max-wait=(\d+)/.exec(await read(script))?.[1]);
  expect(seconds).toBeLessThan(60 * Number(limit.exec(await read(job))?.[1]) - 300);
});

describe("the GitLab template", async () => {
  const template = await read("templates/linkform.yml");
  const [head, body] = parseAllDocuments(template);
  const inputs: Readonly<Record<string, { readonly default: string }>> = head?.toJS().spec.inputs;

  test("uses all its inputs, and no others", () => {
    const used = [...String(body).matchAll(/\$\[\[ inputs\.([a-z-]+) \]\]/g)].map(([, name = ""]) => name);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(inputs).toSorted());
  });

  test("is included by the example, with inputs that it has, in this version", async () => {
    const { include } = parse(await read("examples/ci/gitlab/.gitlab-ci.yml"));
    const [{ file, ref, inputs: given }] = include;
    expect(file).toBe("/templates/linkform.yml");
    expect(ref).toBe(`v${version}`);
    for (const name of Object.keys(given)) expect(Object.keys(inputs)).toContain(name);
  });

  // Fails if a package that somebody publishes under this name would run in jobs with the key.
  test("installs nothing without a request", () => {
    expect([inputs["image"], inputs["package"]]).toMatchObject([{}, { default: "" }]);
    expect(inputs["image"]).not.toHaveProperty("default");
    expect(template).not.toMatch(/linkform@/);
  });

  test("puts no input into a script: those are variables, which a shell does not evaluate again", () => {
    const scripts: Readonly<Record<string, { before_script?: string[]; script?: string[] }>> = body?.toJS();
    for (const { before_script = [], script = [] } of Object.values(scripts))
      for (const line of [...before_script, ...script]) expect(line).not.toContain("$[[");
  });
});

describe("pre-commit", async () => {
  const [hook, formatter] = parse(await read(".pre-commit-hooks.yaml"));

  test("names hooks that exist in this version", async () => {
    const { repos } = parse(await read("examples/ci/pre-commit/.pre-commit-config.yaml"));
    expect(repos[0].rev).toBe(`v${version}`);
    expect(repos[0].hooks.map(({ id }: { id: string }) => id)).toEqual([formatter.id, hook.id]);
  });

  test("runs an existing command", async () => {
    const [program, ...args] = hook.entry.split(" ");
    expect(program).toBe("linkform");
    for (const [url, exit] of [
      ["https://example.com/", 0],
      ["nowhere", 1],
    ] as const) {
      const folder = await temporaryFolder();
      const project = `version: 1\nservice: { base_url: https://short.example.com }\nlinks: { go.example.com/a: { url: "${url}" } }\n`;
      await writeFiles(folder, { "linkform.yaml": project });
      expect((await commandIn(folder, args)).exit).toBe(exit);
    }
  });

  test("runs a formatter that changes files", async () => {
    const [program, ...args] = formatter.entry.split(" ");
    expect(program).toBe("linkform");
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": "service: {base_url: https://short.example.com}\nversion: 1\n" });
    expect((await commandIn(folder, args)).exit).toBe(0);
    const formatted = await readFile(path.join(folder, "linkform.yaml"), "utf8");
    expect(formatted).toBe("version: 1\nservice: { base_url: https://short.example.com }\n");
  });

  test("runs the hooks for the files of a project, and for the whole project", () => {
    const files = new RegExp(hook.files);
    const { files: same, pass_filenames: named, language } = formatter;
    expect([same, named, language]).toEqual([hook.files, hook.pass_filenames, hook.language]);
    for (const file of ["linkform.yaml", "links/spring.yaml", "marketing/linkform.staging.yml"])
      expect(file).toMatch(files);
    expect("README.md").not.toMatch(files);
    expect(hook.pass_filenames).toBe(false);
    expect(hook.language).toBe("node");
  });
});
