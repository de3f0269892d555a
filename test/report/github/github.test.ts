// Annotations on GitHub. Fails if a reviewer would miss that a short URL ends, or get an annotation at each line of the diff; if there are
// more than GitHub shows; if one is at a line that does not exist; or if a text from outside ends a command, begins another, or becomes a
// property. The model of GitHub's runner follows its source.

import fc from "fast-check";
import { expect, test } from "vitest";
import { hasUnseen, visible } from "../../../src/domain/control-characters.ts";
import { error, groupIdentical, warning, type Diagnostic } from "../../../src/domain/diagnostic.ts";
import { isOutsideProject, SourceText } from "../../../src/domain/place.ts";
import type { RenderContext, Report } from "../../../src/report/format.ts";
import { github } from "../../../src/report/github/index.ts";
import { shortHostileText } from "../../support/hostile.ts";
import { obeyed, type RunnerCommand } from "../../support/runner.ts";
import { runs } from "../../support/states.ts";
import { BASE, create, GO, liveLink, place, planOf, remove, update } from "../plans.ts";
import { CONTEXT, invalidReport, planReport, reportsOf, textsFrom } from "../reports.ts";
import { driftReport } from "../../../src/report/run-document.ts";

function annotations(report: Report, setting: Partial<RenderContext> = {}): RunnerCommand[] {
  return obeyed(github(report, { ...CONTEXT, ...setting })).flatMap((command) => command ?? []);
}

/** Text in a commit, and a place there. */
const AT_BASE = new SourceText("links:\n  gone: {}\n", "links/gone.yaml", "origin/main").place(9, 13);

const MOVED = { path: "url", before: "https://old.example.com/", after: "https://example.com/" } as const;

test("of a plan: a line of the base is named, but not annotated", () => {
  const plan = planOf([remove(liveLink("gone"), { reason: "removed", source: AT_BASE })], { base: BASE });
  const [first] = annotations(planReport(plan));
  expect(first?.properties).toEqual({ title: `Delete link ${GO}/gone · id 7 · 12 clicks` });
  expect(first?.data.split("\n")).toEqual([
    "It was removed from the files since `origin/main`.",
    "destination  https://example.com/",
    "marketing/links/gone.yaml:2 at origin/main",
  ]);
});

test("of a plan: an object that is no longer declared, and a possible rename at its line", () => {
  const successor = create(`${GO}/new`, { source: place(5) });
  const orphans = [
    { live: liveLink("left", { clicks: 40 }), place: AT_BASE, successor: null },
    { live: liveLink("old"), place: AT_BASE, successor },
  ];
  const [left, rename] = annotations(planReport(planOf([successor], { orphans, base: BASE })));
  const title = `No longer declared: link ${GO}/left · id 7 · 40 clicks`;
  expect([rename?.name, rename?.properties["line"]]).toEqual(["warning", "5"]);
  expect(rename?.properties["title"]).toMatch(/^No longer declared: link /);
  expect(rename?.data).toContain(`renamed_from: ${GO}/old`);
  expect([left?.name, left?.properties]).toEqual(["warning", { title }]);
  expect(left?.data.split("\n")).toEqual([
    "Removing a block deletes nothing. To delete this object, add a tombstone (`absent`).",
    "marketing/links/gone.yaml:2 at origin/main",
  ]);
});

test("changes that are alike are annotated at the first of them", () => {
  const changed = Array.from({ length: 6 }, (_, at) =>
    update(liveLink(`l${at}`), { source: place(at + 4), fields: [MOVED] }),
  );
  const [first, ...others] = annotations(driftReport({ plan: planOf(changed), problems: [], baseUrl: "" }));
  expect([first?.properties["file"], first?.properties["line"]]).toEqual(["marketing/links/a.yaml", "4"]);
  expect(first?.data).toContain(`${GO}/ l0, l1, l2, l3, l4, l5`);
  expect(others.map(({ name }) => name)).toEqual(["notice"]);
});

const many = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, at) => error("wrong", `It is ${at}.`, place(at + 1)));
test.each([10, 11, 500])(
  "of more than GitHub shows: of %i, ten are annotated, and the last one has the number of the others",
  (count) => {
    const results = annotations(invalidReport([...many(count), warning("rule", "Beware.", null)]));
    expect(results.map(({ name }) => name)).toEqual([...Array.from({ length: 10 }, () => "error"), "warning"]);
    const title = count === 10 ? "linkform: wrong" : `And ${count - 9} more errors`;
    expect([results[9]?.properties["title"], results[9]?.data]).toEqual(
      count === 10 ? [title, "It is 9."] : [title, "Full report: linkform validate"],
    );
  },
);

test("of more than GitHub shows: and the page of the run has them all", () => {
  const data = annotations(invalidReport(many(11)), { runUrl: "https://ci/42" }).at(-1)?.data;
  expect(data).toBe("Full report: the page of this run");
});

const hostile = shortHostileText.map((text) => (text === "" ? "::" : text));

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

test("the commands for the runner of findings are one for each, with its text, and at its place if that is a file of the project", () => {
  fc.assert(
    fc.property(fc.array(diagnostic, { maxLength: 8 }), (diagnostics) => {
      const output = github(invalidReport(diagnostics), CONTEXT);
      const commands = obeyed(output);
      expect(commands).toHaveLength(diagnostics.length);
      const ordered = (["error", "warning", "info"] as const).flatMap((severity) =>
        groupIdentical(diagnostics)
          .flat()
          .filter((one) => one.severity === severity),
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
        const places = where === null || isMarked ? [] : [visible(`${file}:${where.line}`)];
        const lines = [visible(message), ...(hint === null ? [] : [visible(hint)]), ...places];
        expect(data).toBe(lines.join("\n"));
      }
    }),
  );
});

test("the commands for the runner of plans, drift and applies are only annotations", () => {
  fc.assert(
    fc.property(textsFrom(hostile), (t) => {
      const reports = reportsOf(t);
      for (const report of reports) {
        const output = github(report, {
          ...CONTEXT,
          project: `${t.file}/x.yaml`,
          runUrl: t.label,
        });
        for (const command of obeyed(output)) {
          expect(["error", "warning", "notice"]).toContain(command?.name);
          const names = ["file", "line", "col", "endColumn", "title"];
          expect(names).toEqual(expect.arrayContaining(Object.keys(command?.properties ?? {})));
          expect(hasUnseen(`${command?.data.replaceAll("\n", "")}${JSON.stringify(command?.properties)}`)).toBe(false);
        }
        expect(hasUnseen(output.replaceAll("\n", ""))).toBe(false);
      }
      // Letters that look like others may be shown by code point.
      const texts = obeyed(github(reports[1], CONTEXT)).map((one) => `${one?.properties["title"]} ${one?.data}`);
      const named = decoded(` → ${visible(t.key)}`.trimEnd());
      expect([texts, texts.some((text) => decoded(text).includes(named))]).toEqual([texts, true]);
    }),
    { numRuns: runs(20) },
  );
});
