// Live objects as text: their fields, and how the files declare them.

import { fieldsText } from "../../domain/live.ts";
import { showPlace } from "../../domain/place.ts";
import { reportedChange } from "../change-document.ts";
import { readingOf } from "../compose.ts";
import { changeItem } from "../compose-changes.ts";
import { fieldLines, itemText } from "./blocks.ts";
import { diagnosticsText, logContext } from "./log.ts";
import { wholeRows } from "../rows.ts";
import { plural } from "../counts.ts";
import type { Screen } from "./screen.ts";
import { shownFacts, shownFields, type ShownRecord, type ShowReport } from "../inspect.ts";
import { unmanagedDocuments, unmanagedLines } from "../unplanned.ts";
import { visible } from "../../domain/control-characters.ts";
import { wrap } from "./width.ts";

/** Each object; with `--verbose`, also the number of requests. */
export function showText({ shown, hasProject, requests }: ShowReport, screen: Screen): string {
  const objects = shown.map((one) => objectText(one, hasProject, screen));
  const cost = screen.isVerbose === true ? [`${screen.paint.dim(`${plural(requests, "request")}.`)}\n`] : [];
  return [...objects, ...cost].join("\n");
}

function objectText(one: ShownRecord, hasProject: boolean, screen: Screen): string {
  const { paint, columns } = screen;
  const { live } = one;
  const head = `${live.kind} ${paint.bold(visible(live.key))}${paint.dim(` #${live.id}`)}`;
  const { fields, defaults } = shownFields(one);
  return [
    wrap(head, columns, 4, 0),
    ...fieldLines([...shownFacts(one), ...fields].flatMap(wholeRows), screen),
    ...(defaults.length === 0
      ? []
      : [paint.dim(`    ${wrap(`With default values: ${defaults.join(", ")}.`, columns, 4)}`)]),
    ...unreadableLines(one, screen),
    "",
    filesText(one, hasProject, screen),
  ].join("\n");
}

function unreadableLines({ unreadable }: ShownRecord, { paint, columns }: Screen): string[] {
  if (unreadable.length === 0) return [];
  const text = `linkform cannot read this: ${fieldsText(unreadable)}. It does not change or delete it.`;
  return [paint.yellow(wrap(visible(text), columns, 4))];
}

/** How the files declare it, and the change that would follow. */
function filesText(one: ShownRecord, hasProject: boolean, screen: Screen): string {
  const { paint, columns } = screen;
  const { declared, absent, family, change, problems, plan, declarable, isPruned } = one;
  const line = (text: string): string => `${wrap(text, columns, 0)}\n`;
  const place = declared ?? absent;
  if (place !== null) {
    const at = visible(showPlace(place));
    const by = family === null ? "" : ` in the family \`${visible(family)}\``;
    const where = declared === null ? `A tombstone at ${at} deletes it.` : `Declared${by} at ${at}.`;
    if (problems.length > 0)
      return `${line(`${where} linkform cannot compare it:`)}\n${diagnosticsText(problems, screen)}`;
    if (change === null) return line(declared === null ? where : `${where} ${paint.green("It matches the file.")}`);
    const differs =
      declared === null ? "" : ` ${paint.yellow("It differs from the file.")} An apply would make this change:`;
    return `${line(`${where}${differs}`)}\n${itemText(changeItem(reportedChange(change, plan), readingOf(logContext(screen))), screen)}`;
  }
  const unsaid =
    problems.length === 0
      ? ""
      : `${line("It is unknown whether the files declare it:")}\n${diagnosticsText(problems, screen)}\n`;
  if (declarable === null) return unsaid;
  const pruned = isPruned ? line(paint.red("It is in scope, so the next apply deletes it (`prune: scope`).")) : "";
  const nowhere = unsaid !== "" ? "" : hasProject ? "Not declared in any file. " : "No project was read. ";
  if ("problem" in declarable)
    return `${unsaid}${pruned}${line(`${nowhere}It cannot be declared here: ${visible(declarable.problem)}.`)}`;
  const lines = unmanagedLines(unmanagedDocuments([declarable]));
  return `${unsaid}${pruned}${line(`${nowhere}These lines would declare it:`)}\n${lines}`;
}
