// The output of one project in a run of several: its report becomes a section, and only that section is shown.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { reportDocument } from "../report/json/index.ts";
import type { Report } from "../report/report.ts";
import type { ReportDocument } from "../report/document.ts";
import type { ProjectCommand } from "../report/projects.ts";
import { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { projectPath } from "./render-context.ts";

export class ProjectConsole extends Console {
  readonly #world: World;
  readonly #flags: CommonFlags;
  /** The document of the report; null if there is none yet. */
  document: ReportDocument | null = null;

  constructor(world: World, flags: CommonFlags, command: ProjectCommand) {
    super(world, { ...flags, format: [], quiet: true, verbose: false }, command);
    this.#world = world;
    this.#flags = flags;
  }

  override async result(report: Report): Promise<boolean> {
    this.progress.stop();
    const project = await projectPath(this.#world.cwd, this.#flags.config);
    this.document = sectionDocument(this.#world.secrets.hideIn(report), project);
    return true;
  }

  /** The section shows all findings. */
  override findings(_diagnostics: readonly Diagnostic[]): void {
    // Nothing to print.
  }
}

/** The document of a report for its section. */
export function sectionDocument(report: Report, project: string): ReportDocument {
  const document = reportDocument(report, project);
  if (!isDocument(document)) throw new Error("the report has no document");
  return document;
}

function isDocument(document: unknown): document is ReportDocument {
  return typeof document === "object" && document !== null && "diagnostics" in document;
}
