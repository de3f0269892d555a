// What is no longer declared and still live, with the lines to paste.

import type { Plan, Orphan, Base, References } from "../../domain/change.ts";
import { visible } from "../../domain/control-characters.ts";
import { showPlace } from "../../domain/place.ts";
import { plural } from "../../view/counts.ts";
import { tombstones, successorText, orphanLines } from "../../view/orphans.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** Each of them, and what to paste; empty where there is none, else it ends with an empty line. */
export function orphansText({ orphans, references, base }: Plan, screen: Screen): string {
  if (orphans.length === 0) return "";
  const list = orphans.map((orphan) => orphanText(orphan, base, references, screen)).join("");
  const absent = tombstones(orphans, references);
  const toDelete =
    absent === ""
      ? ""
      : `To delete ${orphans.some(({ successor }) => successor !== null) ? "the others" : "them"}:\n${indent(absent, 4)}`;
  return `${screen.paint.bold("No longer declared, still live:")}\n${list}${toDelete}\n`;
}

function orphanText(
  { live, place, successor }: Orphan,
  base: Base | null,
  references: References,
  screen: Screen,
): string {
  const { paint, columns } = screen;
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  const where = `${showPlace(place)}${base === null ? "" : ` at ${base.ref}`}`;
  const advice = successorText({ live, place, successor });
  const lines = [
    `    ${live.kind} ${paint.bold(visible(live.key))}${paint.dim(` #${live.id}`)}${clicks}`,
    `        ${paint.dim(`was declared in ${visible(where)}`)}`,
  ];
  if (advice !== null) lines.push(`        ${wrap(advice, columns, 8)}`);
  const rename = successor === null ? "" : indent(orphanLines({ live, place, successor }, references), 12);
  return `${lines.join("\n")}\n${rename}`;
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(by));
}
