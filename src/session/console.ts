// A command that runs: its world and flags, and its output. Results go to stdout or files, everything else to stderr.

import { knownProblems, Refusal } from "../config/located-error.ts";
import { errorsIn, hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { diagnosticsText } from "../report/text/blocks.ts";
import { NOT_DONE, type FailingCommand, type Format, type FormatName } from "../report/format.ts";
import type { Report, ReportFormat, ReportingCommand, RunReport } from "../report/format.ts";
import { severityCounts } from "../report/compose-findings.ts";
import { visible, withoutCommands } from "../domain/control-characters.ts";
import { PLAIN, wrap, type Screen } from "../report/text/screen.ts";
import type { Transport } from "../service/transport.ts";
import type { RecordWriter } from "./run-record.ts";
import { exitOf, reasonOf, screenOf, type CommonFlags, type World } from "./context.ts";
import { loadRenderContext } from "./render-context.ts";
import { Progress } from "./terminal-line.ts";
import { parseSinks, writeFileSink, writeOut, type Sink } from "./outputs.ts";

export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics)) throw new Refusal(diagnostics);
}

export class Console<Flags extends CommonFlags = CommonFlags> {
  readonly world: World;
  readonly flags: Flags;
  readonly command: ReportingCommand;
  readonly sinks: readonly Sink[];
  readonly progress: Progress;
  /** Connections to the service, which `run` closes. */
  readonly connections: Transport[] = [];
  /** Null if the command has none. */
  record: RecordWriter | null = null;
  /** The address of the service; null until it is known. */
  baseUrl: string | null = null;
  readonly #isQuiet: boolean;

  /** `isSection`: only errors are printed. Throws a user error for wrong flags, such as a format that this command does not have. */
  constructor(world: World, flags: Flags, command: ReportingCommand, isSection = false) {
    this.world = world;
    this.flags = flags;
    this.command = command;
    this.#isQuiet = isSection || flags.quiet === true;
    this.progress = new Progress(world.line, world.clock, !this.#isQuiet);
    this.sinks = isSection ? [] : parseSinks(flags.format ?? ["text"], command);
  }

  async close(): Promise<void> {
    this.progress.stop();
    for (const connection of this.connections) await connection.close();
  }

  /** Reports a known error of `use`. Throws anything else. */
  async run(use: () => Promise<ExitCode>): Promise<ExitCode> {
    try {
      return await use().finally(() => this.close());
    } catch (thrown) {
      const cause = reasonOf(thrown, this.world);
      const problems = knownProblems(cause);
      if (problems === null) throw cause;
      return this.refuse(problems, exitOf(cause));
    }
  }

  /** Reports why the command did nothing, and returns `exit`. With `--format json`, the document has only the diagnostics. */
  async refuse(diagnostics: readonly Diagnostic[], exit: ExitCode): Promise<ExitCode> {
    const { command, baseUrl } = this;
    if (!canFail(command)) throw new Error(`${command} reports its errors itself`);
    this.findings(diagnostics);
    if (!this.isDocument) this.note(`${severityCounts(diagnostics)}: nothing was ${NOT_DONE[command]}.\n`);
    const { failureReport } = await import("../report/failure.ts");
    return this.conclude(failureReport, { command, diagnostics, baseUrl }, () => exit);
  }

  /** The format of stdout; null if every report goes to a file. */
  get #format(): FormatName | null {
    return this.sinks.find(({ file }) => file === null)?.format ?? null;
  }

  /** Whether stdout has a complete document for programs. stderr does not repeat it then. */
  get isDocument(): boolean {
    return this.#format === "json" || this.#format === "ndjson";
  }

  get errScreen(): Screen {
    return this.#verbose(screenOf(this.world.stderr, this.world.env));
  }

  #verbose(screen: Screen): Screen {
    return this.flags.verbose === true ? { ...screen, isVerbose: true } : screen;
  }

  /** Makes the report of a result without secrets, and writes it. Returns `exit`, or that of an error if not all of it is written. */
  async result<Result>(
    reportOf: (result: Result) => Report,
    result: Result,
    exit: ExitCode = EXIT.done,
  ): Promise<ExitCode> {
    return (await this.write(reportOf(this.world.secrets.hideIn(result)))) ? exit : EXIT.error;
  }

  /** The same for a command that makes the report itself. */
  async report(report: Report, exit: ExitCode = EXIT.done): Promise<ExitCode> {
    return this.result((one) => one, report, exit);
  }

  /** Prints which report cannot be written, and returns false. It never throws, because the changes have been made in any case. */
  protected async write(report: Report): Promise<boolean> {
    const { world } = this;
    // stdout and stderr may be the same terminal.
    this.progress.stop();
    const setting = await loadRenderContext(world, this.flags, this.sinks);
    let isWritten = true;
    for (const { format, file } of this.sinks) {
      if (format === "ndjson") continue;
      const screen = this.#verbose(file === null ? screenOf(world.stdout, world.env) : PLAIN);
      const render = await loadFormat(format, report);
      const drawn = render(report, { ...setting, screen });
      // Only `github` may print workflow commands.
      const content = file === null && format !== "github" ? withoutCommands(drawn) : drawn;
      const problem = await (file === null ? writeOut(world.stdout, content) : writeFileSink(world, file, content));
      if (problem === null) continue;
      isWritten = false;
      this.diagnose([problem]);
    }
    return isWritten;
  }

  /** The same for a run, with the last line of its record. Returns the exit code that `exitFor` gives. */
  async conclude<Result>(
    reportOf: (result: Result) => RunReport,
    result: Result,
    exitFor: (isWritten: boolean) => ExitCode,
  ): Promise<ExitCode> {
    const report = reportOf(this.world.secrets.hideIn(result));
    const isWritten = await this.write(report);
    const exit = exitFor(isWritten && this.record?.isWritten !== false);
    const ended = await this.record?.finish(report.document, exit, this.connections.at(-1));
    return ended === false ? exitFor(false) : exit;
  }

  /** Prints what a question is about, also with `--quiet`. */
  show(text: string): void {
    this.world.line.print(this.world.secrets.hide(text));
  }

  /** A notice on stderr. A function is not called with `--quiet`, because a large plan takes long to render. */
  note(text: string | (() => string)): void {
    if (!this.#isQuiet) this.show(typeof text === "string" ? text : text());
  }

  remark(text: string): void {
    this.note(`${wrap(visible(this.world.secrets.hide(text)), this.errScreen.columns, 0)}\n`);
  }

  /** Diagnostics of the result that stdout does not show: a document shows all of them, text only those `inText`. */
  findings(diagnostics: readonly Diagnostic[], inText: readonly Diagnostic[] = []): void {
    if (!this.isDocument) this.diagnose(this.#format === "text" ? diagnostics : [...diagnostics, ...inText]);
  }

  /** Prints diagnostics on stderr, followed by an empty line. `--quiet` shows errors only. */
  diagnose(diagnostics: readonly Diagnostic[]): void {
    const shown = sortDiagnostics(this.#isQuiet ? errorsIn(diagnostics) : diagnostics);
    const text = diagnosticsText(this.world.secrets.hideIn(shown), this.errScreen);
    if (shown.length > 0) this.world.line.print(`${text}\n`);
  }
}

function canFail(command: ReportingCommand): command is FailingCommand {
  return Object.hasOwn(NOT_DONE, command);
}

const LOADERS: Readonly<Record<ReportFormat, () => Promise<Format>>> = {
  text: async () => (await import("../report/text/index.ts")).text,
  json: async () => (await import("../report/json/index.ts")).json,
  markdown: async () => (await import("../report/markdown/index.ts")).markdown,
  html: async () => (await import("../report/html/index.ts")).html,
  github: async () => (await import("../report/github/index.ts")).github,
  gitlab: async () => (await import("../report/gitlab/index.ts")).gitlab,
  csv: async () => (await import("../report/csv/index.ts")).csv,
};

async function loadFormat(name: ReportFormat, report: Report): Promise<Format> {
  // Most runs of `validate` load no other report.
  if (name === "text" && report.of === "run" && report.command === "validate")
    return (await import("../report/text/blocks.ts")).validateText;
  return LOADERS[name]();
}
