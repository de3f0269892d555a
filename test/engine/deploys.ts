// Deploys from a repository with a tag that `--move-base` moves.

import { expect } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { GIT_ENV, startRepository, type Repository } from "../support/repository.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { runIn, type Ran } from "../support/scenario.ts";

type Files = Readonly<Record<string, string>>;

/** The end of a deploy. */
export interface Deployed {
  readonly exit: number;
  readonly document: ApplyDocument;
}

/** A repository whose first commit is tagged `applied`, and an account. */
export class Deploys {
  readonly sandbox: Sandbox;
  readonly repository: Repository;
  /** The address for requests. */
  address: string;

  constructor(sandbox: Sandbox, repository: Repository) {
    this.sandbox = sandbox;
    this.repository = repository;
    this.address = sandbox.url;
  }

  /** Commits a project file with the required lines and this text, and other files. */
  async commit(text: string, more: Files = {}, ...refs: readonly string[]): Promise<string> {
    const head = `version: 1\nservice: { base_url: "${this.sandbox.url}" }\ndomains: { go.example.com: 2 }\n`;
    const ignored = { ".gitignore": ".linkform/\nplan.json\nignored/\n" };
    return this.repository.commit({ "linkform.yaml": `${head}${text}`, ...ignored, ...more }, ...refs);
  }

  async tag(name = "applied"): Promise<string> {
    return this.repository.git("rev-parse", `refs/tags/${name}`);
  }

  get env(): Record<string, string> {
    return { ...GIT_ENV, LINKFORM_API_KEY: this.sandbox.apiKey };
  }

  async run(flags: ApplyFlags = {}, file?: string): Promise<Ran> {
    const all = { yes: true, quiet: true, baseUrl: this.address, ...flags };
    return runIn(this.repository.folder, this.env, (world) => apply(world, all, file));
  }

  /** Applies from the tag, moves it, and returns the document. */
  async deploy(flags: ApplyFlags = {}, file?: string): Promise<Deployed> {
    const base = file === undefined ? { base: "applied" } : {};
    const { exit, out } = await this.run({ ...base, moveBase: true, format: ["json"], ...flags }, file);
    return { exit, document: JSON.parse(out) };
  }

  /** The same, and expects that the run is incomplete and the tag stays. */
  async deployInPart(flags: ApplyFlags = {}, file?: string): Promise<Deployed> {
    const before = await this.tag();
    const deployed = await this.deploy(flags, file);
    expect([deployed.document.result.complete, await this.tag()]).toEqual([false, before]);
    return deployed;
  }

  async plan(flags: PlanFlags = {}): Promise<Ran> {
    return runIn(this.repository.folder, this.env, (world) => plan(world, { baseUrl: this.address, ...flags }));
  }

  async save(): Promise<void> {
    expect((await this.plan({ base: "applied", out: "plan.json" })).exit).toBe(0);
  }

  aliases(): string[] {
    return this.sandbox.state().links.map(({ alias }) => alias);
  }
}

export const GO = "go.example.com";

export const links = (...aliases: readonly string[]): string =>
  `links:\n${aliases.map((alias) => `  ${GO}/${alias}: { url: "https://example.com/${alias}" }\n`).join("")}`;

export const PRUNE = "prune: removed\nbrake: { deletes: 100% }\n";

/** An account with these links, which the tagged commit declares. */
export async function startDeployed(
  aliases: readonly string[] = ["a", "b", "c"],
  options: SandboxOptions = {},
): Promise<Deploys> {
  const seed = { links: aliases.map((alias) => ({ alias, domain: 2, url: `https://example.com/${alias}` })) };
  const sandbox = await sandboxFor({ seed, ...options });
  const deploys = new Deploys(sandbox, await startRepository());
  await deploys.commit(`${PRUNE}${links(...aliases)}`, {}, "refs/tags/applied");
  return deploys;
}
