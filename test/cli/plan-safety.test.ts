// Settings that keep linkform from doing harm, and a pull request that changes them. Fails if protection of the base is lost because
// the project file is in another place, if a change to a setting is not reported before everything else, or if a link that a wider scope
// takes in looks like somebody else's change.

import path from "node:path";
import { describe, expect, test } from "vitest";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import { GIT_ENV, startEdited, type Repository } from "../support/repository.ts";
import { sandboxFor } from "../support/library.ts";
import { runIn, type Ran } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const ADDRESS = "https://short.example.com";
const OTHER = "https://staging.example.com";
const head = (address = ADDRESS): string => `version: 1\nservice: { base_url: ${address} }\n`;
const link = (alias: string, more = ""): string =>
  `  go.example.com/${alias}: { url: https://example.com/${alias}${more} }\n`;
const END = "absent: { links: [go.example.com/qr-1] }\n";
const GUARDED = `${head()}protect: ["go.example.com/qr-*"]\nlinks:\n${link("qr-1")}`;

interface Begun {
  readonly repository: Repository;
  /** Plans in a folder of the repository, against the commit tagged `base`. */
  readonly run: (folder: string, flags?: PlanFlags) => Promise<Ran>;
  readonly document: (folder?: string, flags?: PlanFlags) => Promise<PlanDocument>;
}

/** A repository with these files at its base, and others now. */
async function begin(base: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): Promise<Begun> {
  const links = ["qr-1", "a", "b", "theirs"].map((alias) => ({
    alias,
    domain: 2,
    url: `https://example.com/${alias}`,
  }));
  const sandbox = await sandboxFor({ seed: { links } });
  const repository = await startEdited(base, now);
  const env = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey };
  const run = (folder: string, flags: PlanFlags = {}): Promise<Ran> =>
    runIn(path.join(repository.folder, folder), env, (world) =>
      plan(world, { base: "base", baseUrl: sandbox.url, ...flags }),
    );
  return {
    repository,
    run,
    document: async (folder = "", flags = {}) => JSON.parse((await run(folder, { format: ["json"], ...flags })).out),
  };
}

const safetyOf = ({ diagnostics }: PlanDocument): string[] =>
  diagnostics.flatMap(({ code, message }) => (code === "safety-changed" ? [message] : []));

describe("a link that the base protects can't be deleted", () => {
  interface Way {
    readonly of: string;
    readonly base?: Readonly<Record<string, string>>;
    readonly now: Readonly<Record<string, string>>;
    readonly folder?: string;
    readonly flags?: PlanFlags;
  }

  const OWN = `${head()}links:\n${link("a")}`;
  const LABELED = `${head()}domains: { go: { id: 2, name: go.example.com } }\nprotect: ["go/qr-*"]\nlinks:\n${link("a").replace("go.example.com", "go")}`;

  test.each<Way>([
    {
      of: "by a new project in a folder below",
      now: { "linkform.yaml": GUARDED, "team/linkform.yaml": head() + END },
      folder: "team",
    },
    { of: "by the project file, moved into a folder", now: { "team/linkform.yaml": head() + END }, folder: "team" },
    {
      of: "by the project file, moved to another folder",
      base: { "one/linkform.yaml": GUARDED },
      now: { "two/linkform.yaml": head() + END },
      folder: "two",
    },
    {
      of: "by the project file, renamed",
      now: { "linkform.new.yaml": head() + END },
      flags: { config: "linkform.new.yaml" },
    },
    { of: "by a file of another name", now: { "x.yaml": head() + END }, flags: { config: "x.yaml" } },
    {
      of: "by a project that says it has another address",
      base: { "one/linkform.yaml": GUARDED },
      now: { "two/linkform.yaml": head(OTHER) + END },
      folder: "two",
    },
    {
      of: "by a label of the other project",
      base: { "linkform.yaml": LABELED },
      now: { "team/linkform.yaml": head() + END },
      folder: "team",
    },
    {
      of: "by a project that is there already, where another one declares and protects it",
      base: { "linkform.yaml": GUARDED, "team/linkform.yaml": OWN },
      now: { "linkform.yaml": head(), "team/linkform.yaml": OWN + END },
      folder: "team",
    },
    {
      of: "where only its block is protected",
      base: { "linkform.yaml": `${head()}links:\n${link("qr-1", ", protect: true")}` },
      now: { "team/linkform.yaml": head() + END },
      folder: "team",
    },
  ])("$of", async ({ base = { "linkform.yaml": GUARDED }, now, folder = "", flags = {} }) => {
    const { document } = await begin(base, now);
    const { complete, changes, diagnostics } = await document(folder, flags);
    expect({ complete, changes }).toEqual({ complete: false, changes: [] });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        code: "protected",
        message: expect.stringMatching(
          /`go.example.com\/qr-1` is protected \(by `.*linkform.yaml`, line \d+ at base\)/,
        ),
      },
    ]);
  });

  test("and what can't be read at the base is an error, not a way around it", async () => {
    const { document } = await begin(
      { "linkform.yaml": "version: 1\nprotect: [" },
      { "team/linkform.yaml": head() + END },
    );
    expect((await document("team")).diagnostics).toMatchObject([
      { code: "base-invalid", message: expect.stringContaining("linkform.yaml:2") },
    ]);
  });

  test("but projects that have nothing to do with each other are left alone", async () => {
    const own = `${head()}links:\n${link("a")}`;
    const { document } = await begin(
      {
        // Not a project, and one that is broken, elsewhere.
        "docs/linkform-notes.yaml": "hello: there\n",
        "fixtures/linkform.yaml": "version: 1\nprotect: [",
        // A project that protects what this one has always been free to delete.
        "other/linkform.yaml": `${head()}protect: ["go.example.com/*"]\nlinks:\n${link("b")}`,
        "team/linkform.yaml": own,
      },
      { "team/linkform.yaml": own + END, "other/linkform.yaml": head() },
    );
    const { changes, diagnostics } = await document("team");
    expect(changes.map(({ action, key }) => [action, key])).toEqual([["delete", "go.example.com/qr-1"]]);
    expect(diagnostics).toEqual([]);
  });
});

describe("a change to a safety setting", () => {
  const BASE = `${head()}protect: ["go.example.com/qr-*"]\nprune: removed\nscope: { domains: [go.example.com] }\nallow: [create, update]\nbrake: { deletes: 10% }\nlinks:\n${link("a", ", protect: true")}${link("b")}`;
  const NOW = `${head()}prune: none\nscope: { domains: [go.example.com, promo.example.com] }\nallow: [create, update, delete]\nbrake: { deletes: 90%, clicks: 5% }\nrules: { plain-http: off }\ndomains: { promo.example.com: 3 }\nlinks:\n${link("a")}${link("b", ", protect: true")}`;

  test("is reported with before and after, ahead of all other findings", async () => {
    const { document } = await begin({ "linkform.yaml": BASE }, { "linkform.yaml": NOW });
    const found = await document();
    expect(safetyOf(found)).toEqual([
      "`protect` changed from [go.example.com/qr-*] to none since `base`.",
      "`prune` changed from removed to none since `base`.",
      "`scope.domains` changed from [go.example.com] to [go.example.com, promo.example.com (3)] since `base`.",
      "`allow` changed from [create, update] to [create, delete, update] since `base`.",
      "`brake.deletes` changed from 10% to 90% since `base`.",
      "`brake.clicks` changed from not limited to 5% since `base`.",
      "`rules.plain-http` changed from warning to off since `base`.",
      "`protect: true` was removed from 1 link since `base`: `go.example.com/a`.",
      "`protect: true` was added to 1 link since `base`: `go.example.com/b`.",
    ]);
    expect(found.diagnostics.slice(0, 9).map(({ code }) => code)).toEqual(Array(9).fill("safety-changed"));
    expect(found.diagnostics[1]).toMatchObject({ severity: "warning", file: "linkform.yaml", line: 3 });
  });

  test("comes before everything else in every format, errors included", async () => {
    const { run, repository } = await begin(
      { "linkform.yaml": GUARDED },
      { "linkform.yaml": `${head()}prune: removed\nlinks:\n${link("a")}` },
    );
    const first = (text: string, other: RegExp): boolean => text.indexOf("safety") < text.search(other);
    const { err } = await run("");
    expect(first(err, /error\[protected/)).toBe(true);
    const markdown = (await run("", { format: ["markdown"] })).out;
    expect(markdown).toContain("safety settings changed");
    expect(first(markdown, /is protected/)).toBe(true);
    expect(first((await run("", { format: ["html"] })).out.replace(/[^]*<main/, ""), /is protected/)).toBe(true);
    expect((await run("", { format: ["github"] })).out).toMatch(
      /^::error[^\n]*protected[^]*?\n::warning[^\n]*safety-changed/,
    );
    for (const format of ["json", "gitlab"]) {
      const { out } = await runIn(repository.folder, GIT_ENV, (world) =>
        validate(world, { base: "base", format: [format] }),
      );
      expect(out).toMatch(/^[^]*?safety-changed/);
    }
  });

  test("is not one if only the words differ", async () => {
    const { document } = await begin(
      {
        "linkform.yaml": `${head()}brake: { deletes: 30% }\nallow: [create, update]\nscope: { domains: [go.example.com] }\n`,
      },
      {
        "linkform.yaml": `${head()}allow: [update, create]\nscope: { domains: [ "go.example.com" ] }\nbrake: { updates: 30% }\nprune: none\nprotect: []\nrules: { plain-http: warning }\n`,
      },
    );
    expect(safetyOf(await document())).toEqual([]);
  });

  test("is seen where the project file is moved and changed at once", async () => {
    const { document } = await begin(
      { "linkform.yaml": BASE },
      { "team/linkform.yaml": BASE.replace("deletes: 10%", "deletes: 100%") },
    );
    expect(safetyOf(await document("team"))).toEqual([
      "This project file is new since `base`. Its settings are compared with the settings in `linkform.yaml` at `base`.",
      "`brake.deletes` changed from 10% to 100% since `base`.",
    ]);
  });
});

describe("a link that no file has named, and that a change to a setting deletes,", () => {
  const own = `links:\n${link("a")}${link("b")}${link("qr-1")}`;
  const origins = async (base: string, now: string): Promise<(string | null)[]> => {
    const { document } = await begin({ "linkform.yaml": base + own }, { "linkform.yaml": now + own });
    const { changes } = await document("", { allowDeletes: 10 });
    return changes.map(({ key, origin }) => `${key}: ${String(origin)}`);
  };
  const scope = "scope: { domains: [go.example.com] }\n";

  test.each([
    ["of `prune`", head(), `${head()}prune: scope\n${scope}`],
    [
      "of `scope`",
      `${head()}prune: scope\nscope: { domains: [promo.example.com] }\n`,
      `${head()}prune: scope\n${scope}`,
    ],
  ])("is declared here: %s", async (_, base, now) => {
    const with3 = (text: string): string => `${text}domains: { promo.example.com: 3 }\n`;
    expect(await origins(with3(base), with3(now))).toEqual(["go.example.com/theirs: declared here"]);
  });

  test("is drift if the base would have deleted it, too", async () => {
    expect(await origins(`${head()}prune: scope\n${scope}`, `${head()}prune: scope\n${scope}`)).toEqual([
      "go.example.com/theirs: drift",
    ]);
  });
});
