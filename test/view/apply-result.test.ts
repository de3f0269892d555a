// The final account of an apply, printed without colour and kept in test/fixtures/report. Fails if a change is told under a
// wrong reason, a reason more than once, a number in place of what few changes are, or something else is to be done now.

import { describe, expect, it } from "vitest";
import type { Failure, Outcome } from "../../src/apply/outcome.ts";
import { recordIdOf, type Change } from "../../src/domain/change.ts";
import { EXIT, type ExitCode } from "../../src/errors.ts";
import type { Ended } from "../../src/view/report.ts";
import { outcomeDocument } from "../../src/view/document.ts";
import { outcomeText, resultText } from "../../src/render/text/result.ts";
import { clicksLost } from "../../src/view/apply-result.ts";
import type { SavedOutcome } from "../../src/saved-plan/outcome.ts";
import { PLAIN, type Screen } from "../../src/render/text/screen.ts";
import { create, GO, liveLink, place, remove, replace, update } from "../render/plans.ts";

const applied = (change: Change): Outcome => ({ change, outcome: "applied", id: 1 });

const skipped = (change: Change, because: string): Outcome => ({
  change,
  outcome: "skipped",
  code: "skipped",
  because,
});

function failed(change: Change, code: string, message: string, more: Partial<Failure> = {}): Outcome {
  const none = { hint: null, path: null, place: change.source, mayHaveActed: false };
  return { change, outcome: "failed", failure: { code, message, ...none, ...more } };
}

const link = (alias: string, line: number): Change => create(`${GO}/${alias}`, { source: place(line) });

function ended(outcomes: readonly Outcome[], exit: ExitCode, more: Partial<Ended> = {}): Ended {
  return {
    isVerified: true,
    clicksLost: clicksLost(outcomes),
    cost: { requests: 15, seconds: 4, waited: 0 },
    exit,
    stopped: [],
    again: "linkform apply",
    look: "linkform plan",
    ...more,
  };
}

function printed(
  outcomes: readonly Outcome[],
  exit: ExitCode,
  more: Partial<Ended> = {},
  screen: Screen = PLAIN,
): string {
  const results = outcomes.map((outcome) => ({
    ...outcome.change,
    id: recordIdOf(outcome.change),
    ...outcomeDocument(outcome),
  }));
  return resultText({ results, ended: ended(outcomes, exit, more), plan: { withheld: [] }, saved: null }, screen);
}

const NO_SUMMARY = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  unchanged: 0,
  unmanaged: null,
  now_managed: null,
  origins: null,
};

function savedResultText(results: readonly SavedOutcome[], how: Ended, screen: Screen): string {
  return resultText(
    { results, ended: how, plan: { withheld: [] }, saved: { summary: NO_SUMMARY, notReviewed: [] } },
    screen,
  );
}

const fixture = (name: string): string => `../fixtures/report/account-${name}.txt`;

const BLOCKED = "The service rejected url: This address is on a list of harmful ones.";

describe("all was done", () => {
  const all = [
    applied(create(`${GO}/a`)),
    applied(create(`${GO}/b`)),
    applied(update(liveLink("c"))),
    applied(replace(liveLink("d", { clicks: 400 }), "promo.example.com/d")),
    applied(remove(liveLink("e", { clicks: 1 }))),
    applied(remove(liveLink("f", { clicks: null }))),
  ];

  it("is counted by what was done, with the clicks that went", () => {
    expect(printed(all, EXIT.done)).toBe(
      "Done: 2 created, 1 moved, 1 other update, 2 deleted. Verified. 401 clicks were lost with the deleted links.\n",
    );
  });

  it("no clicks have gone with what was not deleted", () => {
    const gone = remove(liveLink("e"));
    expect([clicksLost([applied(gone)]), clicksLost([failed(gone, "forbidden", "No."), skipped(gone, "No.")])]).toEqual(
      [12, 0],
    );
  });

  it.each([
    [9.4, 0, ""],
    [10, 0, "The changes took 10 s.\n"],
    [192, 0, "The changes took 3 min 12 s.\n"],
    [59.4, 0, "The changes took 59 s.\n"],
    [59.6, 0, "The changes took 1 min.\n"],
    [239, 0, "The changes took 3 min 59 s.\n"],
    [192, 120, "The changes took 3 min 12 s, including 2 min of waiting for the rate limit.\n"],
  ])("after %d s, of which %d waiting", (seconds, waited, last) => {
    const text = printed(all, EXIT.done, { cost: { requests: 15, seconds, waited } });
    expect(text.slice(text.indexOf("\n") + 1)).toBe(last);
  });

  it("without a second reading it is not called verified", () => {
    expect(printed([applied(link("a", 3))], EXIT.interrupted, { isVerified: false })).toBe(
      "Done: 1 created. The changes were not verified. Run `linkform plan` to check the account.\n",
    );
  });
});

describe("not all was done", () => {
  const mixed = [
    applied(link("a", 3)),
    failed(link("b", 4), "refused", BLOCKED),
    failed(
      link("c", 5),
      "account-changed",
      `\`${GO}/c\` now exists (id 9). The account changed while linkform read it.`,
      {
        hint: "linkform did not change it. Run `linkform plan` to compare it with the files, or use another name.",
      },
    ),
    skipped(link("d", 6), "It depends on the pixel Main, which could not be created."),
    failed(link("e", 7), "refused", BLOCKED),
    failed(
      link("f", 8),
      "account-changed",
      `\`${GO}/f\` now exists (id 10). The account changed while linkform read it.`,
      {
        hint: "linkform did not change it. Run `linkform plan` to compare it with the files, or use another name.",
      },
    ),
  ];

  it("those that failed alike stand together, with the reason once", async () => {
    await expect(printed(mixed, EXIT.partial)).toMatchFileSnapshot(fixture("mixed"));
  });

  it("on a narrow terminal prose breaks between words, and keys never do", async () => {
    const text = printed(mixed, EXIT.partial, {}, { ...PLAIN, columns: 40 });
    for (const line of text.split("\n")) if (!line.includes(`link ${GO}`)) expect(line.length).toBeLessThanOrEqual(40);
    await expect(text).toMatchFileSnapshot(fixture("narrow"));
  });

  it("two hundred of one cause, and a hundred of a cause each: ten, and how many more", async () => {
    const alike = Array.from({ length: 200 }, (_, at) => failed(link(`alike-${at}`, at), "refused", BLOCKED));
    const each = Array.from({ length: 100 }, (_, at) =>
      failed(link(`other-${at}`, at), "not-as-declared", `\`url\` was sent as ${at}, but the service returned 0.`),
    );
    const text = printed([...alike, ...each], EXIT.partial);
    expect(text.match(/ {2}✗/g)).toHaveLength(10 + 9);
    await expect(text).toMatchFileSnapshot(fixture("many"));
  });

  it("interrupted: what was not started is told", async () => {
    const text = printed(
      [
        applied(link("a", 3)),
        skipped(link("b", 4), "The run was interrupted."),
        skipped(link("c", 5), "The run was interrupted."),
      ],
      EXIT.interrupted,
      { isVerified: false, stopped: ["interrupted"] },
    );
    await expect(text).toMatchFileSnapshot(fixture("interrupted"));
  });

  it("nothing was applied: it does not say that anything is done", () => {
    const text = printed([failed(link("b", 4), "refused", BLOCKED)], EXIT.error);
    expect(text).toMatch(/^Nothing was applied: 1 failed\.\n/);
    expect(text).toMatch(/ {2}2\. Run `linkform apply` again\.\nExit code 1: nothing was applied\.\n$/);
  });

  it.each([
    ["unauthenticated", /^ {2}1\. Set LINKFORM_API_KEY to an API key that the service accepts/m],
    ["forbidden", /^ {2}1\. Use an API key with permission for these changes\./m],
    ["taken", /^ {2}1\. Run `linkform plan` to see which object has the name now\./m],
    [
      "not-as-declared",
      /^Next step: Change the values that the service did not accept, .*\. Another run would send the same values\.$/m,
    ],
    ["changed-meanwhile", /^Next step: Run `linkform plan` to see what would change now\.$/m],
    ["not-verified", /^Next step: Run `linkform plan` to see what would change now\.$/m],
    ["internal-error", /^Next step: Report the internal error\. It is a bug in linkform\.$/m],
    [
      "server-error",
      /^Next step: Run `linkform apply` again\. It reads the account first, and applies only the remaining changes\. If it fails in the same way, report/m,
    ],
    [
      "unreachable",
      /^Next step: Run `linkform apply` again\. It reads the account first, and applies only the remaining changes\.$/m,
    ],
  ])("after %s the way on is said", (code, way) => {
    expect(printed([applied(link("a", 3)), failed(link("b", 4), code, "It failed.")], EXIT.partial)).toMatch(way);
  });

  it("an alias that the service refuses may be somebody else's", () => {
    const taken = "The service rejected alias: The alias has already been taken.";
    const text = printed([failed(link("b", 4), "refused", taken, { path: "alias" })], EXIT.error);
    expect(text).toMatch(
      /^ {2}1\. If an alias or name was rejected, choose another one\. If it is taken, `linkform plan --show/m,
    );
    expect(text).not.toContain("Correct the values");
  });

  it("of a saved plan what has moved needs a new one, and the rest the same", async () => {
    const saved = (key: string, more: Pick<SavedOutcome, "outcome" | "error">): SavedOutcome => ({
      action: "update",
      kind: "link",
      key: `${GO}/${key}`,
      previous_key: null,
      id: 7,
      reason: "changed",
      origin: null,
      breaks_url: false,
      takes_over: null,
      fields: [],
      source: place(),
      already_so: false,
      ...more,
    });
    const error = { hint: null, path: null, ...place(), message: "It would be created now, not updated." };
    const outcomes: SavedOutcome[] = [
      { ...saved("a", { outcome: "applied", error: null }), already_so: true },
      saved("b", { outcome: "skipped", error: { ...error, code: "moved" } }),
      saved("c", { outcome: "failed", error: { ...error, code: "server-error", message: "The service failed." } }),
    ];
    const text = savedResultText(outcomes, ended([], EXIT.partial, { again: "linkform apply plan.json" }), PLAIN);
    await expect(text).toMatchFileSnapshot(fixture("saved"));
  });
});

// Fails when what nobody has touched is called verified, when what has moved is to be tried again in vain, when the exit code
// is said to mean something else, or when what stopped the run has no way on.
describe("of a saved plan", () => {
  const saved = (key: string, more: Pick<SavedOutcome, "outcome" | "error" | "already_so">): SavedOutcome => {
    const none = {
      previous_key: null,
      id: 7,
      reason: "changed",
      origin: null,
      breaks_url: false,
      takes_over: null,
    } as const;
    return { action: "update", kind: "link", key: `${GO}/${key}`, ...none, fields: [], source: place(), ...more };
  };
  const moved = { code: "moved", message: "It would be created now.", hint: null, path: null, ...place() };

  it.each([true, false])("all of it is so already, whether or not it was read again: %s", (isVerified) => {
    const outcomes = ["a", "b"].map((key) => saved(key, { outcome: "applied", error: null, already_so: true }));
    expect(savedResultText(outcomes, ended([], EXIT.done, { isVerified }), PLAIN)).toBe("Done: 2 already done.\n");
  });

  it("all of it has moved", () => {
    const outcomes = [saved("a", { outcome: "skipped", error: moved, already_so: false })];
    expect(savedResultText(outcomes, ended([], EXIT.refused), PLAIN)).toBe(`Nothing was applied: 1 outdated.

Skipped as outdated:
  · update link ${GO}/a  links/a.yaml:3:3
      It would be created now.

Next step: Run \`linkform plan\` to see what would change now.
Exit code 3: nothing was applied, because every change is outdated.
`);
  });
});

it.each([["max-wait", "  1. Wait a little, or allow a longer wait with --max-wait.\n"]])(
  "what stopped the run, %s, has a way on",
  (code, step) => {
    const outcomes = [applied(link("a", 3)), skipped(link("b", 4), "The run was stopped.")];
    expect(printed(outcomes, EXIT.partial, { stopped: [code] })).toContain(
      `Next steps:\n${step}  2. Run \`linkform apply\` again. Changes that were applied are kept.\n`,
    );
  },
);

it.each([
  [50, "  ✗ create link go.example.com/a  links/a.yaml:3:3\n"],
  [49, "  ✗ create link go.example.com/a\n      links/a.yaml:3:3\n"],
])("a place stands beside its change if %d columns are enough", (columns, results) => {
  const text = printed([failed(link("a", 3), "refused", BLOCKED)], EXIT.error, {}, { ...PLAIN, columns });
  expect(text).toContain(results);
});

// Fails when what was not started is told one by one before it is told together, or a text of the service moves the cursor.
it("each change is told as it ends", () => {
  const results = [
    applied(create("Main", {}, "pixel")),
    applied(remove(liveLink("old"))),
    skipped(link("d", 6), "The run was interrupted."),
    failed(link("b", 4), "refused", "The service rejected url: \u001b[2J."),
  ].map((outcome) => outcomeText(outcome, outcome.change.key, { ...PLAIN, columns: 44 }));
  expect(results).toEqual([
    "✓ created pixel Main\n",
    `✓ deleted link ${GO}/old\n`,
    "",
    `✗ create link ${GO}/b failed: The\n    service rejected url: \\u{1b}[2J.\n`,
  ]);
});
