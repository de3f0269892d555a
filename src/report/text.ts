// The plan as text for people: symbols carry the meaning, colour only helps.

import type { Base, Change, Delete, Plan } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import { BRAKE_MARK, brakesText, type FlagFor } from "./brakes.ts";
import { plural } from "./diagnostics-text.ts";
import { originText, splitText } from "./origins.ts";
import { orphansText } from "./orphans.ts";
import type { Paint } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { withheldText } from "./withheld.ts";
import { isSetSecret, showWord, visible, wordChanges, type WordChange } from "./words.ts";

const SYMBOL: Readonly<Record<Change["action"], string>> = { create: "+", update: "~", replace: "±", delete: "-" };

/** As many signs of a commit as git shows. */
const SHORT_COMMIT = 7;

/**
 * The whole plan: its changes, what is left out of it, what stands in its way, what can't be seen, and one summary line,
 * which is the last. `flagFor`: to which run flags that let it through would be given.
 */
export function planText(plan: Plan, { paint }: Screen, flagFor: FlagFor = "this run"): string {
  const tripping = new Set(plan.brakes.flatMap((brake) => brake.changes));
  const changes = plan.changes.map((change) => `${changeText(change, plan, tripping.has(change), paint)}\n`).join("");
  const about = `${withheldText(plan, paint)}${orphansText(plan, paint)}${brakesText(plan.brakes, flagFor, paint)}`;
  return `${changes}${about}${remarks(plan, paint)}${summaryText(plan, paint)}\n`;
}

function colourOf(action: Change["action"], paint: Paint): (text: string) => string {
  return { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[action];
}

function changeText(change: Change, plan: Plan, trips: boolean, paint: Paint): string {
  const colour = colourOf(change.action, paint);
  const from =
    change.previousKey === null ? "" : ` ${paint.dim("(was")} ${visible(change.previousKey)}${paint.dim(")")}`;
  // A pixel that another one takes the name from has its id in its key.
  const isSaid = change.action === "create" || change.key.endsWith(` #${change.live.id}`);
  const id = isSaid ? "" : paint.dim(` #${change.live.id}`);
  const mark = trips ? ` ${paint.red(BRAKE_MARK)}` : "";
  const head = `${colour(`${SYMBOL[change.action]} ${change.action} ${change.kind}`)} ${paint.bold(visible(change.key))}${from}${id}${mark}`;
  const origin = change.origin === null ? "" : ` · ${originText(change.origin)}`;
  const lines = [
    head,
    ...consequences(change, plan.base, paint),
    ...fieldLines(change, plan, paint),
    paint.dim(`    ${visible(showPlace(change.source))}${origin}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the change means for visitors, where it means the end of something; and why a deletion that no line asks for. */
function consequences(change: Change, base: Base | null, paint: Paint): string[] {
  const reason = change.action === "delete" ? reasonText(change.reason, base) : "";
  if (!change.breaksUrl || change.action === "create") return reason === "" ? [] : [`    ${reason}`];
  const { clicks } = change.live;
  const counted = clicks === null ? "" : ` It has ${plural(clicks, "click")}.`;
  const kept = clicks === null || clicks === 0 ? "" : ` Its ${plural(clicks, "click")} stay${clicks === 1 ? "s" : ""}.`;
  const old = visible(change.live.key);
  const says: Readonly<Record<"update" | "replace" | "delete", string>> = {
    update: `${old} stops answering as it did.${kept}`,
    replace: `${old} is deleted after ${visible(change.key)} is made; its clicks and id are lost.${counted}`,
    delete: `${old} stops answering.${counted}`,
  };
  const lines = [`    ${paint.red("!")} ${says[change.action]}`];
  return reason === "" ? lines : [...lines, `      ${reason}`];
}

/** Why something is deleted that no tombstone names. */
function reasonText(reason: Delete["reason"], base: Base | null): string {
  switch (reason) {
    case "removed":
      return `Its declaration was removed${base === null ? "" : ` since \`${visible(base.ref)}\``}.`;
    case "undeclared":
      return "It lies in scope and is declared nowhere.";
    case "moved":
      return "The link that replaces it is live already.";
    case "tombstone":
      return "";
    default:
      return reason satisfies never;
  }
}

function fieldLines(change: Change, plan: Plan, paint: Paint): string[] {
  const isNew = change.action === "create";
  const words = change.fields.flatMap((field) => wordChanges(change.kind, field, plan.zones, isNew));
  const width = Math.max(0, ...words.map(({ path }) => path.length));
  return words.map(
    (word) => `    ${word.path.padEnd(width)}  ${isNew ? showWord(word.after) : transition(word, paint)}`,
  );
}

function transition({ before, after }: WordChange, paint: Paint): string {
  if (isSetSecret(before) && isSetSecret(after)) return "(set, sent again)";
  return `${paint.dim(showWord(before))} → ${showWord(after)}`;
}

/** What the plan can't promise, and what it needs. */
function remarks(plan: Plan, paint: Paint): string {
  const lines = [...comparedLines(plan)];
  if (plan.secretsNeeded.length > 0)
    lines.push(`To apply, these must be there: ${plan.secretsNeeded.map(({ name }) => visible(name)).join(", ")}.`);
  if (plan.complete) lines.push(baseLine(plan.base));
  return lines.length === 0 ? "" : `${lines.map((line) => paint.dim(line)).join("\n")}\n\n`;
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
function summaryText({ complete, changes, summary, requests, brakes, withheld }: Plan, paint: Paint): string {
  if (!complete) return paint.red("Nothing was planned.");
  const unmanaged =
    summary.unmanaged === null ? "unmanaged not counted (not all links were read)" : `${summary.unmanaged} unmanaged`;
  const rest = `${summary.unchanged} unchanged, ${unmanaged}`;
  const asked = `${plural(requests.read, "request")} to read`;
  if (changes.length === 0 && withheld.length > 0)
    return `${paint.yellow("No changes but those left out.")} ${rest}; ${asked}.`;
  if (changes.length === 0) return `${paint.green("No changes.")} ${rest}; ${asked}.`;
  const counts = (["create", "update", "replace", "delete"] as const).flatMap((action) =>
    summary[action] === 0 ? [] : [`${summary[action]} to ${action}`],
  );
  const split = splitText(summary.origins);
  const made = paint.bold(`Plan: ${counts.join(", ")}${split === null ? "" : ` (${split})`}.`);
  if (brakes.length > 0) return `${made} ${paint.red("Refused by the brake: nothing is applied.")} ${rest}; ${asked}.`;
  return `${made} ${rest}; ${asked}, ${requests.apply} to apply, ${requests.verify} to verify.`;
}
