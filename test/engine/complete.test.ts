// `result.complete`, and the tag that `--move-base` moves: the next deploy must find a deletion that one deploy did not make. Fails if an
// incomplete run counts as complete, or if the base moves past it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { undo, type ApplyFlags } from "../../src/cli/apply.ts";
import { validate } from "../../src/cli/validate.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import type { UndoFlags } from "../../src/undo/plan.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import { startDamaged } from "../support/damaged.ts";
import { startProxy } from "../support/proxy.ts";
import { git, GIT_ENV } from "../support/repository.ts";
import { runIn, writeFiles } from "../support/scenario.ts";
import { send } from "../support/through.ts";
import { Deploys, GO, links, PRUNE, startDeployed } from "./deploys.ts";

/** Files with one link more than the tag. */
const FOUR = `${PRUNE}${links("a", "b", "c", "d")}`;

describe("a complete run", () => {
  it("moves the tag to the commit that was applied, and says so; the next one finds it there", async () => {
    const deploys = await startDeployed();
    const before = await deploys.tag();
    const commit = await deploys.commit(`${PRUNE}${links("a", "d")}`);
    const { exit, out } = await deploys.run({ base: "applied", moveBase: true });
    expect([exit, await deploys.tag(), deploys.aliases()]).toEqual([0, commit, ["a", "d"]]);
    expect(out).toContain(
      `The tag \`applied\` moved from ${before.slice(0, 7)} to ${commit.slice(0, 7)}. It has not been pushed.`,
    );
    const again = await deploys.deploy();
    expect([again.exit, again.document.result]).toEqual([0, { applied: 0, failed: 0, skipped: 0, complete: true }]);
    expect((await deploys.run({ base: "applied", moveBase: true })).out).toContain("is already at");
  });

  it("of a saved plan moves the tag that the plan names, even if all changes are already live", async () => {
    const deploys = await startDeployed();
    const commit = await deploys.commit(`${PRUNE}${links("a")}`);
    await deploys.save();
    expect((await deploys.deploy({}, "plan.json")).document.result.complete).toBe(true);
    expect([await deploys.tag(), deploys.aliases()]).toEqual([commit, ["a"]]);
    const again = await deploys.deploy({}, "plan.json");
    expect([again.exit, again.document.result.complete, await deploys.tag()]).toEqual([0, true, commit]);
  });

  it("with --changed is complete if what differs from the base is live, and leaves a manual change alone", async () => {
    const deploys = await startDeployed();
    const [, drifted] = deploys.sandbox.state().links;
    await send(deploys, "PUT", `/api/v1/links/${drifted?.id}`, "url=https%3A%2F%2Fmanual.example.com%2F");
    const commit = await deploys.commit(`${PRUNE}${links("a", "b", "d")}`);
    const { exit, document } = await deploys.deploy({ changed: true });
    expect(document).toMatchObject({ not_compared: { links: 2, pixels: 0 }, result: { applied: 2, complete: true } });
    expect([exit, await deploys.tag(), deploys.aliases()]).toEqual([0, commit, ["a", "b", "d"]]);
    expect(deploys.sandbox.state().links[1]?.url).toBe("https://manual.example.com/");
    // Without the flag, the same commit restores it.
    expect((await deploys.deploy()).document.changes.map(({ key }) => key)).toEqual([`${GO}/b`]);
  });

  it("with --changed restores what an incomplete run of a commit changed that was reverted", async () => {
    const deploys = await startDeployed();
    const edited = links("a", "b", "c").replace("https://example.com/a", "https://new.example.com/");
    await deploys.commit(`allow: [update]\n${PRUNE}${edited}  ${GO}/d: { url: https://example.com/ }\n`);
    expect((await deploys.deploy({ changed: true })).document.result).toMatchObject({ applied: 1, complete: false });
    const commit = await deploys.commit(`${PRUNE}${links("a", "b", "c")}`);
    const { document } = await deploys.deploy({ changed: true });
    expect(document).toMatchObject({ not_compared: { links: 2 }, result: { applied: 1, complete: true } });
    expect(deploys.sandbox.state().links.map(({ url }) => url)).toContain("https://example.com/a");
    expect(await deploys.tag()).toBe(commit);
  });

  it("with --changed compares everything if the commits since the tag are not in the clone", async () => {
    const deploys = await startDeployed();
    for (const aliases of [["a"], ["a", "b"], ["a", "b", "c"]]) await deploys.commit(`${PRUNE}${links(...aliases)}`);
    const { folder } = deploys.repository;
    const head = await deploys.repository.git("rev-parse", "HEAD");
    await writeFile(path.join(folder, ".git/shallow"), `${head}\n`);
    const { document } = await deploys.deploy({ changed: true, moveBase: false });
    expect(document.not_compared).toBeUndefined();
    expect(document.diagnostics.map(({ code }) => code)).toContain("changed-all");
  });

  it("moves the tag by any of its names, and not a branch", async () => {
    const deploys = await startDeployed();
    const { repository } = deploys;
    await repository.git("branch", "applied");
    const branch = await repository.git("rev-parse", "refs/heads/applied");
    for (const base of ["applied", "tags/applied", "refs/tags/applied"]) {
      const commit = await deploys.commit(`${FOUR}# ${base}\n`);
      expect([base, (await deploys.deploy({ base })).exit, await deploys.tag()]).toEqual([base, 0, commit]);
    }
    expect(await repository.git("rev-parse", "refs/heads/applied")).toBe(branch);
  });

  it("leaves a live password that the files do not mention", async () => {
    const link = { alias: "a", domain: 2, url: "https://example.com/a", password: "secret" };
    const deploys = await startDeployed(["a"], { seed: { links: [link] } });
    await deploys.commit(`${PRUNE}${links("a", "b")}`);
    const { document } = await deploys.deploy();
    expect(document.diagnostics.map(({ code }) => code)).toContain("kept");
    expect(document.result.complete).toBe(true);
  });
});

const SCOPED = "prune: scope\nscope: { domains: [go.example.com] }\n";
const NAMELESS = { alias: null };
it.each<[string, string, [alias: string, domain: number][], Record<string, unknown>]>([
  ["one that was never declared", PRUNE, [["odd", 2]], { privacy: 3 }],
  ["without pruning", "", [["b", 2]], { privacy: 3 }],
  ["outside the scope", SCOPED, [["b", 3]], { privacy: 3 }],
  [
    "one with no name, while the removed key is live",
    PRUNE,
    [
      ["odd", 2],
      ["b", 2],
    ],
    NAMELESS,
  ],
])("an unreadable row that is not to be deleted does not stop the tag: %s", async (_, prune, others, fields) => {
  const rows = [["a", 2] as const, ...others].map(([alias, domain]) => ({
    alias,
    domain,
    url: `https://example.com/${alias}`,
  }));
  const deploys = await startDeployed(["a", "b"], { seed: { links: rows } });
  deploys.address = await startDamaged(deploys.sandbox, [{ kind: "link", id: 2, fields }]);
  const commit = await deploys.commit(`${prune}${links("a")}`);
  const { exit, document } = await deploys.deploy();
  expect([exit, document.result.complete, document.unreadable?.length ?? 0]).toEqual([0, true, 1]);
  expect(await deploys.tag()).toBe(commit);
});

describe("a base that cannot move is an error before anything is applied", () => {
  async function refused(deploys: Deploys, flags: ApplyFlags = {}, file?: string): Promise<string> {
    const before = deploys.aliases();
    const base = file === undefined ? { base: "applied" } : {};
    const { exit, err } = await deploys.run({ ...base, moveBase: true, ...flags }, file);
    expect([exit === 1 || exit === 64, deploys.aliases()]).toEqual([true, before]);
    return err;
  }

  it("no base at all", async () => {
    const deploys = await startDeployed();
    const { exit, err } = await deploys.run({ moveBase: true });
    expect([exit, err]).toEqual([64, expect.stringContaining("error[move-without-base]")]);
    await deploys.commit(links("a", "b", "c", "d"));
    await deploys.plan({ out: "plan.json" });
    expect((await deploys.run({ moveBase: true }, "plan.json")).exit).toBe(64);
    const first = await deploys.run({ moveBase: "create" }, "plan.json");
    expect([first.exit, first.err]).toEqual([
      64,
      expect.stringContaining("A saved plan cannot be used for the first deploy."),
    ]);
  });

  it("a name that is no tag, which is not created: it may only be missing from this clone", async () => {
    const deploys = await startDeployed();
    await deploys.commit(FOUR);
    for (const [base, said] of [
      ["aplied", "error[base-missing]"],
      ["main", "`main` is not a tag"],
      ["HEAD", "`HEAD` is not a tag"],
      ["applied~0", "`applied~0` is not a tag"],
    ] as const)
      expect(await refused(deploys, { base })).toContain(said);
    expect(await deploys.repository.git("tag")).toBe("applied");
  });

  it("an annotated tag, whose message would be lost; the suggested fix works", async () => {
    const deploys = await startDeployed();
    await deploys.repository.git("tag", "--annotate", "--force", "--message", "v1", "applied", "applied");
    const commit = await deploys.commit(FOUR);
    const err = await refused(deploys);
    expect(err).toContain("annotated");
    const [, tag = "", to = ""] = /git update-ref (\S+) '(\S+)'/.exec(err) ?? [];
    await deploys.repository.git("update-ref", tag, to);
    expect([(await deploys.deploy()).exit, await deploys.tag()]).toEqual([0, commit]);
  });

  it("files that no commit has: they are changed, unknown to git, ignored, or deleted and not committed", async () => {
    const deploys = await startDeployed();
    const text = `files: ["**/links/*.yaml"]\n${PRUNE}${links("a", "b")}`;
    await deploys.commit(text, { "links/c.yaml": links("c"), "links/d.yaml": links("d") });
    const { folder } = deploys.repository;
    for (const [name, changed] of [
      ["links/d.yaml", links("e")],
      ["links/e.yaml", links("e")],
      ["ignored/links/e.yaml", links("e")],
      ["links/c.yaml", null],
    ] as const) {
      await (changed === null ? rm(path.join(folder, name)) : writeFiles(folder, { [name]: changed }));
      for (const flags of [{}, { changed: true }] as const) {
        const err = await refused(deploys, flags);
        expect(err).toContain("error[base-immovable]");
        expect(err).toContain(`\`${name}\``);
        expect(err).not.toContain("--move-base");
      }
      await rm(path.join(folder, name), { force: true });
      await git(folder, "checkout", "--quiet", ".");
    }
  });

  it("other files of the repository may have changes, and line ends may differ", async () => {
    const deploys = await startDeployed();
    const commit = await deploys.commit(FOUR, { "other.txt": "before" });
    await writeFiles(deploys.repository.folder, { "other.txt": "after" });
    const file = path.join(deploys.repository.folder, "linkform.yaml");
    const text = await deploys.repository.git("show", "HEAD:linkform.yaml");
    await writeFile(file, `${text.replaceAll("\n", "\r\n")}\r\n`);
    expect([(await deploys.deploy()).exit, await deploys.tag()]).toEqual([0, commit]);
  });

  it("a tag that has moved since the plan was saved", async () => {
    const deploys = await startDeployed();
    await deploys.commit(FOUR);
    await deploys.save();
    const other = await deploys.repository.git("commit-tree", "HEAD^{tree}", "-m", "other");
    await deploys.repository.git("tag", "--force", "applied", other);
    expect(await refused(deploys, {}, "plan.json")).toContain("since the plan was made");
    expect(await deploys.tag()).toBe(other);
  });
});

it("a tag that somebody moves during the run is not changed, and the run ends with 4", async () => {
  const deploys = await startDeployed();
  const first = await deploys.tag();
  await deploys.commit(FOUR);
  const other = await git(deploys.repository.folder, "commit-tree", "HEAD^{tree}", "-m", "other");
  deploys.address = await startProxy(deploys.sandbox.url, (method) => {
    if (method === "POST")
      execFileSync("git", ["-C", deploys.repository.folder, "update-ref", "refs/tags/applied", other], {
        env: GIT_ENV,
      });
    return "forward";
  });
  const { exit, document } = await deploys.deploy();
  expect([exit, document.result, await deploys.tag()]).toEqual([
    4,
    { applied: 1, failed: 0, skipped: 0, complete: true },
    other,
  ]);
  expect(document.diagnostics).toMatchObject([
    { code: "base-not-moved", message: expect.stringContaining("refs/tags/applied could not be moved") },
  ]);
  expect(first).not.toBe(other);
});

it("an undo is complete if the files ask for nothing else", async () => {
  const deploys = await startDeployed();
  const before = await deploys.repository.git("show", "HEAD:linkform.yaml");
  await deploys.commit(FOUR);
  expect((await deploys.deploy()).exit).toBe(0);
  const undone = async (flags: UndoFlags = {}): Promise<ApplyDocument> => {
    const all = {
      yes: true,
      quiet: true,
      format: ["json"],
      baseUrl: deploys.address,
      record: false as const,
      ...flags,
    };
    return JSON.parse((await runIn(deploys.repository.folder, deploys.env, (world) => undo(world, all, "last"))).out);
  };
  const text = await deploys.repository.git("show", "HEAD:linkform.yaml");
  expect((await undone({ exclude: [`${GO}/d`] })).result.complete).toBe(false);
  expect((await undone()).result).toMatchObject({ applied: 1, complete: false });
  expect((await deploys.deploy()).exit).toBe(0);
  expect(text).not.toBe(before);
  // Without a base, removed links are unknown, so these files name what to delete.
  await deploys.commit(`${links("a", "b", "c")}absent: { links: [${GO}/d] }\n`);
  expect((await undone()).result).toMatchObject({ applied: 1, complete: true });
});

describe("without --base", () => {
  const shown = async (
    deploys: Deploys,
    flags = {},
  ): Promise<{ exit: number; out: string; document: PlanDocument }> => {
    const { exit, out } = await deploys.plan(flags);
    return { exit, out, document: JSON.parse((await deploys.plan({ ...flags, format: ["json"] })).out) };
  };

  it("the tag is the base of what a plan reports, and deletes nothing", async () => {
    const deploys = await startDeployed();
    await deploys.commit(`${PRUNE}${links("a", "b", "d")}`);
    const { out, document } = await shown(deploys);
    expect(out).toContain(
      `Base: the tag \`applied\` (commit ${(await deploys.tag()).slice(0, 7)}, less than a day old).`,
    );
    expect(document.base).toMatchObject({ ref: "applied", implied: true });
    expect(document.changes.map(({ key, origin }) => [key, origin])).toEqual([[`${GO}/d`, "declared here"]]);
    expect(document.orphans.map(({ key }) => key)).toEqual([`${GO}/c`]);
    const { exit, out: applied } = await deploys.run({ format: ["json"] });
    expect([exit, JSON.parse(applied).result.complete, deploys.aliases()]).toEqual([0, false, ["a", "b", "c", "d"]]);
    expect((await shown(deploys, { base: "applied" })).document.changes.map(({ key }) => key)).toEqual([`${GO}/c`]);
  });

  it("a tag that is ahead is a warning, and what its commits add does not look removed", async () => {
    const deploys = await startDeployed();
    const behind = await deploys.commit(`rules: { takes-over: error }\n${links("a", "b", "new")}`);
    await deploys.commit(links("a", "b", "c", "new"));
    await deploys.repository.git("tag", "--force", "applied");
    await deploys.repository.git("reset", "--quiet", "--hard", behind);
    const { document } = await shown(deploys);
    expect(document.orphans).toEqual([]);
    const { out } = await runIn(deploys.repository.folder, deploys.env, (world) =>
      validate(world, { format: ["json"] }),
    );
    for (const { diagnostics } of [document, JSON.parse(out)])
      expect(
        diagnostics.filter((one: Diagnostic) => one.severity !== "info" && one.code !== "safety-changed"),
      ).toMatchObject([
        {
          code: "base-ahead",
          severity: "warning",
          hint: expect.stringContaining("git fetch --force origin tag applied"),
        },
      ]);
    expect(out).not.toContain("orphan");
  });

  it("an old tag is named as a possible reason for takeovers", async () => {
    const deploys = await startDeployed();
    const changed = `links: { ${GO}/x: { url: https://example.com/changed } }\n`;
    await send(deploys, "POST", "/api/v1/links", "alias=x&domain=2&url=https%3A%2F%2Fexample.com%2Fx");
    await deploys.commit(changed);
    const { document } = await shown(deploys);
    const hint = expect.stringContaining("git fetch --force origin tag applied");
    expect(document.diagnostics).toContainEqual(expect.objectContaining({ code: "takes-over", hint }));
  });

  it("a saved plan is applied with the origins that its plan showed", async () => {
    const deploys = await startDeployed();
    await deploys.commit(links("a", "b", "c", "d"));
    await deploys.plan({ out: "plan.json" });
    const { document } = await deploys.deploy({ moveBase: false }, "plan.json");
    expect(document).toMatchObject({ base: { ref: "applied", implied: true }, result: { applied: 1, complete: true } });
    expect(document.changes.map(({ key, origin }) => [key, origin])).toEqual([[`${GO}/d`, "declared here"]]);
  });

  const protects = `protect: ["*/c"]\n${links("a", "c")}`;
  const ends = `${links("a", "b")}absent: { links: [${GO}/c] }\n`;
  const start = async (text: string, file: string): Promise<Deploys> => {
    const deploys = await startDeployed();
    await deploys.commit(text, { "links/b.yaml": file });
    await deploys.repository.git("tag", "--force", "applied");
    return deploys;
  };

  it.each([
    ["an unknown key", links("b").replace(" }", ", ulr: x }")],
    ["no valid YAML", "links: ["],
  ])("a tag whose files have errors is the base of plan and apply: %s", async (_, file) => {
    const deploys = await start(protects, file);
    await deploys.commit(ends, { "links/b.yaml": "" });
    const planned = await shown(deploys);
    const applied = await deploys.run({ format: ["json"] });
    for (const { exit, document } of [planned, { exit: applied.exit, document: JSON.parse(applied.out) }]) {
      expect([exit, document.diagnostics.map((one: Diagnostic) => one.code)]).toEqual([
        1,
        expect.arrayContaining(["base-invalid", "protected", "implied-base"]),
      ]);
      expect(JSON.stringify(document.diagnostics)).not.toMatch(/refuses this base|[0-9a-f]{40}/);
    }
    expect(deploys.aliases()).toEqual(["a", "b", "c"]);
    // Such a base deletes nothing, so this plan can be applied.
    await deploys.commit(links("a", "b", "c", "d"), { "links/b.yaml": "" });
    await shown(deploys, { out: "plan.json" });
    expect((await deploys.run({}, "plan.json")).exit).toBe(0);
    expect(deploys.aliases()).toContain("d");
  });
});

const start = async (text: string): Promise<Deploys> => {
  const deploys = await startDeployed();
  await deploys.commit(text);
  await deploys.repository.git("tag", "--delete", "applied");
  return deploys;
};

it("the first deploy creates the tag after a complete run, without the hooks of the repository", async () => {
  const deploys = await start(FOUR);
  const hook = path.join(deploys.repository.folder, ".git/hooks/reference-transaction");
  await mkdir(path.dirname(hook), { recursive: true });
  await writeFile(hook, `#!/bin/sh\ntouch "${hook}.ran"\n`, { mode: 0o755 });
  const missing = await deploys.run({ base: "applied", moveBase: true });
  expect([missing.exit, missing.err]).toEqual([
    1,
    expect.stringMatching(/git fetch --tags[^]*nothing was applied yet[^]*--move-base=create/),
  ]);
  const { exit, out } = await deploys.run({ base: "applied", moveBase: "create" });
  const head = await deploys.repository.git("rev-parse", "HEAD");
  expect([exit, deploys.aliases()]).toEqual([0, ["a", "b", "c", "d"]]);
  expect(out).toContain(`The tag \`applied\` was created at ${head.slice(0, 7)}.`);
  expect(existsSync(`${hook}.ran`)).toBe(false);
  expect(await deploys.tag()).toBe(head);
  const again = await deploys.run({ base: "applied", moveBase: "create" });
  expect([again.exit, again.err]).toEqual([1, expect.stringContaining("exists already")]);
});

it("the first deploy writes nothing if the name of the tag is taken or not valid", async () => {
  const deploys = await start(FOUR);
  for (const [base, said] of [
    ["HEAD", "`HEAD` is already the name of a commit"],
    ["main", "`main` is already the name of a commit"],
    ["-x", "`-x` is not a valid base"],
    ["", "`--base` is empty"],
    ["a b", "`a b` is not a valid tag name"],
  ] as const) {
    const { exit, err } = await deploys.run({ base, moveBase: "create" });
    expect([exit === 1 || exit === 64, err]).toEqual([true, expect.stringContaining(said)]);
  }
  expect(deploys.aliases()).toEqual(["a", "b", "c"]);
  expect(await deploys.repository.git("tag")).toBe("");
});

it("the first deploy says what to do without a commit", async () => {
  const deploys = await start(links("a"));
  await deploys.repository.git("update-ref", "-d", "HEAD");
  const { exit, err } = await deploys.run({ base: "applied", moveBase: "create" });
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(/The repository has no commits\.\n += Commit the files first\./),
  ]);
});

const BURIES = `${links("a", "b", "d")}absent: { links: [${GO}/c] }\n`;
const PRUNES = `scope: { domains: [go.example.com] }\nprune: scope\n${links("a", "b", "d")}`;
it.each([
  ["breaks a short URL", BURIES],
  ["prunes", PRUNES],
])("the first deploy writes nothing if it %s", async (_, text) => {
  const deploys = await start(`brake: { deletes: 100% }\n${text}`);
  const { exit, err } = await deploys.run({ base: "applied", moveBase: "create" });
  expect([exit, err]).toEqual([1, expect.stringContaining("The first deploy would break 1 short URL.")]);
  expect(deploys.aliases()).toEqual(["a", "b", "c"]);
  expect(await deploys.repository.git("tag")).toBe("");
});
