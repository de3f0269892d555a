// A base whose files have errors. Fails if it blocks the pull request that repairs it, if its protection is lost, or if a plan that may
// lack deletes can be applied.

import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandIn } from "../support/command.ts";
import { GIT_ENV, startEdited } from "../support/repository.ts";
import { sandboxFor } from "../support/library.ts";
import type { Ran } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

type Files = Readonly<Record<string, string>>;

const HEAD =
  "version: 1\nservice: { base_url: https://short.example.com }\ndomains: { go.example.com: 2 }\nprune: removed\nbrake: { deletes: 100% }\n";
const link = (alias: string, more = ""): string =>
  `links: { go.example.com/${alias}: { url: https://example.com/${alias.toLowerCase()}${more} } }\n`;
const KEPT = { "linkform.yaml": HEAD, "links/a.yaml": link("sale") };

interface Repair {
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

/** A repository with these files at its base, and others now. All links are live. */
async function repair(base: Files, now: Files): Promise<Repair> {
  const links = ["sale", "gone"].map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` }));
  const sandbox = await sandboxFor({ seed: { links } });
  const { folder } = await startEdited(base, now);
  const env = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey };
  const run: Repair["run"] = async (command = "", ...args) => {
    const address = command === "validate" ? [] : ["--base-url", sandbox.url];
    const ran = await commandIn(folder, [command, ...args, ...address, "--format", "json"], env);
    if (command !== "apply") return ran;
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    return ran;
  };
  return { folder, run };
}

/** The diagnostics of a document that are not notes, and the keys of its changes. */
function outline({ out }: Ran): unknown {
  // A report of `validate` has no changes.
  const { diagnostics, changes }: Pick<PlanDocument, "diagnostics"> & Partial<PlanDocument> = JSON.parse(out);
  return {
    codes: diagnostics.flatMap(({ severity, code }) => (severity === "info" ? [] : [`${severity} ${code}`])),
    changes: (changes ?? []).map(({ action, key }) => `${action} ${key}`),
  };
}

const INVALID = "warning base-invalid";
const PARTIAL = "warning base-partial";

/** What is wrong at the base, and what its repair plans. */
const REPAIRED: Readonly<Record<string, { base: Files; now?: Files; codes: string[]; changes?: string[] }>> = {
  "two merges that declare one key": {
    base: { ...KEPT, "links/b.yaml": link("Sale") },
    codes: [INVALID],
  },
  "the same, and the repair removes both": {
    base: { ...KEPT, "links/b.yaml": link("Sale") },
    now: { ...KEPT, "links/a.yaml": link("new") },
    codes: [INVALID],
    changes: ["delete go.example.com/sale", "create go.example.com/new"],
  },
  "an unknown key in a block": {
    base: { ...KEPT, "links/b.yaml": link("gone", ", ulr: x") },
    codes: [INVALID],
    changes: ["delete go.example.com/gone"],
  },
  "a link of the project file": {
    base: { "linkform.yaml": `${HEAD}${link("gone", ", pixels: 7")}`, "links/a.yaml": link("sale") },
    codes: [INVALID],
    changes: ["delete go.example.com/gone"],
  },
  "a glob that matches no file": {
    base: { "linkform.yaml": `${HEAD}files: [links/*.yaml, more/*.yaml]\n`, "links/a.yaml": link("sale") },
    codes: [INVALID],
  },
  "a file that does not parse": {
    base: { ...KEPT, "links/b.yaml": `${link("gone")}<<<<<<< HEAD\n`, "links/c.yaml": link("gone") },
    codes: [INVALID, PARTIAL],
    changes: ["delete go.example.com/gone"],
  },
  "a block whose key cannot be read": {
    base: { ...KEPT, "links/b.yaml": "links: { gone: { url: https://example.com/ } }\n" },
    codes: [INVALID, PARTIAL],
  },
};

describe("the pull request that repairs", () => {
  test.each(Object.entries(REPAIRED))("%s", async (_, { base, now = KEPT, codes, changes = [] }) => {
    const { folder, run } = await repair(base, now);
    const planned = await run("plan", "--base", "base", "--out", "plan.json");
    expect([planned.exit, outline(planned)]).toEqual([0, { codes, changes }]);
    const validated = await run("validate", "--base", "base");
    expect([validated.exit, outline(validated)]).toEqual([0, { codes, changes: [] }]);
    // A deploy must not take this commit for one that was applied.
    const isSaved = !codes.includes(PARTIAL);
    expect(existsSync(path.join(folder, "plan.json"))).toBe(isSaved);
    const refused = [await run("apply", "--yes", "--base", "base"), await run("drift", "--base", "base")];
    if (isSaved) refused.push(await run("apply", "plan.json"));
    expect(refused.map((ran) => [ran.exit, outline(ran)])).toEqual(
      refused.map(() => [1, { codes: ["error base-invalid"], changes: [] }]),
    );
  });
});

describe("protection at a base with errors counts", () => {
  const OTHER = "links/b.yaml";
  const WRONG = link("x", ", ulr: x");
  const END = "absent: { links: [go.example.com/sale] }\n";
  const other = "version: 1\nservice: { base_url: https://short.example.com }\n";
  test.each<[string, Files]>([
    ["of a glob", { "linkform.yaml": `${HEAD}protect: ["*/sale"]\n`, "links/a.yaml": link("sale"), [OTHER]: WRONG }],
    ["of a block with another error", { ...KEPT, "links/a.yaml": link("sale", ", protect: true, ulr: x") }],
    [
      "of one of two blocks with the same key",
      { ...KEPT, "links/a.yaml": link("sale", ", protect: true"), [OTHER]: link("Sale") },
    ],
    ["of a block, with a value that is not valid", { ...KEPT, "links/a.yaml": link("sale", ", protect: yes please") }],
    [
      "of another project of the service",
      { ...KEPT, "team/linkform.yaml": `${other}${link("sale", ", protect: true, ulr: x")}` },
    ],
  ])("%s", async (_, base) => {
    const { run } = await repair(base, { "linkform.yaml": `${HEAD}${END}` });
    const ran = await run("plan", "--base", "base");
    expect([ran.exit, outline(ran)]).toEqual([1, { codes: expect.arrayContaining(["error protected"]), changes: [] }]);
  });

  test.each([
    ["an unknown setting", `${HEAD}protct: ["*/sale"]\n`],
    ["a setting of the wrong type", `${HEAD}protect: 7\n`],
    ["a syntax error", `${HEAD}protect: [\n`],
    ["a second document", `${HEAD}---\nprotect: ["*/sale"]\n`],
  ])("and settings that cannot be read are an error: %s", async (_, text) => {
    const { run } = await repair({ ...KEPT, "linkform.yaml": text }, KEPT);
    for (const command of ["plan", "validate"]) {
      const ran = await run(command, "--base", "base");
      expect([ran.exit, outline(ran)]).toEqual([1, { codes: ["error base-invalid"], changes: [] }]);
    }
  });
});

test("`projects --changed` leaves out a project with errors that the commit does not touch", async () => {
  const broken = { ...KEPT, "links/b.yaml": link("Sale") };
  const { folder } = await repair(broken, { ...broken, "README.md": "" });
  const ran = await commandIn(folder, ["projects", "--changed", "--base", "base"], GIT_ENV);
  expect([ran.exit, ran.out]).toEqual([0, ""]);
});
