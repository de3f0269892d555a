// The environment of a pipeline: an account, a forge, and a repository with a remote, checked out as by GitHub and GitLab.

import path from "node:path";
import { onTestFinished } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { startForge, type Forge, type ForgeOptions } from "./forge.ts";
import { startRepository, type Repository } from "./repository.ts";
import { startSandbox } from "./sandbox.ts";
import { temporaryFolder } from "./scenario.ts";
import type { Occasion } from "./workflow-runner.ts";

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

export async function startPipeline(given: { forge?: ForgeOptions; sandbox?: SandboxOptions } = {}): Promise<Pipeline> {
  const sandbox = await startSandbox({ rateLimit: 0, ...given.sandbox });
  onTestFinished(() => sandbox.close());
  const forge = await startForge(given.forge);
  onTestFinished(() => forge.close());
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
