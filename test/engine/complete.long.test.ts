// Deletions that a deploy does not make, for each reason, and in random series of deploys. The tag stays, so that a later deploy finds
// them. Fails if the base moves past one.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startDamaged, type Damage } from "../support/damaged.ts";
import { startProxy } from "../support/proxy.ts";
import { runs } from "../support/states.ts";
import { send } from "../support/through.ts";
import { type Deployed, type Deploys, GO, links, PRUNE, startDeployed } from "./deploys.ts";

const A_AND_D = `${PRUNE}${links("a", "d")}`;
const RENAME = `links: { ${GO}/a: { url: "https://example.com/a", renamed_from: b } }\n`;
const [NONE, ONE] = [0, 1].map((applied) => ({ applied, failed: 0, skipped: 0 }));

/** Applies a saved plan after something has changed. */
async function saved(deploys: Deploys, text: string, change: () => Promise<unknown>): Promise<Deployed> {
  await deploys.commit(text);
  await deploys.save();
  await change();
  return deploys.deployInPart({}, "plan.json");
}

/** Commits files, and deploys them in part. */
const partly =
  (text: string, flags = {}) =>
  async (deploys: Deploys): Promise<Deployed> => {
    await deploys.commit(text);
    return deploys.deployInPart(flags);
  };

const link = (alias: string, end = alias): NonNullable<SeedState["links"]>[number] => ({
  alias,
  domain: 2,
  url: `https://example.com/${end}`,
});

describe("if a run does not make a deletion, the tag stays, and the next deploy makes it", () => {
  it.each<[string, (deploys: Deploys) => Promise<Deployed>, number, object | undefined]>([
    ["of --target", partly(A_AND_D, { target: [`${GO}/d`] }), 0, ONE],
    ["of --exclude", partly(A_AND_D, { exclude: [`${GO}/b`] }), 0, ONE],
    ["of `allow`", partly(`allow: [create, update]\n${A_AND_D}`), 0, ONE],
    ["a brake holds it", partly(`prune: removed\nbrake: { deletes: 0 }\n${links("a")}`), 3, { ...NONE, skipped: 1 }],
    ["the files have an error", partly(`${PRUNE}${links("a")}absent: { links: [${GO}/a] }\n`), 1, NONE],
    ["a rename finds both keys live", partly(`${PRUNE}${RENAME}`), 0, NONE],
    ["it was not reviewed", (one) => saved(one, `${PRUNE}${links("a", "b", "d")}`, () => one.commit(A_AND_D)), 0, ONE],
    [
      "another change has moved",
      (one) =>
        saved(one, `${PRUNE}${links("a").replace('/a"', '/a2"')}`, () =>
          send(one, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Fexample.com%2Fmoved"),
        ),
      4,
      { applied: 1, failed: 0, skipped: 1 },
    ],
    [
      "it failed",
      async (one) => {
        const refused = { status: 403, body: '{"message":"No.","status":403}' };
        one.address = await startProxy(one.sandbox.url, (method) => (method === "DELETE" ? refused : "forward"));
        return partly(A_AND_D)(one);
      },
      4,
      { applied: 1, failed: 1, skipped: 0 },
    ],
  ])("because %s", async (_, deploy, code, result) => {
    const deploys = await startDeployed(["a", "b"]);
    const { exit, document } = await deploy(deploys);
    expect([exit, document.result]).toMatchObject([code, result]);
    deploys.address = deploys.sandbox.url;
    const commit = await deploys.commit(`${A_AND_D}# again\n`);
    expect((await deploys.deploy()).document.result.complete).toBe(true);
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a", "d"], commit]);
  });

  it("and the report says why the base must stay", async () => {
    const deploys = await startDeployed(["a", "b"]);
    await deploys.commit(A_AND_D);
    const { out } = await deploys.run({ base: "applied", moveBase: true, target: [`${GO}/d`] });
    expect(out.replaceAll("\n", " ")).toContain(
      `Incomplete: 1 change not selected by --target. Do not move the base. Leave \`applied\` at ${(await deploys.tag()).slice(0, 7)}.`,
    );
  });

  it("because two records have the key, so pruning is not certain", async () => {
    const deploys = await startDeployed(["a", "b"], { seed: { links: [link("a"), link("b"), link("b", "other")] } });
    const { exit, document } = await partly(`${PRUNE}${links("a")}`)(deploys);
    expect([exit, document.orphans.length, document.result]).toMatchObject([0, 2, NONE]);
  });

  const scoped = "prune: scope\nscope: { domains: [go.example.com] }\nbrake: { deletes: 100% }\n";
  it.each<[string, string, Record<string, unknown>]>([
    ["`prune: removed`", PRUNE, { privacy: 3 }],
    ["`prune: removed`, its alias", PRUNE, { alias: null }],
    ["`prune: removed`, its domain", PRUNE, { domain: null }],
    ["`prune: scope`", scoped, { privacy: 3 }],
    ["`prune: scope`, its domain", scoped, { domain: null }],
  ])("because it cannot read the row that pruning would delete: %s", async (_, prune, fields) => {
    const deploys = await startDeployed(["a", "b"]);
    const before = await deploys.tag();
    const damage: Damage[] = [{ kind: "link", id: 2, fields }];
    deploys.address = await startDamaged(deploys.sandbox, damage);
    await deploys.commit(`${prune}${links("a")}`);
    const { exit, out } = await deploys.run({ base: "applied", moveBase: true });
    expect([exit, out.replaceAll("\n", " ")]).toEqual([
      0,
      expect.stringContaining("1 object still live that could not be pruned or renamed."),
    ]);
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a", "b"], before]);
    // After the record is fixed, the next deploy deletes it.
    damage.length = 0;
    const commit = await deploys.commit(`${prune}${links("a")}\n`);
    expect((await deploys.deploy()).document.result).toEqual({ ...ONE, complete: true });
    expect([deploys.aliases(), await deploys.tag()]).toEqual([["a"], commit]);
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
    { numRuns: runs(5) },
  );
});
