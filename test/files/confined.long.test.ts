// What a commit can put into a project folder: links that lead out of it, pipes, huge files. Fails if anything outside is read, shown
// or written, or if a run hangs.

import { execFileSync } from "node:child_process";
import { lstat, mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startScenario, temporaryFolder, textsOf, writeFiles, type Scenario } from "../support/scenario.ts";
import { linkform } from "../support/program.ts";

const SECRET = "sk_live_0123456789";
const LINK = "links: { go.example.com/a: { url: https://example.com/ } }\n";

interface Attacked {
  readonly scenario: Scenario;
  readonly outside: string;
  readonly run: (...args: string[]) => Promise<{ exit: number; printed: string }>;
}

/** A project beside a folder that is none of its business, which must stay as it is. */
async function attacked(text = "", files: Readonly<Record<string, string>> = {}): Promise<Attacked> {
  const scenario = await startScenario();
  const outside = await temporaryFolder();
  await writeFiles(outside, { "key.txt": `${SECRET}\n`, "deep/links.yaml": LINK, bashrc: "before\n" });
  await scenario.write(text, { "links/a.yaml": LINK, ...files });
  return {
    scenario,
    outside,
    run: async (...args) => {
      const { exit, out, err } = await linkform(scenario.folder, args, scenario.env);
      return { exit, printed: out + err };
    },
  };
}

/** What a command makes of it: nothing outside may be printed or changed. */
async function outcome({ outside, run }: Attacked, ...args: string[]): Promise<object> {
  const before = await textsOf(outside);
  const { exit, printed } = await run(...args);
  const after = await textsOf(outside);
  return {
    exit,
    code: /error\[([a-z-]+)\]/.exec(printed)?.[1],
    isSecret: !printed.includes(SECRET) && !/\n +at /.test(printed),
    isUntouched: JSON.stringify([...before]) === JSON.stringify([...after]),
  };
}

const REFUSED = { exit: 1, code: "outside-project", isSecret: true, isUntouched: true };

function makePipe(file: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", file]);
}

describe("a link out of the project is refused", () => {
  it("as the project file, whose content would be shown in a code frame", async () => {
    const project = await attacked();
    await writeFile(path.join(project.outside, "key.yaml"), `${SECRET}: [\n`);
    await rm(path.join(project.scenario.folder, "linkform.yaml"));
    await symlink(path.join(project.outside, "key.yaml"), path.join(project.scenario.folder, "linkform.yaml"));
    for (const command of ["validate", "plan", "pull"]) expect(await outcome(project, command)).toEqual(REFUSED);
    expect(await outcome(project, "doctor")).toMatchObject({ exit: 1, isSecret: true });
    expect(await outcome(project, "validate", "--config", "linkform.yaml")).toEqual(REFUSED);
  });

  // It leads out on every other machine, and a commit that has it does not declare what it names.
  it("as an absolute link, even to a file of the project", async () => {
    const project = await attacked("", { "real/b.yaml": LINK });
    const at = (name: string): string => path.join(project.scenario.folder, name);
    await symlink(at("real/b.yaml"), at("links/b.yaml"));
    expect(await outcome(project, "validate")).toEqual(REFUSED);
  });

  it("as the folder or the file of a report, a saved plan or a record", async () => {
    const project = await attacked();
    const { scenario, outside } = project;
    await symlink(path.join(outside, "bashrc"), path.join(scenario.folder, "out.json"));
    await symlink(outside, path.join(scenario.folder, "out"));
    await symlink(path.join(outside, "new"), path.join(scenario.folder, "dangling"));
    for (const target of ["out.json", "out/bashrc", "out/new.json", "dangling", "./out/deep/../bashrc"])
      expect(await outcome(project, "plan", "--out", target)).toEqual(REFUSED);
    expect(await outcome(project, "plan", "--format=json=out.json", "--format=text")).toEqual(REFUSED);
    expect(await outcome(project, "apply", "--yes", "--record", "dangling")).toEqual(REFUSED);
    expect(await outcome(project, "apply", "--yes", "--record", "out/new.json")).toEqual(REFUSED);
    expect(await outcome(project, "apply", "--yes", "--format=ndjson=out/new.json", "--record=none")).toEqual(REFUSED);
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it("as the folder of records", async () => {
    const project = await attacked();
    await symlink(project.outside, path.join(project.scenario.folder, ".linkform"));
    for (const command of [["apply"], ["undo", "last"]])
      expect(await outcome(project, ...command, "--yes")).toEqual({ ...REFUSED, code: "record-linked" });
    expect(project.scenario.writes()).toEqual([]);
  });

  it("as a plan, a record, a spreadsheet or a key that a command reads", async () => {
    const project = await attacked();
    await symlink(path.join(project.outside, "key.txt"), path.join(project.scenario.folder, "file"));
    expect(await outcome(project, "apply", "file")).toEqual(REFUSED);
    expect(await outcome(project, "undo", "file", "--yes")).toEqual(REFUSED);
    expect(await outcome(project, "import", "csv", "file")).toEqual(REFUSED);
    expect(await outcome(project, "plan", "--api-key-file", "file")).toEqual(REFUSED);
  });

  it("as a file that a pull, a removal or an import writes", async () => {
    const project = await attacked("", { "links/own.yaml": "" });
    const { scenario, outside } = project;
    await symlink(path.join(outside, "new"), path.join(scenario.folder, "links/b.yaml"));
    for (const args of [["pull"], ["rm", "go.example.com/a", "--offline"]])
      expect(await outcome(project, ...args)).toEqual(REFUSED);
    await writeFile(path.join(scenario.folder, "sheet.csv"), "alias,url\nnew,https://example.com/\n");
    expect(await outcome(project, "import", "csv", "sheet.csv", "--domain", "go.example.com")).toEqual(REFUSED);
  });
});

describe("the folder of git, whose configuration may hold a token, and whose hooks are run", () => {
  const CONFIG = `[http]\n\textraheader = ${SECRET}\n`;

  it.each([
    ["a resource file", "../.git/config", "links/b.yaml"],
    ["a folder of resource files", "../.git", "links/b"],
    ["a folder in a repository in the project", "../inner/.GIT", "links/b"],
  ])("is not read through a link as %s", async (_what, target, name) => {
    const files = { ".git/config": CONFIG, ".git/c.yaml": CONFIG, "inner/.GIT/c.yaml": CONFIG };
    const project = await attacked("", files);
    await symlink(target, path.join(project.scenario.folder, name));
    expect(await outcome(project, "validate")).toEqual(REFUSED);
  });

  it.each([".git/config", ".git/**/*", "{links/*.yaml,.g?t/*}", "inner/.git/*"])(
    "is not matched by `%s`",
    async (glob) => {
      const project = await attacked(`files: ["${glob}"]\n`, { ".git/config": CONFIG, "inner/.git/config": CONFIG });
      const { printed } = await project.run("validate");
      expect(printed).not.toContain(SECRET);
      if (!glob.includes("links")) expect(printed).toContain("error[no-such-files]");
    },
  );

  it("is not written through a link, and holds no password of a link", async () => {
    const project = await attacked("", {
      ".git/config": CONFIG,
      "links/a.yaml": "links: { go.example.com/a: { url: https://e.example/, password: { file: .git/config } } }\n",
    });
    await symlink(".git/hook", path.join(project.scenario.folder, "out.json"));
    expect(await outcome(project, "plan", "--out", "out.json")).toEqual(REFUSED);
    expect(await outcome(project, "apply", "--yes", "--record=none")).toEqual({ ...REFUSED, code: "secret-missing" });
    expect([...(await textsOf(path.join(project.scenario.folder, ".git"))).keys()]).toEqual(["config"]);
    expect(project.scenario.writes()).toEqual([]);
  });
});

describe("anything but a regular file is an error, and linkform does not wait for it", () => {
  it.each([
    ["a resource file", "links/pipe.yaml", ["validate"], "file-not-regular"],
    ["the file of the key", "pipe", ["plan", "--api-key-file", "pipe"], "file-not-regular"],
    ["the project file", "linkform.yaml", ["validate"], "file-not-regular"],
    ["the file of a secret", "pipe", ["apply", "--yes"], "secret-missing"],
  ])("as %s", async (_what, file, args, code) => {
    const project = await attacked("", {
      "links/a.yaml": "links: { go.example.com/a: { url: https://example.com/, password: { file: pipe } } }\n",
    });
    await rm(path.join(project.scenario.folder, file), { force: true });
    makePipe(path.join(project.scenario.folder, file));
    expect(await outcome(project, ...args)).toEqual({ ...REFUSED, code });
  });
});

it("a file that is too large is an error", async () => {
  const project = await attacked("", { "links/big.yaml": "" });
  await truncate(path.join(project.scenario.folder, "links/big.yaml"), 65 * 1024 * 1024);
  expect(await outcome(project, "validate")).toEqual({ ...REFUSED, code: "file-too-large" });
});

it("links within the project, and outside paths that a person types, work", async () => {
  const { scenario, outside, run } = await attacked("", {
    "real/b.yaml": "links: { go.example.com/b: { url: https://e.example/ } }\n",
  });
  const at = (name: string): string => path.join(scenario.folder, name);
  await symlink("../real", at("links/folder"));
  await mkdir(at("reports"));
  await symlink("reports/plan.json", at("plan.json"));
  await writeFile(path.join(outside, "key"), scenario.env["LINKFORM_API_KEY"] ?? "");
  await symlink(path.join(outside, "bashrc"), path.join(outside, "link"));
  const formats = ["--format=text", `--format=json=${path.join(outside, "link")}`];
  const key = path.join(outside, "key");
  const ran = await run("plan", "--out", "plan.json", ...formats, "--api-key-file", key, "--config", "linkform.yaml");
  expect(ran).toMatchObject({ exit: 0 });
  expect(JSON.parse(await readFile(at("reports/plan.json"), "utf8")).summary.create).toBe(2);
  expect(JSON.parse(await readFile(path.join(outside, "bashrc"), "utf8")).summary.create).toBe(2);
});

// Fails when a link that no glob matches keeps a whole project from being read.
it("a link to a file outside that no glob matches is ignored, and one to a folder is an error", async () => {
  const project = await attacked("files: ['**/*.yaml']\n", { "venv/readme.txt": "" });
  const at = (name: string): string => path.join(project.scenario.folder, name);
  await symlink(path.join(project.outside, "key.txt"), at("venv/python"));
  expect(await project.run("validate")).toMatchObject({ exit: 0 });
  await symlink(path.join(project.outside, "deep"), at("venv/lib"));
  expect(await outcome(project, "validate")).toEqual(REFUSED);
});

// Fails when a plan or record takes the place of /dev/null.
it.each(["plan --out", "apply --yes --record"])("%s does not replace a pipe or device", async (command) => {
  const { outside, run } = await attacked();
  const pipe = path.join(outside, "pipe");
  execFileSync("mkfifo", [pipe]);
  const { exit, printed } = await run(...command.split(" "), pipe);
  expect({ exit, code: /error\[([a-z-]+)\]/.exec(printed)?.[1] }).toEqual({ exit: 1, code: "file-not-regular" });
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});
