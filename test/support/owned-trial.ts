// A random project in a repository with its own account. It is planned, applied, and killed in between.

import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import type { PlanningFlags } from "../../src/session/plan-flags.ts";
import { UserError } from "../../src/errors.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { fastClock } from "./clock.ts";
import { filesOf, globText, projectText, seedOf, written, type Files, type KeyGlob, type Owned } from "./owned.ts";
import { startLayer } from "./layer.ts";

import { matches } from "./globs.ts";
import type { Repository } from "./repository.ts";
import { startSandbox } from "./sandbox.ts";
import { runIn, writeFiles } from "./scenario.ts";

export interface Answer<Document> {
  readonly exit: number;
  readonly document: Document;
}

export class Trial {
  readonly sandbox: Sandbox;
  readonly now: Files;
  readonly base: Files | null;
  readonly #folder: string;
  readonly #input: Owned;

  private constructor(sandbox: Sandbox, folder: string, input: Owned, now: Files, base: Files | null) {
    this.sandbox = sandbox;
    this.#folder = folder;
    this.#input = input;
    this.now = now;
    this.base = base;
  }

  /** If mirrored, blocks and records have another order, and records have other ids. */
  static async start(input: Owned, repository: Repository, isMirrored: boolean): Promise<Trial> {
    const now = filesOf(input, "now", isMirrored);
    const base = input.hasBase ? filesOf(input, "base", isMirrored) : null;
    if (base !== null) await repository.commit({ "linkform.yaml": projectText(base, isMirrored) });
    const { folder } = repository;
    await writeFiles(folder, { "linkform.yaml": projectText(now, isMirrored) });
    const sandbox = await startSandbox({ rateLimit: 0, seed: seedOf(input, isMirrored) });
    return new Trial(sandbox, folder, input, now, base);
  }

  /** The flags of the input. */
  flags(): PlanningFlags {
    const { targets, excludes, resendSecrets } = this.#input;
    const keys = [...this.now.blocks, ...this.now.tombstones].map(({ key }) => written(key, this.now));
    // A glob without a match is an error.
    const matching = (globs: readonly (KeyGlob | string)[]): string[] =>
      globs.map((glob) => globText(glob, this.now)).filter((glob) => keys.some((key) => matches(glob, key)));
    const [target, exclude] = [matching(targets), matching(excludes)];
    return {
      ...(target.length > 0 && { target }),
      ...(exclude.length > 0 && { exclude }),
      ...(resendSecrets !== undefined && { resendSecrets }),
      ...(this.base !== null && { base: "HEAD" }),
    };
  }

  /** Whether its plans may withhold changes. */
  get isPartial(): boolean {
    const { target, exclude } = this.flags();
    return target !== undefined || exclude !== undefined || this.now.allow !== null;
  }

  get #env(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", LINKFORM_API_KEY: this.sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
  }

  async plan(flags: PlanningFlags): Promise<Answer<PlanDocument>> {
    const given = { format: ["json"], baseUrl: this.sandbox.url, ...flags };
    const { exit, out } = await runIn(this.#folder, this.#env, (world) => plan(world, given));
    return { exit, document: JSON.parse(out) };
  }

  /** `baseUrl` is the address of the sandbox or of a layer in front of it. */
  async apply(
    flags: PlanningFlags,
    given: { readonly signal?: AbortSignal } = {},
    baseUrl: string = this.sandbox.url,
  ): Promise<Answer<ApplyDocument>> {
    const { concurrency } = this.#input;
    const all = { yes: true, quiet: true, format: ["json"], concurrency, baseUrl, ...flags };
    const { exit, out } = await runIn(this.#folder, this.#env, (world) => apply(world, all), given);
    return { exit, document: JSON.parse(out) };
  }

  /** Applies, and is killed after this number of writes. No later one reaches the service. */
  async applyKilled(flags: PlanningFlags, writes: number): Promise<number> {
    const killed = new AbortController();
    let made = 0;
    const layer = await startLayer(this.sandbox.url, fastClock(50), {
      what: "strike",
      at: ({ method, url }) => method !== "GET" && !url.endsWith("/destroy") && ++made > writes,
      strike: async ({ drop }) => {
        killed.abort(new UserError("interrupted", "It was killed.", { exit: 130 }));
        drop();
      },
    });
    try {
      return (await this.apply(flags, { signal: killed.signal }, layer.url)).exit;
    } finally {
      await layer.settled();
      layer.close();
    }
  }

  /** Changes the brake in the project file. */
  async setBrake(brake: object): Promise<void> {
    await writeFiles(this.#folder, { "linkform.yaml": projectText({ ...this.now, brake }, false) });
  }

  async close(): Promise<void> {
    await this.sandbox.close();
  }
}
