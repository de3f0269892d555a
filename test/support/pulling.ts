// The environment of a pull: an account, and a project in a folder.

import { expect } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { pull, type PullFlags } from "../../src/pull/command.ts";
import type { Sandbox, SeedState } from "../../src/sandbox/index.ts";
import { sandboxFor, writesTo } from "./sandbox.ts";
import { runIn, temporaryFolder, textsOf, writeFiles, type Ran } from "./scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const SECRETS = { LINKFORM_SECRET_A: "first secret" };

/** Pulls from this account into the project of a folder, with any address in its files. */
export async function pullFrom(
  sandbox: Sandbox,
  folder: string,
  flags: PullFlags = {},
  keys: readonly string[] = [],
): Promise<Ran> {
  const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
  return runIn(folder, env, (world) => pull(world, { baseUrl: sandbox.url, ...flags }, keys));
}

/** The start of every project in these tests. Runs override the address. */
export const HEAD = 'version: 1\nservice: { base_url: "http://127.0.0.1:9" }\n';

type LinkSeed = NonNullable<SeedState["links"]>[number];

/** A link of the account with a destination that contains its alias. */
export const link = (alias: string, more: Partial<LinkSeed> = {}): LinkSeed => ({
  alias,
  domain: 2,
  url: `https://example.com/${alias}`,
  ...more,
});

/** A project in a folder, and an account. */
export interface Pulling {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly pull: (flags?: PullFlags, ...keys: string[]) => Promise<Ran>;
  /** Pulls, and expects that it succeeds and only reads, and that the plan is empty afterwards. */
  readonly converge: (flags?: PullFlags, ...keys: string[]) => Promise<void>;
  readonly text: (file: string) => Promise<string | undefined>;
}

/** Writes the files of a project and starts its account. Both end with the test. */
export async function beginPulling(files: Readonly<Record<string, string>>, seed: SeedState): Promise<Pulling> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": HEAD, ...files });
  const sandbox = await sandboxFor({ seed });
  return {
    folder,
    sandbox,
    pull: (flags = {}, ...keys) => pullFrom(sandbox, folder, flags, keys),
    converge: async (flags = {}, ...keys) => {
      const { exit, err } = await pullFrom(sandbox, folder, { quiet: true, ...flags }, keys);
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      expect(writesTo(sandbox)).toEqual([]);
      await expectEmptyPlan(sandbox, folder);
    },
    text: async (file) => (await textsOf(folder)).get(file),
  };
}

/** The same with one resource file, which `after` reads. */
export async function beginFile(
  file: string,
  seed: SeedState,
): Promise<Pulling & { readonly after: () => Promise<string | undefined> }> {
  const begun = await beginPulling({ "links/a.yaml": file }, seed);
  return { ...begun, after: () => begun.text("links/a.yaml") };
}

/** A plan of the project of a folder against this account. */
export async function planOf(sandbox: Sandbox, folder: string): Promise<PlanDocument> {
  const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
  const ran = await runIn(folder, env, (world) => plan(world, { baseUrl: sandbox.url, format: ["json"] }));
  return JSON.parse(ran.out);
}

export async function expectEmptyPlan(sandbox: Sandbox, folder: string): Promise<void> {
  const { complete, changes } = await planOf(sandbox, folder);
  expect({ complete, changes }).toEqual({ complete: true, changes: [] });
}

/** Whether a text has all these lines, in this order. */
export function isWithin(lines: readonly string[], text: string): boolean {
  const found = text.split("\n");
  let at = 0;
  return lines.every((line) => {
    at = found.indexOf(line, at) + 1;
    return at > 0;
  });
}
