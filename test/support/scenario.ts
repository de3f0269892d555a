// A project in a temporary folder and an embedded service, for scenario tests.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { apply, undo, type ApplyFlags } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import type { UndoFlags } from "../../src/undo/plan.ts";
import { validate } from "../../src/cli/validate.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import type { Sandbox, SandboxOptions, SeedState } from "../../src/sandbox/index.ts";
import { runIn, type Ran } from "./run.ts";
import { sandboxFor, writesTo } from "./sandbox.ts";

export { runIn, type Ran } from "./run.ts";

/** An empty folder that is removed with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, by their path in the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

/** The texts of all files of a folder, by path. */
export async function textsOf(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).toSorted();
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(path.join(folder, file), "utf8")] as const),
  );
  return new Map(texts);
}

/** The secrets that scenarios may use. */
const SECRETS = { LINKFORM_SECRET_A: "first secret", LINKFORM_SECRET_B: "second secret" };

export class Scenario {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(sandbox: Sandbox, folder: string, env: Readonly<Record<string, string>> = {}) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.env = { ...SECRETS, ...env, LINKFORM_API_KEY: sandbox.apiKey };
  }

  /** Writes a project file with the required lines and `text`, and other files. */
  async write(text: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
    const head = `version: 1\nservice: { base_url: "${this.sandbox.url}" }\ndomains: { go.example.com: 2, promo.example.com: 3 }\nspaces: { Marketing: 1, Sales: 2 }\n`;
    await writeFiles(this.folder, { "linkform.yaml": `${head}${text}`, ...files });
  }

  /** Declares the version of the service in the project file, as it is written there. */
  async declare(software: string): Promise<void> {
    const file = path.join(this.folder, "linkform.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/(service: \{ base_url: "[^"]*")/, `$1, software: ${software}`));
  }

  async validate(): Promise<Ran> {
    return runIn(this.folder, this.env, (world) => validate(world, {}));
  }

  /** Plans, and checks promise 1: all requests are GET. */
  async plan(flags: PlanFlags = {}): Promise<Ran> {
    const before = this.sandbox.requests.length;
    const ran = await runIn(this.folder, this.env, (world) => plan(world, flags));
    expect(writesTo(this.sandbox, before)).toEqual([]);
    return ran;
  }

  async planDocument(flags: PlanFlags = {}): Promise<PlanDocument> {
    return JSON.parse((await this.plan({ ...flags, format: ["json"] })).out);
  }

  async apply(flags: ApplyFlags = {}): Promise<Ran> {
    return runIn(this.folder, this.env, (world) => apply(world, { yes: true, quiet: true, ...flags }));
  }

  /** Applies, expects an error before the first write, and returns stderr. */
  async refused(): Promise<string> {
    const { exit, err } = await this.apply();
    expect([exit, this.writes()]).toEqual([1, []]);
    return err;
  }

  /** Undoes an apply: the last one, unless a record is named. `env` is added to the scenario's. */
  async undo(flags: UndoFlags = {}, record = "last", env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return runIn(this.folder, { ...this.env, ...env }, (world) => undo(world, { yes: true, ...flags }, record));
  }

  /** The same with `--format json`. */
  async undoDocument(flags: UndoFlags = {}, record = "last"): Promise<{ exit: number; document: ApplyDocument }> {
    const { exit, out } = await this.undo({ quiet: true, format: ["json"], ...flags }, record);
    return { exit, document: JSON.parse(out) };
  }

  async applyDocument(flags: ApplyFlags = {}): Promise<ApplyDocument> {
    return JSON.parse((await this.apply({ ...flags, format: ["json"] })).out);
  }

  /** Applies, and checks promise 2: it succeeds, and the next plan is empty. */
  async converge(): Promise<ApplyDocument> {
    const { exit, out, err } = await this.apply({ format: ["json"] });
    expect({ exit, err, out: exit === 0 ? "" : out }).toEqual({ exit: 0, err: "", out: "" });
    const after = await this.planDocument();
    expect(after.changes).toEqual([]);
    expect(after.complete).toBe(true);
    return JSON.parse(out);
  }

  /** The row of the sandbox with this alias. */
  link(alias: string): ReturnType<Sandbox["state"]>["links"][number] {
    const found = this.sandbox.state().links.find((link) => link.alias === alias);
    if (found === undefined) throw new Error(`no link ${alias} is live`);
    return found;
  }

  writes(): string[] {
    return writesTo(this.sandbox);
  }
}

/** A scenario with its own sandbox; without a rate limit by default. */
export async function startScenario(options: SandboxOptions = {}): Promise<Scenario> {
  return new Scenario(await sandboxFor(options), await temporaryFolder());
}

/** A scenario whose project file has this text, on a sandbox with this seed. */
export async function startWith(text: string, seed: SeedState = {}, options: SandboxOptions = {}): Promise<Scenario> {
  const scenario = await startScenario({ seed, ...options });
  await scenario.write(text);
  return scenario;
}
