// What is copied into other repositories says what GitHub, GitLab and pre-commit understand. Fails when a workflow uses an input,
// an output or a key that there is not, puts an expression into a script, has more rights than it needs, or when the action, the
// template and the package are of different versions. GitHub's part is judged by GitHub's own checker.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readDocuments, ROOT } from "../support/documents.ts";
import { linkform } from "../support/program.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { complaintsAbout } from "../support/workflow-checker.ts";
import type { Step } from "../support/workflow-runner.ts";

const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");
const version: string = JSON.parse(await read("package.json")).version;

interface Workflow {
  readonly on: Readonly<Record<string, { readonly inputs?: Readonly<Record<string, unknown>> } | null>>;
  readonly permissions: unknown;
  readonly concurrency: { readonly group: string; readonly queue?: string };
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

const names = await readdir(path.join(ROOT, "examples/ci/github"));
const workflows = await Promise.all(
  names.map(async (name) => {
    const text = await read(`examples/ci/github/${name}`);
    const workflow: Workflow = parse(text);
    return { name, text, workflow, jobs: Object.values(workflow.jobs) };
  }),
);

const workflowOf = (name: string): Workflow => {
  const found = workflows.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.workflow;
};

const actionText = await read("action.yml");
const action: {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
} = parse(actionText);
const isOurs = ({ uses = "" }: Step): boolean => uses.startsWith("OWNER/linkform@");

describe("GitHub's checker", async () => {
  test.each([{ name: "action.yml", text: actionText }, ...workflows])(
    "has nothing against $name",
    async ({ name, text }) => {
      expect(await complaintsAbout(name, text)).toEqual([]);
    },
  );

  // Without these, a checker that says nothing at all would do.
  test.each([
    ["an input that the action has not", "pull-request.yml", "comment: true", "coment: true", /coment/],
    [
      "an output of a step that there is not",
      "pull-request.yml",
      "steps.plan.outputs.report != ''",
      "steps.plam.outputs.report",
      /plam/,
    ],
    ["a key that there is not", "deploy.yml", "queue: max", "queue: most", /most/],
    ["a right that there is not", "drift.yml", "issues: write", "issues: all", /all/],
    ["a step of the action without its shell", "action.yml", "      shell: bash\n", "", /shell/],
  ])("would tell of %s", async (_, name, good, bad, complaint) => {
    const text = name === "action.yml" ? actionText : await read(`examples/ci/github/${name}`);
    expect(text).toContain(good);
    expect((await complaintsAbout(name, text.replace(good, bad))).join("\n")).toMatch(complaint);
  });

  const blocks = (await readDocuments()).flatMap((document) =>
    document.blocks.filter(({ language }) => language === "yml"),
  );
  test.each(blocks.filter(({ text }) => text.includes("uses:")))(
    "has nothing against the steps of $place",
    async ({ text }) => {
      const steps = text.replaceAll(/^/gm, "      ");
      const job = `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;
      expect(await complaintsAbout("documented.yml", /^(?:on|jobs):/m.test(text) ? text : job)).toEqual([]);
    },
  );
});

describe("action.yml", () => {
  const [step] = action.runs.steps;

  test("hands every input to the script, and the script reads them all", async () => {
    const script = await read("action/inputs.mjs");
    const variables = Object.keys(action.inputs).map((name) => name.toUpperCase().replaceAll("-", "_"));
    const handed = Object.keys(action.inputs).map((name, at) => [`INPUT_${variables[at]}`, `\${{ inputs.${name} }}`]);
    expect(step?.env).toEqual(Object.fromEntries(handed));
    const asked = [...script.matchAll(/input\("([A-Z_]+)"\)/g)].map(([, name = ""]) => name);
    expect([...new Set(asked)].toSorted()).toEqual(variables.toSorted());
  });

  test("has its outputs from the step of the same name", () => {
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.linkform.outputs.${name} }}`);
  });
});

describe.each(workflows)("$name", ({ text, workflow, jobs }) => {
  test("puts no expression into a script: what people write would become commands", () => {
    for (const { run = "" } of [...jobs.flatMap(({ steps }) => steps), ...action.runs.steps])
      expect(run).not.toContain("${{");
  });

  test("is not started by what gives secrets to forks", () => {
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    expect(Object.keys(workflow.on)).not.toContain("workflow_run");
  });

  test("has no right that it does not need", () => {
    expect(workflow.permissions).toEqual({});
    for (const { permissions = {}, steps } of jobs) {
      const ours = steps.filter(isOurs).map(({ with: given }) => given ?? {});
      const pushes = steps.some(({ run = "" }) => run.includes("git push"));
      expect(permissions).toEqual({
        contents: pushes ? "write" : "read",
        ...(ours.some((given) => given["comment"] === true) && { "pull-requests": "write" }),
        ...(ours.some((given) => given["issue"] === true) && { issues: "write" }),
      });
    }
  });

  test("fetches the base, and leaves no token where it pushes nothing", () => {
    for (const { steps } of jobs) {
      const pushes = steps.some(({ run = "" }) => run.includes("git push"));
      for (const { with: given } of steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")))
        expect(given).toEqual({ "fetch-depth": 0, ...(!pushes && { "persist-credentials": false }) });
    }
  });

  test("asks for outputs that the action has", () => {
    const ours = jobs.flatMap(({ steps }) => steps.filter(isOurs).flatMap(({ id }) => id ?? []));
    const asked = [...text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)];
    const outputs = asked.flatMap(([, id = "", output = ""]) => (ours.includes(id) ? [output] : []));
    expect(outputs.filter((output) => action.outputs[output] === undefined)).toEqual([]);
    expect(outputs.length).toBeGreaterThan(0);
  });

  // Where a step was skipped they are nothing, and nothing equals 0 and '0'.
  test("compares no output with a number", () => {
    expect(text).not.toMatch(/outputs\.[\w-]+ *[!=]= *'?\d/);
  });

  test("gives the key and the address that it may go to together, or neither", () => {
    for (const { with: given = {} } of jobs.flatMap(({ steps }) => steps).filter(isOurs))
      expect([given["key"], given["base-url"]]).toEqual(
        ["validate", "projects", "merge"].includes(`${given["command"]}`)
          ? [undefined, undefined]
          : ["${{ secrets.LINKFORM_API_KEY }}", "${{ secrets.LINKFORM_BASE_URL }}"],
      );
  });
});

test("deploy and drift wait for each other, and no run is dropped", () => {
  const { concurrency } = workflowOf("deploy.yml");
  expect(concurrency).toEqual({ group: "linkform-short.example.com", queue: "max" });
  expect(workflowOf("drift.yml").concurrency).toEqual(concurrency);
});

test("every allowance of the action is an input of a deploy that somebody starts, and so is the first deploy", () => {
  const { on, jobs } = workflowOf("deploy.yml");
  const allowances = Object.keys(action.inputs).filter((name) => /^(?:allow-|resend-)/.test(name));
  expect(Object.keys(on["workflow_dispatch"]?.inputs ?? {}).toSorted()).toEqual(
    [...allowances, "first-deploy"].toSorted(),
  );
  const given = jobs["deploy"]?.steps.find(isOurs)?.with ?? {};
  for (const name of allowances) expect(given[name]).toBe(`\${{ inputs.${name} }}`);
});

describe("the GitLab template", async () => {
  const text = await read("templates/linkform.yml");
  const [head, body] = parseAllDocuments(text);
  const inputs: Readonly<Record<string, { readonly default: string }>> = head?.toJS().spec.inputs;

  test("uses every input that it has, and has every input that it uses", () => {
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

  // Fails when somebody who publishes a package with this name gets to run in jobs with the key.
  test("installs nothing that was not asked for", () => {
    expect([inputs["image"], inputs["package"]]).toMatchObject([{}, { default: "" }]);
    expect(inputs["image"]).not.toHaveProperty("default");
    expect(text).not.toMatch(/linkform@/);
  });

  test("puts no input into a script: those are variables, which a shell does not read again", () => {
    const jobs: Readonly<Record<string, { before_script?: string[]; script?: string[] }>> = body?.toJS();
    for (const { before_script = [], script = [] } of Object.values(jobs))
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

  test("runs a command that there is", async () => {
    const [program, ...args] = hook.entry.split(" ");
    expect(program).toBe("linkform");
    for (const [url, exit] of [
      ["https://example.com/", 0],
      ["nowhere", 1],
    ] as const) {
      const folder = await temporaryFolder();
      const text = `version: 1\nservice: { base_url: https://short.example.com }\nlinks: { go.example.com/a: { url: "${url}" } }\n`;
      await writeFiles(folder, { "linkform.yaml": text });
      expect((await linkform(folder, args)).exit).toBe(exit);
    }
  });

  test("runs a formatter that changes files", async () => {
    const [program, ...args] = formatter.entry.split(" ");
    expect(program).toBe("linkform");
    const folder = await temporaryFolder();
    await writeFiles(folder, { "linkform.yaml": "service: {base_url: https://short.example.com}\nversion: 1\n" });
    expect((await linkform(folder, args)).exit).toBe(0);
    const text = await readFile(path.join(folder, "linkform.yaml"), "utf8");
    expect(text).toBe("version: 1\nservice: { base_url: https://short.example.com }\n");
  });

  test("runs the hooks for the files of a project, and for the whole of it", () => {
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
