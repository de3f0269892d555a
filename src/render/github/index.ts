// A report as GitHub's annotations: findings beside the lines they are about, on the page of the run and in the pull request.
//
// A reviewer sees the difference of the files there already. So of a plan only that is annotated which no difference shows:
// what ends a short URL, with its clicks, and what stays live though nobody declares it any more. Other changes are counted in
// one notice, and where nothing changes nothing is said. A summary of all changes is for `markdown`.

import { plural } from "../../view/counts.ts";
import type { Format, Setting } from "../format.ts";
import { commandText, LEVELS, type Annotation, type Level } from "./annotation.ts";
import { annotationsOf } from "./annotations.ts";
import type { Report } from "../../view/report.ts";
import { visible } from "../../domain/control-characters.ts";

/** What GitHub shows of each level for one step; of a job it shows 50. */
const MOST = 10;

export const github: Format = {
  render: (report, setting) => {
    const all = annotationsOf(report, setting);
    return LEVELS.flatMap((level) => within(all, level, report, setting))
      .map((annotation) => commandText(annotation, setting))
      .join("");
  },
};

/** Those of a level, as many as are shown; then the last one says how many more there are, and where. */
function within(all: readonly Annotation[], level: Level, report: Report, setting: Setting): readonly Annotation[] {
  const those = all.filter((one) => one.level === level);
  if (those.length <= MOST) return those;
  const told = those.slice(0, MOST - 1);
  const more = plural(those.length - told.length, `more ${level}`);
  return [...told, { level, title: `And ${more}`, message: whereAreAll(report, setting), place: null }];
}

function whereAreAll(report: Report, { besides, run }: Setting): string {
  const [whole] = WHOLE.flatMap((format) => besides.filter((one) => one.format === format));
  const says =
    whole === undefined ? `\`linkform ${commandOf(report)}\` lists them all.` : `${nameOf(whole.file)} has them all.`;
  return run === null ? says : `${says} ${visible(run)}`;
}

/** Formats that leave nothing out, those for people first. */
const WHOLE = ["html", "text", "json"] as const;

/** A file of the runner's own is no name to look for. */
function nameOf(file: string): string {
  return /^([/\\]|[a-z]:)/i.test(file) ? "The report of this run" : visible(file);
}

function commandOf(report: Report): string {
  if (report.of === "failure") return report.command;
  return report.of === "held" ? "plan" : report.of;
}
