// The environment of a pipeline: an account, a forge, and a repository with a remote, checked out as by GitHub and GitLab.

import path from "node:path";
import { expect } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { forgeFor, type Forge, type ForgeOptions } from "./forge.ts";
import { startRepository, type Repository } from "./repository.ts";
import { sandboxFor } from "./sandbox.ts";
import { temporaryFolder } from "./scenario.ts";
import { runWorkflow, type JobRun, type Occasion } from "./workflow-runner.ts";

/** With this environment, no destination is asked, because nothing answers at its proxy. */
export const NO_DESTINATION = { HTTPS_PROXY: "http://127.0.0.1:9" };

/** Runs a workflow. Only this job may run, and of pull requests and at night `check`, which must succeed and asks no destination. */
export async function runOnly(file: string, job: string, occasion: Occasion): Promise<JobRun> {
  const env = { ...occasion.env, ...NO_DESTINATION };
  const { check, ...ran } = await runWorkflow(file, { ...occasion, env });
  expect(Object.keys(ran)).toEqual([job]);
  expect(check !== undefined).toBe(["pull_request", "schedule"].includes(occasion.event));
  if (check !== undefined) expectSuccess(check);
  return ran[job] ?? expect.fail(`${job} did not run`);
}

type Files = Readonly<Record<string, string>>;

export interface Pipeline {
  readonly sandbox: Sandbox;
  readonly forge: Forge;
  readonly repository: Repository;
  /** The bare repository that it was cloned from. */
  readonly remote: string;
  /** The text of a project file: the required lines, and `more`. */
  project(more: string): string;
  /** Commits files to `main`, locally and on the remote. Returns the commit. */
  merge(files: Files): Promise<string>;
  /** Checks out the merge of a branch with these files and `main`, as GitHub does for a pull request. */
  propose(files: Files, branch?: string): Promise<void>;
  /** The commit that the remote has under this name. */
  there(ref: string): Promise<string>;
  /** Moves a tag to `main`, or creates it, locally and on the remote. */
  moveTag(tag: string): Promise<void>;
  /** GitHub's variables for this checkout. */
  occasion(
    event: "pull_request" | "merge_group" | "push" | "schedule" | "workflow_dispatch",
    more?: Partial<Occasion>,
  ): Occasion;
}

/** Links of `go.example.com`, in flow style: `linksOf("a", "b")`. */
export function linksOf(...aliases: readonly string[]): string {
  const lines = aliases.map((alias) => `  go.example.com/${alias}: { url: "https://example.com/${alias}" }\n`);
  return `links:\n${lines.join("")}`;
}

/** An account with these links, as `linksOf` declares them. */
export function accountWith(...aliases: readonly string[]): SandboxOptions {
  return { seed: { links: aliases.map((alias) => ({ alias, url: `https://example.com/${alias}`, domain: 2 })) } };
}

/** The aliases of the live links. */
export function aliasesIn({ sandbox }: Pick<Pipeline, "sandbox">): string[] {
  const { links } = sandbox.state();
  return links.map(({ alias }) => alias).toSorted();
}

/** A link that the service refuses, and a rule that lets it through. */
export const REFUSED =
  'rules: { refused-country: warning }\nlinks: { go.example.com/c: { url: "https://example.com/c", targeting: { country: { CW: "https://example.com/cw" } } } }\n';

/** Expects that a job succeeds. A failure shows its log. */
export function expectSuccess({ outcome, log }: JobRun): void {
  expect({ outcome, log: outcome === "success" ? "" : log }).toEqual({ outcome: "success", log: "" });
}

interface PipelineOptions {
  readonly forge?: ForgeOptions;
  readonly sandbox?: SandboxOptions;
}

/** A pipeline whose `main` has this text in its project file and was applied: the tag `applied` is that commit. */
export async function startApplied(
  text: string,
  given: PipelineOptions = {},
): Promise<Pipeline & { readonly applied: string }> {
  const pipeline = await startPipeline(given);
  const applied = await pipeline.merge({ "linkform.yaml": pipeline.project(text) });
  await pipeline.moveTag("applied");
  return { ...pipeline, applied };
}

export async function startPipeline(given: PipelineOptions = {}): Promise<Pipeline> {
  const sandbox = await sandboxFor(given.sandbox);
  const forge = await forgeFor(given.forge);
  const remote = path.join(await temporaryFolder(), "links.git");
  const repository = await startRepository();
  await repository.git("init", "--quiet", "--bare", "--initial-branch=main", remote);
  await repository.git("remote", "add", "origin", remote);
  const { GITHUB_TOKEN: token = "", GITHUB_REF: pull = "", ...api } = forge.env.github;
  const name = api["GITHUB_REPOSITORY"] ?? "";

  return {
    sandbox,
    forge,
    repository,
    remote,
    project: (more) => `version: 1\nservice: { base_url: "${sandbox.url}" }\ndomains: { go.example.com: 2 }\n${more}`,
    merge: async (files) => {
      await repository.git("switch", "--quiet", "--force-create", "main");
      const commit = await repository.commit(files);
      await repository.git("push", "--quiet", "--force", "origin", "main");
      return commit;
    },
    propose: async (files, branch = "change") => {
      await repository.git("switch", "--quiet", "--force-create", branch, "main");
      await repository.commit(files);
      await repository.git("switch", "--quiet", "--detach", "main");
      await repository.git("merge", "--quiet", "--no-ff", "--message", "merge", branch);
    },
    there: (ref) => repository.git("--git-dir", remote, "rev-parse", ref),
    moveTag: async (tag) => {
      await repository.git("tag", "--force", tag, "main");
      await repository.git("push", "--quiet", "--force", "origin", `refs/tags/${tag}`);
    },
    occasion: (event, more = {}) => {
      const isPull = event === "pull_request";
      return {
        event,
        ref: isPull ? pull : "refs/heads/main",
        token,
        checkout: repository.folder,
        secrets: { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_BASE_URL: sandbox.url },
        payload: {
          repository: { default_branch: "main", full_name: name },
          ...(isPull && { pull_request: { number: 1, head: { ref: "change", repo: { full_name: name } } } }),
        },
        ...more,
        env: { ...api, ...more.env },
      };
    },
  };
}
