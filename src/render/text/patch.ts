// What changes in a file, as a unified diff.

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Screen } from "./screen.ts";
import { visible } from "../../domain/control-characters.ts";
import type { FileEdit } from "../../view/report.ts";

/** The unified diff of a file, as git shows it: a patch that can be applied in the project folder. */
export function patchText({ file, before, after }: FileEdit, { paint }: Screen): string {
  const [from, to] = [before === null ? "/dev/null" : `a/${file}`, after === null ? "/dev/null" : `b/${file}`];
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch
    .split("\n")
    .map((line, index) => {
      // As git does: else `patch` takes what stands before a space for the name.
      const isNamed = index < 2 && line.endsWith(file) && file.includes(" ");
      const shown = isNamed ? `${visible(line)}\t` : applicable(line);
      if (line.startsWith("+++") || line.startsWith("---")) return paint.bold(shown);
      if (line.startsWith("@@")) return paint.cyan(shown);
      if (line.startsWith("+")) return paint.green(shown);
      return line.startsWith("-") ? paint.red(shown) : shown;
    })
    .join("\n");
}

/** A line whose unseen signs are shown, but for those that every line or file may have: with them written out it could not be applied. */
function applicable(line: string): string {
  const [, start = "", text = "", end = ""] = /^([-+ ]\uFEFF)?(.*?)(\r?)$/s.exec(line) ?? [];
  return start + visible(text) + end;
}
