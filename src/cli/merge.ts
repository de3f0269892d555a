// `linkform merge`: joins JSON reports of several projects into one report.

import type * as z from "zod";
import { UserError, type ExitCode } from "../errors.ts";
import { readNamed } from "../files/named.ts";
import { projectName } from "../config/project-files.ts";
import { visible } from "../domain/control-characters.ts";
import { compareText } from "../domain/place.ts";
import { SCHEMAS } from "../report/failure.ts";
import { projectsSchema, validateSchema } from "../report/json/schema.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { exitOfDocument, exitOfProjects, type ProjectSection, type ProjectsReport } from "../report/projects.ts";
import type { ReportDocument } from "../report/document.ts";

export interface MergeFlags extends CommonFlags {
  /** Identifies the report, so that `linkform comment` updates the right comment. */
  readonly name?: string;
}

/** A plan of thousands of links has a few megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

const HEAD = validateSchema.pick({ format_version: true, project: true, command: true }).required();

/** Merges the reports in these files, in the order of their projects. Returns the exit code of their commands. */
export async function merge(world: World, flags: MergeFlags, files: readonly string[]): Promise<ExitCode> {
  const out = new Console(world, flags, "merge");
  const sections: ProjectSection[] = [];
  const fileOf = new Map<string, string>();
  for (const file of files)
    for (const section of sectionsOf(await readReport(world, file), file)) {
      const { project, command } = section;
      const other = fileOf.get(project);
      if (other !== undefined) {
        const what = `has a report of ${visible(project)}, but so has ${visible(other)}`;
        throw wrongReport(file, what, "Pass one report for each project.");
      }
      const [first = section] = sections;
      if (command !== first.command) {
        const what = `is a report of \`${command}\`, but ${visible(fileOf.get(first.project) ?? "")} is one of \`${first.command}\``;
        throw wrongReport(file, what, "Merge the reports of one command.");
      }
      fileOf.set(project, file);
      sections.push(section);
    }
  const [first] = sections;
  if (first === undefined) throw wrongReport(files[0] ?? "", "has no project", "Pass reports of at least one project.");
  const report: ProjectsReport = {
    of: "projects",
    command: first.command,
    names: flags.name ?? (sections.length === 1 ? first.project : "merged"),
    sections: sections.toSorted((a, b) => compareText(a.project, b.project)),
  };
  return out.report(report, exitOfProjects(report));
}

async function readReport({ cwd }: World, file: string): Promise<unknown> {
  const problem = { code: "no-report", hint: "Check that its job wrote it with --format json=FILE." };
  const text = await readNamed(cwd, file, `The report ${visible(file)}`, problem, MAX_BYTES);
  try {
    return JSON.parse(text);
  } catch {
    throw wrongReport(file, "is not valid JSON");
  }
}

function sectionsOf(json: unknown, file: string): ProjectSection[] {
  if (typeof json === "object" && json !== null && "projects" in json)
    return check(projectsSchema, json, file).projects.map((section) => ({
      ...section,
      report: check<ReportDocument>(SCHEMAS[section.command], section.report, file),
    }));
  const { project, command } = check(HEAD, json, file);
  const report = check<ReportDocument>(SCHEMAS[command], json, file);
  return [{ project, name: projectName(project), command, exit_code: exitOfDocument(command, report), report }];
}

function check<Form>(schema: z.ZodType<Form>, json: unknown, file: string): Form {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const where = (read.error.issues[0]?.path ?? []).map(String).join(".");
  throw wrongReport(file, `is not a JSON report to merge${where === "" ? "" : ` (at \`${visible(where)}\`)`}`);
}

function wrongReport(
  file: string,
  what: string,
  hint = "Merge reports that validate, plan, apply, drift or check of this version wrote with --format json=FILE.",
): UserError {
  return new UserError("wrong-report", `${visible(file)} ${what}.`, { hint });
}
