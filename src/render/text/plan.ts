// The plan as text for people: symbols carry the meaning, colour only helps.

import type { Base, Change, Plan } from "../../domain/change.ts";
import { compareText } from "../../domain/place.ts";
import { groupBy } from "../../domain/group.ts";
import { fieldAt } from "../../domain/table.ts";
import { isNoticed } from "../../domain/visitors.ts";
import { brakesText, type FlagFor } from "../../view/brakes.ts";
import { changeText, type Telling } from "./change.ts";
import { plural, showCount } from "./diagnostics.ts";
import { splitText } from "../../view/origins.ts";
import { orphansText } from "../../view/orphans.ts";
import type { Paint } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { withheldText } from "../../view/withheld.ts";
import { wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";

/** As many signs of a commit as git shows. */
const SHORT_COMMIT = 7;
/** More changes than these, from more files than one, stand below the names of their files. */
const MOST_WITHOUT_FILES = 10;

/** The service's limit in requests, and about how long applying takes at it. */
export interface PlanPace {
  readonly perMinute: number;
  readonly seconds: number;
}

/** What a plan is told with besides what it holds. */
export interface Circumstances {
  /** To which run flags that let it through would be given; left out: this one. */
  readonly flagFor?: FlagFor;
  /** Null or left out: the service does not say. */
  readonly pace?: PlanPace | null;
  /** It takes an apply back: what else there is, and which files there were, is not its business. */
  readonly isUndo?: boolean;
}

/**
 * The whole plan: its changes, what is left out of it, what stands in its way, what can't be seen, and one summary line,
 * which is the last.
 */
export function planText(
  plan: Plan,
  screen: Screen,
  { flagFor = "this run", pace = null, isUndo = false }: Circumstances = {},
): string {
  const { paint } = screen;
  const changes = changesText(plan, { plan, ...screen });
  const about = `${withheldText(plan, screen)}${orphansText(plan, screen)}${brakesText(plan.brakes, flagFor, screen)}`;
  return `${changes}${about}${remarks(plan, isUndo, screen)}${wrap(summaryText(plan, pace, paint, isUndo), screen.columns, 0)}\n`;
}

/** First what visitors will notice; a heading says so where there is anything else. */
function changesText({ changes, brakes }: Plan, telling: Telling): string {
  const tripping = new Set(brakes.flatMap((brake) => brake.changes));
  const sections = groupBy(changes, isNoticed);
  const [noticed, others] = [sections.get(true) ?? [], sections.get(false) ?? []];
  const { paint } = telling;
  return [
    { heading: "What visitors will notice", those: noticed },
    { heading: noticed.length === 0 ? "" : "Everything else", those: others },
  ]
    .filter(({ those }) => those.length > 0)
    .map(({ heading, those }) => {
      const text = filesText(those, tripping, telling);
      return heading === "" ? text : `${paint.bold(paint.underline(heading))}\n\n${text}`;
    })
    .join("");
}

/** Paragraphs, below the names of their files where there are many. */
function filesText(changes: readonly Change[], tripping: ReadonlySet<Change>, telling: Telling): string {
  const draw = (change: Change): string => `${changeText(change, tripping.has(change), telling)}\n`;
  const byFile = groupBy(changes, ({ source }) => source.file);
  if (changes.length <= MOST_WITHOUT_FILES || byFile.size < 2) return changes.map(draw).join("");
  return [...byFile]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([file, those]) => {
      const head = `${telling.paint.bold(visible(file))}${telling.paint.dim(`: ${plural(those.length, "change")}`)}`;
      return `${head}\n\n${those.map(draw).join("")}`;
    })
    .join("");
}

function remarks(plan: Plan, isUndo: boolean, { paint, columns }: Screen): string {
  const lines = isUndo ? planLines(plan) : remarkLines(plan);
  return lines.length === 0 ? "" : `${lines.map((line) => paint.dim(wrap(line, columns, 0))).join("\n")}\n\n`;
}

/** What the plan can't promise, and what it needs: sentences. */
export function remarkLines(plan: Plan): string[] {
  return [...comparedLines(plan), ...planLines(plan), ...(plan.complete ? [baseLine(plan.base)] : [])];
}

function planLines(plan: Plan): string[] {
  const lines: string[] = [];
  if (plan.changes.some(hasInstant)) lines.push(`Dates and times are those of ${visible(plan.zones.files)}.`);
  if (plan.secretsNeeded.length > 0)
    lines.push(`To apply, these must be there: ${plan.secretsNeeded.map(({ name }) => visible(name)).join(", ")}.`);
  return lines;
}

function hasInstant({ kind, fields }: Change): boolean {
  return fields.some(({ path }) => fieldAt(kind, path)?.kind === "instant");
}

/** What of the comparison can't be relied on. */
export function comparedLines({ unknown, secretsCompared }: Pick<Plan, "unknown" | "secretsCompared">): string[] {
  return [
    ...(unknown.length === 0
      ? []
      : [`The service does not return, so these can't be compared: ${unknown.join(", ")}.`]),
    ...(secretsCompared === 0
      ? []
      : [
          `${plural(secretsCompared, "secret")} compared by presence only: whether the text is the same can't be seen.`,
        ]),
  ];
}

function baseLine(base: Base | null): string {
  if (base === null) return "Without --base, what was removed from the files can't be seen.";
  return `Base: ${showBase(base)}.`;
}

/** A ref, and the beginning of its commit's name. */
export function showBase({ ref, commit }: Base): string {
  return `${visible(ref)} (${visible(commit.slice(0, SHORT_COMMIT))})`;
}

/** One line that says it all. */
export function summaryText(plan: Plan, pace: PlanPace | null, paint: Paint, isUndo = false): string {
  const { complete, changes, requests, brakes, withheld } = plan;
  if (!complete) return paint.red("Nothing was planned.");
  const rest = isUndo ? "" : ` ${restText(plan)};`;
  const asked = `${plural(requests.read, "request")} to read`;
  if (changes.length === 0 && withheld.length > 0)
    return `${paint.yellow("No changes but those left out.")}${rest} ${asked}.`;
  if (changes.length === 0) return `${paint.green("No changes.")}${rest} ${asked}.`;
  const made = paint.bold(`Plan: ${countsText(plan)}.`);
  if (brakes.length > 0) return `${made} ${paint.red("Refused by the brake: nothing is applied.")}${rest} ${asked}.`;
  return `${made}${rest} ${requestsText(requests, pace)}.`;
}

/** `1 to create, 2 to update`, and where they come from, where a base tells. */
export function countsText({ summary }: Pick<Plan, "summary">): string {
  const counts = (["create", "update", "replace", "delete"] as const).flatMap((action) =>
    summary[action] === 0 ? [] : [`${showCount(summary[action])} to ${action}`],
  );
  const split = splitText(summary.origins);
  return `${counts.join(", ")}${split === null ? "" : ` (${split})`}`;
}

/** `41 unchanged, 212 unmanaged`. */
export function restText({ summary }: Pick<Plan, "summary">): string {
  const unmanaged =
    summary.unmanaged === null
      ? "unmanaged not counted (not all links were read)"
      : `${showCount(summary.unmanaged)} unmanaged`;
  return `${showCount(summary.unchanged)} unchanged, ${unmanaged}`;
}

/** What reading took and applying will take. */
export function requestsText({ read, apply, verify }: Plan["requests"], pace: PlanPace | null): string {
  return `${plural(read, "request")} to read, ${showCount(apply)} to apply, ${showCount(verify)} to verify${paceText(pace)}`;
}

function paceText(pace: PlanPace | null): string {
  if (pace === null) return "";
  const limit = `the limit of ${showCount(pace.perMinute)} a minute`;
  return pace.seconds === 0
    ? `, within ${limit}`
    : `, about ${showCount(Math.ceil(pace.seconds / 60))} min at ${limit}`;
}
