// The messages of a tripped brake: the count, the limit, and the flag or setting that raises the limit.

import { endingOf, type TrippedBrake } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { plural, showCount } from "../domain/words.ts";
import { visible } from "../domain/control-characters.ts";
import type { BrakeDocument } from "./json/schema.ts";

/** Where to pass an allowance: `github` and `gitlab` are manual deploys there. */
export type FlagFor = "this run" | "a new plan" | "github" | "gitlab";

function howToAllow(flagFor: FlagFor, limits: TrippedBrake["limits"], number: number): string {
  if (flagFor === "this run") return `run again with \`--allow-${limits} ${number}\``;
  if (flagFor === "a new plan") return `plan again with \`--allow-${limits} ${number}\` and --out`;
  return flagFor === "github"
    ? `a maintainer can start the deploy workflow with the input \`allow-${limits}: ${number}\``
    : `a maintainer can start the deploy pipeline with the variable \`LINKFORM_ALLOW_${limits.toUpperCase()}=${number}\``;
}

export function brakeDiagnostics(brakes: readonly TrippedBrake[], flagFor: FlagFor): Diagnostic[] {
  return brakes.map((brake) => {
    const { message, advice, write } = brakeDocument(brake, flagFor);
    const hint = write === null ? advice : `${advice} \`${write}\``;
    return error("brake", `${message} Nothing in this plan is applied.`, null, hint);
  });
}

export function brakeDocument(brake: TrippedBrake, flagFor: FlagFor): BrakeDocument {
  const { limits, kind, count, limit, atStake, setting, flag, key, projects, changes } = brake;
  // The smallest limit counts, so each of several projects must have the setting.
  const [run, file] = projects === undefined ? ["plan", "the project file"] : ["run", "each project file"];
  const all = limits === "clicks" ? "lost clicks" : limits;
  const advice = `If this is intended, ${howToAllow(flagFor, limits, flag)} to allow all ${all} of this ${run}`;
  return {
    limits,
    kind,
    count,
    limit,
    at_stake: atStake,
    setting,
    allow: { flag: `--allow-${limits}`, value: flag, key },
    message: foundText(brake),
    advice: key === null ? `${advice}.` : `${advice}, or write this in ${file}:`,
    write: key === null ? null : `brake: { ${limits}: ${key} }`,
    projects,
    changes: changes.map((change) => change.key),
  };
}

function foundText(brake: TrippedBrake): string {
  const { limits, kind, count, limit, atStake, setting, changes, isPartial, projects } = brake;
  const together = projects === undefined ? "" : ` in ${projects} projects of this account`;
  const figures = `(\`${limits}: ${visible(setting)}\`, ${plural(atStake, limits === "clicks" ? "click" : kind)} in total)`;
  const allowed = `The brake allows at most ${showCount(limit)} ${figures}.`;
  if (limits === "clicks") {
    const links = `${plural(changes.length, kind)}${together}`;
    return count === null
      ? `Possibly too many lost clicks: the service does not report the clicks of ${links}. ${allowed}`
      : `Too many lost clicks: ${showCount(count)} with ${links}. ${allowed}${isPartial === true ? CHANGED_CLICKS : ""}`;
  }
  const all = `${plural(count ?? changes.length, kind)}${together}.`;
  if (limits === "updates") return `Too many updates: ${all} ${allowed}`;
  // A pixel has no short URL, so it can only be deleted.
  const areDeletes = changes.every((change) => (endingOf(change) ?? "delete") === "delete");
  const why = areDeletes ? "" : " Every change that breaks a short URL counts as a delete.";
  return `Too many deletes: ${all} ${brake.key === null ? NEW_PROJECT : allowed}${why}`;
}

const NEW_PROJECT = "The base does not have the project file, so all deletes in it must be allowed.";
const CHANGED_CLICKS = " With `--changed`, the clicks of unchanged links are not read and not counted in this total.";
