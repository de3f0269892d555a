// A project and what is live -> a plan, and what it says to people and programs.

import type { Plan as FullPlan } from "../domain/change.ts";
import type { LiveState as State } from "../domain/live.ts";
import type { Project as Files } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import { safetySince } from "../config/base-findings.ts";
import { baseWarnings } from "../plan/base.ts";
import { createPlan as planFor } from "../plan/plan.ts";
import { brakeDiagnostics } from "../view/brakes.ts";
import { planDocument as documentOf, type PlanDocument } from "../view/document.ts";
import { checkLimits } from "../session/plan-flags.ts";
import { createPaint } from "../render/text/screen.ts";
import { planText as textOf } from "../render/text/plan.ts";
import { projects } from "./load.ts";
import { Internals } from "./internals.ts";
import { instantOf, readings } from "./read.ts";
import type { LiveState, Plan, Project } from "./types.ts";

/** Numbers that raise a brake for one plan: deletes and updates in all, and clicks that are lost. */
export interface Allowances {
  readonly deletes?: number | undefined;
  readonly updates?: number | undefined;
  readonly clicks?: number | undefined;
}

/** What is planned, as the flags of the command line say it. */
export interface PlanOptions {
  /** Globs of keys to plan for, with what they need. Default: all. */
  readonly targets?: readonly string[] | undefined;
  /** Globs of keys to leave out, with what waits for them. Default: none. */
  readonly excludes?: readonly string[] | undefined;
  /** Globs of keys whose passwords are sent again. Default: none. */
  readonly resendSecrets?: readonly string[] | undefined;
  /** How much this plan may do, whatever the brake says. Default: as the files have it. */
  readonly allowances?: Allowances | undefined;
  /** The moment at which it is judged whether a link has expired. Default: when the account was read. */
  readonly now?: Date | undefined;
}

/** What stands behind a plan. */
interface PlanInternals {
  readonly plan: FullPlan;
  readonly files: Files;
  readonly folder: string;
  readonly state: State;
  readonly baseUrl: string;
}

export const plans: Internals<Plan, PlanInternals> = new Internals("createPlan");

/**
 * Plans what makes the account say what the files say, by the same planner as `linkform plan`. It is handed data only: it
 * asks and writes nothing.
 *
 * What stands in the way is among the plan's diagnostics; any error there means that nothing was planned. A `UserError` is
 * thrown where `live` was not read for this project (`other-project`).
 *
 * ```js
 * const plan = createPlan(project, live, { excludes: ["go.example.com/legacy-*"] });
 * for (const { action, kind, key } of plan.changes) console.log(action, kind, key);
 * ```
 */
export function createPlan(project: Project, live: LiveState, options: PlanOptions = {}): Plan {
  const { files, folder, base, diagnostics } = projects.of(project);
  const reading = readings.of(live);
  if (reading.project !== project) {
    throw new UserError("other-project", "This was read for another project: what this one needs may be missing.", {
      hint: "Read what is live for the very project that you plan for.",
    });
  }
  const { state, baseUrl, at } = reading;
  const { targets = [], excludes = [], resendSecrets = [], allowances = {}, now } = options;
  const made = planFor(files, state, now === undefined ? at : instantOf(now), {
    base,
    targets,
    excludes,
    resendSecrets,
    allowances: {
      deletes: allowances.deletes ?? null,
      updates: allowances.updates ?? null,
      clicks: allowances.clicks ?? null,
    },
    checkLimits,
  });
  const safety = base === null ? [] : safetySince(base, files);
  const plan = { ...made, diagnostics: [...safety, ...diagnostics, ...baseWarnings(base, files), ...made.diagnostics] };
  const { complete, changes, summary, brakes, secretsNeeded, requests } = plan;
  const shown: Plan = {
    complete,
    changes: [...changes],
    summary,
    brakes: [...brakes],
    diagnostics: [...plan.diagnostics],
    secretsNeeded: [...secretsNeeded],
    requests,
  };
  return plans.keep(shown, { plan, files, folder, state, baseUrl });
}

/** How a text is shown. */
export interface TextOptions {
  /** Default: no colour. */
  readonly color?: boolean | undefined;
  /** Characters in a line of the terminal that it is shown on. Default: it is for no terminal. */
  readonly columns?: number | undefined;
}

/** The plan as `linkform plan` prints it, without its diagnostics. It ends with a line break. */
export function planText(plan: Plan, { color = false, columns }: TextOptions = {}): string {
  return textOf(plans.of(plan).plan, { paint: createPaint(color), columns: columns ?? null });
}

/**
 * The plan as `linkform plan --format json` prints it, in the words of the files; `linkform/schemas/plan.schema.json`
 * describes it. It holds no secrets.
 */
export function planDocument(plan: Plan): PlanDocument {
  const { plan: made, baseUrl } = plans.of(plan);
  const diagnostics = [...made.diagnostics, ...brakeDiagnostics(made.brakes, "this run")];
  return documentOf({ ...made, diagnostics }, baseUrl);
}
