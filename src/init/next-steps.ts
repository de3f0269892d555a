// The last lines of `linkform init`: what the workflows still need, and the next two commands.

import path from "node:path";
import { tagOf, type CiValues } from "./ci-files.ts";
import { plural } from "../report/counts.ts";
import { visible } from "../domain/control-characters.ts";
import type { Answers } from "./files.ts";
import type { InitFlags } from "./flags.ts";
import type { ProjectPlace } from "./place.ts";

interface CreatedProject extends Answers {
  readonly place: ProjectPlace;
  /** Whether the live state was pulled. */
  readonly isPulled: boolean;
  /** Whether only the chosen domains and spaces were pulled. */
  readonly isPart: boolean;
  /** The number of live objects that no file can declare. */
  readonly leftOut: number;
  /** The text of a pipeline that was not written, because one exists. */
  readonly pipeline: string | null;
}

export function nextLines(created: CreatedProject, cwd: string, flags: InitFlags): string[] {
  const { ci, isKeyTyped, start, isPulled, isPart, leftOut } = created;
  const lines: string[] = [];
  if (ci !== null) lines.push(...ciLines(ci, created), "");
  if (isKeyTyped)
    lines.push("The API key was not saved. Set it for the next commands:", "    export LINKFORM_API_KEY=…", "");
  if (isPulled) {
    const where = isPart ? " of these domains and spaces" : "";
    const but = leftOut === 0 ? "" : `, except ${plural(leftOut, "object")} that files cannot express`;
    lines.push(`All live objects${where} are in the files${but}, and the plan is empty.`, "");
  }
  const when =
    start === "fresh"
      ? "Next, after you edit links/example.yaml:"
      : isPulled
        ? "Next, after you change a file:"
        : "Next:";
  return [...lines, when, ...commands(created, cwd, flags).map((command) => `    ${command}`)];
}

function commands(
  { place, start, keyed, isPulled }: CreatedProject,
  cwd: string,
  { config }: InitFlags,
): readonly string[] {
  const isFound = config === undefined || path.resolve(cwd, config) === path.join(cwd, "linkform.yaml");
  const suffix = isFound ? "" : ` --config ${shellWord(path.relative(cwd, path.join(place.folder, place.file)))}`;
  const [first, second] =
    start === null
      ? ["validate", "plan"]
      : start === "pull" && !isPulled
        ? ["pull", "plan"]
        : keyed === null
          ? ["doctor", "plan"]
          : ["plan", "apply"];
  return [`linkform ${first}${suffix}`, `linkform ${second}${suffix}`];
}

/** Quotes a path for a shell. */
function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${visible(text).replaceAll("'", String.raw`'\''`)}'`;
}

function ciLines(ci: CiValues, created: CreatedProject): string[] {
  const { baseUrl, pipeline } = created;
  const settings = `LINKFORM_API_KEY and LINKFORM_BASE_URL=${baseUrl}`;
  return [
    "Before the workflows can run (see docs/ci.md of linkform):",
    ci.system === "github"
      ? `  - Settings, Environments: create linkform-plan and linkform-production, each with the secrets ${settings}.`
      : `  - Settings, CI/CD, Variables: add ${settings} as masked variables for the environments linkform-plan and linkform-production. Add GITLAB_TOKEN for notes.`,
    tagLine(ci, created),
    ...(pipeline === null
      ? []
      : [
          "  - Add this to the existing .gitlab-ci.yml:",
          ...pipeline.split("\n").flatMap((line) => (line === "" ? [] : `      ${line}`)),
        ]),
  ];
}

/** The tag marks the last applied commit. The first deploy creates it. */
function tagLine({ system, ...values }: CiValues, { start }: CreatedProject): string {
  const tag = tagOf(values);
  if (start === null)
    return `  - Tag the last applied commit, or a commit without a project file: git tag ${tag} COMMIT && git push origin ${tag}`;
  const how =
    system === "github"
      ? "start the deploy workflow with `first-deploy`"
      : "start a pipeline with the variable LINKFORM_FIRST_DEPLOY=true";
  return `  - After the first merge, ${how}. It creates the tag ${tag}.`;
}
