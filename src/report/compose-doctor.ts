// The checks of `doctor`, each with what to do.

import type { Cell, LogBlock } from "./blocks.ts";
import type { DoctorDocument } from "./json/schema.ts";
import { line, prose } from "./spans.ts";

const MARK = { ok: "✓", warning: "!", failed: "✗" } as const;
const TONE = { ok: "good", warning: "warn", failed: "bad" } as const;

export function doctorLog({ checks }: DoctorDocument): LogBlock[] {
  const rows = checks.flatMap(({ name, status, message, hint }): Cell[][] => [
    [
      { tone: TONE[status], line: line`${MARK[status]} ${name}` },
      { tone: "calm", line: prose(message) },
    ],
    ...(hint === null
      ? []
      : [
          [
            { tone: "calm" as const, line: [] },
            { tone: "aside" as const, line: prose(hint) },
          ],
        ]),
  ]);
  const failed = checks.filter(({ status }) => status === "failed").length;
  const verdict = failed === 0 ? "All is well." : `${failed} of ${checks.length} checks failed.`;
  const columns = [
    { fit: "cut", min: 30, isKept: true },
    { fit: "wrap", min: 20, isKept: true },
  ] as const;
  return [
    { is: "table", indent: 0, columns, rows },
    { is: "lines", tone: failed === 0 ? "good" : "bad", lines: [line`${verdict}`], keep: 9 },
  ];
}
