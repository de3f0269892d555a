// `linkform init`: writes a project file, an example and workflows for CI, from flags or questions.

import path from "node:path";
import { loadProject } from "../config/load.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { usageError, UserError, type ExitCode } from "../errors.ts";
import { plural } from "../domain/words.ts";
import { writtenReport, type FileEdit } from "../report/run-document.ts";
import { variablesOf } from "../pull/pull.ts";
import { Console, refuseErrors } from "../session/console.ts";
import type { World } from "../session/context.ts";
import { answerCi, answerProject, answerStart } from "./answers.ts";
import { findPlace, prepareFiles, writeIn, type Answers, type ProjectPlace } from "./files.ts";
import { PIPELINE, secretLines, WORKFLOW, type CiValues } from "./new-project.ts";
import { reachService, UNASKED, type InitContext, type InitFlags } from "./service.ts";
import { canAsk, openQuestions, type Questions } from "../session/questions.ts";
import { appliedTag } from "../config/project-files.ts";
import { visible } from "../domain/control-characters.ts";
import { shellQuote } from "../session/record-files.ts";

export type { InitFlags } from "./service.ts";

/** Writes the files of a new project. Never overwrites a file. */
export async function init(world: World, flags: InitFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "init");
  return out.run(async () => {
    checkFlags(flags);
    const place = await findPlace(world, flags);
    const isAsked = flags.yes !== true && canAsk(world);
    if (place.exists && (flags.ci ?? (isAsked ? "" : "none")) === "none")
      throw usageError("project-exists", `${path.join(place.folder, place.file)} already exists.`, {
        hint: "To add workflows, pass --ci github or --ci gitlab. To create a second project file, pass --config linkform.NAME.yaml.",
      });
    const ask = isAsked ? await openQuestions(out, `linkform init: ${place.folder}`) : null;
    if (place.exists) ask?.say(fileExists(place.file).message, "You can add workflows to it.");
    const context = { world, flags, out, ask };
    const answers = await (place.exists ? answersForExisting : answersForNew)(context, place);
    return conclude(context, place, answers);
  });
}

/** Throws a user error for flags that contradict each other or need another flag. */
function checkFlags(flags: InitFlags): void {
  const { pull, offline, ci, ciSource, ciImage } = flags;
  if (pull === true && offline === true)
    throw usageError("pull-and-offline", "`--pull` connects to the service, which `--offline` forbids.", {
      hint: "Remove one of them.",
    });
  const alone = ciSource !== undefined ? "--ci-source" : ciImage !== undefined ? "--ci-image" : null;
  if (alone !== null && (ci === undefined || ci === "none"))
    throw usageError("ci-flag-alone", `\`${alone}\` needs --ci.`, { hint: "Add --ci github or --ci gitlab." });
}

async function answersForNew(context: InitContext, place: ProjectPlace): Promise<Answers> {
  const reached = await reachService(context);
  const { baseUrl, account } = reached;
  if (account !== null) {
    const { domains, spaces, links } = account;
    const names = `${plural(domains.length, "domain")}, ${plural(spaces.length, "space")}`;
    context.ask?.say(`${baseUrl} accepts the API key. The account has ${plural(links, "link")}, ${names}.`);
  }
  const project = await answerProject(baseUrl, account, context);
  const ci = await answerCi({ baseUrl, place, secrets: [] }, context);
  const start = await answerStart(account, context);
  return { ...reached, project, ci, start };
}

/** An existing project only gets workflows. */
async function answersForExisting(context: InitContext, place: ProjectPlace): Promise<Answers> {
  const { world } = context;
  const { project } = await loadProject(path.join(place.folder, place.file), world.now(), world);
  if (project === null)
    throw new UserError("files-invalid", `${place.file} already exists, but it has errors.`, {
      hint: "Run `linkform validate` to see the errors, and fix them first.",
    });
  const baseUrl = project.baseUrl.value;
  const ci = await answerCi({ baseUrl, place, secrets: [...variablesOf(project)].toSorted() }, context);
  return { ...UNASKED, baseUrl, project: null, ci, start: null, diagnostics: [fileExists(place.file)] };
}

/** Writes the files if the project is valid with them, and reports them. */
async function conclude(context: InitContext, place: ProjectPlace, answers: Answers): Promise<ExitCode> {
  const { world, flags, out, ask } = context;
  out.baseUrl = answers.baseUrl;
  const { edits, existing, problems, pulled } = await prepareFiles(context, place, answers);
  refuseErrors(problems);
  const isDry = flags.dryRun === true;
  if (ask !== null && !isDry && edits.length > 0) await confirm(edits, ask);
  world.signal.throwIfAborted();
  if (!isDry) writeIn(place, edits);
  ask?.end("Done.");
  const found = [
    ...answers.diagnostics,
    ...placeWarnings(place, answers),
    ...existing.map(({ file }) => fileExists(file)),
    ...problems,
    ...(pulled?.diagnostics ?? []),
  ];
  out.findings(found);
  const kept = existing.find(({ file }) => file.endsWith(WORKFLOW) || file.endsWith(PIPELINE))?.after ?? null;
  const items = pulled?.items ?? [];
  const leftOut = items.filter(({ what }) => what === "skipped").length;
  return out.result(writtenReport, {
    command: "init",
    isWritten: !isDry,
    edits,
    items: items.map(({ what, kind, key, file, note }) => ({ what, kind, key, file, note })),
    variables: pulled?.variables ?? [],
    next: nextLines({ ...answers, place, kept, isPulled: pulled !== null, leftOut }, world.cwd, flags),
    diagnostics: found,
  });
}

async function confirm(edits: readonly FileEdit[], ask: Questions): Promise<void> {
  const names = edits.map(({ file, isCopy }) => `  ${file}${isCopy === true ? " (for editors)" : ""}`);
  ask.say("linkform will write these files:", ...names);
  const hint = "Run the command again, and answer yes to write the files.";
  if (!(await ask.confirm("Write them?"))) throw new UserError("not-confirmed", "Not confirmed.", { hint });
}

function fileExists(file: string): Diagnostic {
  return warning("file-exists", `${file} already exists and was not changed.`, null);
}

function placeWarnings({ repository }: ProjectPlace, { ci }: Answers): Diagnostic[] {
  if (ci === null || repository !== null) return [];
  const message = "This folder is not in a git repository. The workflows treat it as the root of the repository.";
  const hint = "Run `git init` in the root of the repository, and run `linkform init` again.";
  return [warning("no-repository", message, null, hint)];
}

interface CreatedProject extends Answers {
  readonly place: ProjectPlace;
  readonly isPulled: boolean;
  /** How many live objects no file can declare. */
  readonly leftOut: number;
  /** A workflow or a pipeline that was not written, because one exists. */
  readonly kept: string | null;
}

function nextLines(created: CreatedProject, cwd: string, flags: InitFlags): string[] {
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
