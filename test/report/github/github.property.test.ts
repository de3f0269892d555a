// Whatever stands in files and in the account, GitHub's runner gets our annotations from a report, with their texts, and nothing else.
// Fails when a text ends a command, begins another, or becomes a property. The runner's reading is modelled from its source.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/domain/diagnostic.ts";
import { github } from "../../../src/report/github/index.ts";
import { hasUnseen, visible } from "../../../src/domain/control-characters.ts";
import { obeyed } from "../../support/runner.ts";
import { isOutsideProject } from "../../../src/domain/place.ts";
import { CONTEXT, reportsOf, textsFrom } from "../reports.ts";

/** What means something to the runner, in any order, and any other signs. */
const PARTS = [
  "::¦:¦::error::x¦::set-output name=a::b¦::add-mask::x¦::stop-commands::t¦##[add-mask]x¦##[¦]¦%0A¦%0D¦%25",
  "%3A¦%¦\n¦\r¦\r\n¦\u2028¦\u0085¦\u202e¦\u001b[2J¦,line=99¦,¦=¦;¦file=x¦title=y¦ ¦\t¦a¦é¦😀¦\ud83d",
].flatMap((texts) => texts.split("¦"));

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
);

function decoded(text: string): string {
  return text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, point: string) => String.fromCodePoint(Number.parseInt(point, 16)));
}

const LEVEL = { error: "error", warning: "warning", info: "notice" } as const;
const diagnostic: fc.Arbitrary<Diagnostic> = fc.record({
  code: fc.constantFrom("unknown-key", "wrong-type"),
  severity: fc.constantFrom("error", "warning", "info"),
  message: hostile,
  place: fc.option(
    fc.record({ file: hostile, line: fc.integer({ min: 1, max: 99 }), column: fc.integer({ min: 1, max: 99 }) }),
  ),
  hint: fc.option(hostile),
});

describe("what the runner obeys", () => {
  test("of findings are these, each with its text, and at its place where that can be told", () => {
    fc.assert(
      fc.property(fc.array(diagnostic, { maxLength: 8 }), (diagnostics) => {
        const output = github.render({ of: "validate", isValid: false, files: 1, diagnostics }, CONTEXT);
        const commands = obeyed(output);
        expect(commands).toHaveLength(diagnostics.length);
        const ordered = (["error", "warning", "info"] as const).flatMap((severity) =>
          diagnostics.filter((one) => one.severity === severity),
        );
        for (const [at, { code, severity, message, place: where, hint }] of ordered.entries()) {
          const { name, properties, data } = commands[at] ?? { name: "", properties: {}, data: "" };
          const isOutside = where !== null && isOutsideProject(where);
          const file = where === null ? null : isOutside ? where.file : `marketing/${where.file}`;
          const isMarked = file !== null && !isOutside && !hasUnseen(file);
          expect(name).toBe(LEVEL[severity]);
          expect(properties["title"]).toBe(`linkform: ${code}`);
          expect(Object.keys(properties)).toEqual(isMarked ? ["file", "line", "col", "endColumn", "title"] : ["title"]);
          if (isMarked) expect([properties["file"], properties["line"]]).toEqual([file, String(where?.line)]);
          const told = where === null || isMarked ? [] : [visible(`${file}:${where.line}`)];
          const lines = [visible(message), ...(hint === null ? [] : [visible(hint)]), ...told];
          expect(data).toBe(lines.join("\n"));
        }
      }),
    );
  });

  test("of plans, drift and applies are annotations", () => {
    fc.assert(
      fc.property(textsFrom(hostile), (t) => {
        const reports = reportsOf(t);
        for (const report of reports) {
          const output = github.render(report, {
            ...CONTEXT,
            project: `${t.file}/x.yaml`,
            otherReports: [{ format: "html", file: t.file }],
            runUrl: t.label,
          });
          for (const command of obeyed(output)) {
            expect(["error", "warning", "notice"]).toContain(command?.name);
            const names = ["file", "line", "col", "endColumn", "title"];
            expect(names).toEqual(expect.arrayContaining(Object.keys(command?.properties ?? {})));
            expect(hasUnseen(`${command?.data.replaceAll("\n", "")}${JSON.stringify(command?.properties)}`)).toBe(
              false,
            );
          }
          expect(hasUnseen(output.replaceAll("\n", ""))).toBe(false);
        }
        // Letters that look like others may be shown by code point.
        const texts = obeyed(github.render(reports[1], CONTEXT)).map(
          (one) => `${one?.properties["title"]} ${one?.data}`,
        );
        const named = decoded(` → ${visible(t.key)}`.trimEnd());
        expect([texts, texts.some((text) => decoded(text).includes(named))]).toEqual([texts, true]);
      }),
    );
  });
});

// Fails when the model of the runner above would let everything pass.
test.each([
  ["::error file=a,line=1::x%0Ay", [{ name: "error", properties: { file: "a", line: "1" }, data: "x\ny" }]],
  ["  ::set-output name=a%3Ab::c", [{ name: "set-output", properties: { name: "a:b" }, data: "c" }]],
  ["text ##[add-mask]secret", [{ name: "add-mask", properties: {}, data: "secret" }]],
  ["::nothing::x ##[error]y", [{ name: "error", properties: {}, data: "y" }]],
  ["a\r::error::b", [null, { name: "error", properties: {}, data: "b" }]],
  ["a ::error::b", [null]],
])("of %j the runner obeys %j", (line, commands) => {
  expect(obeyed(`${line}\n`)).toEqual(commands);
});
