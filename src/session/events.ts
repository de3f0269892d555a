// The events of an apply, each written as a line when it happens. An event that cannot be written never stops the apply.

import path from "node:path";
import type { Outcome } from "../apply/outcome.ts";
import type { Change, Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import type { ExitCode } from "../errors.ts";
import { LineFile } from "../files/line-file.ts";
import { locateNamed } from "../files/named.ts";
import {
  ChangeEvents,
  eventLine,
  finishedEvent,
  notAsDeclared,
  numbered,
  startedEvent,
  type EventDocument,
} from "../report/ndjson/index.ts";
import { numberSavedChanges } from "../saved-plan/outcome.ts";
import type { ApplyReport, FailureReport } from "../report/report.ts";
import type { ReviewedChange } from "../saved-plan/review.ts";
import type { ListProgress } from "../service/transport.ts";
import type { World } from "./context.ts";
import { unwritable, writeOut, type Sink } from "./outputs.ts";
import type { ChangeResult, PlanDocument } from "../report/json/schema.ts";

/** An output for lines. */
interface LineSink {
  readonly write: (line: string) => void;
  /** Resolves when all lines are written or have failed. */
  readonly end: () => Promise<void>;
}

/** The source of `requests` and `waited`. */
type Meter = Readonly<Record<"requests" | "waited", number>>;

export class Events {
  readonly #world: World;
  readonly #lines: readonly LineSink[];
  readonly #onProblem: (problem: Diagnostic) => void;
  readonly #beganAt: number;
  readonly #pages = new Map<object, number>();
  #meter: Meter = { requests: 0, waited: 0 };
  #changes = new ChangeEvents([]);
  #isStarted = false;
  #isFinished = false;
  #problems = 0;

  /** `onProblem` is called once for each output that cannot be written. */
  constructor(world: World, sinks: readonly Sink[], onProblem: (problem: Diagnostic) => void) {
    this.#world = world;
    this.#onProblem = onProblem;
    this.#beganAt = world.clock.now();
    this.#lines = sinks.flatMap(({ format, file }) => {
      if (format !== "ndjson") return [];
      return [file === null ? this.#toStdout() : this.#toFile(file)];
    });
  }

  /** Whether any output exists. */
  get isWanted(): boolean {
    return this.#lines.length > 0;
  }

  /** Whether every line has been written so far. */
  get isWritten(): boolean {
    return this.#problems === 0;
  }

  /** The first event. The address is null if the run ends before it is known. */
  start(baseUrl: string | null): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#tell(this.#beganAt, [startedEvent(this.#world.version, baseUrl)]);
  }

  /** Sets the source of the number of requests. */
  follow(meter: Meter): void {
    this.#meter = meter;
  }

  /** A page of a list was read. */
  page({ list, read }: ListProgress): void {
    // The last report about a list has no number of pages.
    this.#pages.set(list, Math.max(read, this.#pages.get(list) ?? 0));
  }

  read({ links, pixels }: LiveState): void {
    const pages = [...this.#pages.values()].reduce((sum, count) => sum + count, 0);
    const { requests } = this.#meter;
    this.#now([{ event: "read", links: links.length, pixels: pixels.length, pages, requests }]);
  }

  /** The plan. */
  planned(plan: Plan, summary: PlanDocument["summary"]): void {
    if (this.isWanted) this.#planned(numbered(plan), plan, summary);
  }

  /** The plan, from a saved one. `results` are those if nothing is applied. */
  plannedAsSaved(
    plan: Plan,
    summary: PlanDocument["summary"],
    reviewed: readonly ReviewedChange[],
    results: readonly ChangeResult[],
  ): void {
    if (this.isWanted) this.#planned(numberSavedChanges(reviewed, results), plan, summary);
  }

  #planned(changes: ConstructorParameters<typeof ChangeEvents>[0], plan: Plan, summary: PlanDocument["summary"]): void {
    const { apply, verify } = plan.requests;
    this.#changes = new ChangeEvents(changes);
    this.#now([
      { event: "planned", changes: changes.length, summary, requests: { apply, verify } },
      ...this.#changes.left(),
    ]);
  }

  begin(change: Change): void {
    this.#now(this.#changes.begin(change));
  }

  end(outcome: Outcome): void {
    this.#now(this.#changes.end(outcome));
  }

  waiting(seconds: number, why: "limit" | "outage"): void {
    this.#now([{ event: "waiting", why, seconds }]);
  }

  /** The changes were verified. */
  verified(changes: number, outcomes: readonly Outcome[]): void {
    this.#now([{ event: "verified", changes, not_as_declared: notAsDeclared(outcomes) }]);
  }

  /** The last event. Returns whether all events were written. */
  async finish(report: ApplyReport | FailureReport, exit: ExitCode): Promise<boolean> {
    if (this.#isFinished) return this.isWritten;
    this.#isFinished = true;
    this.start(report.of === "failure" ? report.baseUrl : null);
    const { requests, waited } = this.#meter;
    const seconds = (this.#world.clock.now() - this.#beganAt) / 1000;
    this.#now([
      ...(report.of === "failure" ? [] : this.#changes.rest(report.results)),
      finishedEvent(report, exit, { requests, seconds, waited }),
    ]);
    for (const lines of this.#lines) await lines.end();
    return this.isWritten;
  }

  #now(events: readonly EventDocument[]): void {
    this.#tell(this.#world.clock.now(), events);
  }

  #tell(at: number, events: readonly EventDocument[]): void {
    for (const event of events) {
      const line = eventLine(new Date(at).toISOString(), this.#world.secrets.hideIn(event));
      for (const { write } of this.#lines) write(line);
    }
  }

  #failed(problem: Diagnostic): void {
    this.#problems += 1;
    this.#onProblem(problem);
  }

  #toStdout(): LineSink {
    const { stdout, line: shown } = this.#world;
    let last: Promise<unknown> = Promise.resolve();
    let isBroken = false;
    const report = async (written: Promise<Diagnostic | null>): Promise<void> => {
      const problem = await written;
      if (problem === null || isBroken) return;
      isBroken = true;
      this.#failed(problem);
    };
    return {
      write: (line) => {
        if (isBroken) return;
        // stdout and stderr may be the same terminal.
        if (stdout.isTTY === true) shown.show("");
        last = report(writeOut(stdout, line));
      },
      end: async () => void (await last),
    };
  }

  #toFile(file: string): LineSink {
    let lines: LineFile | null = null;
    let isBroken = false;
    const guarded = (act: () => void): void => {
      try {
        if (!isBroken) act();
      } catch (cause) {
        // Text after a partial line would not be read as a line.
        isBroken = true;
        this.#failed(unwritable(`The report ${path.resolve(this.#world.cwd, file)}`, cause));
      }
    };
    return {
      write: (line) =>
        guarded(() => {
          lines ??= new LineFile(locateNamed(this.#world.cwd, file));
          lines.write(line);
        }),
      end: () => {
        lines?.close();
        return Promise.resolve();
      },
    };
  }
}
