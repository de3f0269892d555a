// The record of a run: its lines in a file for `undo`, and on the outputs of `--format ndjson`. A call begins only after its line is written.

import path from "node:path";
import type { Outcome } from "../apply/outcome.ts";
import type { Change } from "../domain/change.ts";
import { diagnosticOf } from "../config/located-error.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { UserError, ExitCode } from "../errors.ts";
import { fileError, LineFile } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import type { RecordCall } from "../apply/options.ts";
import { changeLines } from "../record/changes.ts";
import type { OpenedPlan, PlanLine } from "../record/file.ts";
import { accountHash, LineChain, type EndedLine, type LaterLine, type LineContent } from "../record/lines.ts";
import { changeDocument, planDocument, type ReportDocument } from "../report/document.ts";
import type { Transport } from "../service/transport.ts";
import type { Console } from "./console.ts";
import type { CommonFlags } from "./context.ts";
import { unwritable, writeOut } from "./outputs.ts";
import { savedOptions } from "./plan-flags.ts";
import type { Planned } from "./planned.ts";
import { createRecordFile } from "./record-files.ts";

export interface ExecuteFlags extends CommonFlags {
  /** The file of the record; false for none, absent for one in the project folder. */
  readonly record?: string | false;
  readonly concurrency?: number;
}

/** A plan to apply, and the saved plan that it was made from. */
type PlannedRun = Planned & { readonly saved: OpenedPlan | null };

/** The first line of a record: the plan with its options, as `plan --out` saves it. */
export function planLineOf({ plan, baseUrl, options, opened, state }: Planned): PlanLine {
  const changes = plan.changes.map((change) => changeDocument(change, plan));
  return {
    event: "planned",
    ...planDocument({ plan, problems: [], baseUrl }, changes),
    options: savedOptions(options, opened.resources),
    account: accountHash(baseUrl, state),
  };
}

/** `end` resolves when all lines are written or have failed. */
type LineSink = Readonly<{ write: (line: string) => void; end: () => Promise<void> }>;

export class RecordWriter {
  /** Why the file cannot be continued; null if it can. */
  problem: UserError | null = null;
  /** Whether every line is written to every output. */
  isWritten = true;
  readonly #out: Console;
  readonly #sinks: readonly LineSink[];
  readonly #beganAt: number;
  #chain = new LineChain();
  #file: { readonly lines: LineFile; readonly shown: string } | null = null;
  #numbers: ReadonlyMap<Change, number> = new Map();
  readonly #results = new Map<Change, EndedLine["outcomes"][number]>();
  #isFinished = false;

  constructor(out: Console) {
    this.#out = out;
    this.#beganAt = out.world.clock.now();
    this.#sinks = out.sinks.flatMap(({ format, file }) => (format === "ndjson" ? this.#open(file) : []));
  }

  get shown(): string | null {
    return this.#file?.shown ?? null;
  }

  /** Writes the plan of a run that does not begin. */
  planned(run: PlannedRun): void {
    this.#tell(this.#planText(run));
  }

  /** Writes the plan and the state before, if there are changes. Throws a user error if the file cannot be written. */
  async begin(command: "apply" | "undo", run: PlannedRun, { record }: ExecuteFlags): Promise<void> {
    const { plan, state: live, project, opened } = run;
    const { changes } = plan;
    const { world } = this.#out;
    const { secrets, version: linkform } = world;
    const at = world.now();
    const file = secrets.hide(project.file);
    const text = [
      this.#planText(run),
      this.#chain.next({ event: "started", at, linkform, command, project: file, changes: changes.length }),
      ...changeLines(plan, live, (value) => secrets.has(value)).map((state, index) => {
        const { key, previous_key, was, is } = state;
        const keys = secrets.hideIn({ key, previous_key, was, is });
        return this.#chain.next({ event: "change", change: index + 1, ...state, ...keys });
      }),
    ].join("");
    try {
      if (changes.length > 0 && record !== false)
        this.#file = await createRecordFile(world, record, opened.folder, at, text);
    } catch (cause) {
      // The last line is then the only one.
      this.#chain = new LineChain();
      throw cause;
    }
    this.#numbers = new Map(changes.map((change, index) => [change, index + 1]));
    this.#tell(text);
  }

  /** Throws a user error if it cannot write that a call begins: then the call must not be sent. */
  readonly call: RecordCall = (change, call) => {
    const number = this.#numbers.get(change) ?? 0;
    this.#write({ event: "call", at: this.#now(), change: number, call });
    if (this.problem !== null) throw this.problem;
    return (answer) => {
      const [id, error] = typeof answer === "number" ? [answer, null] : [null, errorOf(answer)];
      this.#write({ event: "answer", at: this.#now(), change: number, call, id, error });
    };
  };

  readonly end = (outcome: Outcome): void => {
    // A change that fails the verification later was stored nevertheless.
    const id = outcome.outcome === "applied" ? outcome.id : (this.#results.get(outcome.change)?.id ?? null);
    const may_have_acted = outcome.outcome === "failed" ? outcome.failure.mayHaveActed : null;
    this.#results.set(outcome.change, { outcome: outcome.outcome, id, may_have_acted });
  };

  /** Writes the last line, with the cost of the connection. Returns whether all lines were written. */
  async finish(document: ReportDocument, exit: ExitCode, transport: Transport | undefined): Promise<boolean> {
    if (this.#isFinished) return this.isWritten;
    this.#isFinished = true;
    const { changes = [], result = NO_RESULT, run, record = null, diagnostics } = document;
    const isKnown = this.problem !== null;
    this.#write({
      event: "ended",
      at: this.#now(),
      exit,
      outcomes: [...this.#numbers.keys()].map((change) => this.#results.get(change) ?? SKIPPED),
      results: changes.map(({ action, kind, key, id, outcome = "skipped", error = null, already_so }) => ({
        action,
        kind,
        key,
        id,
        outcome,
        error,
        ...(already_so === true && { already_so }),
      })),
      result,
      verified: run?.verified ?? false,
      requests: transport?.requests ?? 0,
      seconds: Math.round(this.#out.world.clock.now() - this.#beganAt) / 1000,
      waited: Math.round((transport?.pace.waited ?? 0) * 1000) / 1000,
      record,
      diagnostics,
    });
    this.#file?.lines.close();
    if (this.problem !== null && !isKnown) this.#failed(diagnosticOf(this.problem));
    for (const sink of this.#sinks) await sink.end();
    return this.isWritten;
  }

  #now(): string {
    return new Date(this.#out.world.clock.now()).toISOString();
  }

  #planText(run: PlannedRun): string {
    if (run.saved === null) return this.#chain.next(this.#out.world.secrets.hideIn(planLineOf(run)));
    this.#chain = new LineChain(run.saved.saved.digest);
    return run.saved.line;
  }

  #write(content: LineContent<LaterLine>): void {
    const line = this.#chain.next(this.#out.world.secrets.hideIn(content));
    try {
      // Text after a partial line would not be read as a line.
      if (this.problem === null) this.#file?.lines.write(line);
    } catch (cause) {
      const message = `The record ${this.#file?.shown} cannot be written`;
      const hint = "The run stopped. You can still undo its changes with the part of the record that was written.";
      this.problem = fileError(message, cause, { code: "record-unwritable", hint });
    }
    this.#tell(line);
  }

  #tell(text: string): void {
    for (const { write } of this.#sinks) write(text);
  }

  #failed(problem: Diagnostic): void {
    this.isWritten = false;
    this.#out.diagnose([problem]);
  }

  /** Opens an output; null is stdout. A file is created with the first line. After a failure, it gets no more lines. */
  #open(file: string | null): LineSink {
    const { stdout, line: shown, cwd } = this.#out.world;
    let lines: LineFile | null = null;
    let last: Promise<void> | null = null;
    let isBroken = false;
    const check = (problem: Diagnostic | null): void => {
      if (problem !== null && !isBroken) this.#failed(problem);
      isBroken ||= problem !== null;
    };
    return {
      write: (text) => {
        if (isBroken) return;
        if (file === null) {
          // stdout and stderr may be the same terminal.
          if (stdout.isTTY === true) shown.show("");
          last = writeOut(stdout, text).then(check);
          return;
        }
        try {
          lines ??= new LineFile(locateNamed(cwd, file));
          lines.write(text);
        } catch (cause) {
          check(unwritable(`The report ${path.resolve(cwd, file)}`, cause));
        }
      },
      end: async () => {
        await last;
        lines?.close();
      },
    };
  }
}

const NO_RESULT = { applied: 0, failed: 0, skipped: 0, complete: false };
const SKIPPED = { outcome: "skipped", id: null, may_have_acted: null } as const;

function errorOf(cause: Error): { readonly code: string; readonly message: string } {
  const { code, message } = diagnosticOf(cause) ?? { code: "internal-error", message: String(cause) };
  return { code, message };
}
