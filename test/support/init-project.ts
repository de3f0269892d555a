// A folder for a new project: `init` runs in it, and a test reads the result.

import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import { formatText } from "../../src/edit/format.ts";
import { init, type InitFlags } from "../../src/init/command.ts";
import { plan } from "../../src/cli/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { sandboxFor, writesTo } from "./sandbox.ts";
import { runIn, temporaryFolder, textsOf, type Ran } from "./scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

/** The texts of the files in a folder by path; only the names of copied schemas. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const texts = [...(await textsOf(folder))].filter(([name]) => !name.startsWith(".git/"));
  return Object.fromEntries(texts.map(([name, text]) => [name, name.endsWith(".schema.json") ? "(schema)" : text]));
}

/** All entries of a folder, including folders. */
export async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith(".git/")).toSorted();
}

export class InitProject {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.env = { LINKFORM_API_KEY: sandbox.apiKey };
  }

  /** Runs `init` with the service's address. It only reads (a wizard never writes). */
  async init(
    flags: InitFlags = {},
    env: Readonly<Record<string, string>> = this.env,
    cwd: string = this.folder,
  ): Promise<Ran> {
    const before = this.sandbox.requests.length;
    const ran = await runIn(cwd, env, (world) => init(world, { baseUrl: this.sandbox.url, ...flags }));
    expect(writesTo(this.sandbox, before)).toEqual([]);
    expect(`${ran.out}${ran.err}`).not.toContain(this.sandbox.apiKey);
    return ran;
  }

  /** Checks the new project: it is valid without diagnostics, `fmt` changes nothing, and its plan is empty. */
  async holds(flags: { readonly config?: string } = {}): Promise<PlanDocument> {
    const valid = await runIn(this.folder, this.env, (world) => validate(world, { ...flags, format: ["json"] }));
    expect(JSON.parse(valid.out)).toMatchObject({ valid: true, diagnostics: [] });
    for (const [file, text] of Object.entries(await textsIn(this.folder)))
      if (/\.ya?ml$/.test(file) && !file.includes(".git")) expect(formatText(text, file)).toEqual({ text });
    const planned = await runIn(this.folder, this.env, (world) => plan(world, { ...flags, format: ["json"] }));
    const document: PlanDocument = JSON.parse(planned.out);
    expect({ exit: planned.exit, complete: document.complete, changes: document.changes }).toEqual({
      exit: 0,
      complete: true,
      changes: [],
    });
    return document;
  }
}

/** An empty folder, and a sandbox. */
export async function begin(options: SandboxOptions = {}): Promise<InitProject> {
  return new InitProject(await sandboxFor(options), await temporaryFolder());
}
