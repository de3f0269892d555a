// How a report begins: its marker, what it is about, and what must not be overlooked.

import type { Setting } from "../format.ts";
import { markerOf } from "./marker.ts";
import { fixed, type ReportBlock } from "./fit.ts";
import { code } from "./inline.ts";
import { shortened } from "../../view/shorten.ts";

/** More of a path than this makes no heading. */
const LONGEST = 80;

/** The marker and the heading, which names the project where there may be more than one. */
export function headBlock(command: string, { project }: Setting): ReportBlock {
  const name = project === "" || project === "linkform.yaml" ? "" : `: ${code(shortened(project, LONGEST))}`;
  return fixed(`${markerOf(command, project)}\n## linkform ${command}${name}\n\n`);
}

/** A box that is seen first: a line that stays, and more where there is room. */
export function alertBlock(line: string, more: readonly string[]): ReportBlock {
  const box = (lines: readonly string[]): string => `> [!CAUTION]\n${lines.map((one) => `> ${one}\n`).join(">\n")}\n`;
  const all = box([line, ...more]);
  const fits = (most: number): string | null => (all.length <= most ? all : null);
  return [{ draw: fits, stage: 134 }, ...fixed(box([line]))];
}
