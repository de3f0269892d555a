// What a plan says besides its changes: what is left out of it, what is live and no longer declared, and what it rests on.

import type { Orphan, Plan, Withheld } from "../../domain/change.ts";
import { maskUsers } from "../../view/confusables.ts";
import type { Declarable } from "../../edit/declare.ts";
import { plural, showCount } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import {
  groupWithheld,
  orphanLines,
  partialText,
  successorText,
  tombstones,
  USERS_HIDDEN,
  waitsForText,
} from "../../view/unplanned.ts";
import { PLAIN } from "../text/screen.ts";
import { unmanagedText } from "../text/plan.ts";
import { texts, type ReportBlock } from "./fit.ts";
import { code, fence, fold, prose } from "./inline.ts";
import { placeText } from "./place.ts";

/** So many are named where they stand. */
const GLANCE = 10;

/** More lines than these are pasted from a file, not from a report. */
const MOST_LINES = 2000;

/** What the files ask for and the plan leaves out. */
export function withheldBlock(plan: Plan): ReportBlock[] {
  if (plan.withheld.length === 0) return [];
  const head = `### Left out\n\n${partialText(plan)}\n\n`;
  const reasons = (most: number): string =>
    groupWithheld(plan)
      .map(
        ({ reason, changes: those }) =>
          `- ${showCount(those.length)} ${prose(reason)}${most === 0 ? "" : `: ${named(those, most)}`}\n`,
      )
      .join("");
  return [texts([7, () => `${head}${reasons(GLANCE)}\n`], [97, () => `${head}${reasons(0)}\n`], [128, () => head])];
}

function named(those: readonly Withheld[], most: number): string {
  const texted = those.slice(0, most).map((one) => {
    const { action, kind, key } = one.change;
    return `${action} ${kind} ${code(key)}${prose(waitsForText(one))}`;
  });
  const rest = those.length - texted.length;
  return `${texted.join("; ")}${rest === 0 ? "" : `; … and ${showCount(rest)} more`}`;
}

/** What was declared at the base, is declared no longer, and stays live. */
export function orphansBlock(plan: Plan, setting: Setting): ReportBlock[] {
  const { orphans } = plan;
  if (orphans.length === 0) return [];
  const head = `### No longer declared, still live: ${plural(orphans.length, "object")}\n\n`;
  const list = (most: number): string => {
    const lines = orphans.slice(0, most).map((orphan) => orphanText(orphan, plan, setting));
    const rest = orphans.length - lines.length;
    return `${lines.join("")}${rest <= 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
  };
  const absent = tombstones(orphans.slice(0, MOST_LINES), plan.references);
  const others = orphans.some(({ successor }) => successor !== null) ? "the others" : "them";
  const paste = absent === "" ? "" : `To delete ${others}:\n\n${fence(absent, "yaml")}\n`;
  const first =
    orphans.length <= GLANCE
      ? list(GLANCE)
      : `${list(GLANCE)}${fold(`All ${showCount(orphans.length)}`, list(Infinity))}`;
  return [
    texts(
      [8, () => `${head}${first}${paste}`],
      [48, () => `${head}${list(GLANCE)}`],
      [88, () => `${head}${list(3)}`],
      [108, () => head],
    ),
  ];
}

function orphanText(orphan: Orphan, plan: Plan, setting: Setting): string {
  const { live, place } = orphan;
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  const line = `- ${live.kind} ${code(live.key)} (id ${live.id}${clicks}), was declared in ${placeText(place, setting)}\n`;
  const advice = successorText(orphan);
  if (advice === null) return line;
  return `${line}  - ${prose(advice)} ${code(orphanLines(orphan, plan.references).trim())}\n`;
}

/** What is live and in no file, where that was asked for. */
export function unmanagedBlock(all: readonly Declarable[] | null): ReportBlock[] {
  if (all === null || all.length === 0) return [];
  const head = `### Unmanaged: ${plural(all.length, "object")} live, and in no file\n\n`;
  const block = (most: number): string => {
    const text = unmanagedText(all.slice(0, most), PLAIN);
    const shown = maskUsers(text);
    const lines = `${shown === text ? "" : `${prose(USERS_HIDDEN)}\n\n`}${fence(shown, "text")}`;
    return `${head}${fold(most < all.length ? `The lines that declare the first ${showCount(most)}` : "The lines that declare them", lines)}`;
  };
  return [texts([3, () => block(MOST_LINES)], [23, () => block(100)], [43, () => block(GLANCE)], [94, () => head])];
}

/** Sentences for those who want to know more. */
export function remarksBlock(summary: string, sentences: readonly string[]): ReportBlock[] {
  if (sentences.length === 0) return [];
  const lines = sentences.map((sentence) => `- ${prose(sentence)}\n`).join("");
  return [texts([106, () => fold(summary, lines)])];
}
