// The parts of a plan other than its changes: withheld changes, orphans, unmanaged objects and remarks.

import type { Orphan, Plan, Withheld } from "../../domain/change.ts";
import { maskUsers } from "../confusables.ts";
import type { Declarable } from "../../edit/declare.ts";
import { plural, showCount } from "../counts.ts";
import type { RenderContext } from "../format.ts";
import { deleteAdvice, groupWithheld, partialText, renameAdvice, USERS_HIDDEN, waitsForText } from "../unplanned.ts";
import { PLAIN } from "../text/screen.ts";
import { unmanagedText } from "../text/plan.ts";
import { shrinking, type ReportBlock } from "./fit.ts";
import { code, fence, fold, listItems, placeText, prose } from "./inline.ts";

const MAX_NAMED = 10;

/** The maximum number of objects in YAML to paste. */
const MAX_DECLARED = 2000;

export function withheldBlock(plan: Plan): ReportBlock[] {
  if (plan.withheld.length === 0) return [];
  const head = `### Left out\n\n${partialText(plan)}\n\n`;
  const reasons = (max: number): string =>
    groupWithheld(plan)
      .map(
        ({ reason, changes: those }) =>
          `- ${showCount(those.length)} ${prose(reason)}${max === 0 ? "" : `: ${named(those, max)}`}\n`,
      )
      .join("");
  return [
    shrinking([7, () => `${head}${reasons(MAX_NAMED)}\n`], [97, () => `${head}${reasons(0)}\n`], [128, () => head]),
  ];
}

function named(withheld: readonly Withheld[], max: number): string {
  const items = withheld.slice(0, max).map((one) => {
    const { action, kind, key } = one.change;
    return `${action} ${kind} ${code(key)}${prose(waitsForText(one))}`;
  });
  const rest = withheld.length - items.length;
  return `${items.join("; ")}${rest === 0 ? "" : `; … and ${showCount(rest)} more`}`;
}

export function orphansBlock(plan: Plan, context: RenderContext): ReportBlock[] {
  const { orphans } = plan;
  if (orphans.length === 0) return [];
  const head = `### No longer declared, but still live: ${plural(orphans.length, "object")}\n\n`;
  const list = (max: number): string => listItems(orphans, max, (orphan) => orphanText(orphan, plan, context));
  const absent = deleteAdvice(plan, MAX_DECLARED);
  const paste =
    absent === null ? "" : `${prose(absent.text)}\n\n${absent.lines === "" ? "" : `${fence(absent.lines, "yaml")}\n`}`;
  const first =
    orphans.length <= MAX_NAMED
      ? list(MAX_NAMED)
      : `${list(MAX_NAMED)}${fold(`All ${showCount(orphans.length)}`, list(Infinity))}`;
  return [
    shrinking(
      [8, () => `${head}${first}${paste}`],
      [48, () => `${head}${list(MAX_NAMED)}`],
      [88, () => `${head}${list(3)}`],
      [108, () => head],
    ),
  ];
}

function orphanText(orphan: Orphan, plan: Plan, context: RenderContext): string {
  const { live, place } = orphan;
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  const line = `- ${live.kind} ${code(live.key)} (id ${live.id}${clicks}), was declared in ${placeText(place, context)}\n`;
  const advice = renameAdvice(orphan, plan.references);
  return advice === null ? line : `${line}  - ${prose(advice.text)} ${code(advice.lines.trim())}\n`;
}

export function unmanagedBlock(all: readonly Declarable[] | null): ReportBlock[] {
  if (all === null || all.length === 0) return [];
  const head = `### ${plural(all.length, "unmanaged object")}\n\n`;
  const block = (max: number): string => {
    const text = unmanagedText(all.slice(0, max), PLAIN);
    const shown = maskUsers(text);
    const lines = `${shown === text ? "" : `${prose(USERS_HIDDEN)}\n\n`}${fence(shown, "text")}`;
    return `${head}${fold(max < all.length ? `Lines that declare the first ${showCount(max)}` : "Lines that declare them", lines)}`;
  };
  return [
    shrinking([3, () => block(MAX_DECLARED)], [23, () => block(100)], [43, () => block(MAX_NAMED)], [94, () => head]),
  ];
}

export function remarksBlock(summary: string, sentences: readonly string[]): ReportBlock[] {
  if (sentences.length === 0) return [];
  const lines = sentences.map((sentence) => `- ${prose(sentence)}\n`).join("");
  return [shrinking([106, () => fold(summary, lines)])];
}
