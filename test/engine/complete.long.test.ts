// Deletions that a deploy does not make, for each reason, and in random series of deploys. The tag stays, so that a later deploy finds
// them. Fails if the base moves past one.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApplyFlags } from "../../src/cli/apply.ts";
import { startDamaged, type Damage } from "../support/damaged.ts";
import { startProxy } from "../support/proxy.ts";
import { send } from "../support/through.ts";
import { GO, links, PRUNE, startDeployed } from "./deploys.ts";

describe("if a run does not make a deletion, the tag stays, and the next deploy makes it", () => {
  it.each<[string, string, ApplyFlags, string]>([
    ["--target", "", { target: [`${GO}/d`] }, "1 change not selected by --target"],
    ["--exclude", "", { exclude: [`${GO}/b`] }, "1 change excluded by --exclude"],
    ["`allow`", "allow: [create, update]\n", {}, "1 change not allowed by `allow` in the project file"],
  ])("for %s", async (_, policy, flags, said) => {
    const deploys = await startDeployed(["a", "b"]);
    const before = await deploys.tag();
    await deploys.commit(`${PRUNE}${policy}${links("a", "d")}`);
    const first = await deploys.deploy(flags);
    expect([first.exit, first.document.result]).toEqual([0, { applied: 1, failed: 0, skipped: 0, complete: false }]);
    expect(await deploys.tag()).toBe(before);
    const text = await deploys.run({ base: "applied", moveBase: true, ...flags });
    expect(text.out.replaceAll("\n", " ")).toContain(
      `Incomplete: ${said}. Do not move the base. Leave \`applied\` at ${before.slice(0, 7)}.`,
    );
    const commit = await deploys.commit(`${PRUNE}${links("a", "d")}`);
    expect((await deploys.deploy()).document.result).toEqual({ applied: 1, failed: 0, skipped: 0, complete: true });
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a", "d"], commit]);
  });

  it("because it was not reviewed", async () => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(`${PRUNE}${links("a", "b", "d")}`);
    await deploys.save();
    await deploys.commit(`${PRUNE}${links("a", "d")}`);
    const { exit, document } = await deploys.deployInPart({}, "plan.json");
    expect([exit, document.not_reviewed?.length, document.result]).toMatchObject([0, 1, { applied: 1, skipped: 0 }]);
    expect((await deploys.deploy()).document.result.complete).toBe(true);
    expect(deploys.aliases()).toEqual(["a", "d"]);
  });

  it("because it has moved", async () => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(`${PRUNE}${links("a").replace('/a"', '/a2"')}`);
    await deploys.save();
    const { id = 0 } = deploys.sandbox.state().links.find(({ alias }) => alias === "a") ?? {};
    await send(deploys, "PUT", `/api/v1/links/${id}`, "url=https%3A%2F%2Fexample.com%2Fmoved");
    const { exit, document } = await deploys.deployInPart({}, "plan.json");
    expect([exit, document.result]).toMatchObject([4, { applied: 1, failed: 0, skipped: 1 }]);
  });

  it.each([
    ["a brake holds it", `prune: removed\nbrake: { deletes: 0 }\n${links("a")}`, 3, 1],
    ["the run ended before it began", `${PRUNE}${links("a")}absent: { links: [${GO}/a] }\n`, 1, 0],
  ])("because %s", async (_, text, code, skipped) => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(text);
    const { exit, document } = await deploys.deployInPart();
    expect([exit, document.result]).toMatchObject([code, { applied: 0, failed: 0, skipped }]);
  });

  it("because another change failed", async () => {
    const deploys = await startDeployed(["a", "b"]);
    deploys.address = await startProxy(deploys.sandbox.url, (method) =>
      method === "DELETE" ? { status: 403, body: '{"message":"No.","status":403}' } : "forward",
    );
    await deploys.commit(`${PRUNE}${links("a", "d")}`);
    const { exit, document } = await deploys.deployInPart();
    expect([exit, document.result]).toMatchObject([4, { applied: 1, failed: 1, skipped: 0 }]);
  });

  it("because two records have the key, so pruning is not certain", async () => {
    const twice = ["https://example.com/b", "https://example.com/other"].map((url) => ({ alias: "b", domain: 2, url }));
    const a = { alias: "a", domain: 2, url: "https://example.com/a" };
    const deploys = await startDeployed(["a", "b"], { seed: { links: [a, ...twice] } });
    await deploys.commit(`${PRUNE}${links("a")}`);
    const { exit, document } = await deploys.deployInPart();
    expect([exit, document.orphans.length, document.result]).toMatchObject([
      0,
      2,
      { applied: 0, failed: 0, skipped: 0 },
    ]);
  });

  const scoped = "prune: scope\nscope: { domains: [go.example.com] }\nbrake: { deletes: 100% }\n";
  it.each<[string, string, Record<string, unknown>]>([
    ["`prune: removed`", PRUNE, { privacy: 3 }],
    ["`prune: removed`, its alias", PRUNE, { alias: null, short_url: null }],
    ["`prune: removed`, its domain", PRUNE, { domain: null }],
    ["`prune: scope`", scoped, { privacy: 3 }],
    ["`prune: scope`, its domain", scoped, { domain: null }],
  ])("because it cannot read the row that pruning would delete: %s", async (_, prune, fields) => {
    const deploys = await startDeployed(["a", "b"]);
    const before = await deploys.tag();
    const damage: Damage[] = [{ kind: "link", id: 2, fields }];
    deploys.address = await startDamaged(deploys.sandbox, damage);
    await deploys.commit(`${prune}${links("a")}`);
    const { exit, document } = await deploys.deploy();
    expect([exit, document.unreadable?.length, document.result.complete]).toEqual([0, 1, false]);
    const text = await deploys.run({ base: "applied", moveBase: true });
    expect(text.out.replaceAll("\n", " ")).toContain(
      "1 object still live that linkform cannot read and may have to prune.",
    );
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a", "b"], before]);
    // After the record is fixed, the next deploy deletes it.
    damage.length = 0;
    const commit = await deploys.commit(`${prune}${links("a")}\n`);
    expect((await deploys.deploy()).document.result).toEqual({ applied: 1, failed: 0, skipped: 0, complete: true });
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a"], commit]);
  });

  it("because a rename finds both keys live", async () => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(`${PRUNE}links: { ${GO}/a: { url: "https://example.com/a", renamed_from: b } }\n`);
    const { exit, document } = await deploys.deployInPart();
    expect([exit, document.changes]).toEqual([0, []]);
    await deploys.commit(`${PRUNE}${links("a")}`);
    expect((await deploys.deploy()).document.result.complete).toBe(true);
    expect(deploys.aliases()).toEqual(["a"]);
  });

  it("because pruning had no base, so a run without --base does not know what to prune", async () => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(`${PRUNE}${links("a")}`);
    const { out } = await deploys.run({ format: ["json"] });
    expect(JSON.parse(out).result.complete).toBe(false);
  });
});

it("in any series of partial deploys, a link that the files no longer declare is deleted in the end", async () => {
  const aliases = ["a", "b", "c", "d"];
  const step = fc.record({
    declared: fc.subarray(aliases, { minLength: 1 }),
    flags: fc.constantFrom("none", "target", "exclude"),
    glob: fc.constantFrom(...aliases),
    allow: fc.constantFrom("", "allow: [create, update]\n", "allow: [delete]\n"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const deploys = await startDeployed(aliases);
      let atTag = aliases;
      for (const { declared, flags, glob, allow } of steps) {
        const commit = await deploys.commit(`${PRUNE}${allow}${links(...declared)}`);
        const before = await deploys.tag();
        const { exit, document } = await deploys.deploy(flags === "none" ? {} : { [flags]: [`${GO}/${glob}`] });
        // A glob that matches nothing is an error.
        const isDone = exit === 0 && document.result.complete;
        expect(await deploys.tag()).toBe(isDone ? commit : before);
        if (!isDone) continue;
        expect(deploys.aliases()).toEqual(expect.arrayContaining(declared));
        expect(deploys.aliases().filter((alias) => atTag.includes(alias) && !declared.includes(alias))).toEqual([]);
        atTag = declared;
      }
      const last = steps.at(-1)?.declared ?? [];
      await deploys.commit(`${PRUNE}${links(...last)}`);
      const { document } = await deploys.deploy();
      // Links that only an incomplete deploy declared are not at the tag, so they may stay.
      expect(document.result.complete).toBe(true);
      expect(deploys.aliases()).toEqual(expect.arrayContaining(last));
      expect(deploys.aliases().filter((alias) => atTag.includes(alias) && !last.includes(alias))).toEqual([]);
    }),
    { numRuns: Math.max(5, Math.ceil(Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 0) / 10)) },
  );
});
