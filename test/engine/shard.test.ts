// `drift --shard` and `merge`: parts that do not fit together are refused, and a part never counts as the report of the account.

import { readFile } from "node:fs/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { drift, type DriftFlags } from "../../src/cli/drift.ts";
import type { PlanDocument } from "../../src/view/document.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { CLI, linkform, run } from "../support/program.ts";
import { startRepository } from "../support/repository.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { startSandbox } from "../support/sandbox.ts";

const URL_OF = "https://example.com/";

/** An account of 450 links on five pages, and a project that declares some of them. */
class Scene {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly #env: Record<string, string>;

  constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.#env = { LINKFORM_API_KEY: sandbox.apiKey };
  }

  async declare(lines: string): Promise<void> {
    const head = `version: 1\nservice: { base_url: "${this.sandbox.url}" }\ndefaults: { link: { domain: go.example.com } }\n`;
    await writeFiles(this.folder, { "linkform.yaml": `${head}${lines}` });
  }

  /** Writes the report of a part, and returns it. */
  async part(index: number, count: number, flags: DriftFlags = {}): Promise<PlanDocument> {
    const { out } = await runIn(this.folder, this.#env, (world) =>
      drift(world, { ...flags, format: ["json"], shard: { index, count } }),
    );
    await writeFiles(this.folder, { [`${index}.json`]: out });
    return JSON.parse(out);
  }

  async delete(id: number): Promise<void> {
    const headers = { Authorization: `Bearer ${this.sandbox.apiKey}`, Accept: "application/json" };
    const { status } = await fetch(`${this.sandbox.url}/api/v1/links/${id}`, { method: "DELETE", headers });
    expect(status).toBe(200);
  }

  async add(alias: string): Promise<void> {
    // Versions differ in the name of the domain.
    const body = new URLSearchParams({ url: URL_OF, domain: "2", domain_id: "2", alias });
    const headers = { Authorization: `Bearer ${this.sandbox.apiKey}`, Accept: "application/json" };
    const { status } = await fetch(`${this.sandbox.url}/api/v1/links`, { method: "POST", headers, body });
    expect(status).toBe(201);
  }

  /** The report of one check of the whole account. */
  async whole(flags: DriftFlags = {}): Promise<PlanDocument> {
    const { out } = await runIn(this.folder, this.#env, (world) => drift(world, { ...flags, format: ["json"] }));
    return JSON.parse(out);
  }

  async merged(...parts: readonly number[]): Promise<{ exit: number; out: string; err: string }> {
    return linkform(this.folder, ["merge", ...parts.map((index) => `${index}.json`)]);
  }
}

async function scene(aliasOf: (n: number) => string = (n) => `link-${n}`): Promise<Scene> {
  const links = Array.from({ length: 450 }, (_, n) => ({ alias: aliasOf(n), domain: 2, url: URL_OF }));
  const sandbox = await startSandbox({ rateLimit: 0, seed: { links } });
  onTestFinished(() => sandbox.close());
  return new Scene(sandbox, await temporaryFolder());
}

const DECLARED = `links:\n  link-7: { url: "${URL_OF}" }\n  link-320: { url: "${URL_OF}new" }\n  nowhere: { url: "${URL_OF}" }\n`;

test("each part reads its pages, and together they find one difference and one missing link", async () => {
  const at = await scene();
  await at.declare(DECLARED);
  const before = at.sandbox.requests.length;
  const first = await at.part(1, 2);
  // Three pages of links, one of pixels.
  expect(at.sandbox.requests.length - before).toBe(4);
  expect([first.complete, first.changes, first.summary.unmanaged]).toEqual([false, [], 299]);
  const second = await at.part(2, 2);
  expect(second.changes.map(({ key }) => key)).toEqual(["go.example.com/link-320"]);
  const { exit, out } = await at.merged(2, 1);
  expect(exit).toBe(2);
  expect(out).toContain("go.example.com/link-320");
  expect(out).toContain("go.example.com/nowhere");
  expect(out).toContain("linkform.yaml: 2 differences");
});

describe("parts that do not fit together", () => {
  test("a link was deleted between two parts", async () => {
    const at = await scene();
    await at.declare(DECLARED);
    await at.part(1, 2);
    await at.delete(5);
    await at.part(2, 2);
    const { exit, err } = await at.merged(1, 2);
    expect(exit).toBe(1);
    expect(err).toContain("the list of links changed between parts 1 and 2");
    expect(err).toContain("Run all jobs again");
  });

  test.each([
    ["a link was added", `${DECLARED}  other: { url: "${URL_OF}" }\n`],
    ["a destination changed", DECLARED.replace("new", "newer")],
    ["a link is protected now", `${DECLARED}protect: [go.example.com/link-7]\n`],
  ])("the files changed between two parts: %s", async (_what, changed) => {
    const at = await scene();
    await at.declare(DECLARED);
    await at.part(1, 2);
    await at.declare(changed);
    await at.part(2, 2);
    expect((await at.merged(1, 2)).err).toContain("parts 1 and 2 have different files");
  });

  test("a part is missing, or there twice", async () => {
    const at = await scene();
    await at.declare(DECLARED);
    for (const index of [1, 2, 3]) await at.part(index, 3);
    expect((await at.merged(1, 3)).err).toContain("part 2 of 3 is missing");
    expect((await at.merged(1, 2)).err).toContain("part 3 of 3 is missing");
    expect((await at.merged(1, 1, 2, 3)).err).toContain("part 1 of 3 is there twice");
  });

  test("a link was added between two parts: it belongs to the last one", async () => {
    const at = await scene();
    await at.declare(DECLARED);
    await at.part(1, 2);
    await at.add("late");
    expect((await at.part(2, 2)).summary.unmanaged).toBe(150);
    expect((await at.merged(1, 2)).exit).toBe(2);
  });

  test("a link was added, and the last parts have no pages", async () => {
    const at = await scene();
    await at.declare(DECLARED);
    for (const index of [1, 2, 3, 4, 5]) await at.part(index, 7);
    await at.add("late");
    for (const index of [6, 7]) await at.part(index, 7);
    expect(await at.merged(1, 2, 3, 4, 5, 6, 7)).toMatchObject({ exit: 2, err: "" });
  });

  test("a report is damaged", async () => {
    const at = await scene();
    await at.declare(DECLARED);
    const parts = await Promise.all([1, 2].map((index) => at.part(index, 2)));
    const responsible = parts.findIndex(({ shard }) =>
      shard?.missing.some(({ keys }) => keys.includes("link go.example.com/nowhere")),
    );
    const text = JSON.stringify(parts[responsible]).replace(/"creates":"[^"]{9}/g, '"creates":"');
    await writeFiles(at.folder, { [`${responsible + 1}.json`]: text });
    expect((await at.merged(1, 2)).err).toContain(`the report of part ${responsible + 1} is damaged`);
  });

  test("the files have a mistake", async () => {
    const at = await scene();
    await at.declare(`${DECLARED}  wrong: { ulr: "${URL_OF}" }\n`);
    const parts = await Promise.all([1, 2, 3, 4, 5].map((index) => at.part(index, 5)));
    // Only the part that is responsible for the link parses it.
    const failed = parts.filter(({ shard }) => shard === undefined);
    expect(failed.map(({ diagnostics }) => diagnostics.map(({ line }) => line))).toEqual([[8]]);
    const { exit, err } = await at.merged(1, 2, 3, 4, 5);
    expect(exit).toBe(1);
    expect(err).toContain("has errors that prevented the comparison of linkform.yaml.");
  });

  test("the files have a mistake in a link of a part that is not responsible for it", async () => {
    const at = await scene();
    await at.declare(`links:\n  link-320: { ulr: "${URL_OF}" }\n`);
    const parts = await Promise.all([1, 2, 3, 4, 5].map((index) => at.part(index, 5)));
    const failed = parts.filter(({ shard }) => shard === undefined);
    expect(failed.map(({ diagnostics }) => diagnostics[0]?.message)).toContain("The files have errors.");
    expect(failed).toHaveLength(2);
  });

  test("two links in different parts match one key", async () => {
    const at = await scene((n) => (n === 3 ? "Dup" : n === 430 ? "düp" : `link-${n}`));
    await at.declare(`links:\n  dup: { url: "${URL_OF}" }\n`);
    for (const index of [1, 2]) await at.part(index, 2);
    const { exit, out } = await at.merged(1, 2);
    expect(exit).toBe(1);
    expect(out).toContain("Two live links in different parts of the account match one key.");
  });
});

test.each([
  ["a pixel that is gone", "link-7", "absent: { pixels: [gone] }"],
  ["a link that shares its alias with a rename", "new", "absent: { links: [promo.example.com/old] }", "old"],
  ["one of two links with a key", "dup", "absent: { links: { Dup: { id: 4 } } }"],
])("a tombstone of %s: the parts say what one check says", async (_what, alias, tombstone, renamedFrom = "") => {
  const at = await scene((n) => (n === 3 ? "Dup" : n === 430 ? "düp" : `link-${n}`));
  const rename = renamedFrom === "" ? "" : `, renamed_from: ${renamedFrom}`;
  await at.declare(`links:\n  ${alias}: { url: "${URL_OF}"${rename} }\n${tombstone}\n`);
  for (const index of [1, 2, 3]) await at.part(index, 3);
  const { out } = await linkform(at.folder, ["merge", "1.json", "2.json", "3.json", "--format", "json"]);
  const { changes, diagnostics, complete }: PlanDocument = JSON.parse(out).projects[0].report;
  const whole = await at.whole();
  expect({ changes, diagnostics, complete }).toEqual({
    changes: whole.changes,
    diagnostics: whole.diagnostics,
    complete: whole.complete,
  });
});

test("parts of a base are compared with the files of its commit", async () => {
  const at = await scene();
  const repository = await startRepository();
  const based = new Scene(at.sandbox, repository.folder);
  await based.declare(DECLARED);
  await repository.commitAll();
  await based.declare(`links:\n  other: { url: "${URL_OF}" }\n`);
  for (const index of [1, 2, 3]) await based.part(index, 3, { base: "HEAD" });
  const { out } = await linkform(based.folder, ["merge", "1.json", "2.json", "3.json", "--format", "json"]);
  const { changes, base }: PlanDocument = JSON.parse(out).projects[0].report;
  const whole = await based.whole({ base: "HEAD" });
  expect(changes.map(({ key }) => key)).toEqual(["go.example.com/link-320", "go.example.com/nowhere"]);
  expect({ changes, base }).toEqual({ changes: whole.changes, base: whole.base });
});

test.each([
  ["prune: scope\nscope: { domains: [go.example.com] }\n", "`--shard` cannot be used with `prune: scope`."],
  ["allow: [update]\n", "`--shard` cannot be used if `allow` does not contain `create`."],
])("a project with %s is refused", async (setting, message) => {
  const at = await scene();
  await at.declare(`${setting}${DECLARED}`);
  const { diagnostics } = await at.part(1, 2);
  expect(diagnostics).toMatchObject([{ message, hint: "Run `linkform drift` without `--shard`." }]);
});

test.each(["0/2", "3/2", "2", "1/2/3", "a/b", "1/1001"])("--shard %s is wrong usage", async (value) => {
  const { exit, err } = await linkform(await temporaryFolder(), ["drift", "--shard", value]);
  expect(exit).toBe(64);
  expect(err).toContain("Expected two numbers such as 1/4, up to 1000/1000.");
});

/** The commands of a recipe in docs/performance.md: those of each part, and that of the last job. */
async function recipe(mark: string): Promise<{ readonly part: string; readonly last: string }> {
  const page = await readFile("docs/performance.md", "utf8");
  const block = page.split("```").find((one) => one.startsWith("yml\n") && one.includes(mark)) ?? "";
  const [part = "", last = ""] = [...block.matchAll(/^ +- (?:run: )?(linkform .*)$/gm)].map(
    ([, command]) => command ?? "",
  );
  return { part, last };
}

test.each(["matrix:", "parallel: 8"])("the recipe with %s finds the differences", async (mark) => {
  const at = await scene();
  await at.declare(DECLARED);
  const { part, last } = await recipe(mark);
  expect(part).toContain(" --rate ");
  const bash = (command: string, index: number): ReturnType<typeof run> => {
    const env = { LINKFORM_API_KEY: at.sandbox.apiKey, CI_NODE_INDEX: String(index), CI_NODE_TOTAL: "8" };
    const text = command.replaceAll("${{ matrix.part }}", String(index));
    return run("bash", ["-ec", `linkform() { "${process.execPath}" "${CLI}" "$@"; }\n${text}`], at.folder, env);
  };
  for (let index = 1; index <= 8; index += 1) expect(await bash(part, index)).toMatchObject({ exit: 0 });
  const { exit, out } = await bash(last, 0);
  expect(exit).toBe(2);
  expect(out).toContain("linkform.yaml: 2 differences");
});
