// `createPlan`: plans a project, and shows the plan as text or JSON.

import type { Plan as FullPlan } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import { createPlan as planFor } from "../plan/plan.ts";
import { type Resolved, resolve } from "../plan/resolve.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import type { PlanDocument } from "../report/json/schema.ts";
import { plannedDocument } from "../report/run-document.ts";
import { planText as textOf } from "../report/text/index.ts";
import { createPaint } from "../report/text/screen.ts";
import { withFiles } from "../session/planned.ts";
import { Internals, type ProjectInternals, projects } from "./load.ts";
import { type LiveInternals, instantOf, readings } from "./read.ts";
import type { LiveState, Plan, Project } from "./types.ts";

/** Raises the brake for one plan: the allowed number of deletes, of updates, and of lost clicks. */
export interface Allowances {
  readonly deletes?: number | undefined;
  readonly updates?: number | undefined;
  readonly clicks?: number | undefined;
}

/** Options of `createPlan`, like the flags of the command line. */
export interface PlanOptions {
  /** Globs of keys to plan, with the pixels that they need. Default: all keys. */
  readonly targets?: readonly string[] | undefined;
  /** Globs of keys to leave out, with the changes that depend on them. Default: none. */
  readonly excludes?: readonly string[] | undefined;
  /** Globs of keys whose passwords are sent again. Default: none. */
  readonly resendSecrets?: readonly string[] | undefined;
  /** Raises the limits of `brake` for this plan. Default: the limits in the files. */
  readonly allowances?: Allowances | undefined;
  /** The time at which expiration is judged. Default: when the account was read. */
  readonly now?: Date | undefined;
}

interface PlanInternals extends ProjectInternals, LiveInternals {
  readonly plan: FullPlan;
  readonly resolved: Resolved;
}

export const plans: Internals<Plan, PlanInternals> = new Internals("createPlan");

/**
 * Plans the changes that bring the account to the state in the files, with the same planner as `linkform plan`. It sends no request and
 * writes nothing.
 *
 * Problems are in the diagnostics of the plan. If one of them is an error, nothing was planned. It throws a `UserError` if `live` was not
 * read for this project (`other-project`).
 *
 * ```js
 * const plan = createPlan(project, live, { excludes: ["go.example.com/legacy-*"] });
 * for (const { action, kind, key } of plan.changes) console.log(action, kind, key);
 * ```
 */
export function createPlan(project: Project, live: LiveState, options: PlanOptions = {}): Plan {
  const opened = projects.of(project);
  const { files, base, diagnostics } = opened;
  const reading = readings.of(live);
  if (reading.project !== project) {
    const message = "This live state was read for another project, and may be incomplete for this one.";
    throw new UserError("other-project", message, { hint: "Read the live state for the project that you plan." });
  }
  const { state, secrets, at } = reading;
  const { targets = [], excludes = [], resendSecrets = [], allowances = {}, now } = options;
  const resolved = resolve(files, state);
  const planned = planFor(resolved, now === undefined ? at : instantOf(now), {
    base,
    changed: null,
    targets,
    excludes,
    resendSecrets,
    allowances: {
      deletes: allowances.deletes ?? null,
      updates: allowances.updates ?? null,
      clicks: allowances.clicks ?? null,
    },
  });
  const plan = withFiles({ diagnostics, project: files, base, verbose: true, command: "plan" }, planned);
  const { complete, summary, requests } = plan;
  const shown: Plan = {
    complete,
    changes: [...plan.changes],
    summary,
    brakes: [...plan.brakes],
    diagnostics: [...secrets.hideIn(plan.diagnostics)],
    secretsNeeded: [...plan.secretsNeeded],
    requests,
  };
  return plans.keep(shown, { ...opened, ...reading, plan, resolved });
}

/** Options of `planText`. */
export interface TextOptions {
  /** Whether to use ANSI colors. Default: false. */
  readonly color?: boolean | undefined;
  /** The width of the terminal in characters. Default: lines are not wrapped. */
  readonly columns?: number | undefined;
}

/** Returns the plan as `linkform plan` prints it, without its diagnostics. It ends with a line break. */
export function planText(plan: Plan, { color = false, columns }: TextOptions = {}): string {
  const { plan: fullPlan, secrets } = plans.of(plan);
  return textOf(secrets.hideIn(fullPlan), { paint: createPaint(color), columns: columns ?? null });
}

/**
 * Returns the plan as `linkform plan --format json` prints it. Its schema is `linkform/schemas/plan.schema.json`. It contains no
 * secrets.
 */
export function planDocument(plan: Plan): PlanDocument {
  const { plan: fullPlan, baseUrl, secrets } = plans.of(plan);
  const shown = secrets.hideIn(fullPlan);
  return plannedDocument({ plan: shown, problems: brakeDiagnostics(shown.brakes, "this run"), baseUrl });
}
