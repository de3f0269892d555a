// `--resources` of validate, plan and apply. Fails if generated links are planned differently than declared ones, if an error in them
// has no place, if a saved plan is applied without them, or if a report links to a file that the repository does not have.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import type { World } from "../../src/session/context.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { MAX_BYTES } from "../../src/files/location.ts";
import { readDocuments } from "../support/documents.ts";
import { repositoryIn } from "../support/repository.ts";
import { PLAN } from "../support/saved.ts";
import { runIn, startWith, temporaryFolder, writeFiles, type Ran, type Scenario } from "../support/scenario.ts";

const JSON_TEXT = JSON.stringify({ links: { "go.example.com/a": { url: "https://example.com/a" } } });
const YAML_TEXT = "links:\n  go.example.com/a: { url: https://example.com/a }\n";

/** Runs a command with this text on standard input. */
const piped = (
  { folder, env }: Pick<Scenario, "folder" | "env">,
  text: string,
  run: (world: World) => Promise<number>,
): Promise<Ran> => runIn(folder, env, run, { stdin: Readable.from(text === "" ? [] : [text]) });

const start = (text = "", seed: SeedState = {}): Promise<Scenario> => startWith(text, seed);

const planned = async (scenario: Scenario, flags: PlanFlags, text = ""): Promise<unknown> => {
  const { out } = await piped(scenario, text, (world) => plan(world, { format: ["json"], ...flags }));
  const { changes, diagnostics } = JSON.parse(out);
  return diagnostics.length > 0
    ? diagnostics
    : changes.map((one: Record<string, unknown>) => [one["action"], one["key"], Object(one["source"]).file]);
};

describe("generated links", () => {
  test.each([
    ["JSON on standard input", JSON_TEXT, "-", "<stdin>"],
    ["YAML on standard input", YAML_TEXT, "-", "<stdin>"],
    ["YAML that begins like JSON", "{ links: { go.example.com/a: { url: https://example.com/a }, }, }", "-", "<stdin>"],
    ["a file of the project folder", YAML_TEXT, "generated/links.yaml", "generated/links.yaml"],
    ["a JSON file", JSON_TEXT, "generated/links.json", "generated/links.json"],
    ["a file without an extension", JSON_TEXT, "generated/links", "generated/links"],
  ])("come from %s", async (_, text, file, source) => {
    const scenario = await start();
    if (file !== "-") await writeFiles(scenario.folder, { [file]: text });
    expect(await planned(scenario, { resources: [file] }, text)).toEqual([["create", "go.example.com/a", source]]);
  });

  it("come from a file outside the project folder, and from several files", async () => {
    const scenario = await start("defaults: { link: { domain: go.example.com } }\n");
    const outside = await temporaryFolder();
    await writeFiles(outside, { "a.json": '{ "links": { "a": { "url": "https://example.com/" } } }' });
    await writeFiles(scenario.folder, { "sub/b.yaml": "links: { b: { url: https://example.com/ } }\n" });
    const far = path.join(outside, "a.json");
    const near = path.join("..", path.basename(outside), "a.json");
    const both = ["sub/b.yaml", far, "sub/b.yaml"];
    expect(await planned(scenario, { resources: both })).toEqual([
      ["create", "go.example.com/a", far],
      ["create", "go.example.com/b", "sub/b.yaml"],
    ]);
    expect(await planned(scenario, { resources: [near] })).toEqual([["create", "go.example.com/a", near]]);
  });

  it("are read once if a glob of `files` also matches their file", async () => {
    const scenario = await start();
    await writeFiles(scenario.folder, { "links/a.yaml": YAML_TEXT });
    expect(await planned(scenario, { resources: ["links/a.yaml"] })).toEqual([
      ["create", "go.example.com/a", "links/a.yaml"],
    ]);
  });

  it("are applied, and then a plan with the same input is empty", async () => {
    const scenario = await start();
    const flags = { resources: ["-"], yes: true };
    expect((await piped(scenario, JSON_TEXT, (world) => apply(world, flags))).exit).toBe(0);
    expect(scenario.link("a").url).toBe("https://example.com/a");
    expect(await planned(scenario, { resources: ["-"] }, JSON_TEXT)).toEqual([]);
  });

  it("are counted by `validate`", async () => {
    const { exit, out } = await piped(await start(), JSON_TEXT, (world) => validate(world, { resources: ["-"] }));
    expect([exit, out]).toEqual([0, "Valid: 2 files read.\n"]);
  });
});

describe("mistakes", () => {
  const findings = async (text: string, files: readonly string[] = ["-"], project = ""): Promise<unknown> => {
    const { out } = await piped(await start(project), text, (world) =>
      validate(world, { format: ["json"], resources: files }),
    );
    return JSON.parse(out).diagnostics.map((one: Record<string, unknown>) =>
      [one["code"], one["file"], one["line"], one["column"]].join(" "),
    );
  };

  test.each([
    ["JSON that is cut off", '{\n  "links": {', "yaml-syntax <stdin> 2 12"],
    ["YAML", "links: {\n", "yaml-syntax <stdin> 1 8"],
    ["a wrong field", '{ "links": { "go.example.com/a": { "ulr": "x" } } }', "unknown-key <stdin> 1 36"],
    ["a key of a project file", "service: { base_url: https://evil.example }\n", "unknown-key <stdin> 1 1"],
    ["a duplicate key", '{ "links": {}, "links": {} }', "duplicate-key <stdin> 1 16"],
    [
      "a variable",
      "links: { go.example.com/a: { url: https://example.com/, password: { env: HOME } } }\n",
      "wrong-type <stdin> 1 74",
    ],
    ["an empty file", "", ""],
  ])("%s", async (_, text, found) => {
    expect(await findings(text)).toEqual(found === "" ? [] : [found]);
  });

  it("a link that a file declares, too", async () => {
    const project = "links: { go.example.com/a: { url: https://example.com/ } }\n";
    const { err, out } = await piped(await start(project), JSON_TEXT, (world) => validate(world, { resources: ["-"] }));
    expect(`${err}${out}`).toMatch(/error\[duplicate-key\] .* declared at <stdin>:1:11\.\n +--> linkform.yaml:5:10/);
  });

  it("a missing file, a folder, and bytes that are not text", async () => {
    expect(await findings("", ["nowhere.json", "."])).toEqual([
      "resources-unreadable . 1 1",
      "resources-unreadable nowhere.json 1 1",
    ]);
    const scenario = await start();
    await writeFiles(scenario.folder, { "utf16.json": "\u0000{" });
    const { out } = await piped(scenario, "", (world) => validate(world, { resources: ["utf16.json"] }));
    expect(out).toMatch(/error\[file-encoding\].*\n +--> utf16.json:1:1/);
  });

  it("too much", async () => {
    const scenario = await start();
    const mega = Buffer.alloc(1024 * 1024, 32);
    const endless = Readable.from(
      (function* generate() {
        for (;;) yield mega;
      })(),
    );
    const run = (stdin: World["stdin"]): Promise<Ran> =>
      runIn(scenario.folder, scenario.env, (world) => plan(world, { resources: ["-"] }), { stdin });
    expect((await run(endless)).err).toContain(`larger than ${MAX_BYTES / 1024 / 1024} MB`);
    expect(scenario.sandbox.requests).toEqual([]);
  });
});

const SEED = { links: [{ alias: "gone", domain: 2, url: "https://example.com/" }] };

it("a saved plan contains the generated links, so `apply` needs no input", async () => {
  const scenario = await start("absent: { links: [go.example.com/gone] }\n", SEED);
  await piped(scenario, JSON_TEXT, (world) => plan(world, { resources: ["-"], out: PLAN }));
  const saved = JSON.parse(await readFile(path.join(scenario.folder, PLAN), "utf8"));
  expect(saved.options.resources).toEqual([{ name: "<stdin>", text: JSON_TEXT }]);
  const { exit, out } = await runIn(scenario.folder, scenario.env, (world) => apply(world, {}, PLAN));
  expect([exit, out.split("\n")[0]]).toEqual([0, "Done: 1 created, 1 deleted. Verified."]);
  expect(scenario.link("a").url).toBe("https://example.com/a");
});

it("a saved plan refuses the flag", async () => {
  const scenario = await start();
  await piped(scenario, JSON_TEXT, (world) => plan(world, { resources: ["-"], out: PLAN }));
  const { exit, err } = await piped(scenario, JSON_TEXT, (world) => apply(world, { resources: ["-"] }, PLAN));
  expect([exit, err]).toEqual([64, expect.stringContaining("Remove --resources.")]);
});

it("with --base, new links count as declared here, and removed ones are not detected", async () => {
  const scenario = await start("prune: removed\n", {
    links: [
      { alias: "a", domain: 2, url: "https://example.com/by-hand" },
      { alias: "formerly-generated", domain: 2, url: "https://example.com/" },
    ],
  });
  await (await repositoryIn(scenario.folder)).commitAll();
  const text = YAML_TEXT.replace("links:", "links:\n  go.example.com/b: { url: https://example.com/b }");
  const { out } = await piped(scenario, text, (world) =>
    plan(world, { format: ["json"], base: "HEAD", resources: ["-"] }),
  );
  const { changes, diagnostics } = JSON.parse(out);
  expect(diagnostics).toEqual([]);
  expect(
    changes.map(({ key, origin, takes_over }: Record<string, unknown>) => [key, origin, takes_over]).toSorted(),
  ).toEqual([
    ["go.example.com/a", "declared here", null],
    ["go.example.com/b", "declared here", false],
  ]);
});

it("reports do not link to generated input", async () => {
  const { folder, env } = await start();
  const github = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "a/b", GITHUB_SHA: "c0ffee" };
  const { out } = await piped({ folder, env: { ...env, ...github } }, JSON_TEXT, (world) =>
    plan(world, { format: ["markdown"], resources: ["-"] }),
  );
  expect(out).toContain("`<stdin>:1`");
  expect(out).not.toMatch(/blob\/[^)]*stdin/);
});

it("the script of docs/recipes.md generates links that a plan accepts", async () => {
  const documents = await readDocuments();
  const [script] = documents.flatMap(({ file, blocks }) =>
    file === "docs/recipes.md" ? blocks.filter(({ language }) => language === "js") : [],
  );
  const scenario = await start("defaults: { link: { domain: go.example.com } }\n");
  const code = script?.text ?? "";
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  await writeFiles(scenario.folder, { "links.mjs": code });
  const { stdout } = await promisify(execFile)(process.execPath, ["links.mjs"], { cwd: scenario.folder });
  const changes = await planned(scenario, { resources: ["-"] }, stdout);
  expect(changes).toContainEqual(["create", "go.example.com/store-berlin", "<stdin>"]);
  expect(changes).toHaveLength(3);
});
