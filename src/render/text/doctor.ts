// What the doctor found, as text.

import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import type { Check } from "../../view/report.ts";

const MARK: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "!", failed: "✗" };

/** Beside the names: a mark before, and a gap behind. */
const INDENT = 4;

/** A line for each check, and what to do below it. */
export function checksText(checks: readonly Check[], { paint, columns }: Screen): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const colour = { ok: paint.green, warning: paint.yellow, failed: paint.red };
  const lines = checks.map(({ name, status, message, hint }) => {
    const prose = (text: string): string => wrap(visible(text), columns, width + INDENT);
    const line = `${colour[status](`${MARK[status]} ${name.padEnd(width)}`)}  ${prose(message)}\n`;
    return hint === null ? line : `${line}${" ".repeat(width + INDENT)}${paint.dim(prose(hint))}\n`;
  });
  const count = checks.filter(({ status }) => status === "failed").length;
  const verdict = count === 0 ? paint.green("All is well.") : paint.red(`${count} of ${checks.length} checks failed.`);
  return `${lines.join("")}\n${verdict}\n`;
}
