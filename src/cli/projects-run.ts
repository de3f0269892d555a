// One run for several projects: each is planned and applied by its own command, and all of them share connections and one report.

import path from "node:path";
import { EXIT, UserError, type ExitCode, usageError } from "../errors.ts";
import { groupBy } from "../domain/collections.ts";
import { visible } from "../domain/control-characters.ts";
import { openFolder } from "../config/checkout.ts";
import { readAddress } from "../config/load.ts";
import { baseFor, findProjectFile, findProjectFiles, projectName } from "../config/project-files.ts";
import type { ApplyFlags } from "./apply.ts";
import { accountsOf, type ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import { exitOf, problemsOf, type CommonFlags, type World } from "../session/context.ts";
import type { ExecuteFlags } from "../session/run-record.ts";
import type { ReportDocument } from "../report/document.ts";
import { failureReport } from "../report/failure.ts";
import { namedDocument, type Report, type ProjectCommand } from "../report/format.ts";
import type { PlanningFlags } from "../session/plan-flags.ts";
import { projectPath } from "../session/render-context.ts";
import { hasTag } from "../session/move-base.ts";
import { runInTurns } from "../session/turns.ts";
import { combineExits, exitOfProjects, type ProjectSection } from "../report/projects.ts";

export type ProjectsFlags = CommonFlags &
  ServiceFlags &
  PlanningFlags &
  Pick<ExecuteFlags, "record"> &
  Pick<ApplyFlags, "moveBase"> & { readonly out?: string; readonly yes?: boolean };

/** Runs the command for one project. Without `out`, it makes its own. */
export type RunOne = (world: World, flags: ProjectsFlags, out?: Console<ProjectsFlags>) => Promise<ExitCode>;

/** The console of one project, whose report becomes a section. */
class ProjectConsole extends Console<ProjectsFlags> {
  document: ReportDocument | null = null;

  protected override async write(report: Report): Promise<boolean> {
    this.progress.stop();
    if (!("command" in report) || report.of === "projects") throw new Error("the report is not of one project");
    this.document = namedDocument(report, await projectPath(this.world.cwd, this.flags.config));
    return true;
  }

  override findings(): void {
    // The section shows them.
  }
}

export async function runProjects(
  world: World,
  flags: ProjectsFlags,
  command: ProjectCommand,
  configs: readonly string[],
  run: RunOne,
  argument?: string,
): Promise<ExitCode> {
  checkFlags(flags, command, argument);
  const out = new Console(world, flags, command);
  accountsOf(world.env);
  const files = await findProjectFiles(world, configs);
  const projects = await Promise.all(
    files.map(async (config) => {
      const project = await projectPath(world.cwd, config);
      // Projects without an address take turns. Side by side, they would ask the destinations of one host at the same time.
      const address = command === "check" ? null : await addressIn(world.cwd, config);
      return { config, project, name: projectName(project), address };
    }),
  );
  if (flags.base !== undefined) refuseSharedBase(flags.base, projects);
  const sections = await runInTurns(projects, async ({ config, project, name }, turn): Promise<ProjectSection> => {
    const base = flags.base === undefined ? undefined : baseFor(flags.base, project);
    const folder = path.dirname(path.resolve(world.cwd, config));
    // A new project is beside others, whose tags exist.
    const isMove = flags.moveBase === "create" && base !== undefined && (await hasTag(folder, base, world.env));
    const its = { ...(base !== undefined && { base }), ...(isMove && { moveBase: true }) };
    const console = new ProjectConsole({ ...world, turn }, { ...flags, config, ...its }, command, true);
    try {
      const exit = await run(console.world, console.flags, console);
      if (console.document === null) throw new Error("the project has no report");
      return { project, name, command, exit_code: exit, report: console.document };
    } catch (cause) {
      const diagnostics = problemsOf(cause);
      const report = { ...failureReport({ command, diagnostics, baseUrl: null }).document, project, command };
      return { project, name, command, exit_code: exitOf(cause), report };
    }
  });
  const names = await Promise.all(configs.map((config) => projectPath(world.cwd, config)));
  const printed = await out.report({ of: "projects", command, names: names.join(","), sections });
  const exit = exitOfProjects({ sections });
  if (printed === EXIT.done) return exit;
  const hasWritten = command === "apply" && sections.some(({ report }) => (report.result?.applied ?? 0) > 0);
  return combineExits([exit, hasWritten ? EXIT.partial : EXIT.error]);
}

async function addressIn(cwd: string, config: string): Promise<string | null> {
  try {
    const file = await findProjectFile(cwd, config);
    return (await readAddress(await openFolder(path.dirname(file)), path.basename(file))) ?? null;
  } catch {
    // The project reports why.
    return null;
  }
}

/** The tag of a shared base would move even if one of the projects failed. */
function refuseSharedBase(base: string, projects: readonly { readonly project: string }[]): void {
  if (!base.includes("{project}")) return;
  const byBase = groupBy(projects, ({ project }) => baseFor(base, project));
  for (const [shared, [first, second]] of byBase)
    if (first !== undefined && second !== undefined)
      throw new UserError(
        "project-conflict",
        `${visible(first.project)} and ${visible(second.project)} have the same base \`${visible(shared)}\`.`,
        { hint: "Rename the folder of one, or run them separately with other names in --base." },
      );
}

function checkFlags(flags: ProjectsFlags, command: ProjectCommand, argument: string | undefined): void {
  const { out, record, baseUrl, resources, apiKeyFile, format } = flags;
  const values = {
    [`\`${visible(argument ?? "")}\``]: argument,
    "--out": out,
    "--record": record === false ? undefined : record,
    "--base-url": baseUrl,
    "--resources": resources,
    "--api-key-file": apiKeyFile,
    "--format ndjson": format?.find((one) => one.split("=")[0] === "ndjson"),
  };
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (given.length > 0)
    throw usageError("one-project", `${given.join(", ")} cannot be used with several projects.`, {
      hint: "Pass one project file with --config, or remove this.",
    });
  if (command === "apply" && flags.yes !== true)
    throw usageError("one-project", "linkform does not ask for confirmation when it applies several projects.", {
      hint: "Run `linkform plan` with the same --config, and then add --yes to apply.",
    });
}
