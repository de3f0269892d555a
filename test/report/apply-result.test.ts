// The final account of an apply, printed without color and kept in test/fixtures/report. Fails if a change has a
// wrong reason, if a reason is repeated, if few changes are only counted, or if the next step is wrong.

import { describe, expect, it } from "vitest";
import { clicksLost, applyReport, type Ended } from "../../src/report/run-document.ts";
import { markdown } from "../../src/report/markdown/index.ts";
import { text, outcomeText } from "../../src/report/text/index.ts";
import { PLAIN, type Screen } from "../../src/report/text/screen.ts";
import { create, GO, liveLink, place, planOf, remove, replace } from "./plans.ts";
import { CONTEXT, ENDED, resultOf } from "./reports.ts";
import type { ChangeResult, ErrorDocument, RunDocument } from "../../src/report/json/schema.ts";

type Action = ChangeResult["action"];
type Why = Partial<ErrorDocument> & Pick<ErrorDocument, "code" | "message">;

const source = (line: number): ChangeResult["source"] => ({ file: "links/a.yaml", line, column: 3 });

const applied = (alias: string, action: Action = "create", more: Partial<ChangeResult> = {}): ChangeResult =>
  resultOf({ action, key: `${GO}/${alias}`, error: null, ...more, outcome: "applied" });

const left = (outcome: "failed" | "skipped", alias: string, line: number, why: Why): ChangeResult => {
  const error = { hint: null, path: null, ...source(line), ...why };
  return resultOf({ action: "create", key: `${GO}/${alias}`, source: source(line), outcome, error });
};

const failed = (alias: string, line: number, code: string, message: string, more: Partial<Why> = {}): ChangeResult =>
  left("failed", alias, line, { ...more, code, message });

const skipped = (alias: string, line: number, message: string): ChangeResult =>
  left("skipped", alias, line, { code: "skipped", message });

function printed(
  results: readonly ChangeResult[],
  more: Partial<Ended & RunDocument> = {},
  screen: Screen = PLAIN,
): string {
  const ended = { ...ENDED, ...more, run: { ...ENDED.run, ...more } };
  const about = { plan: planOf([]), problems: [], baseUrl: "", results, ended };
  return text(applyReport(about), { ...CONTEXT, screen });
}

const stepsIn = (said: string): string[] =>
  [...said.matchAll(/^(?:Next step: | {2}\d+\. )(.+)$/gm)].map(([, step = ""]) => step);

const fixture = (name: string): string => `../fixtures/report/account-${name}.txt`;

const BLOCKED = "The service rejected url: This address is on a list of harmful ones.";

const all = [
  applied("a"),
  applied("b"),
  applied("c", "update"),
  applied("d", "replace"),
  applied("e", "delete"),
  applied("f", "delete"),
];

it("all was done: it is counted by action, with the lost clicks", () => {
  expect(printed(all, { clicks_lost: 401 })).toBe(
    "Done: 2 created, 1 moved, 1 other update, 2 deleted. Verified. 401 clicks were lost with the deleted links.\n",
  );
});

it("all was done: the known clicks of deleted and moved links are lost, unless they were skipped", () => {
  const gone = [remove(liveLink("e", { clicks: 1 })), remove(liveLink("f", { clicks: null }))];
  const changes = [...gone, replace(liveLink("d", { clicks: 400 }), "promo.example.com/d")];
  const made = changes.map((change) => ({ change, outcome: "applied", id: 1 }) as const);
  const kept = changes.map((change) => ({ change, outcome: "skipped", code: "skipped", because: "No." }) as const);
  expect([clicksLost(made), clicksLost(kept)]).toEqual([401, 0]);
});

it.each([
  [9.4, 0, ""],
  [10, 0, "The changes took 10 s.\n"],
  [192, 0, "The changes took 3 min 12 s.\n"],
  [59.4, 0, "The changes took 59 s.\n"],
  [59.6, 0, "The changes took 1 min.\n"],
  [239, 0, "The changes took 3 min 59 s.\n"],
  [192, 120, "The changes took 3 min 12 s, including 2 min of waiting for the rate limit.\n"],
])("all was done: after %d s, of which %d waiting", (seconds, waited, last) => {
  const said = printed(all, { requests: 15, seconds, waited });
  expect(said.slice(said.indexOf("\n") + 1)).toBe(last);
});

describe("not all was done", () => {
  const changed = (alias: string, line: number, id: number): ChangeResult =>
    failed(
      alias,
      line,
      "taken",
      `\`${GO}/${alias}\` exists (id ${id}), but with other values than linkform sent. Somebody else created or changed it.`,
      { hint: "linkform did not change it. Run `linkform plan` to see how it differs." },
    );
  const mixed = [
    applied("a"),
    failed("b", 4, "refused", BLOCKED),
    changed("c", 5, 9),
    skipped("d", 6, "It depends on the pixel Main, which could not be created."),
    failed("e", 7, "refused", BLOCKED),
    changed("f", 8, 10),
  ];

  it("those that failed alike stand together, with the reason once", async () => {
    await expect(printed(mixed)).toMatchFileSnapshot(fixture("mixed"));
  });

  it("deletes of one key that failed alike have their ids", () => {
    const twins = [1, 2].map((id) => ({ ...failed("a", 4, "refused", BLOCKED), action: "delete" as const, id }));
    for (const id of [1, 2]) expect(printed(twins)).toContain(`delete link ${GO}/a #${id} `);
  });

  it("two hundred of one cause, and a hundred of a cause each: ten, and how many more", async () => {
    const alike = Array.from({ length: 200 }, (_, at) => failed(`alike-${at}`, at, "refused", BLOCKED));
    const each = Array.from({ length: 100 }, (_, at) =>
      failed(`other-${at}`, at, "not-as-declared", `\`url\` was sent as ${at}, but the service returned 0.`),
    );
    const said = printed([...alike, ...each]);
    expect(said.match(/^ +create link/gm)).toHaveLength(10);
    expect(said.match(/^✗/gm)).toHaveLength(10);
    await expect(said).toMatchFileSnapshot(fixture("many"));
  });

  const again = "`linkform apply` again. It reads the account first, and applies only the remaining changes.";
  const toFix = ["unauthenticated", "forbidden", "refused", "doubled", "taken", "not-as-declared"];
  it.each<[string, string[]]>([
    ...toFix.map((code): [string, string[]] => [code, [`Fix the errors above, and run ${again}`]]),
    ["internal-error", []],
    ["changed-meanwhile", ["Run `linkform plan` to see what would change now."]],
    ["server-error", [`Run ${again}`]],
  ])("%s: the next steps", (code, steps) => {
    expect(stepsIn(printed([applied("a"), failed("b", 4, code, "It failed.")]))).toEqual(steps);
  });

  it("after a wait that is too long, apply again", () => {
    const said = printed([applied("a"), skipped("b", 4, "The run was stopped.")], { stopped: ["max-wait"] });
    expect(stepsIn(said)).toEqual([`Run ${again}`]);
  });

  it("of a saved plan what has moved needs a new one, and the rest the same", async () => {
    const results = [
      applied("a", "update", { already_so: true }),
      {
        ...left("skipped", "b", 3, { code: "moved", message: "It would be created now, not updated." }),
        action: "update",
      },
      { ...failed("c", 3, "server-error", "The service failed."), action: "update" },
    ] as const;
    const said = printed(results, { again: "linkform apply plan.json" });
    await expect(said).toMatchFileSnapshot(fixture("saved"));
    const about = { plan: planOf([]), problems: [], baseUrl: "", results, ended: ENDED };
    expect(markdown(applyReport(about), CONTEXT)).toContain("already done before this run");
  });
});

// Fails if changes that were not started are printed one by one, or if a text of the service moves the cursor.
it("each change is printed when it ends", () => {
  const refused = { code: "refused", message: "The service rejected url: \u001b[2J." };
  const failure = { ...refused, hint: null, path: null, place: place(), mayHaveActed: false };
  const results = [
    { change: create("Main", {}, "pixel"), outcome: "applied", id: 1 } as const,
    { change: remove(liveLink("old")), outcome: "applied", id: 1 } as const,
    { change: create(`${GO}/d`), outcome: "skipped", code: "skipped", because: "Interrupted." } as const,
    { change: create(`${GO}/b`), outcome: "failed", failure } as const,
  ].map((outcome) => outcomeText(outcome, { ...PLAIN, columns: 44 }));
  expect(results).toEqual([
    "✓ created pixel Main\n",
    `✓ deleted link ${GO}/old #7\n`,
    "",
    `✗ create link ${GO}/b failed: The\n    service rejected url: \\u{1b}[2J.\n`,
  ]);
});
