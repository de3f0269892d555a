// The last lines of `linkform init`: what the workflows still need, and the next two commands.

import path from "node:path";
import { secretLines, type CiValues } from "./ci-files.ts";
import { appliedTag } from "../config/project-files.ts";
import { plural } from "../domain/words.ts";
import { visible } from "../domain/control-characters.ts";
import type { Answers } from "./files.ts";
import type { InitFlags } from "./flags.ts";
import type { ProjectPlace } from "./place.ts";
import { shellQuote } from "../session/record-files.ts";

interface CreatedProject extends Answers {
  readonly place: ProjectPlace;
  readonly isPulled: boolean;
  /** How many live objects no file can declare. */
  readonly leftOut: number;
  /** A workflow or a pipeline that was not written, because one exists. */
  readonly kept: string | null;
}

export function nextLines(created: CreatedProject, cwd: string, flags: InitFlags): string[] {
  const { ci, isKeyTyped, start, isPulled, leftOut } = created;
  const lines: string[] = [];
  if (ci !== null) lines.push(...ciLines(ci, created), "");
  if (isKeyTyped)
    lines.push("The API key was not saved. Set it for the next commands:", "    export LINKFORM_API_KEY=…", "");
  if (isPulled) {
    const but = leftOut === 0 ? "" : `, except ${plural(leftOut, "object")} that files cannot express`;
    lines.push(`The live objects are in the files${but}, and the plan is empty.`, "");
  }
  const when =
    start === "fresh"
      ? "Next, after you edit links/example.yaml:"
      : isPulled
        ? "Next, after you change a file:"
        : "Next:";
  return [...lines, when, ...commands(created, cwd, flags)];
}

function commands({ place, start, keyed, isPulled }: CreatedProject, cwd: string, { config }: InitFlags): string[] {
  const isFound = config === undefined || path.resolve(cwd, config) === path.join(cwd, "linkform.yaml");
  const file = visible(path.relative(cwd, path.join(place.folder, place.file)));
  const suffix = isFound ? "" : ` --config ${shellQuote(file)}`;
  const names =
    start === null
      ? ["validate", "plan"]
      : start === "pull" && !isPulled
        ? ["pull", "plan"]
        : keyed === null
          ? ["doctor", "plan"]
          : ["plan", "apply"];
  return names.map((name) => `    linkform ${name}${suffix}`);
}

function ciLines({ system, baseUrl, secrets }: CiValues, { place, start, kept }: CreatedProject): string[] {
  const settings = `LINKFORM_API_KEY and LINKFORM_BASE_URL=${baseUrl}`;
  const tag = appliedTag(path.posix.join(place.repository?.prefix ?? "", place.file));
  const add = (what: string, text: string): string[] => [
    `  - ${what}`,
    ...text.split("\n").flatMap((line) => (line === "" ? [] : `      ${line}`)),
  ];
  // The tag marks the last applied commit. The first deploy creates it, unless the files were applied already.
  const first =
    start === null
      ? `  - Tag the last applied commit, or a commit without a project file: git tag ${tag} COMMIT && git push origin ${tag}`
      : `  - After the first merge, ${system === "github" ? "start the workflow with `first-run`" : "run a pipeline with the variable LINKFORM_FIRST_RUN=true"}. It creates the tag ${tag}.`;
  return system === "github"
    ? [
        "Before the workflow can run (see docs/ci.md of linkform):",
        `  - Settings, Environments: create linkform-plan and linkform-production, each with the secrets ${settings}.`,
        first,
        ...(kept === null || secrets.length === 0
          ? []
          : add("Add the passwords of this project to the deploy step:", secretLines(secrets))),
      ]
    : [
        "Before the pipeline can run (see docs/ci.md of linkform):",
        `  - Settings, CI/CD, Variables: add ${settings} as masked variables for the environments linkform-plan and linkform-production. Add GITLAB_TOKEN for notes.`,
        "  - Build, Pipeline schedules: add a schedule for the default branch, which checks for drift.",
        "  - Set the process mode of the resource group linkform-production to oldest_first, which only the API of GitLab can.",
        first,
        ...(kept === null
          ? []
          : add("Add this to the existing .gitlab-ci.yml, unless it includes linkform already:", kept)),
      ];
}
