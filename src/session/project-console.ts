// The output of one project in a run of several: its report becomes a section, and only that section is shown.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { namedDocument } from "../report/json/index.ts";
import { isRunReport, type Report } from "../report/report.ts";
import type { ReportDocument } from "../report/document.ts";
import type { ProjectCommand } from "../report/format.ts";
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
    if (!isRunReport(report)) throw new Error("the report has no document");
    this.document = namedDocument(this.#world.secrets.hideIn(report), project);
    return true;
  }

  /** The section shows all findings. */
  override findings(_diagnostics: readonly Diagnostic[]): void {
    // Nothing to print.
  }
}
