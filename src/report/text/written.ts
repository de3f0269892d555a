// The result of a command that writes files, as text and as a patch.

import { countBy, plural, showCount } from "../counts.ts";
import type { FileEdit, WrittenReport } from "../report.ts";
import { filePatch } from "../text-diff.ts";
import type { Screen } from "./screen.ts";
import { visible } from "../../domain/control-characters.ts";
import { colorLines, wrap } from "./width.ts";

const DONE = {
  added: "added",
  changed: "changed",
  removed: "removed",
  tombstoned: "tombstone",
  skipped: "skipped",
};

const WHY_VARIABLES: Readonly<Record<WrittenReport["command"], string>> = {
  pull: "The service does not return passwords.",
  rm: "The service does not return passwords.",
  import: "Passwords are not written to files.",
  init: "The service does not return passwords.",
  fmt: "",
};

/** The patch of a dry run, or the written files, and the next steps. */
export function writtenText(report: WrittenReport, screen: Screen): string {
  const { paint } = screen;
  const shown = report.isWritten ? [] : report.edits.filter(({ isCopy }) => isCopy !== true);
  const patches = shown.map((edit) => patchText(edit, screen)).join("");
  const noted = report.items.filter(({ what, note }) => note !== null || what === "removed" || what === "tombstoned");
  const items = noted.map(({ what, kind, key, note }) => {
    const subject = `${what === "tombstoned" ? "tombstone for" : DONE[what]} ${kind}${key === null ? "" : ` ${key}`}`;
    return `${wrap(visible(note === null ? subject : `${subject}: ${note}`), screen.columns, 2)}\n`;
  });
  const variables =
    report.variables.length === 0
      ? ""
      : `\n${WHY_VARIABLES[report.command]} Set ${plural(report.variables.length, "environment variable")} before you apply:\n${report.variables.map((name) => `    ${name}\n`).join("")}`;
  const next = report.next.length === 0 ? "" : `\n${report.next.map((line) => nextLine(line, screen)).join("")}`;
  return `${patches}${patches === "" ? "" : "\n"}${items.join("")}${filesLine(report, paint.green)}${variables}${next}`;
}

/** Wraps a sentence at its own indentation, below the text of a list item. */
function nextLine(line: string, { columns }: Screen): string {
  const [, spaces = "", item = "", sentence = ""] = /^( *)(- )?(.*)$/s.exec(visible(line)) ?? [];
  const indent = spaces.length + item.length;
  return `${spaces}${item}${wrap(sentence, columns, indent)}\n`;
}

function filesLine({ command, edits, isWritten, items }: WrittenReport, good: (text: string) => string): string {
  if (edits.length === 0) return "The files need no changes.\n";
  const order = ["added", "changed", "removed", "tombstoned", "skipped"] as const;
  const counts = [...countBy(items, ({ what }) => what, order)].map(([what, count]) =>
    what === "tombstoned" ? plural(count, "tombstone") : `${showCount(count)} ${DONE[what]}`,
  );
  const verb = isWritten ? good("Written:") : command === "fmt" ? "Not formatted:" : "Dry run, nothing was written:";
  const rows = edits.map(
    ({ file, before, after }) => `    ${before === null ? "+" : after === null ? "-" : "~"} ${visible(file)}\n`,
  );
  return `${verb} ${plural(edits.length, "file")}${counts.length === 0 ? "" : `, ${counts.join(", ")}`}.\n${rows.join("")}`;
}

function patchText(edit: FileEdit, { paint }: Screen): string {
  const color = (line: string): string => {
    if (line.startsWith("+++") || line.startsWith("---")) return paint.bold(line);
    if (line.startsWith("@@")) return paint.cyan(line);
    if (line.startsWith("+")) return paint.green(line);
    return line.startsWith("-") ? paint.red(line) : line;
  };
  return colorLines(filePatch(edit), color);
}
