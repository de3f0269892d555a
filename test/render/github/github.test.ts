// What is annotated, on which line, and what only counted. Fails when a reviewer would miss what ends a short URL, or would be told of
// every line that he reads anyway; when more is written than GitHub shows; or when a line is marked in a file that is not there.

import { describe, expect, test } from "vitest";
import { besides, error, warning, type Diagnostic } from "../../../src/domain/diagnostic.ts";
import { SourceText } from "../../../src/domain/place.ts";
import type { RenderContext } from "../../../src/render/format.ts";
import { github } from "../../../src/render/github/index.ts";
import type { ApplyReport, PlanReport, Report } from "../../../src/view/report.ts";
import { PLAIN } from "../../../src/render/text/screen.ts";
import { obeyed, type RunnerCommand } from "../../support/runner.ts";
import { BASE, create, GO, liveLink, place, planOf, remove, update } from "../plans.ts";

const SETTING: RenderContext = {
  screen: PLAIN,
  maxLength: 65_536,
  project: "marketing/linkform.yaml",
  otherReports: [],
  runUrl: null,
  blobUrl: null,
};

function annotations(report: Report, setting: Partial<RenderContext> = {}): RunnerCommand[] {
  return obeyed(github.render(report, { ...SETTING, ...setting })).flatMap((command) => command ?? []);
}

function planned(more: Partial<PlanReport> & Pick<PlanReport, "plan">): PlanReport {
  return {
    of: "plan",
    flagFor: "this run",
    problems: [],
    baseUrl: "https://short.example.com",
    unmanaged: null,
    pace: null,
    ...more,
  };
}

/** Text in a commit, and a place there. */
const AT_BASE = new SourceText("links:\n  gone: {}\n", "links/gone.yaml", "origin/main").place(9, 13);

describe("of a plan", () => {
  test("where nothing changes there is nothing to say", () => {
    expect(github.render(planned({ plan: planOf([]) }), SETTING)).toBe("");
  });

  test("what is only created or changed is counted, and stands on no line", () => {
    const plan = planOf([create(`${GO}/new`), update(liveLink("changed"))]);
    expect(annotations(planned({ plan }))).toEqual([
      {
        name: "notice",
        properties: { title: "linkform: marketing/linkform.yaml" },
        data: "Plan: 1 to create, 1 to update. 4 unchanged. Without a base, removed links are not detected.",
      },
    ]);
  });

  test("what ends a short URL stands on its line, the most clicks first, and errors before it", () => {
    const plan = planOf(
      [
        remove(liveLink("few", { clicks: 3 }), { source: place(7) }),
        update(liveLink("off", { clicks: 9000 }), { breaksUrl: true, source: place(9) }),
      ],
      {
        diagnostics: [warning("some-rule", "It could be better.", place(2), "Better it."), error("wrong", "No.", null)],
      },
    );
    const results = annotations(
      planned({ plan, problems: [error("brake", "Too many deletes.", null, "Add a flag.")] }),
    );
    expect(results.map(({ name, properties, data }) => [name, properties["line"], properties["title"], data])).toEqual([
      ["error", undefined, "linkform: brake", "Too many deletes.\nAdd a flag."],
      ["error", undefined, "linkform: wrong", "No."],
      ["warning", "9", `Update link ${GO}/off`, `${GO}/off stops working. Its 9,000 clicks are kept.`],
      ["warning", "7", `Delete link ${GO}/few`, `${GO}/few stops working. It has 3 clicks.`],
      ["warning", "2", "linkform: some-rule", "It could be better.\nBetter it."],
      [
        "notice",
        undefined,
        "linkform: marketing/linkform.yaml",
        expect.stringMatching(/^Plan: 1 to update, 1 to delete\./),
      ],
    ]);
    expect(results[2]?.properties["file"]).toBe("marketing/links/a.yaml");
  });

  test("a line of the base is no line of the files: it is told, not marked", () => {
    const plan = planOf([remove(liveLink("gone"), { reason: "removed", source: AT_BASE })], { base: BASE });
    const [first] = annotations(planned({ plan }));
    expect(first?.properties).toEqual({ title: `Delete link ${GO}/gone` });
    expect(first?.data.split("\n")).toEqual([
      `${GO}/gone stops working. It has 12 clicks. It was removed from the files since \`origin/main\`.`,
      "marketing/links/gone.yaml:2 at origin/main",
    ]);
  });

  test("what is declared no longer and stays is told, and a rename that may be meant on its line", () => {
    const orphans = [
      { live: liveLink("left", { clicks: 40 }), place: AT_BASE, successor: null },
      { live: liveLink("old"), place: AT_BASE, successor: create(`${GO}/new`, { source: place(5) }) },
    ];
    const [rename, left] = annotations(planned({ plan: planOf([], { orphans, base: BASE }) }));
    expect([rename?.name, rename?.properties["line"], rename?.properties["title"]]).toEqual([
      "warning",
      "5",
      `Still live: ${GO}/old`,
    ]);
    expect(rename?.data).toContain(`renamed_from: ${GO}/old`);
    expect([left?.name, left?.properties]).toEqual(["warning", { title: "No longer declared, but still live" }]);
    expect(left?.data.split("\n")[1]).toBe(
      `link ${GO}/left, 40 clicks, was declared in marketing/links/gone.yaml:2 at origin/main`,
    );
  });
});

describe("of more than GitHub shows", () => {
  const many = (count: number): Diagnostic[] =>
    Array.from({ length: count }, (_, at) => error("wrong", `It is ${at}.`, place(at + 1)));
  const invalid = (diagnostics: readonly Diagnostic[]): Report => ({
    of: "validate",
    isValid: false,
    files: 1,
    diagnostics,
  });

  test("ten are told", () => {
    const results = annotations(invalid(many(10)));
    expect([results.length, results.at(-1)?.data]).toEqual([10, "It is 9."]);
  });

  test.each([11, 23, 500])("of %i nine are told, and the last one says how many more there are", (count) => {
    const results = annotations(invalid([...many(count), warning("rule", "Beware.", null)]));
    expect(results.map(({ name }) => name)).toEqual([...Array.from({ length: 10 }, () => "error"), "warning"]);
    expect(results[9]).toEqual({
      name: "error",
      properties: { title: `And ${count - 9} more errors` },
      data: "`linkform validate` lists them all.",
    });
  });

  test.each<[RenderContext["otherReports"], string | null, string]>([
    [
      [
        { format: "markdown", file: "report.md" },
        { format: "text", file: "report.txt" },
      ],
      null,
      "report.txt lists them all.",
    ],
    [
      [{ format: "json", file: "/home/runner/x" }],
      "https://ci/42",
      "The report of this run lists them all. https://ci/42",
    ],
    [[{ format: "github", file: "x" }], "https://ci/42", "`linkform validate` lists them all. https://ci/42"],
  ])("and where: %j, %s", (others, run, says) => {
    expect(annotations(invalid(many(11)), { otherReports: others, runUrl: run }).at(-1)?.data).toBe(says);
  });
});

// Of a value that begins with "=" the runner drops that sign: another file would be marked.
test.each(["=a.yaml", "a\n.yaml"])("a file that can't be told to the runner is not marked: %j", (file) => {
  const diagnostics = [error("wrong", "It is.", place(3, file))];
  const [results] = annotations(
    { of: "validate", isValid: false, files: 1, diagnostics },
    { project: "linkform.yaml" },
  );
  expect([results?.properties, results?.data.split("\n")[1]]).toEqual([
    { title: "linkform: wrong" },
    `${file.replace("\n", "\\u{a}")}:3`,
  ]);
});

test("a finding tells the other places that it speaks of", () => {
  const twice = besides(error("twice", "It is there twice.", place(8)), place(3), "first here");
  const [results] = annotations({ of: "validate", isValid: false, files: 1, diagnostics: [twice] });
  expect(results?.data).toBe("It is there twice.\nmarketing/links/a.yaml:3: first here");
});

describe("of an apply", () => {
  const of = {
    kind: "link",
    previous_key: null,
    id: null,
    reason: "declared",
    origin: null,
    breaks_url: false,
    takes_over: null,
    fields: [],
  } as const;
  const source = { file: "links/a.yaml", line: 4, column: 3 };
  const why = (code: string): object => ({
    code,
    message: "It could not be.",
    hint: "Mend it.",
    path: null,
    ...source,
  });
  const results: ApplyReport["results"] = JSON.parse(
    JSON.stringify([
      { ...of, action: "create", key: "done", source, outcome: "applied", error: null },
      { ...of, action: "create", key: "bad", source, outcome: "failed", error: why("refused") },
      { ...of, action: "update", key: "other", source, outcome: "skipped", error: why("moved") },
      { ...of, action: "update", key: "left", source, outcome: "skipped", error: null },
      { ...of, action: "delete", key: "removed", id: 7, source, outcome: "failed", error: why("refused") },
    ]),
  );

  test("what failed is an error on its line, what was left a warning, and what was done is counted", () => {
    const plan = planOf([remove(liveLink("x", { key: "removed" }), { reason: "removed", source: AT_BASE })]);
    const cost = { requests: 3, seconds: 0, waited: 0 };
    const ended: ApplyReport["ended"] = {
      isVerified: true,
      clicksLost: 0,
      cost,
      exit: 4,
      stopped: [],
      again: "linkform apply",
      look: "linkform plan",
    };
    const report: ApplyReport = { of: "apply", plan, problems: [], baseUrl: "", results, saved: null, ended };
    expect(
      annotations(report).map(({ name, properties, data }) => [name, properties["line"], properties["title"], data]),
    ).toEqual([
      ["error", "4", "Failed: create link bad", "It could not be.\nMend it."],
      ["error", undefined, "Failed: delete link removed", "It could not be.\nMend it."],
      ["warning", "4", "Outdated: update link other", "It could not be.\nMend it."],
      ["warning", undefined, "Not started", "1 change was not started, because the run ended early."],
      ["notice", undefined, "linkform: marketing/linkform.yaml", "Not all changes were applied: 1 created."],
    ]);
  });
});
