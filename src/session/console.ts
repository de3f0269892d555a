// How a command speaks: results to stdout or files, everything else to stderr.

import { sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { locateNamed } from "../files/named.ts";
import { diagnosticsText } from "../render/text/diagnostics.ts";
import type { FormatName } from "../render/format.ts";
import type { ReportingCommand } from "../view/report.ts";
import { loadFormat } from "../render/formats.ts";
import { withoutCommands } from "../domain/log-commands.ts";
import type { ApplyReport, FailureReport, HeldReport, Report } from "../view/report.ts";
import { PLAIN, type Screen } from "../render/text/screen.ts";
import { visible } from "../domain/control-characters.ts";
import { wrap } from "../render/text/width.ts";
import type { Events } from "./events.ts";
import { screenOf, type CommonFlags, type OutStream, type World } from "./context.ts";
import { Progress } from "./progress.ts";
import { settingOf } from "./render-context.ts";
import { sinksOf, writeFileSink, writeOut, type Sink } from "./outputs.ts";

/** The files that a command may write beside its reports. */
interface TargetFlags {
  readonly out?: string;
  readonly journal?: string;
  readonly receipt?: string | false;
}

export class Console {
  readonly #world: World;
  readonly #flags: CommonFlags;
  readonly #sinks: readonly Sink[];
  /** What is under way, for those who watch. */
  readonly progress: Progress;
  /** What happens, for programs that watch; null where the command has no events. */
  readonly events: Events | null;

  /**
   * Throws a user error for flags that can't be followed, such as a format that this command does not have. `makeEvents`: those that it tells; what
   * it is given says once of each place that it can't be written.
   */
  constructor(
    world: World,
    flags: CommonFlags & TargetFlags,
    command: ReportingCommand,
    makeEvents: ((sinks: readonly Sink[], onProblem: (problem: Diagnostic) => void) => Events) | null = null,
  ) {
    if (flags.quiet === true && flags.verbose === true)
      throw new UserError("quiet-and-verbose", "`--quiet` and `--verbose` ask for opposite things.", {
        hint: "Leave one of them out.",
        exit: EXIT.usage,
      });
    this.#world = world;
    this.progress = new Progress(world.line, world.clock, flags.quiet !== true);
    this.#flags = flags;
    this.#sinks = sinksOf(flags.format ?? ["text"], command);
    const { out, journal, receipt } = flags;
    // A link out of the checkout is found here, before the service is asked for anything.
    for (const file of [...this.files, out, journal, receipt])
      if (typeof file === "string") locateNamed(world.cwd, file);
    this.events = makeEvents?.(this.#sinks, (problem) => this.diagnose([problem])) ?? null;
  }

  /** The format of stdout; null where every report goes to a file. */
  get #format(): FormatName | null {
    return this.#sinks.find(({ file }) => file === null)?.format ?? null;
  }

  /** Whether stdout is for programs and says everything: then stderr does not repeat it. */
  get isDocument(): boolean {
    return this.#format === "json" || this.#format === "ndjson";
  }

  /** The files that reports are written to, as they were named. */
  get files(): readonly string[] {
    return this.#sinks.flatMap(({ file }) => file ?? []);
  }

  /** What stderr is shown on. */
  get errScreen(): Screen {
    return this.#screen(this.#world.stderr);
  }

  #screen(stream: OutStream): Screen {
    return screenOf(stream, this.#world.env, this.#flags.color !== false);
  }

  /**
   * Writes the result in every format that was asked for. What can't be written is said on stderr, and then this is false: it
   * never throws, for what the result tells of has happened all the same.
   */
  async result(report: Report): Promise<boolean> {
    // Both may be the same terminal.
    this.progress.stop();
    const setting = await settingOf(this.#world, this.#flags, this.#sinks);
    let isWritten = true;
    for (const { format, file } of this.#sinks) {
      if (format === "ndjson") continue;
      const screen = file === null ? this.#screen(this.#world.stdout) : PLAIN;
      const drawn = (await loadFormat(format)).render(report, { ...setting, screen });
      // In a log only what `github` says is for the runner.
      const content = file === null && format !== "github" ? withoutCommands(drawn) : drawn;
      const problem =
        file === null ? await writeOut(this.#world.stdout, content) : await writeFileSink(this.#world, file, content);
      if (problem === null) continue;
      isWritten = false;
      this.diagnose([problem]);
    }
    return isWritten;
  }

  /** Writes the result of an apply, and the last of its events; returns the exit code, which `exitOf` knows. */
  async conclude(
    report: ApplyReport | HeldReport | FailureReport,
    exitOf: (isWritten: boolean) => ExitCode,
  ): Promise<ExitCode> {
    const isWritten = await this.result(report);
    const exit = exitOf(isWritten && this.events?.isWritten !== false);
    return (await this.events?.finish(report, exit)) === false ? exitOf(false) : exit;
  }

  /** What is asked about: whoever is to answer must have seen it, the quiet as well. */
  show(text: string): void {
    this.#world.line.print(text);
  }

  /** Something to know that is not the result. */
  note(text: string): void {
    if (this.#flags.quiet !== true) this.show(text);
  }

  /** The same as a sentence, which is broken to the width of a terminal. */
  remark(text: string, colour: (line: string) => string = (line) => line): void {
    const lines = wrap(visible(text), this.errScreen.columns, 0).split("\n");
    this.note(lines.map((line) => `${colour(line)}\n`).join(""));
  }

  /** Something to know for those who asked for more. */
  detail(text: string): void {
    const { paint } = this.errScreen;
    if (this.#flags.verbose === true) this.remark(text, paint.dim);
  }

  /** What the result is about to say of itself, on stderr where stdout does not: a document says it all, text its `inText`. */
  findings(diagnostics: readonly Diagnostic[], inText: readonly Diagnostic[] = []): void {
    if (!this.isDocument) this.diagnose(this.#format === "text" ? diagnostics : [...diagnostics, ...inText]);
  }

  /** Findings, on stderr, and an empty line behind them; errors are told even to the quiet. */
  diagnose(diagnostics: readonly Diagnostic[]): void {
    const shown = this.#flags.quiet === true ? diagnostics.filter(({ severity }) => severity === "error") : diagnostics;
    if (shown.length > 0) this.#world.line.print(`${diagnosticsText(sortDiagnostics(shown), this.errScreen)}\n`);
  }
}
