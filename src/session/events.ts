// The events of an apply as lines, each written as it happens. What can't be written never stops what it tells of.

import path from "node:path";
import type { Outcome } from "../apply/outcome.ts";
import type { Change, Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import type { ExitCode } from "../errors.ts";
import { LineFile } from "../files/line-file.ts";
import { locateNamed } from "../files/named.ts";
import type { PlanDocument } from "../view/document.ts";
import {
  ChangeEvents,
  eventLine,
  finishedEvent,
  notAsDeclared,
  numbered,
  startedEvent,
  type EventDocument,
} from "../render/ndjson/events.ts";
import { numberedAsSaved } from "../saved-plan/outcome.ts";
import type { ApplyReport, FailureReport, HeldReport } from "../view/report.ts";
import type { ChangeResult } from "../view/document.ts";
import type { Verdict } from "../saved-plan/review.ts";
import type { ListProgress } from "../service/transport.ts";
import type { World } from "./context.ts";
import { unwritable, writeOut, type Sink } from "./outputs.ts";

/** Where lines go. */
interface LineSink {
  readonly write: (line: string) => void;
  /** Resolves when all lines have been written, or can't be. */
  readonly end: () => Promise<void>;
}

/** What `requests` and `waited` are asked of. */
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

  /** `onProblem` is told once of each place that can't be written. */
  constructor(world: World, sinks: readonly Sink[], onProblem: (problem: Diagnostic) => void) {
    this.#world = world;
    this.#onProblem = onProblem;
    this.#beganAt = world.clock.now();
    this.#lines = sinks.flatMap(({ format, file }) => {
      if (format !== "ndjson") return [];
      return [file === null ? this.#toStdout() : this.#toFile(file)];
    });
  }

  /** Whether anybody wants to know. */
  get isWanted(): boolean {
    return this.#lines.length > 0;
  }

  /** Whether every line so far could be written. */
  get isWritten(): boolean {
    return this.#problems === 0;
  }

  /** The first event, once it is known which service is spoken to, or that none will be. */
  start(baseUrl: string | null): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#tell(this.#beganAt, [startedEvent(this.#world.version, baseUrl)]);
  }

  /** What tells how many requests were sent. */
  follow(meter: Meter): void {
    this.#meter = meter;
  }

  /** A page of a list has come. */
  page({ list, read }: ListProgress): void {
    // The last word on a list says nothing of its pages.
    this.#pages.set(list, Math.max(read, this.#pages.get(list) ?? 0));
  }

  read({ links, pixels }: LiveState): void {
    const pages = [...this.#pages.values()].reduce((sum, count) => sum + count, 0);
    const { requests } = this.#meter;
    this.#now([{ event: "read", links: links.length, pixels: pixels.length, pages, requests }]);
  }

  /** What is to be done. */
  planned(plan: Plan, summary: PlanDocument["summary"]): void {
    if (this.isWanted) this.#planned(numbered(plan), plan, summary);
  }

  /** What is to be done of a saved plan; `told`: what becomes of each of its changes if nothing is. */
  plannedAsSaved(
    plan: Plan,
    summary: PlanDocument["summary"],
    verdicts: readonly Verdict[],
    results: readonly ChangeResult[],
  ): void {
    if (this.isWanted) this.#planned(numberedAsSaved(verdicts, results), plan, summary);
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

  /** What was touched has been read again. */
  verified(changes: number, outcomes: readonly Outcome[]): void {
    this.#now([{ event: "verified", changes, not_as_declared: notAsDeclared(outcomes) }]);
  }

  /** The last event. Returns whether all of them could be written. */
  async finish(report: ApplyReport | HeldReport | FailureReport, exit: ExitCode): Promise<boolean> {
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
      const line = eventLine(new Date(at).toISOString(), event);
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
    const results = async (written: Promise<Diagnostic | null>): Promise<void> => {
      const problem = await written;
      if (problem === null || isBroken) return;
      isBroken = true;
      this.#failed(problem);
    };
    return {
      write: (line) => {
        if (isBroken) return;
        // Both may be the same terminal.
        if (stdout.isTTY === true) shown.show("");
        last = results(writeOut(stdout, line));
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
        // What follows a line that is cut would not be read as a line of its own.
        isBroken = true;
        this.#failed(unwritable(`The report ${path.resolve(this.#world.cwd, file)}`, cause));
      }
    };
    return {
      write: (line) =>
        guarded(() => {
          lines ??= new LineFile(locateNamed(this.#world.cwd, file), "beginning");
          lines.write(line);
        }),
      end: () => {
        lines?.close();
        return Promise.resolve();
      },
    };
  }
}
