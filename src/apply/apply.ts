// Makes the changes of a plan, and nothing else, against an injected service: what goes first, what runs in parallel, and the check afterwards.

import type { Plan, Change } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import { canonicalRecords } from "../plan/resolve.ts";
import type { Writer } from "../service/service.ts";
import type { ApplyOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { verify, type VerifyOptions } from "./verify.ts";
import pLimit, { type LimitFunction } from "p-limit";
import { LEVELS } from "../plan/order.ts";
import type { Clock } from "../domain/clock.ts";
import { ChangeRun } from "./run.ts";

export interface RunOptions extends Omit<ApplyOptions, "canonical">, Pick<VerifyOptions, "onChecked"> {
  /** What the plan was made of. */
  readonly project: Project;
  readonly state: LiveState;
  /** Told when all is made that could be, and so many changes are to be read again. */
  readonly onVerify?: (changes: number) => void;
}

/** What became of a plan. */
export interface RunResult {
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why not all was begun, or not all read again; null if nothing stopped it. */
  readonly stopped: UserError | null;
  /** What was touched has been read again. */
  readonly isVerified: boolean;
}

/** Makes every change of the plan and no other. What the second reading does not bear out is told once more, as failed. */
export async function runPlan(plan: Plan, service: Writer, options: RunOptions): Promise<RunResult> {
  const { project, state, signal, onOutcome } = options;
  const canonical = canonicalRecords(project, state);
  const { outcomes: made, stopped } = await applyChanges(plan, service, { ...options, canonical });
  // What stops the changes stops the reading as well.
  if (stopped !== null) return { outcomes: made, stopped, isVerified: false };
  options.onVerify?.(made.filter(({ outcome }) => outcome === "applied").length);
  const outcomes = await verify(made, service, { ...options, canonical, lists: state });
  const reported = new Set(made);
  for (const outcome of outcomes) if (!reported.has(outcome)) onOutcome?.(outcome);
  // Interrupted while it reads again, it is interrupted all the same.
  const ended: unknown = signal.aborted ? signal.reason : null;
  return { outcomes, stopped: ended instanceof UserError ? ended : null, isVerified: true };
}

export interface ApplyResult {
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why not all was begun; null if nothing stopped it. */
  readonly stopped: UserError | null;
}

/**
 * Makes every change of a plan, level by level. A failure stops only what depends on it; a store whose answer was lost
 * holds up only what needs its row. Nothing is thrown: a mistake of ours is the failure of one change, too.
 */
export async function applyChanges(plan: Plan, service: Writer, options: ApplyOptions): Promise<ApplyResult> {
  const run = new ChangeRun(plan, service, options);
  const schedule = new Schedule(run, plan.changes, options);
  for (const { kind, actions } of LEVELS) {
    const level = plan.changes.filter((change) => change.kind === kind && actions.includes(change.action));
    await Promise.all(level.map((change) => schedule.begin(change)));
  }
  await schedule.finish();
  await run.recheckDoubtful();
  return { outcomes: plan.changes.flatMap((change) => run.outcomes.get(change) ?? []), stopped: run.stopped };
}

/** Which change is under way, and which waits for which. */
class Schedule {
  readonly #run: ChangeRun;
  readonly #limit: LimitFunction;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** By change; it is there before the change begins, for whoever waits for it may begin first. */
  readonly #endings: ReadonlyMap<Change, ApplyEnding>;

  constructor(run: ChangeRun, changes: readonly Change[], { concurrency, clock, signal }: ApplyOptions) {
    this.#run = run;
    this.#endings = new Map(changes.map((change) => [change, ending()]));
    this.#limit = pLimit(concurrency);
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Resolves when the change has ended, or waits for another or for a moment to come: then others may begin. */
  begin(change: Change): Promise<void> {
    return new Promise((letOthersGo) => {
      this.#endings.get(change)?.follow(this.#make(change, letOthersGo).finally(letOthersGo));
    });
  }

  /** Resolves when every change has ended; all have been begun by then. */
  async finish(): Promise<void> {
    await Promise.all([...this.#endings.values()].map(({ ended }) => ended));
  }

  async #make(change: Change, letOthersGo: () => void): Promise<void> {
    const pending = this.#run.needs(change).filter((other) => !this.#run.outcomes.has(other));
    // Without a wait, changes begin in the plan's order.
    if (pending.length > 0) {
      letOthersGo();
      await Promise.all(pending.flatMap((other) => this.#endings.get(other)?.ended ?? []));
    }
    const steps = this.#run.make(change);
    for (;;) {
      const step = await this.#limit(() => steps.next());
      if (step.done === true) return this.#run.end(step.value);
      letOthersGo();
      // Stopped, the change sees by itself that it is.
      await this.#clock.sleep(step.value - this.#clock.now(), this.#signal).catch(() => null);
    }
  }
}

/** The end of something that has not begun. */
interface ApplyEnding {
  readonly ended: Promise<void>;
  /** Once it has begun: ends as this does. */
  readonly follow: (made: Promise<void>) => void;
}

function ending(): ApplyEnding {
  let follow: ApplyEnding["follow"] = () => undefined;
  const ended = new Promise<void>((resolve) => {
    follow = resolve;
  });
  return { ended, follow };
}
