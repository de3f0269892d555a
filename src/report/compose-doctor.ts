// The checks of `doctor`, each with what to do.

import { cell, sentences, twoColumns, type LogBlock } from "./blocks.ts";
import type { DoctorDocument } from "./json/schema.ts";
import { line, prose } from "./spans.ts";

const MARK = { ok: "✓", warning: "!", failed: "✗" } as const;
const TONE = { ok: "good", warning: "warn", failed: "bad" } as const;

export function doctorLog({ checks }: DoctorDocument): LogBlock[] {
  const rows = checks.flatMap(({ name, status, message, hint }) => [
    [cell(line`${MARK[status]} ${name}`, TONE[status]), cell(prose(message))],
    ...(hint === null ? [] : [[cell([]), cell(prose(hint), "muted")]]),
  ]);
  const failed = checks.filter(({ status }) => status === "failed").length;
  const verdict = failed === 0 ? "All is well." : `${failed} of ${checks.length} checks failed.`;
  return [twoColumns(null, 0, rows), ...sentences(failed === 0 ? "good" : "bad", [line`${verdict}`])];
}
