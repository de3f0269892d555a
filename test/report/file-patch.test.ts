// The patches of dry runs and of `fmt --check`. Fails if a patch of a large change does not lead to the new text, or takes quadratic time.

import { applyPatch } from "diff";
import { describe, expect, it } from "vitest";
import { filePatch } from "../../src/report/text-diff.ts";

const LINES = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);

describe("the patch of a file", () => {
  it.each([
    ["with all lines changed", `${LINES.join("\n")}\n`, `${LINES.map((line) => `${line}!`).join("\n")}\n`],
    ["with the last line break removed", `${LINES.join("\n")}\n`, LINES.toReversed().join("\n")],
    ["that is new", null, `${LINES.join("\n")}\n`],
    ["that is deleted", LINES.join("\n"), null],
    ["with one line changed", `${LINES.join("\n")}\n`, `${LINES.with(9000, "new").join("\n")}\n`],
  ])("%s leads to the new text", (_, before, after) => {
    const patch = filePatch({ file: "links/a.yaml", before, after });
    expect(applyPatch(before ?? "", patch)).toBe(after ?? "");
  });

  it("shows only the lines around a change", () => {
    const before = `${LINES.join("\n")}\n`;
    const patch = filePatch({ file: "a b.yaml", before, after: before.replace("line 9000\n", "new\n") });
    expect(patch.split("\n")).toHaveLength(12);
    expect(patch).toContain("--- a/a b.yaml\t\n+++ b/a b.yaml\t\n@@ -8998,7 +8998,7 @@\n");
  });
});
