// Unmanaged objects, with the lines that would declare them.

import type { Declarable } from "../../edit/declare.ts";
import { problemTexts, declaringSections, TO_DECLARE } from "../../view/unmanaged.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** What can't be declared, and then one piece of YAML for all the rest; empty where nothing is unmanaged. */
export function unmanagedText(all: readonly Declarable[], { paint, columns }: Screen): string {
  if (all.length === 0) return "";
  const problems = problemTexts(all).map((problem) => `    ${wrap(problem, columns, 8, 4)}\n`);
  const sections = declaringSections(all);
  const head = paint.bold("Unmanaged: live, but in no file.");
  const lines = sections.length === 0 ? "" : `${paint.dim(wrap(TO_DECLARE, columns, 0))}\n\n${sections.join("\n")}\n`;
  return `${head}\n${problems.join("")}${lines}`;
}
